/** What stands around the table: games and decks to choose, tray, counters, log, and dialogs. */

import { keptDrafts } from "../decks/state.js";
import { place } from "../shared/page.js";
import { language, make, makeSvg, select, tableHead, tableRow, word } from "../shared/words.js";
import {
  actsFor,
  counting,
  forTable,
  goOnFromHere,
  openDialog,
  redo,
  travelTo,
  undo,
} from "./acts.js";
import {
  areaName,
  askAbout,
  beginGame,
  faceOf,
  postEvent,
  look,
  nameOf,
  openGame,
  pieceOf,
  playerOf,
  state,
} from "./state.js";
import { pictureOf, sizeOfCards, subjects } from "./table.js";

const NUMBER = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const PERCENT = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const MOST_LINES = 400; // of the log that are shown

const runs = new Map(); // what buttons do, by their ids: `morph` copies nodes without listeners

/** Do what the button does that was pressed; return whether there was one. */
export function runButton(target) {
  const run = runs.get(target.closest("[data-run]")?.dataset.run);
  if (run) state.studio.attempt(async () => run());
  return Boolean(run);
}

function button(id, text, run, given = {}) {
  runs.set(id, run);
  return make("button", { ...given, "data-run": id }, text);
}

const list = (selector, items) => make(selector, ...items.map((parts) => make("li", parts)));

const slider = (id, min, max, value, label) =>
  make("input", { id, type: "range", min, max, value, "aria-label": label, title: label });

// Before a game: decks to choose, and games that were begun.

const draftsOf = () =>
  [...keptDrafts()].map(([id, { now, before }]) => [
    `draft:${id}`,
    word("play-draft", now.name || word("decks-nameless")),
    { draft: { ...now, before, id: id.startsWith("*") ? null : id } },
  ]);

export function startPart() {
  const drafts = draftsOf();
  const saved = state.decks.map(({ id, name }) => [`deck:${id}`, name, { id }]);
  const all = [...drafts, ...saved];
  const wanted = () =>
    state.look.decks.map((id, at) =>
      all.some(([known]) => known === id) ? id : at ? "" : all[0]?.[0],
    );
  const choice = (at, none) => {
    const options = [...none, ...all.map(([id, name]) => [id, name])];
    const node = select({ id: `play-deck-${at}` }, options, wanted()[at]);
    return make("p", make("label", { htmlFor: node.id }, word(`play-deck-${at}`)), node);
  };
  const { games } = state.about;
  const seed = { type: "number", min: 0, placeholder: word("play-random") };
  if (!all.length) return [make("div.empty", make("p", word("play-no-decks")))];
  const begin = () => {
    const given = wanted().flatMap((id) => all.find((each) => each[0] === id)?.[2] ?? []);
    return beginGame(given, state.seed.trim() === "" ? null : Number(state.seed));
  };
  return [
    make("h2", word("play-begin-title")),
    make("div.play-start", [
      choice(0, []),
      choice(1, [["", word("play-no-opponent")]]),
      field("play-seed", word("play-seed"), seed),
      make("p", button("begin", word("play-begin"), begin, main)),
    ]),
    games.length && make("h2", word("play-games")),
    list("ul.play-games", games.map(gameParts)),
  ];
}

function gameParts({ name, decks, seed, turn, events, changed }) {
  const open = () => openGame(name).then(state.studio.keep);
  const about = `${word("play-about", seed, turn, events)} · ${DATE.format(changed * 1000)}`;
  const given = { className: "quiet", "aria-label": word("play-delete", name) };
  return [
    button(`open ${name}`, make("b", decks.join(" · ")), open),
    make("span.under", about),
    button(`delete ${name}`, "✕", () => openDialog({ kind: "delete", name }), given),
  ];
}

// The bar: the game and what concerns all of it.

