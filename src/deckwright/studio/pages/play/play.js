/** The table: it is made once, changed where it differs, and listens to pointers and keys. */

import { morph, showKeys, showLarge } from "../shared/page.js";
import { localize, make, word } from "../shared/words.js";
import {
  actsFor,
  create,
  forTable,
  inMenu,
  openDialog,
  openMenu,
  openMenuAt,
  pressKey,
  redo,
  travelTo,
  undo,
} from "./acts.js";
import { choose, listenToPointers } from "./drag.js";
import {
  asidePart,
  barPart,
  dialogPart,
  footPart,
  leave,
  runButton,
  startPart,
  tellEntry,
} from "./parts.js";
import {
  askAbout,
  faceOf,
  forgetFaces,
  idsIn,
  isWaiting,
  look,
  onHappened,
  openGame,
  pieceOf,
  shownFace,
  state,
} from "./state.js";
import { build, drawTable, focusPiece, neighbour, subjects } from "./table.js";

const parts = {};
const SOON = 120; // ms until the parts beside the table follow the focus

function frame(root) {
  for (const name of ["page", "board", "foot"])
    parts[name] = make("div", { className: `play-${name}` });
  parts.aside = make("aside.play-aside", { "aria-label": word("play-beside") });
  parts.dialog = make("dialog", { id: "play-dialog", "aria-label": word("nav-play") });
  parts.large = make("img", { id: "play-large", alt: "", hidden: true });
  parts.menu = make("div", { id: "play-menu", role: "menu", popover: "manual" });
  parts.wrong = make("p.play-wrong", { role: "status" });
  const table = make("div.play-table", parts.board, parts.aside);
  root.replaceChildren(
    make("h2.hidden", word("nav-play")),
    parts.page,
    parts.wrong,
    table,
    parts.foot,
    parts.menu,
    parts.dialog,
    parts.large,
  );
}

function draw() {
  const { studio, root, game } = state;
  if (!studio.wall() || !state.about) return;
  root.dataset.page = game ? "table" : "start";
  root.classList.toggle("play-past", state.at !== null);
  if (game) {
    build(parts.board);
    drawTable(); // first, as it measures
    root.setAttribute("aria-busy", String(isWaiting()));
  }
  morph(parts.page, game ? [] : startPart());
  const first = game?.findings[0];
  parts.wrong.textContent = first ? `${first.path}:${first.line}: ${localize(first.message)}` : "";
  drawBeside();
  const { dialog } = parts;
  morph(dialog, game || state.dialog ? dialogPart() : []);
  if (state.dialog && !dialog.open) dialog.showModal();
  if (!state.dialog && dialog.open) dialog.close();
}

/** Draw what depends on the focus and on what was chosen, but for the table. */
function drawBeside() {
  morph(state.studio.bar("play"), state.game ? barPart() : []);
  morph(parts.aside, state.game ? asidePart() : []);
  morph(parts.foot, state.game ? footPart() : []);
  const now = parts.aside.querySelector("[aria-current='step']");
  if (now) parts.aside.scrollTop = now.offsetTop - parts.aside.clientHeight / 2;
}

let later = 0;

/** Draw in a moment what follows the focus. */
function follow() {
  clearTimeout(later);
  later = setTimeout(drawBeside, SOON);
}

// A card as large as it can be read: where the pointer rests, or by the space bar.

const REST = 350;
let rest = 0;

function enlarge(node) {
  const id = node?.dataset.id ?? (node?.dataset.stack && idsIn(node.dataset.stack)[0]);
  const piece = id ? pieceOf(Number(id)) : null;
  const card = piece?.card ?? node?.dataset.make;
  const face = piece ? shownFace(piece) : card && faceOf(card);
  if (!face?.hash || state.root.classList.contains("play-dragging")) return;
  showLarge(parts.large, face, node, 520);
}

function shrink() {
  clearTimeout(rest);
  parts.large.hidden = true;
}

function keys() {
  const all = [...new Map([...listActs(), ...forTable].map((act) => [act.key, act])).values()];
  showKeys([
    ["1 … 9", word("play-key-draw")],
    ["Space", word("play-key-large")],
    ["Enter", word("play-key-menu")],
    ["← → ↑ ↓", word("play-key-arrows")],
    ["Shift-←", word("play-key-nudge")],
    ["Ctrl-A", word("play-key-all")],
    ...all.map(({ key, word: id }) => [key, word(`play-do-${id}`)]),
    ["Ctrl-Z Ctrl-Y", word("key-undo")],
  ]);
}

/** Return the acts for a stack and a piece, for the list of keys. */
function listActs() {
  const { game } = state;
  const stack = Object.keys(game.setting.areas).find((area) => idsIn(area).length > 1);
  const piece = [...game.pieces.values()].find(({ made }) => made) ?? [...game.pieces.values()][0];
  return [...actsFor({ stack, ids: [] }), ...actsFor({ stack: "", ids: [piece.id] })];
}

