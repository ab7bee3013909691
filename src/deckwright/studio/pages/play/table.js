/** The table as it is drawn: its areas are lists, and their pieces are moved by transforms alone. */

import { layNodes } from "../shared/page.js";
import { withKey } from "../shared/session.js";
import { leaveTile, watchTile } from "../shared/wall.js";
import { counted, make, word } from "../shared/words.js";
import {
  areaName,
  areasOf,
  faceOf,
  facesOf,
  idsIn,
  isMarker,
  isStack,
  kindOf,
  nameOf,
  pieceOf,
  shownFace,
  state,
} from "./state.js";

const GAP = 6; // px between the cards of a row
const SOLO = 3.2; // the height of the free area in cards, where there are no rows
const WITH_ROWS = 1.4; // and with rows

const zones = new Map(); // each area: its section, list, heading and pieces
let built = ""; // the areas of which the table is made
const nodes = new Map(); // the items of pieces and stacks, by id or area

/** Return the item of a piece, or of a stack by its area. */
export const nodeOf = (id) => nodes.get(id);
export const allZones = () => zones;

const [LEAST, MOST] = [76, 150]; // px, of cards that fit the window by themselves

/** Return the height of the largest cards in px: as one has chosen it, or as the window allows. */
export function sizeOfCards() {
  if (state.look.size) return state.look.size;
  const areas = Object.values(state.game.setting.areas);
  const rows = areas.filter((kind) => kind === "row" || kind === "hand").length;
  const free = areas.includes("row") ? WITH_ROWS : SOLO;
  const room = innerHeight - state.root.getBoundingClientRect().top - scrollY - 60 - 22 * rows;
  return Math.round(Math.min(MOST, Math.max(LEAST, room / (rows + free))));
}

const scale = () => size / Math.max(...heights(), 1);
let size = LEAST; // of the cards, as they are drawn

let heightsOf = null;
let known = [];

/** Return the heights of the cards that are played, in mm. */
function heights() {
  if (heightsOf !== state.game.setting || !known.length) {
    heightsOf = state.game.setting;
    const cards = new Set([...state.game.pieces.values()].map(({ card }) => card));
    known = [...cards].flatMap((card) => (isMarker(card) ? [] : (faceOf(card)?.height ?? [])));
  }
  return known.length ? known : [88];
}

/** Return the size of a piece in px, as it lies. */
function sizeOf({ card, turn = 0 }) {
  const { width = 63, height = 88 } = faceOf(card) ?? {};
  const size = [width * scale(), height * scale()];
  return turn % 180 === 90 ? size.toReversed() : size;
}

// The areas: made once for a game.

function zone(area) {
  const head = make("h3");
  const list = make("ul");
  const section = make(
    "section.play-zone",
    { "data-kind": kindOf(area), "data-area": (list.dataset.area = area) },
    [head, list],
  );
  zones.set(area, { section, list, head });
  return section;
}

function side(player, above) {
  const rows = areasOf(player, ["row"]).map(zone);
  const stacks = make("div.play-stacks", ...areasOf(player, ["pile", "discard"]).map(zone));
  const field = make("div.play-rows", ...(above ? rows.toReversed() : rows));
  const hands = areasOf(player, ["hand"]).map(zone);
  const parts = [...(rows.length ? [field] : []), ...hands];
  return make("section.play-side", { "aria-label": state.game.setting.players[player].name }, [
    make("div.play-lanes", ...(above ? parts.toReversed() : parts)),
    stacks,
  ]);
}

/** Make the table of a game within a node, unless it stands there. */
export function build(board) {
  const { players, areas } = state.game.setting;
  const wanted = JSON.stringify([state.game.name, areas, state.about.names]);
  if (built === wanted && board.childElementCount) return;
  built = wanted;
  zones.clear();
  for (const node of nodes.values()) leaveTile(node);
  nodes.clear();
  heightsOf = null;
  const shared = areasOf(null, ["row", "pile", "discard", "free"]);
  const middle = make("div.play-middle", ...shared.map(zone));
  board.replaceChildren(...(players.length > 1 ? [side(1, true)] : []), middle, side(0, false));
  const { mat } = state.about;
  board.style.backgroundImage = mat ? `url("${withKey(`/faces/picture/${mat}`)}")` : "";
  board.classList.toggle("has-mat", Boolean(mat));
}

// The pieces: where each lies is computed, and only what differs is touched.

function itemOf(key) {
  let node = nodes.get(key);
  if (!node) {
    node = make("li.play-piece", make("button.play-card", { draggable: false, tabIndex: -1 }));
    if (typeof key === "number") node.dataset.id = String(key);
    else node.dataset.stack = key;
    nodes.set(key, node);
  }
  return node;
}

