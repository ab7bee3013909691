/** What the table knows: the game as the server told it, and what is done before it answers. */

import { readStored } from "../shared/page.js";
import { cardOf } from "../shared/filters.js";
import { word } from "../shared/words.js";

const KEPT = `deckwright:${document.documentElement.dataset.game}:play`;

/** The state of the view. `look` is kept in the browser, game and moment in the address. */
export const state = {
  root: null,
  studio: null,
  draw: () => {},
  about: null, // what the table is made of, and the games that were begun
  decks: [], // those that can be chosen
  game: null, // null where one is chosen
  at: null, // the moment that is looked at, null for the present
  chosen: new Set(), // the ids of pieces
  dialog: null,
  seed: "", // as it is typed
  look: { size: 0, tab: "tray", decks: ["", ""], ...readStored(KEPT, {}) },
};

export function look(changes) {
  Object.assign(state.look, changes);
  localStorage.setItem(KEPT, JSON.stringify(state.look));
}

// The faces of cards, which follow their files.

let indexed = null;
const faces = new Map(); // by card and side

/** Look at the wall anew: its faces have changed. */
export function forgetFaces() {
  indexed = null;
}

/** Return a side of a card or marker, undefined where it has none; of several faces, one. */
export function faceOf(card, back = false, part = 1) {
  const wall = state.studio.wall();
  if (wall !== indexed) {
    indexed = wall;
    faces.clear();
    for (const face of wall?.faces ?? []) {
      faces.set(`${cardOf(face)} ${face.side} ${face.part}`, face);
    }
    for (const marker of state.about?.markers ?? [])
      for (const side of ["face", "back"])
        if (marker[side]) faces.set(`${marker.card} ${side} 1`, { ...marker, hash: marker[side] });
  }
  return faces.get(`${card} ${back ? "back" : "face"} ${part}`);
}

export const shownFace = ({ card, up, face }) => faceOf(card, !up, face);

export const facesOf = (card) => state.game.setting.faces[card] ?? 1;

export const nameOf = (card) => faceOf(card)?.name ?? card.split(":")[1] ?? card;

export const isMarker = (card) => card.startsWith("marker:");

// The game, as it is now.

const bare = (area) => area.slice(area.indexOf("/") + 1);

/** Return the player that an area belongs to, 0 for shared ones. */
export const playerOf = (area) => (area.includes("/") ? Number(area.split("/")[0]) : 0);

export const kindOf = (area) => state.game.setting.areas[area];
export const isOpen = (area) => ["row", "free"].includes(kindOf(area));
export const isStack = (area) => ["pile", "discard"].includes(kindOf(area));
export const idsIn = (area) => state.game.table.areas[area] ?? [];
export const pieceOf = (id) => state.game.pieces.get(id);
export const areasOf = (player, kinds) =>
  Object.keys(state.game.setting.areas).filter(
    (area) =>
      (player === null ? !area.includes("/") : area.startsWith(`${player}/`)) &&
      kinds.includes(kindOf(area)),
  );

export const pileOf = (player) => `${player}/${state.game.setting.opening.zone}`;

/** Return what an area is called: as the game says, and whose it is where there are two. */
export function areaName(area, whose = true) {
  if (!area) return word("play-supply");
  const id = bare(area);
  const usual = ["hand", "discard", "table"].includes(id) ? word(`play-area-${id}`) : id;
  const name = state.about.names[id] ?? usual;
  const { players } = state.game.setting;
  const of = area.includes("/") && players[playerOf(area)];
  return whose && of && players.length > 1 ? `${name} (${of.name})` : name;
}

/** Return a piece with all that lies on it, from the bottom. */
export function groupOf(id) {
  const found = [id];
  for (const each of found)
    for (const other of state.game.pieces.values()) if (other.on === each) found.push(other.id);
  return found;
}

function take(game) {
  const entries = [...(state.game?.name === game.name ? state.game.entries : [])];
  entries.splice(game.since, Infinity, ...game.entries);
  const pieces = new Map(game.table.pieces.map((piece) => [piece.id, piece]));
  state.game = { ...game, entries, pieces };
  for (const id of state.chosen) if (!pieces.has(id)) state.chosen.delete(id);
}

