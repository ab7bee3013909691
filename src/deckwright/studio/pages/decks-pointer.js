/** Cards that are dragged, and faces that are shown large where the pointer rests. */

import { less, more, move } from "./decks-acts.js";
import { zonesOf } from "./decks-spots.js";
import { at, context } from "./decks-state.js";
import { part } from "./decks-view.js";
import { linked } from "./session.js";

const REST = 320;
let dragged = null;
let timer = 0;

function target(event) {
  const node = event.target.closest?.("[data-drop]");
  if (!node || !dragged) return null;
  if (node.dataset.drop === "pool") return dragged.from === "deck" ? node : null;
  return dragged.from === "deck" && dragged.zone === node.dataset.zone ? null : node;
}

function over(node) {
  for (const old of at.root.querySelectorAll(".over"))
    if (old !== node) old.classList.remove("over");
  node?.classList.add("over");
}

function drop(event) {
  const node = target(event);
  over(null);
  if (!node) return;
  event.preventDefault();
  const { from, card, zone } = dragged;
  const zones = zonesOf(context().pool, card);
  if (node.dataset.drop === "pool") less(card, zone);
  else if (from === "deck") move(card, zone, node.dataset.zone, event.shiftKey ? Infinity : 1);
  else more(card, zones.includes(node.dataset.zone) ? node.dataset.zone : undefined);
  dragged = null;
}

/** Hide the large face. */
export function hide() {
  clearTimeout(timer);
  const peek = part("peek");
  if (peek) peek.hidden = true;
}

function show(node) {
  const face = context().cards.get(node.dataset.card ?? node.dataset.peek);
  const peek = part("peek");
  if (!face?.hash || !node.isConnected) return;
  const box = node.getBoundingClientRect();
  const high = Math.min(innerHeight - 24, 460);
  const wide = (high * face.width) / face.height;
  const right = box.right + 12 + wide < innerWidth;
  peek.src = linked(`/faces/${face.hash}.svg`);
  peek.style.setProperty("height", `${high}px`);
  peek.style.setProperty("left", `${right ? box.right + 12 : Math.max(8, box.left - wide - 12)}px`);
  peek.style.setProperty(
    "top",
    `${Math.max(12, Math.min(box.top - 40, innerHeight - high - 12))}px`,
  );
  (node.closest("dialog") ?? at.root).append(peek);
  peek.hidden = false;
}

/** Listen to the pointer within the view. */
export function wire(root) {
  root.addEventListener("dragstart", (event) => {
    const node = event.target.closest?.("[data-drag]");
    if (!node) return;
    hide();
    dragged = { from: node.dataset.drag, card: node.dataset.card, zone: node.dataset.zone };
    event.dataTransfer.setData("text/plain", dragged.card);
    event.dataTransfer.effectAllowed = "copyMove";
  });
  root.addEventListener("dragover", (event) => {
    const node = target(event);
    if (node) event.preventDefault();
    over(node);
  });
  root.addEventListener("drop", drop);
  root.addEventListener("dragend", () => (over(null), (dragged = null)));
  root.addEventListener("pointerover", (event) => {
    const node = event.target.closest?.("[data-card][data-drag], [data-peek]");
    hide();
    if (node && event.pointerType === "mouse" && !event.target.closest(".decks-step"))
      timer = setTimeout(() => show(node), REST);
  });
  root.addEventListener("pointerdown", hide);
  root.addEventListener("scroll", hide, true);
}