/** Return the picture of a face; those of markers are cut as these are. */
export function pictureOf({ hash, shape }) {
  const given = { src: withKey(`/faces/${hash}.svg`), alt: "", draggable: false };
  return make("img", shape ? { ...given, className: `play-${shape}` } : given);
}

const put = (target, name, value) => {
  if (target[name] !== value) target[name] = value;
};

function look(node, piece, label) {
  const button = node.firstElementChild;
  const face = piece && shownFace(piece);
  const key = face?.key ?? "";
  if (node.dataset.key !== key) {
    leaveTile(node);
    node.dataset.key = key;
    if (key) watchTile(node);
  }
  const path = face?.hash ? `/faces/${face.hash}.svg` : "";
  if (button.dataset.shows !== path || !button.childElementCount) {
    button.dataset.shows = path;
    const title = piece ? (piece.up ? nameOf(piece.card) : "") : word("play-empty");
    const blank = piece ? "span.play-blank" : "span.play-blank.play-hole";
    button.replaceChildren(path ? pictureOf(face) : make(blank, title));
  }
  put(button, "ariaLabel", label);
  put(button, "ariaPressed", piece && state.chosen.has(piece.id) ? "true" : "false");
  node.classList.toggle("play-shown", Boolean(piece?.shown));
  const [width, height] = sizeOf({ card: piece?.card ?? "", turn: 0 });
  put(node.style, "width", `${Math.round(width)}px`);
  put(node.style, "height", `${Math.round(height)}px`);
  return [width, height];
}

