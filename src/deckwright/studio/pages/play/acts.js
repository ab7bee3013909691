/** What can be done on the table: one list for menus, buttons and keys. */

import { make, word } from "../shared/words.js";
import { placeAfter, shiftOn } from "./drag.js";
import {
  pendingEvents,
  areaName,
  areasOf,
  groupOf,
  postEvent,
  idsIn,
  isMarker,
  isOpen,
  isStack,
  kindOf,
  openGame,
  pieceOf,
  pileOf,
  playerOf,
  shownFace,
  state,
} from "./state.js";
import { focusPiece, nodeOf, subjects } from "./table.js";

export function openDialog(dialog) {
  state.dialog = dialog;
  state.draw();
}

/** Move pieces to an area, and give the focus to what lies there. */
export function move(cards, to, more = {}) {
  const from = pieceOf(cards[0]).area;
  const place = idsIn(from).indexOf(cards[0]);
  postEvent({ do: "move", cards, to, ...more });
  state.chosen.clear();
  // The focus stays where the cards were, so that the next ones can follow.
  const next = idsIn(from)[Math.min(place, idsIn(from).length - 1)];
  focusPiece(isStack(from) ? from : (next ?? (isStack(to) ? to : cards[0])));
}

const handOf = (ids) => areasOf(pieceOf(ids[0]).owner, ["hand"])[0];
const discardOf = (ids) => areasOf(pieceOf(ids[0]).owner, ["discard"])[0];
const ownPile = (ids) => pileOf(pieceOf(ids[0]).owner);

const ask = (kind, given = {}) => openDialog({ kind, ...given });
const draw = (area, count = 1) =>
  postEvent({ do: "draw", area, to: [areasOf(playerOf(area), ["hand"])[0]], count });

/** Look at the first cards of an area, or at all. */
function lookAt(area, count) {
  postEvent(count ? { do: "look", area, count } : { do: "look", area });
  openDialog({ kind: "look", area, ids: idsIn(area).slice(0, count), order: [] });
}

/** Put tokens or markers on the chosen piece, or beside it; or on the free area. */
export async function create(card) {
  const { ids } = subjects();
  await pendingEvents(); // a marker goes beside those that lie there
  const on = ids.find((id) => isOpen(pieceOf(id).area));
  const to = on === undefined ? "table" : pieceOf(on).area;
  if (isMarker(card) && on !== undefined)
    return postEvent({ do: "create", card, to, on, ...shiftOn(on, true) });
  const owner = on === undefined ? 0 : pieceOf(on).owner;
  return postEvent({ do: "create", card, to, owner, x: 0.5, y: 0.5 });
}

function copy(id) {
  const { card, owner, area, x, y } = pieceOf(id);
  const to = isOpen(area) ? area : "table";
  postEvent({ do: "create", card, owner, to, x: (x || 0.45) + 0.04, y: (y || 0.45) + 0.04 });
}

/** Nudge a piece: to the next place of its row, or a little on the free area. */
function nudge(ids, key) {
  const [id] = ids;
  const { area, on, x, y } = pieceOf(id);
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  const across = key === "ArrowLeft" || key === "ArrowRight";
  if (kindOf(area) === "free" && on === null) {
    const to = (value, moves) => Math.min(1, Math.max(0, value + (moves ? 0.02 * step : 0)));
    postEvent({ do: "move", cards: [id], to: area, x: to(x, across), y: to(y, !across) });
  } else if (across && on === null) {
    const row = idsIn(area).filter((each) => pieceOf(each).on === null);
    const next = row.indexOf(id) + step;
    if (next < 0 || next >= row.length) return;
    const others = row.filter((each) => each !== id);
    const after = next ? others[next - 1] : null;
    postEvent({ do: "move", cards: [id], to: area, at: placeAfter(area, after, new Set([id])) });
  }
  focusPiece(id);
}

/** Return the cards that are shuffled together: those that were chosen, or all of a stack. */
function cardsToShuffle(ids) {
  let [lowest] = ids;
  while (pieceOf(lowest).on !== null) lowest = pieceOf(lowest).on;
  const all = ids.length > 1 ? ids : groupOf(lowest);
  const { area } = pieceOf(ids[0]);
  return all.filter((id) => pieceOf(id).area === area && !isMarker(pieceOf(id).card));
}

// Each act: its key, its word, what it is for, and what it does. Those with `bar` are buttons, too.