/** Take a key; return whether it means something here. */
function press(event) {
  if (!state.game || parts.dialog.open || parts.menu.matches(":popover-open")) return false;
  if (event.target.closest("input, select, textarea")) return false;
  const { key } = event;
  const node = event.target.closest(".play-piece");
  if (key === "?") keys();
  else if (key === " " && node) parts.large.hidden ? enlarge(node) : shrink();
  else if (event.target.closest("button:not(.play-card)") && (key === " " || key === "Enter"))
    return false;
  else if (key === "Escape" && !parts.large.hidden) shrink();
  else if (state.at !== null) {
    if (key === "ArrowLeft") state.studio.attempt(() => travelTo(state.at - 1));
    else if (key === "ArrowRight") state.studio.attempt(() => travelTo(state.at + 1));
    else return false;
  } else if (node && /^(Arrow|Home$|End$)/.test(key) && !event.shiftKey) {
    shrink();
    const next = neighbour(node, key);
    if (next) focusPiece(next.dataset.stack ?? Number(next.dataset.id));
  } else if (!pressKey(event)) return false;
  event.preventDefault();
  return true;
}

function command(event) {
  if (state.root.hidden || !state.game || parts.dialog.open) return;
  if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "z") (event.shiftKey ? redo : undo)();
  else if (key === "y") redo();
  else if (key === "a") {
    const area = event.target.closest(".play-zone")?.dataset.area ?? "table";
    for (const id of idsIn(area)) state.chosen.add(id);
    draw();
  } else return;
  event.preventDefault();
}

function listen(root) {
  for (const node of [root, state.studio.bar("play")]) {
    node.addEventListener("click", ({ target, detail }) => {
      const make = target.closest("[data-make]");
      if (make && !detail)
        create(make.dataset.make); // by keys
      else runButton(target);
    });
    node.addEventListener("input", ({ target }) => {
      const { decks } = state.look;
      if (target.id === "play-deck-0") look({ decks: [target.value, decks[1]] });
      if (target.id === "play-deck-1") look({ decks: [decks[0], target.value] });
      if (target.id === "play-seed") state.seed = target.value;
      if (target.id === "play-size") (look({ size: Number(target.value) }), draw());
      if (target.id === "play-moment") state.studio.attempt(() => travelTo(Number(target.value)));
    });
  }
  listenToPointers(root, openMenuAt, (node) => {
    if (node.dataset.make) create(node.dataset.make);
    else if (node.dataset.stack) focusPiece(node.dataset.stack);
    else {
      const id = Number(node.dataset.id);
      const alone = state.chosen.size === 1 && state.chosen.has(id);
      state.chosen.clear();
      if (!alone) choose(node);
      else drawTable();
      focusPiece(id);
    }
    drawBeside();
  });
  root.addEventListener("dblclick", ({ target }) => {
    const area = target.closest(".play-piece")?.dataset.stack;
    if (area && state.at === null) actsFor({ stack: area, ids: [] })[0]?.run();
  });
  root.addEventListener("focusin", follow);
  root.addEventListener("pointerover", (event) => {
    shrink();
    const node = event.target.closest(".play-piece, [data-make]");
    if (node && event.pointerType === "mouse" && !event.buttons)
      rest = setTimeout(() => node.isConnected && enlarge(node), REST);
  });
  root.addEventListener("pointerdown", shrink);
  parts.menu.addEventListener("keydown", inMenu);
  parts.dialog.addEventListener(
    "close",
    () => !parts.dialog.open && state.dialog && openDialog(null),
  );
  parts.dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    parts.dialog.querySelector("button.main")?.click();
  });
  document.addEventListener("keydown", command);
  document.addEventListener(
    "pointerdown",
    ({ target }) => !parts.menu.contains(/** @type {any} */ (target)) && parts.menu.hidePopover(),
    true,
  );
  addEventListener("scroll", shrink, true);
  new ResizeObserver(() => state.game && !root.hidden && drawTable()).observe(parts.board);
}

async function show(params) {
  const name = params.get("game");
  await askAbout();
  if (!name) Object.assign(state, { game: null, at: null });
  else if (state.game?.name !== name || params.has("at")) {
    const at = params.get("at");
    await openGame(name, at === null ? null : Number(at)).catch((error) => {
      if (!error.answer) throw error;
      state.game = null;
      state.studio.failed(error);
    });
  }
  draw();
}

function params() {
  const said = new URLSearchParams();
  if (state.game) said.set("game", state.game.name);
  if (state.game && state.at !== null) said.set("at", String(state.at));
  return said;
}

function hear({ kind, name, count }) {
  const { game, root, studio } = state;
  if (root.hidden) return;
  if (kind === "play") {
    if (game?.name === name && game.count !== count && !isWaiting() && state.at === null)
      studio.attempt(() => openGame(name));
  } else if (kind === "files")
    studio.attempt(async () => {
      await askAbout();
      if (game && !isWaiting()) await openGame(game.name, state.at);
    });
  else if (["faces", "wall", "pictures"].includes(kind)) {
    forgetFaces();
    draw();
  }
}

export function start(root, studio) {
  Object.assign(state, { root, studio, draw, menu: () => openMenu(actsFor(subjects())) });
  frame(root);
  listen(root);
  onHappened((entry) => entry && studio.announce(tellEntry(entry)));
  return { show, hear, params, press, home: () => state.game && (leave(), true), hide: shrink };
}
