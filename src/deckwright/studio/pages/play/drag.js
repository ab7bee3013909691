/** Pointers on the table: mouse, touch and pen drag cards, choose several, and ask for menus. */

import { make } from "../shared/words.js";
import {
  groupOf,
  postEvent,
  idsIn,
  isMarker,
  isOpen,
  isStack,
  kindOf,
  pieceOf,
  playerOf,
  state,
} from "./state.js";
import { allZones, drawTable, nodeOf, sortIds } from "./table.js";

const FAR = 6; // px: a shorter way is no drag
const LONG = 500; // ms: so long a finger rests for a menu
const NEAR = 0.3; // of a card: so near to another one, a card is put on it
const EDGE = 48; // px from the edge of the window, where the page scrolls
const STEP = 12; // px a frame

let drag = null; // what is dragged
let lasso = null; // the frame that is drawn
let press = null; // a pointer that was pressed and has not moved yet
let frame = 0;

/** Return where all areas and the pieces that lie open are, as long as nothing moves. */
function survey(dragged) {
  const boxes = new Map();
  const pieces = [];
  for (const [area, { list, section }] of allZones()) {
    boxes.set(area, { list: list.getBoundingClientRect(), all: section.getBoundingClientRect() });
    if (isStack(area)) continue;
    for (const id of idsIn(area)) {
      const node = dragged.has(id) ? null : nodeOf(id);
      if (node) pieces.push({ id, area, box: node.getBoundingClientRect() });
    }
  }
  return { boxes, pieces, top: scrollY };
}

const inside = ({ left, right, top, bottom }, x, y) =>
  x >= left && x <= right && y >= top && y <= bottom;

/**
 * Return what a drop at a point of the window means, null for nothing.
 *
 * @returns {any}
 */
function targetAt(x, y, shift) {
  const { boxes, pieces, top } = drag.map;
  const there = y + scrollY - top;
  const found = [...boxes].find(([, { all }]) => inside(all, x, there));
  if (!found) return null;
  const [area, { list }] = found;
  if (!isOpen(area)) {
    const before = pieces.filter((each) => each.area === area && middle(each.box).x < x);
    return { area, at: isStack(area) ? 0 : before.length };
  }
  const below = pieces.findLast(({ area: own, id, box }) => {
    if (own !== area || (isMarker(pieceOf(id).card) && !drag.marker)) return false;
    if (drag.marker || shift) return inside(box, x, there);
    const { x: cx, y: cy } = middle(box);
    const near =
      Math.abs(cx - drag.x) < NEAR * box.width &&
      Math.abs(cy - there + drag.dy) < NEAR * box.height;
    return kindOf(area) === "free" && near;
  });
  if (below) return { area, on: below.id };
  if (kindOf(area) === "free") {
    const share = (value, start, length) => Math.min(1, Math.max(0, (value - start) / length));
    return {
      area,
      x: share(drag.x, list.left, list.width),
      y: share(there - drag.dy, list.top, list.height),
    };
  }
  const row = pieces.filter(({ area: own, id }) => own === area && pieceOf(id).on === null);
  return { area, after: row.findLast(({ box }) => middle(box).x < x)?.id ?? null };
}

const middle = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });

/** Return where a piece goes on another one: markers side by side, cards a little lower. */
export function shiftOn(on, marker) {
  const others = [...state.game.pieces.values()].filter((piece) => piece.on === on);
  const count = others.filter(({ card }) => isMarker(card) === marker).length;
  if (!marker) return { x: 0.1, y: 0.14 };
  return { x: -0.3 + 0.2 * (count % 4), y: 0.32 - 0.22 * Math.floor(count / 4) };
}

/** Return where in a row something goes behind a piece and all that lies on it. */
export function placeAfter(area, after, moved = new Set()) {
  const left = idsIn(area).filter((id) => !moved.has(id));
  if (after === null) return 0;
  const group = new Set(groupOf(after));
  return left.findLastIndex((id) => group.has(id)) + 1;
}

function drop({ area, at, on, x, y, after }) {
  const moved = new Set(drag.ids.flatMap(groupOf));
  const event = { to: area };
  if (on !== undefined) Object.assign(event, { on, ...shiftOn(on, drag.marker) });
  else if (x !== undefined) Object.assign(event, { x, y });
  if (drag.make)
    return postEvent({ do: "create", card: drag.make, owner: playerOf(area), ...event });
  if (after !== undefined) at = placeAfter(area, after, moved);
  if (at !== undefined) event.at = at;
  return postEvent({ do: "move", cards: drag.ids, ...event });
}

// A drag: copies of the pieces follow the pointer, and nothing else is touched.

function lift({ clientX, clientY, shiftKey }) {
  const { node, made } = press;
  const ghost = make("div.play-ghost", { "aria-hidden": "true" });
  const box = node.getBoundingClientRect();
  const ids = made ? [] : idsToDrag(node);
  const group = ids.flatMap(groupOf);
  const from = made ? [node] : group.map(nodeOf).filter(Boolean);
  const pieces = from.length ? from : [node];
  for (const each of pieces) {
    const copy = /** @type {HTMLElement} */ (each.cloneNode(true));
    const { left, top, width, height } = each.getBoundingClientRect();
    const style = each.style;
    const turn = /rotate\([^)]*\)/.exec(style.transform)?.[0] ?? "";
    const [w, h] = [parseFloat(style.width) || width, parseFloat(style.height) || height];
    copy.style.transform = `translate(${left + (width - w) / 2}px, ${top + (height - h) / 2}px) ${turn}`;
    ghost.append(copy);
    each.classList.add("play-away");
  }
  document.body.append(ghost);
  const { x, y } = middle(box);
  const card = made ?? pieceOf(ids[0]).card;
  drag = {
    ids,
    make: made,
    marker: isMarker(card) && (made !== null || ids.every((id) => isMarker(pieceOf(id).card))),
    ghost,
    pieces,
    dx: press.x - x,
    dy: press.y - y,
    map: survey(new Set(group)),
  };
  state.root.classList.add("play-dragging");
  follow(clientX, clientY, shiftKey);
}