const forPieces = [
  { key: "f", word: "flip", bar: true, run: (ids) => postEvent({ do: "flip", cards: ids }) },
  {
    key: "r",
    word: "turn",
    bar: true,
    run: (ids) => postEvent({ do: "rotate", cards: ids, by: 90 }),
  },
  { key: "R", word: "turn-back", run: (ids) => postEvent({ do: "rotate", cards: ids, by: -90 }) },
  { key: "m", word: "move", bar: true, run: (ids) => openMenu(moves(ids)) },
  { key: "h", word: "to-hand", bar: true, run: (ids) => move(ids, handOf(ids)), cards: true },
  { key: "x", word: "discard", bar: true, run: (ids) => move(ids, discardOf(ids)), cards: true },
  { key: "t", word: "top", run: (ids) => move(ids, ownPile(ids)), cards: true },
  { key: "b", word: "bottom", run: (ids) => move(ids, ownPile(ids), { at: -1 }), cards: true },
  { key: "v", word: "reveal", run: (ids) => postEvent({ do: "reveal", cards: ids }), cards: true },
  {
    key: "k",
    word: "peek",
    run: (ids) => (postEvent({ do: "peek", cards: ids }), ask("peek", { ids })),
    when: (ids) => ids.some((id) => !pieceOf(id).up),
  },
  {
    key: "a",
    word: "put-on",
    run: () => openMenu(markers()),
    when: (ids) => isOpen(pieceOf(ids[0]).area) && state.about.markers.length > 0,
  },
  {
    key: "s",
    word: "shuffle",
    run: (ids) => postEvent({ do: "shuffle_cards", cards: cardsToShuffle(ids) }),
    when: (ids) => cardsToShuffle(ids).length > 1,
  },
  { key: "c", word: "copy", run: (ids) => ids.forEach(copy) },
  { key: "n", word: "note", bar: true, run: (ids) => ask("note", { card: ids[0] }) },
  {
    key: "Delete",
    word: "take-away",
    run: (ids) => postEvent({ do: "take_away", cards: ids.filter((id) => pieceOf(id).added) }),
    when: (ids) => ids.some((id) => pieceOf(id).added),
  },
  {
    key: "o",
    word: "open",
    run: ([id]) => state.studio.openCard(shownFace(pieceOf(id)).key),
    when: ([id]) => Boolean(shownFace(pieceOf(id))?.key),
  },
];

const deal = (area, count) => {
  const to = state.game.setting.players.map((_, player) => areasOf(player, ["hand"])[0]);
  postEvent({ do: "draw", area, to, count });
};

const forStacks = [
  { key: "d", word: "draw", bar: true, run: (area) => draw(area) },
  { key: "D", word: "draw-many", run: (area) => ask("number", { act: "draw", area }) },
  { key: "s", word: "shuffle", bar: true, run: (area) => postEvent({ do: "shuffle", area }) },
  { key: "l", word: "look", bar: true, run: (area) => ask("number", { act: "look", area }) },
  { key: "g", word: "search", bar: true, run: (area) => lookAt(area) },
  { key: "w", word: "mill", run: (area) => ask("number", { act: "mill", area }) },
  { key: "e", word: "deal", run: (area) => ask("number", { act: "deal", area }) },
  { key: "m", word: "move-top", run: (area) => openMenu(moves(idsIn(area).slice(0, 1))) },
  {
    key: "f",
    word: "flip-top",
    run: (area) => postEvent({ do: "flip", cards: idsIn(area).slice(0, 1) }),
  },
  { key: "M", word: "move-all", run: (area) => openMenu(moves(idsIn(area))) },
];

export const counting = {
  draw,
  deal,
  look: lookAt,
  mill: (area, count) =>
    postEvent({ do: "draw", area, to: [areasOf(playerOf(area), ["discard"])[0]], count }),
};

export const forTable = [
  { key: ".", word: "next-turn", bar: true, run: () => postEvent({ do: "next_turn" }) },
  { key: "j", word: "dice", bar: true, run: () => ask("dice") },
  { key: "y", word: "coin", bar: true, run: () => postEvent({ do: "roll", sides: 2 }) },
  { key: "N", word: "note-game", run: () => ask("note", { card: null }) },
  { key: "p", word: "replay", bar: true, run: () => travelTo(0) },
  { key: "i", word: "happened", bar: true, run: () => ask("happened") },
];