export async function openGame(name, at = null) {
  const query = `name=${encodeURIComponent(name)}${at === null ? "" : `&at=${at}`}`;
  const game = await state.studio.ask(`/api/play/game?${query}`);
  state.at = at === null || at >= game.count ? null : at;
  take(game);
  state.draw();
}

/** Ask what the table is made of, and which games and decks there are. */
export async function askAbout() {
  const [about, { decks }] = await Promise.all([
    state.studio.ask("/api/play"),
    state.studio.ask("/api/decks"),
  ]);
  Object.assign(state, { about, decks: decks.filter(({ ok }) => ok !== null) });
  forgetFaces();
}

export async function beginGame(decks, seed) {
  state.game = null;
  take(await state.studio.post("/api/play/begin", { decks, seed }));
  state.at = null;
  state.chosen.clear();
  state.studio.keep();
  state.draw();
}

let sending = Promise.resolve();
let waiting = 0; // events that the server has not answered yet

/** Let an event happen: here at once as far as it can be told, and then as the server says. */
export function postEvent(event) {
  if (state.at !== null) return state.studio.announce(word("play-past"));
  const { name } = state.game;
  waiting += 1;
  predict(event);
  state.draw();
  sending = sending
    .then(() => state.studio.post("/api/play/do", { name, event }))
    .then(
      (game) => {
        waiting -= 1;
        if (state.game?.name !== name) return;
        if (game.since > state.game.entries.length) return openGame(name);
        if (waiting) {
          state.game.entries.splice(game.since, Infinity, ...game.entries);
          return;
        }
        take(game);
        tell(game.entries.at(-1));
        state.draw();
      },
      async (error) => {
        waiting -= 1;
        state.studio.failed(error, () => postEvent(event));
        if (state.game?.name === name) await openGame(name).catch(() => {});
      },
    );
  return sending;
}

/** Return the promise that the server has answered all that was done so far. */
export const pendingEvents = () => sending;

export const isWaiting = () => waiting > 0;

/** @type {(entry: any) => void} */
let tell = () => {};

export function onHappened(call) {
  tell = call;
}

// What an event does, as far as a page can tell: the server says the same a moment later.

function predict({ do: what, cards, to, at, on, x, y, up, by }) {
  const { table, pieces, count, undone } = state.game;
  const step = { undo: -1, redo: 1 }[what];
  Object.assign(state.game, { count: count + (step ?? 1), undone: step ? undone - step : 0 });
  if (!["move", "flip", "rotate"].includes(what)) return;
  if (what === "flip")
    for (const piece of cards.map(pieceOf)) {
      const more = piece.up && piece.face < facesOf(piece.card);
      Object.assign(piece, { up: more || !piece.up, face: more ? piece.face + 1 : 1 });
    }
  if (what === "rotate") for (const id of cards) pieces.get(id).turn += by;
  if (what !== "move") return;
  const open = isOpen(to);
  const group = new Set(cards.flatMap(groupOf));
  const first = { ...pieces.get(cards[0]) };
  const together = cards.every((id) => pieces.get(id).area === to && pieces.get(id).on === null);
  for (const id of group) {
    const piece = pieces.get(id);
    const from = table.areas[piece.area];
    from.splice(from.indexOf(id), 1);
    if (!open && isMarker(piece.card)) {
      pieces.delete(id);
      group.delete(id);
      continue;
    }
    if (!open || !group.has(piece.on)) piece.on = null;
    if (up !== undefined) piece.up = up;
    else if (piece.area !== to && !(isOpen(piece.area) && open)) piece.up = kindOf(to) !== "pile";
    if (!piece.up) piece.face = 1;
    if (piece.area !== to && !open) piece.turn = 0;
    piece.area = to;
  }
  for (const [number, id] of cards.entries()) {
    const piece = pieces.get(id);
    if (!piece || piece.on !== null) continue;
    piece.on = on ?? null;
    if (x === undefined || (kindOf(to) !== "free" && on === undefined)) continue;
    const step = 0.012 * number;
    piece.x = x + (together && on === undefined ? piece.x - first.x : step);
    piece.y = y + (together && on === undefined ? piece.y - first.y : step);
  }
  const there = table.areas[to];
  const place = at ?? (isStack(to) ? 0 : -1);
  there.splice(place < 0 ? there.length : place, 0, ...group);
}