function labelOf(piece, place, of) {
  const on = [...state.game.pieces.values()].filter((other) => other.on === piece.id);
  const names = Map.groupBy(on, ({ card }) => nameOf(card));
  return [
    piece.up ? nameOf(piece.card) : word("play-face-down"),
    piece.up && facesOf(piece.card) > 1 ? `${piece.face}/${facesOf(piece.card)}` : "",
    piece.turn ? word("play-turned", piece.turn) : "",
    piece.shown ? word("play-shown") : "",
    ...[...names].map(([name, all]) => (all.length > 1 ? `${all.length} × ${name}` : name)),
    of > 1 ? word("play-place", place + 1, of) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function place(node, x, y, turn, level) {
  put(
    node.style,
    "transform",
    `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${turn}deg)`,
  );
  put(node.style, "zIndex", String(level));
}

/** Lay out what lies on a piece, whose center is given. */
function layGroup(piece, x, y, found, children) {
  const [width, height] = sizeOf(piece);
  for (const other of children.get(piece.id) ?? []) {
    const node = itemOf(other.id);
    const [w, h] = look(node, other, labelOf(other, 0, 1));
    const [cx, cy] = [x + other.x * width, y + other.y * height];
    found.push(node);
    place(node, cx - w / 2, cy - h / 2, other.turn, found.length);
    layGroup(other, cx, cy, found, children);
  }
}

/** Return the centers of the pieces of a row, from left to right. */
function spread(pieces, width) {
  const sizes = pieces.map((piece) => sizeOf(piece)[0]);
  const whole = sizes.reduce((sum, each) => sum + each + GAP, -GAP);
  const last = sizes.at(-1) ?? 0;
  const squeeze =
    whole > width && pieces.length > 1 ? Math.max(0, width - last) / (whole - last) : 1;
  let x = squeeze < 1 ? 0 : (width - whole) / 2;
  return sizes.map((size) => {
    const center = x + size / 2;
    x += (size + GAP) * squeeze;
    return center;
  });
}

function drawStack(area, list, ids) {
  const node = itemOf(area);
  const piece = ids.length ? pieceOf(ids[0]) : null;
  const top = piece?.up ? `, ${nameOf(piece.card)}` : "";
  const cards = counted("play-card-one", "play-cards", ids.length);
  const [width, height] = look(node, piece, `${areaName(area)}, ${cards}${top}`);
  put(node.style, "transform", "");
  put(list.style, "width", `${Math.round(width)}px`);
  put(list.style, "height", `${Math.round(height)}px`);
  node.style.setProperty("--thick", String(Math.min(8, Math.floor(ids.length / 4))));
  return [node];
}

function drawOpen(area, list, ids, width, children) {
  const kind = kindOf(area);
  const pieces = ids.map(pieceOf).filter(({ on }) => on === null);
  const tall = Math.round(heights().reduce((most, each) => Math.max(most, each)) * scale());
  const rows = areasOf(0, ["row"]).length > 0;
  const high = kind === "free" ? tall * (rows ? WITH_ROWS : SOLO) : tall + 4;
  put(list.style, "height", `${Math.round(high)}px`);
  const centers = kind === "free" ? [] : spread(pieces, width);
  const found = [];
  for (const [number, piece] of pieces.entries()) {
    const node = itemOf(piece.id);
    const [w, h] = look(node, piece, labelOf(piece, number, pieces.length));
    const free = kind === "free";
    const x = free ? Math.min(1, Math.max(0, piece.x)) * width : centers[number];
    const y = free ? Math.min(1, Math.max(0, piece.y)) * high : high / 2;
    found.push(node);
    place(node, x - w / 2, y - h / 2, piece.turn, found.length);
    layGroup(piece, x, y, found, children);
  }
  return found;
}

/** Bring the table to the state of the game. */
export function drawTable() {
  const { sums, pieces } = state.game;
  size = sizeOfCards();
  const children = Map.groupBy(
    [...pieces.values()].filter(({ on }) => on !== null),
    ({ on }) => on,
  );
  const widths = new Map([...zones].map(([area, { list }]) => [area, list.clientWidth])); // at once
  const shown = new Set();
  const focus = document.activeElement?.closest?.(".play-piece");
  const held = focus && (focus.dataset.stack ?? Number(focus.dataset.id));
  for (const [area, { list, head }] of zones) {
    const ids = idsIn(area);
    const title = areaName(area);
    const added = (sums[area] ?? []).map(({ name, value }) => `${name} ${value}`);
    const cards = ids.filter((id) => !isMarker(pieceOf(id).card)).length;
    const text = [areaName(area, false), cards || "", ...added].filter(Boolean).join(" · ");
    put(head, "textContent", text);
    put(list, "ariaLabel", [title, ...added].join(", "));
    const found = isStack(area)
      ? drawStack(area, list, ids)
      : drawOpen(area, list, ids, widths.get(area), children);
    layNodes(list, found);
    rove(list, found);
    for (const node of found) shown.add(node);
  }
  for (const [key, node] of nodes)
    if (!shown.has(node)) {
      leaveTile(node);
      node.remove();
      nodes.delete(key);
    }
  const again = held !== undefined && held !== null && nodes.get(held);
  if (again && !again.contains(document.activeElement)) focusPiece(held);
}

/** Let Tab lead to one piece of each list. */
function rove(list, found) {
  const now = found.find((node) => node.firstElementChild.tabIndex === 0) ?? found[0];
  for (const node of found) {
    const wanted = node === now ? 0 : -1;
    if (node.firstElementChild.tabIndex !== wanted) node.firstElementChild.tabIndex = wanted;
  }
}

/** Put the focus on a piece, or on a stack by its area. */
export function focusPiece(key) {
  const node = nodes.get(key);
  if (!node) return false;
  for (const other of node.parentElement?.children ?? []) other.firstElementChild.tabIndex = -1;
  node.firstElementChild.tabIndex = 0;
  node.firstElementChild.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest" });
  return true;
}

/** Return the piece, or the next area with one, that an arrow leads to. */
export function neighbour(node, key) {
  const { list } = zones.get(node.parentElement.dataset.area);
  const all = [...list.children];
  const at = all.indexOf(node);
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  if (key === "ArrowLeft") return all[at - 1];
  if (key === "ArrowRight") return all[at + 1];
  const lists = [...document.querySelectorAll("#play .play-zone ul")].filter(
    (each) => each.childElementCount,
  );
  const step = key === "ArrowDown" ? 1 : -1;
  const next = lists[lists.indexOf(list) + step];
  const middle = node.getBoundingClientRect().x;
  return [...(next?.children ?? [])].toSorted(
    (a, b) =>
      Math.abs(a.getBoundingClientRect().x - middle) -
      Math.abs(b.getBoundingClientRect().x - middle),
  )[0];
}

let last; // what had the focus last: it is meant where the buttons beside the table have it

/** Return what has the focus or was chosen: ids of pieces, or the area of a stack. */
export function subjects(target = document.activeElement) {
  const here = target?.closest(".play-piece");
  const node = here ?? (target?.closest("#play") ? nodes.get(last) : null);
  last = node?.dataset.stack ?? (node ? Number(node.dataset.id) : undefined);
  if (node?.dataset.stack) return { stack: last, ids: [] };
  if (state.chosen.size && (!here || state.chosen.has(last)))
    return { stack: "", ids: sortIds([...state.chosen]) };
  return { stack: "", ids: node ? [last] : [] };
}

/** Return pieces in the order in which they lie. */
export function sortIds(ids) {
  const order = new Map(
    Object.values(state.game.table.areas)
      .flat()
      .map((id, at) => [id, at]),
  );
  return ids.toSorted((a, b) => order.get(a) - order.get(b));
}