export function barPart() {
  const { setting, table, count, undone } = state.game;
  const past = state.at !== null;
  const { redraws, mulligans } = setting.opening;
  const opening = setting.players.flatMap((player, number) => {
    if (!table.fresh[number] || past) return [];
    const chosen = [...state.chosen].filter((id) => pieceOf(id).area === `${number}/hand`);
    const whose = setting.players.length > 1 ? ` (${player.name})` : "";
    const redraw = () => {
      postEvent({ do: "redraw", player: number, cards: chosen });
      state.chosen.clear();
    };
    const mulligan = () => postEvent({ do: "mulligan", player: number });
    const many = { disabled: !chosen.length || chosen.length > redraws };
    const said = word("play-redraw", chosen.length, redraws) + whose;
    const left = table.mulligans[number] < mulligans;
    return [
      redraws && button(`redraw ${number}`, said, redraw, many),
      left && button(`mulligan ${number}`, word("play-mulligan") + whose, mulligan),
    ];
  });
  const bar = forTable.filter((act) => act.bar);
  const acts = bar.map(({ key, word: id, run }) =>
    button(`do ${id}`, word(`play-do-${id}`), run, { disabled: past, title: key }),
  );
  const travel = (id, sign, run, none) => {
    const given = { className: "quiet", disabled: none || past };
    return button(id, sign, run, { ...given, "aria-label": word(`decks-${id}`) });
  };
  const names = setting.players.map(({ name }) => name).join(" · ");
  const said = ` ${word("play-state", setting.seed, table.turn)}`;
  return [
    make("div.tools", [
      button("games", word("play-all-games"), leave),
      make("span.play-title", make("b", names), said),
      travel("undo", "↶", undo, !count),
      travel("redo", "↷", redo, !undone),
      ...opening,
      ...acts,
      table.rolled.length && make("output.play-rolled", table.rolled.join(" + ")),
      slider("play-size", 60, 240, sizeOfCards(), word("size")),
    ]),
  ];
}

/** Go back to the games and decks. */
export async function leave() {
  Object.assign(state, { game: null, at: null });
  state.chosen.clear();
  await state.studio.go("play", {});
}

// Beside the table: tray, counters, log and notes.

function tray() {
  const ids = subjects().ids;
  const cards = ids.map((id) => pieceOf(id)?.card);
  const first = new Set(cards.flatMap((card) => state.about.creates[card] ?? []));
  const used = new Set(
    [...state.game.pieces.values()].flatMap(({ card }) => state.about.creates[card] ?? []),
  );
  const rank = (card) => (first.has(card) ? 0 : used.has(card) ? 1 : 3);
  const tokens = state.about.tokens.map((card) => ({ card, rank: rank(card) }));
  const markers = state.about.markers.map(({ card }) => ({ card, rank: 2 }));
  const all = [...tokens, ...markers].toSorted((a, b) => a.rank - b.rank);
  const items = all.map(({ card, rank: own }) => {
    const picture = faceOf(card)?.hash ? pictureOf(faceOf(card)) : "";
    const given = { className: own ? "" : "first" };
    const parts = [picture, make("span", nameOf(card))];
    const node = button(`make ${card}`, parts, () => {}, given); // pointers and keys make it
    node.dataset.make = card;
    return [node];
  });
  return [make("p.under", word("play-tray-how")), list("ul.play-tray", items)];
}

function counters() {
  return state.game.setting.players.map(({ name }, player) => {
    const all = { [word("play-points")]: 0, ...state.game.table.counters[player] };
    const sums = (state.game.sums[player] ?? []).map((sum) => `${sum.name} ${sum.value}`);
    const change = (counter, by) => {
      const sign = by > 0 ? "+" : "−";
      const run = () => postEvent({ do: "count", player, name: counter, by });
      const given = { "aria-label": `${counter} ${sign}1, ${name}` };
      return button(`count ${player} ${counter} ${by}`, sign, run, given);
    };
    const items = Object.entries(all).map(([counter, value]) => [
      make("span", counter),
      change(counter, -1),
      make("output", String(value)),
      change(counter, 1),
    ]);
    const more = () => openDialog({ kind: "counter", player });
    return make("section.play-counters", [
      make("h3", name),
      sums.length && make("p.play-sums", sums.join(" · ")),
      list("ul", items),
      button(`counter ${player}`, word("play-new-counter"), more),
    ]);
  });
}