/** Return the ids that a pressed item stands for: all that are chosen, or it alone. */
function idsToDrag(node) {
  if (node.dataset.stack) return idsIn(node.dataset.stack).slice(0, 1);
  const id = Number(node.dataset.id);
  const chosen = state.chosen.has(id) ? sortIds([...state.chosen]) : [id];
  const on = new Set(chosen.flatMap((each) => groupOf(each).slice(1)));
  return chosen.filter((each) => !on.has(each));
}

function follow(x, y, shift) {
  Object.assign(drag, { px: x, py: y, shift });
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    if (!drag) return;
    if (drag.py < Math.min(EDGE, press.y)) scrollBy(0, -STEP);
    else if (drag.py > Math.max(innerHeight - EDGE, press.y)) scrollBy(0, STEP);
    drag.ghost.style.transform = `translate(${drag.px - press.x}px, ${drag.py - press.y}px)`;
    drag.x = drag.px - drag.dx;
    drag.target = targetAt(drag.px, drag.py, drag.shift);
    mark(drag.target);
  });
}

function mark(target) {
  for (const [area, { section }] of allZones()) {
    const over = target?.area === area;
    if (section.classList.contains("over") !== over) section.classList.toggle("over", over);
  }
  const on = target?.on === undefined ? null : nodeOf(target.on);
  if (drag?.under === on) return;
  drag?.under?.classList.remove("under");
  on?.classList.add("under");
  if (drag) drag.under = on;
}

function end(apply) {
  clearTimeout(press?.timer);
  if (drag) {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    drag.x = drag.px - drag.dx;
    const target = apply ? targetAt(drag.px, drag.py, drag.shift) : null;
    mark(null);
    for (const each of drag.pieces) each.classList.remove("play-away");
    drag.ghost.remove();
    state.root.classList.remove("play-dragging");
    if (target) drop(target);
  }
  drag = press = null;
}

// The lasso: a frame that is drawn over pieces chooses them.

function drawLasso({ clientX, clientY }) {
  const [x, y] = [Math.min(clientX, lasso.x), Math.min(clientY, lasso.y)];
  const [width, height] = [Math.abs(clientX - lasso.x), Math.abs(clientY - lasso.y)];
  lasso.node.hidden = width + height < FAR;
  Object.assign(lasso.node.style, { width: `${width}px`, height: `${height}px` });
  lasso.node.style.transform = `translate(${x}px, ${y}px)`;
  lasso.box = { left: x, right: x + width, top: y, bottom: y + height };
}

function endLasso(more) {
  const { box, node } = lasso;
  const drawn = !node.hidden;
  node.remove();
  lasso = null;
  if (!more) state.chosen.clear();
  if (drawn)
    for (const { id, box: own } of survey(new Set()).pieces) {
      const { x, y } = middle(own);
      if (inside(box, x, y)) state.chosen.add(id);
    }
  state.draw();
}

/**
 * Listen to pointers.
 *
 * @param {(node: Element, x: number, y: number) => void} menu opens the menu of an item.
 * @param {(node: Element) => void} tap is called where an item was pressed and let go.
 */
export function listenToPointers(root, menu, tap) {
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press || lasso) return;
    const node = event.target.closest(".play-piece, [data-make]");
    const [x, y] = [event.clientX, event.clientY];
    if (node) {
      const made = node.dataset.make ?? null;
      const empty = node.dataset.stack && !idsIn(node.dataset.stack).length;
      const still = Boolean(empty) || state.at !== null;
      press = { node, made, x, y, pointer: event.pointerId, still, timer: 0 };
      if (event.pointerType !== "mouse" && !made)
        press.timer = setTimeout(() => (end(false), menu(node, x, y)), LONG);
    } else if (event.target.closest(".play-board") && event.pointerType !== "touch") {
      if (event.target.closest("button")) return;
      lasso = { x, y, node: make("div.play-lasso", { hidden: true }) };
      document.body.append(lasso.node);
      event.preventDefault();
      /** @type {any} */ (document.activeElement)?.blur?.();
    }
  });
  addEventListener("pointermove", (event) => {
    if (lasso) drawLasso(event);
    if (!press || event.pointerId !== press.pointer || press.still) return;
    if (drag) follow(event.clientX, event.clientY, event.shiftKey);
    else if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) {
      clearTimeout(press.timer);
      lift(event);
    }
  });
  addEventListener("pointerup", (event) => {
    if (lasso) endLasso(event.shiftKey || event.ctrlKey);
    if (!press || event.pointerId !== press.pointer) return;
    const { node } = press;
    const moved = drag !== null;
    end(true);
    if (!moved) {
      if (event.shiftKey || event.ctrlKey || event.metaKey) choose(node);
      else tap(node);
    }
  });
  addEventListener("pointercancel", () => end(false));
  addEventListener("keydown", ({ key }) => key === "Escape" && drag && end(false), true);
  root.addEventListener("contextmenu", (event) => {
    const node = event.target.closest(".play-piece");
    if (!node) return;
    event.preventDefault();
    const { left, bottom } = node.getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0;
    menu(node, byKey ? left : event.clientX, byKey ? bottom : event.clientY);
  });
  root.addEventListener("dragstart", (event) => event.preventDefault());
}

export function choose(node) {
  const id = Number(node.dataset.id);
  if (!id) return;
  if (!state.chosen.delete(id)) state.chosen.add(id);
  drawTable();
}