/** Return what can be done now with an item, or with what was chosen. */
export function actsFor({ stack, ids }) {
  if (stack) {
    if (!idsIn(stack).length) return [];
    return forStacks.map((act) => ({ ...act, run: () => act.run(stack) }));
  }
  if (!ids.length) return [];
  const cards = ids.some((id) => !isMarker(pieceOf(id).card));
  return forPieces
    .filter((act) => (cards || !act.cards) && (!act.when || act.when(ids)))
    .map((act) => ({ ...act, run: () => act.run(ids) }));
}

function moves(ids) {
  return Object.keys(state.game.setting.areas).flatMap((to) => {
    const name = areaName(to);
    if (kindOf(to) === "free") {
      const run = () => move(ids, to, { x: 0.5, y: 0.5 });
      return [{ title: name, run }];
    }
    const there = { title: name, run: () => move(ids, to) };
    if (!isStack(to)) return [there];
    return [
      { title: word("play-on-top", name), run: there.run },
      { title: word("play-below", name), run: () => move(ids, to, { at: -1 }) },
    ];
  });
}

const markers = () =>
  state.about.markers.map(({ card, name }) => ({ title: name, run: () => create(card) }));

// Menus: by right click, long press, the key for menus, and for what asks where to.

let back = null; // where the focus was

/** Open a menu of acts at a point, or below what has the focus. */
export function openMenu(acts, x, y) {
  const menu = document.getElementById("play-menu");
  back = document.activeElement?.closest(".play-piece");
  const held = back && (back.dataset.stack ?? Number(back.dataset.id));
  const box = (back ?? state.root).getBoundingClientRect();
  const buttons = acts.map(({ key, title, word: id, run }, at) => {
    const onclick = () => {
      menu.hidePopover();
      if (held !== null) focusPiece(held);
      run();
    };
    const shown = key === "Delete" ? word("play-del") : key;
    const given = { role: "menuitem", tabIndex: at ? -1 : 0, onclick };
    return make("button", given, title ?? word(`play-do-${id}`), key && make("kbd", shown));
  });
  menu.replaceChildren(...buttons);
  menu.showPopover();
  const left = Math.min(x ?? box.left, innerWidth - menu.offsetWidth - 8);
  const top = Math.min(y ?? box.bottom, innerHeight - menu.offsetHeight - 8);
  menu.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  buttons[0]?.focus();
}

export function inMenu(event) {
  const all = [...event.currentTarget.children];
  const at = all.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) all.at((at + step) % all.length)?.focus();
  else if (event.key === "Home") all[0]?.focus();
  else if (event.key === "End") all.at(-1)?.focus();
  else if (event.key === "Escape" || event.key === "Tab") {
    event.currentTarget.hidePopover();
    back?.firstElementChild?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

// The history.

export const undo = () => state.game.count && postEvent({ do: "undo" });
export const redo = () => state.game.undone && postEvent({ do: "redo" });

/** Look at a moment of the game; its end is the present. */
export async function travelTo(moment) {
  const { name, count } = state.game;
  const at = Math.min(count, Math.max(0, moment));
  await openGame(name, at);
  state.studio.keep();
}

/** Go on from the moment that is looked at: what came later is undone. */
export async function goOnFromHere() {
  const { count, name } = state.game;
  const later = count - state.at;
  await openGame(name);
  state.studio.keep();
  return postEvent({ do: "undo", count: later });
}

// Keys.

/** Do what a key says; return whether it says something here. */
export function pressKey(event) {
  const { key } = event;
  const target = event.target.closest(".play-piece");
  const subject = subjects(event.target);
  if (target && /^Arrow/.test(key) && event.shiftKey && subject.ids.length) {
    nudge(subject.ids, key);
    return true;
  }
  if (key === "Escape" && state.chosen.size) {
    state.chosen.clear();
    state.draw();
    return true;
  }
  if (/^[1-9]$/.test(key)) {
    const area = subject.stack || pileOf(target ? playerOf(target.parentElement.dataset.area) : 0);
    draw(area, Number(key));
    return true;
  }
  if ((key === "Enter" || key === "ContextMenu") && target) {
    openMenu(actsFor(subject));
    return true;
  }
  const name = key === "Backspace" ? "Delete" : key;
  const act = [...actsFor(subject), ...forTable].find((each) => each.key === name);
  const pile = pileOf(target ? playerOf(target.parentElement.dataset.area) : 0);
  if (act) act.run();
  else if (key === "d") draw(pile);
  else return false;
  return true;
}

export function openMenuAt(node, x, y) {
  const key = node.dataset.stack ?? Number(node.dataset.id);
  focusPiece(key);
  const acts = actsFor(subjects(nodeOf(key)?.firstElementChild));
  if (acts.length) openMenu(acts, x, y);
}