const joinNames = (cards) => [...new Set(cards)].join(", ");

/** Return what an event did, in words. */
export function tellEntry(entry) {
  const moved = entry.moved ?? [];
  const named = (all) => joinNames(all.map(([, , , card]) => nameOf(card)));
  const names = named(moved);
  const [, before = "", after = ""] = moved[0] ?? [];
  const to = areaName(after);
  const from = areaName(before, !before.includes("/") || playerOf(before) !== playerOf(after));
  const area = entry.area ? areaName(entry.area) : "";
  const said = (id, ...given) => word(`play-log-${id}`, ...given);
  const known = {
    begin: () => said("begin", state.game.setting.seed),
    move: () => (before === after ? said("order", names, to) : said("move", names, from, to)),
    draw: () => (moved.length ? said("draw", names, from, to) : said("none")),
    next_turn: () => said("next", entry.turn) + (names ? `: ${names}` : ""),
    shuffle: () => said("shuffle", area),
    look: () => (entry.count ? said("look", entry.count, area) : said("search", area)),
    create: () => said("create", moved.length, nameOf(entry.card), to),
    take_away: () => said("away", names),
    count: () => said("count", entry.name, entry.value),
    roll: () => said("roll", entry.sides, entry.rolled.join(" + ")),
    note: () => `${entry.about ? `${nameOf(entry.about)}: ` : ""}${entry.text}`,
    redraw: () => said("redraw", named(moved.filter(([, , there]) => !there.endsWith("/hand")))),
  };
  const pieces = () => joinNames((entry.cards ?? []).map(cardNow));
  return known[entry.do]?.() ?? said(entry.do, pieces());
}

/** Return what a piece is called, even if it is not on the table any more. */
function cardNow(id) {
  const there = pieceOf(id);
  const gone = () => state.game.entries.flatMap(({ moved }) => moved).find(([each]) => each === id);
  const card = there?.card ?? gone()?.[3];
  return card ? nameOf(card) : `#${id}`;
}

function log() {
  const { entries, table } = state.game;
  const at = state.at ?? table.number;
  const items = entries.slice(-MOST_LINES).map((entry) => {
    const className = entry.do === "next_turn" ? "turn" : entry.n > at ? "later" : "";
    const given = { "aria-current": entry.n === at ? "step" : "false" };
    const line = button(`at ${entry.n}`, tellEntry(entry), () => travelTo(entry.n), given);
    return make("li", { className }, line);
  });
  return [make("ol.play-log", ...items)];
}

function notes() {
  const { folder } = state.studio.wall().game;
  const items = state.game.table.notes.map(({ n, turn, card, text }) => {
    const source = card && faceOf(card)?.source;
    const go = () => (close(), travelTo(n));
    return [
      make("p", card && make("b", nameOf(card), " "), text),
      button(`to ${n}`, word("play-moment", turn, n), go, { className: "link" }),
      source && place(source, { folder }),
    ];
  });
  const write = () => openDialog({ kind: "note", card: null });
  return [
    items.length ? list("ul.play-notes", items) : make("p.under", word("play-no-notes")),
    button("note game", word("play-do-note-game"), write),
  ];
}

const TABS = { tray, counters, log, notes };

export function asidePart() {
  const tab = TABS[state.look.tab] ? state.look.tab : "tray";
  const tabs = Object.keys(TABS).map((name) => {
    const show = () => (look({ tab: name }), state.draw());
    const given = { "aria-pressed": String(name === tab) };
    return button(`tab ${name}`, word(`play-tab-${name}`), show, given);
  });
  const group = { role: "group", "aria-label": word("play-beside") };
  return [make("div.pair", group, ...tabs), make("div.play-tab", ...TABS[tab]())];
}

/** Return the buttons for what has the focus or was chosen; and those of a replay. */
export function footPart() {
  if (state.at !== null) {
    const { count, entries } = state.game;
    const turns = entries.filter((entry) => entry.do === "next_turn").map(({ n }) => n);
    const before = turns.findLast((n) => n < state.at) ?? 0;
    const after = turns.find((n) => n > state.at) ?? count;
    return [
      button("turn back", word("play-turn-back"), () => travelTo(before)),
      slider("play-moment", 0, count, state.at, word("play-moment-of")),
      button("turn on", word("play-turn-on"), () => travelTo(after)),
      make("span", `${state.at} / ${count}`),
      button("go on", word("play-go-on"), goOnFromHere),
      button("present", word("play-present"), () => travelTo(count), { className: "main" }),
    ];
  }
  const subject = subjects();
  const acts = actsFor(subject).filter(({ bar }) => bar);
  if (!acts.length) return [make("p.under", word("play-how"))];
  const { stack, ids } = subject;
  const one = () => (ids.length > 1 ? word("play-cards", ids.length) : cardNow(ids[0]));
  const buttons = acts.map(({ key, word: id, run }) => {
    const parts = [word(`play-do-${id}`), " ", make("kbd", { "aria-hidden": "true" }, key)];
    return button(`act ${id}`, parts, run);
  });
  const more = button("act more", word("play-more"), () => state.menu());
  return [make("b", stack ? areaName(stack) : one()), ...buttons, more];
}

// Dialogs.

const close = () => openDialog(null);
const main = { className: "main" };
const ends = (...buttons) => make("p.ends", ...buttons);
const done = () => ends(button("close", word("done"), close, main));

function field(id, label, given) {
  const tag = given.rows ? "textarea" : "input";
  return make("p", make("label", { htmlFor: id }, label), make(tag, { id, ...given }));
}

const numberField = (id, label, value, max) =>
  /** @type {any} */ ([id, word(label), { type: "number", min: 1, max, value }]);

/** A dialog that asks for values; `run` gets them if all are given. */
function form(title, fields, ok, run) {
  const value = ([id]) => /** @type {any} */ (document.getElementById(id)).value.trim();
  const take = () => {
    const values = fields.map(value);
    close();
    return values.every(Boolean) && run(...values);
  };
  return [
    make("h2", title),
    ...fields.map(([id, label, given]) => field(id, label, given)),
    ends(button("close", word("decks-cancel"), close), button("ok", ok, take, main)),
  ];
}

function numberDialog({ act, area }) {
  const title = word(`play-do-${act === "draw" ? "draw-many" : act}`);
  const fields = [numberField("play-number", "play-how-many", act === "deal" ? 7 : 3, 999)];
  return form(`${areaName(area)}: ${title}`, fields, title, (count) =>
    counting[act](area, Number(count)),
  );
}

function diceDialog() {
  const fields = [
    numberField("play-dice", "play-how-many", 1, 50),
    numberField("play-sides", "play-sides", 6, 1000),
  ];
  return form(word("play-do-dice"), fields, word("play-roll"), (count, sides) =>
    postEvent({ do: "roll", sides: Number(sides), count: Number(count) }),
  );
}

function noteDialog({ card }) {
  const title = card === null ? word("play-do-note-game") : word("play-note-to", cardNow(card));
  return form(title, [["play-note", word("play-note"), { rows: 4 }]], word("done"), (text) =>
    postEvent(card === null ? { do: "note", text } : { do: "note", text, card }),
  );
}

function counterDialog({ player }) {
  const title = word("play-new-counter");
  return form(title, [["play-counter", word("decks-name"), {}]], word("done"), (name) =>
    postEvent({ do: "count", player, name, by: 0 }),
  );
}

const deleteDialog = ({ name }) =>
  form(word("play-delete", name), [], word("edit-delete"), async () => {
    await state.studio.post("/api/play/delete", { name });
    await askAbout();
    state.draw();
  });

const faceOrName = (card) =>
  faceOf(card)?.hash ? pictureOf(faceOf(card)) : make("span.play-blank", nameOf(card));

/** The first cards of a stack, or all: chosen in an order, they go somewhere in that order. */
function lookDialog({ area, ids }) {
  const { order } = state.dialog;
  const pick = (id) => {
    if (order.includes(id)) order.splice(order.indexOf(id), 1);
    else order.push(id);
    state.draw();
  };
  const send = (name, to, more = {}) => {
    const run = () => {
      postEvent({ do: "move", cards: order, to, ...more });
      const left = to === area ? ids : ids.filter((id) => !order.includes(id));
      openDialog(left.length ? { kind: "look", area, ids: left, order: [] } : null);
    };
    return button(`send ${name}`, word(`play-do-${name}`), run, { disabled: !order.length });
  };
  const player = playerOf(area);
  const there = ids.filter((id) => pieceOf(id)?.area === area);
  const cards = there.map((id) => {
    const { card } = pieceOf(id);
    const number = order.includes(id) ? make("b", String(order.indexOf(id) + 1)) : "";
    const given = { "aria-label": nameOf(card), "aria-pressed": String(order.includes(id)) };
    return [button(`pick ${id}`, [faceOrName(card), number], () => pick(id), given)];
  });
  return [
    make("h2", areaName(area)),
    make("p.under", word("play-look-how")),
    list("ul.play-looked", cards),
    ends(
      send("to-hand", `${player}/hand`),
      send("discard", `${player}/discard`),
      send("table", "table", { x: 0.4, y: 0.5, up: true }),
      send("top", area),
      send("bottom", area, { at: -1 }),
      button("close", word("done"), close, main),
    ),
  ];
}

function peekDialog({ ids }) {
  const cards = ids.filter(pieceOf).map((id) => pieceOf(id).card);
  const items = cards.map((card) => [faceOrName(card), make("span", nameOf(card))]);
  return [make("h2", word("play-do-peek")), list("ul.play-looked", items), done()];
}

function happenedDialog({ found }) {
  const title = make("h2", word("play-do-happened"));
  if (!found) {
    const path = `/api/play/summary?name=${encodeURIComponent(state.game.name)}`;
    state.studio.attempt(async () => {
      const reply = await state.studio.ask(path);
      if (state.dialog?.kind === "happened") openDialog({ kind: "happened", found: reply });
    });
    return [title, make("p.under", { role: "status" }, "…")];
  }
  const players = found.players.flatMap(({ player, name, drawn, played, left, pile }) => [
    make("h3", name),
    make("p", word("play-totals", drawn, played, left, pile, found.play[0].turns)),
    summaryTable(found.cards.filter((row) => row.player === player)),
  ]);
  return [title, ...players, make("h3", word("play-tab-notes")), notes()[0], done()];
}

const COLUMNS = ["cards", "copies", "opening", "chance", "drawn", "expected", "played", "left"];

/** Cards as rows: what happened to them, and a bar of those drawn with a tick at the odds. */
function summaryTable(cards) {
  const most = Math.max(...cards.flatMap(({ drawn, expected }) => [drawn, expected]), 1);
  const part = (name, x, width) =>
    makeSvg("rect", { class: name, x: (100 * x) / most, width, height: 10 });
  const bar = ({ drawn, expected }) =>
    makeSvg("svg", { viewBox: "0 0 101 10", class: "play-bar", "aria-hidden": "true" }, [
      part("drawn", 0, (100 * drawn) / most),
      part("tick", expected, 1.5),
    ]);
  const text = (row, name) =>
    name === "chance" && row.chance !== null
      ? PERCENT.format(row.chance)
      : NUMBER.format(row[name] ?? 0);
  const rows = cards.map((row) =>
    tableRow(row.name, ...COLUMNS.slice(1).map((name) => text(row, name)), bar(row)),
  );
  const head = tableHead(...COLUMNS.map((id) => word(`play-sum-${id}`)), make("td"));
  return make("table.play-summary", head, make("tbody", ...rows));
}

const DIALOGS = {
  number: numberDialog,
  dice: diceDialog,
  note: noteDialog,
  counter: counterDialog,
  delete: deleteDialog,
  look: lookDialog,
  peek: peekDialog,
  happened: happenedDialog,
};

export const dialogPart = () => (state.dialog ? DIALOGS[state.dialog.kind](state.dialog) : []);
