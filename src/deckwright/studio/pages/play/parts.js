/** What stands around the table: games and decks to choose, tray, counters, log, and dialogs. */

import { keptDrafts } from "../decks/state.js";
import { place } from "../shared/page.js";
import { withKey } from "../shared/session.js";
import { language, make, makeOptions, makeSvg, tableHead, word } from "../shared/words.js";
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
  beginGame,
  faceOf,
  happen,
  idsIn,
  isStack,
  look,
  nameOf,
  openGame,
  pieceOf,
  state,
} from "./state.js";
import { sizeOfCards, subjects } from "./table.js";

const NUMBER = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const PERCENT = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const MOST_LINES = 400; // of the log that are shown

const runs = new Map(); // what buttons do, by their ids: `morph` copies nodes without listeners

/** Do what the button does that was pressed; return whether there was one. */
export function pressed(target) {
  const run = runs.get(target.closest("[data-run]")?.dataset.run);
  if (run) state.studio.attempt(async () => run());
  return Boolean(run);
}

function button(id, text, run, given = {}) {
  runs.set(id, run);
  const node = make("button", given, ...[text].flat());
  node.dataset.run = id;
  return node;
}

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
  const wanted = state.look.decks.map((id, at) =>
    all.some(([known]) => known === id) ? id : at ? "" : all[0]?.[0],
  );
  const choice = (at, none) => {
    const options = makeOptions([...none, ...all.map(([id, name]) => [id, name])], wanted[at]);
    const node = make("select", { id: `play-deck-${at}` }, ...options);
    node.dataset.value = wanted[at];
    return make("p", make("label", { htmlFor: node.id }, word(`play-deck-${at}`)), node);
  };
  if (!all.length) return [make("div.empty", make("p", word("play-no-decks")))];
  const begin = () => {
    const seed = state.seed.trim();
    const given = wanted.filter(Boolean).map((id) => all.find((each) => each[0] === id)[2]);
    return beginGame(given, seed === "" ? null : Number(seed));
  };
  return [
    make("h2", word("play-begin-title")),
    make(
      "div.play-start",
      choice(0, []),
      choice(1, [["", word("play-no-opponent")]]),
      make(
        "p",
        make("label", { htmlFor: "play-seed" }, word("play-seed")),
        make("input", {
          id: "play-seed",
          type: "number",
          min: 0,
          placeholder: word("play-random"),
        }),
      ),
      make("p", button("begin", word("play-begin"), begin, { className: "main" })),
    ),
    state.about.games.length ? make("h2", word("play-games")) : null,
    make(
      "ul.play-games",
      { role: "list" },
      ...state.about.games.map(({ name, decks, seed, turn, events, changed }) =>
        make(
          "li",
          button(`open ${name}`, make("b", decks.join(" · ")), async () => {
            await openGame(name);
            state.studio.keep();
          }),
          make(
            "span.under",
            `${word("play-about", seed, turn, events)} · ${DATE.format(changed * 1000)}`,
          ),
          button(`delete ${name}`, "✕", () => openDialog({ kind: "delete", name }), {
            className: "quiet",
            "aria-label": word("play-delete", name),
          }),
        ),
      ),
    ),
  ];
}

// The bar: the game and what concerns all of it.

export function barPart() {
  const { setting, table, count, undone } = state.game;
  const past = state.at !== null;
  const { redraws, mulligans } = setting.opening;
  const opening = setting.players.flatMap((player, number) => {
    if (!table.fresh[number] || past) return [];
    const hand = `${number}/hand`;
    const chosen = [...state.chosen].filter((id) => pieceOf(id).area === hand);
    const whose = setting.players.length > 1 ? ` (${player.name})` : "";
    const redraw = () => happen({ do: "redraw", player: number, cards: chosen });
    const mulligan = () => happen({ do: "mulligan", player: number });
    return [
      redraws
        ? button(
            `redraw ${number}`,
            word("play-redraw", chosen.length, redraws) + whose,
            () => (redraw(), state.chosen.clear()),
            { disabled: !chosen.length || chosen.length > redraws },
          )
        : null,
      table.mulligans[number] < mulligans
        ? button(`mulligan ${number}`, word("play-mulligan") + whose, mulligan)
        : null,
    ];
  });
  const acts = forTable.map(({ key, word: id, run }) =>
    button(`do ${id}`, [word(`play-do-${id}`)], run, { disabled: past, title: key }),
  );
  return [
    make(
      "div.tools",
      button("games", word("play-all-games"), leave),
      make(
        "span.play-title",
        make("b", setting.players.map(({ name }) => name).join(" · ")),
        ` ${word("play-state", setting.seed, table.turn)}`,
      ),
      button("undo", "↶", undo, { disabled: !count || past, "aria-label": word("decks-undo") }),
      button("redo", "↷", redo, { disabled: !undone || past, "aria-label": word("decks-redo") }),
      ...opening,
      ...acts,
      table.rolled.length ? make("output.play-rolled", table.rolled.join(" + ")) : null,
      make(
        "label.size",
        make("span", word("size")),
        make("input", {
          id: "play-size",
          type: "range",
          min: 60,
          max: 240,
          value: sizeOfCards(),
        }),
      ),
    ),
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
  return [
    make("p.under", word("play-tray-how")),
    make(
      "ul.play-tray",
      { role: "list" },
      ...all.map(({ card, rank: own }) => {
        const face = faceOf(card);
        const node = button(
          `make ${card}`,
          [
            face?.hash
              ? make("img", { src: withKey(`/faces/${face.hash}.svg`), alt: "", draggable: false })
              : "",
            make("span", nameOf(card)),
          ],
          () => {}, // the pointer's release and Enter are heard elsewhere
          { className: own ? "" : "first" },
        );
        node.dataset.make = card;
        return make("li", node);
      }),
    ),
  ];
}

function counters() {
  return state.game.setting.players.map(({ name }, player) => {
    const all = { [word("play-points")]: 0, ...state.game.table.counters[player] };
    const sums = (state.game.sums[player] ?? []).map((sum) => `${sum.name} ${sum.value}`);
    const change = (counter, by) =>
      button(
        `count ${player} ${counter} ${by}`,
        by > 0 ? "+" : "−",
        () => happen({ do: "count", player, name: counter, by }),
        { "aria-label": `${counter} ${by > 0 ? "+" : "−"}1, ${name}` },
      );
    return make(
      "section.play-counters",
      make("h3", name),
      sums.length ? make("p.play-sums", sums.join(" · ")) : null,
      make(
        "ul",
        { role: "list" },
        ...Object.entries(all).map(([counter, value]) =>
          make(
            "li",
            make("span", counter),
            change(counter, -1),
            make("output", String(value)),
            change(counter, 1),
          ),
        ),
      ),
      button(`counter ${player}`, word("play-new-counter"), () =>
        openDialog({ kind: "counter", player }),
      ),
    );
  });
}

const listed = (cards) => [...new Set(cards)].join(", ");

/** Return what an event did, in words. */
export function tellEntry(entry) {
  const moved = entry.moved ?? [];
  const names = listed(moved.map(([, , , card]) => nameOf(card)));
  const pieces = listed((entry.cards ?? []).map((id) => cardNow(id)));
  const from = moved[0] ? areaName(moved[0][1]) : "";
  const to = moved[0] ? areaName(moved[0][2]) : "";
  const known = {
    begin: () => word("play-log-begin", state.game.setting.seed),
    move: () =>
      from === to ? word("play-log-order", names, to) : word("play-log-move", names, from, to),
    draw: () => (moved.length ? word("play-log-draw", names, from, to) : word("play-log-none")),
    next_turn: () => word("play-log-next", entry.turn) + (names ? `: ${names}` : ""),
    shuffle: () => word("play-log-shuffle", areaName(entry.area)),
    look: () =>
      entry.count
        ? word("play-log-look", entry.count, areaName(entry.area))
        : word("play-log-search", areaName(entry.area)),
    create: () => word("play-log-create", moved.length, nameOf(entry.card), to),
    take_away: () => word("play-log-away", names),
    count: () => word("play-log-count", entry.name, entry.value),
    roll: () => word("play-log-roll", entry.sides, entry.rolled.join(" + ")),
    note: () => `${entry.about ? `${nameOf(entry.about)}: ` : ""}${entry.text}`,
    redraw: () =>
      word(
        "play-log-redraw",
        listed(
          moved.filter(([, , area]) => !area.endsWith("/hand")).map(([, , , card]) => nameOf(card)),
        ),
      ),
  };
  return known[entry.do]?.() ?? word(`play-log-${entry.do}`, pieces);
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
  return [
    make(
      "ol.play-log",
      ...entries.slice(-MOST_LINES).map((entry) =>
        make(
          "li",
          { className: entry.do === "next_turn" ? "turn" : entry.n > at ? "later" : "" },
          button(`at ${entry.n}`, tellEntry(entry), () => travelTo(entry.n), {
            "aria-current": entry.n === at ? "step" : "false",
          }),
        ),
      ),
    ),
  ];
}

function notes() {
  const { folder } = state.studio.wall().game;
  const list = state.game.table.notes.map(({ n, turn, card, text }) => {
    const source = card && faceOf(card)?.source;
    return make(
      "li",
      make("p", card ? make("b", nameOf(card), " ") : "", text),
      button(`at ${n}`, word("play-moment", turn, n), () => travelTo(n), { className: "link" }),
      source ? place(source, { folder }) : null,
    );
  });
  return list.length
    ? [make("ul.play-notes", { role: "list" }, ...list)]
    : [make("p.under", word("play-no-notes"))];
}

const TABS = { tray, counters, log, notes };

export function asidePart() {
  const tab = TABS[state.look.tab] ? state.look.tab : "tray";
  return [
    make(
      "div.pair",
      { role: "group", "aria-label": word("play-beside") },
      ...Object.keys(TABS).map((name) =>
        button(`tab ${name}`, word(`play-tab-${name}`), () => (look({ tab: name }), state.draw()), {
          "aria-pressed": String(name === tab),
        }),
      ),
    ),
    make("div.play-tab", ...TABS[tab]()),
  ];
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
      button("step back", "◀", () => travelTo(state.at - 1), {
        "aria-label": word("play-step-back"),
      }),
      make("input", {
        id: "play-moment",
        type: "range",
        min: 0,
        max: count,
        value: state.at,
        "aria-label": word("play-moment-of"),
      }),
      button("step on", "▶", () => travelTo(state.at + 1), { "aria-label": word("play-step-on") }),
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
  const what = stack
    ? areaName(stack)
    : ids.length > 1
      ? word("play-cards", ids.length)
      : cardNow(ids[0]);
  return [
    make("b", what),
    ...acts.map(({ key, word: id, run }) =>
      button(
        `act ${id}`,
        [word(`play-do-${id}`), " ", make("kbd", { "aria-hidden": "true" }, key)],
        run,
      ),
    ),
    button("act more", word("play-more"), () => state.menu()),
  ];
}

// Dialogs.

const close = () => openDialog(null);

function numberDialog({ act, area }) {
  const title = word(`play-do-${{ draw: "draw-many" }[act] ?? act}`);
  const done = () => {
    const count = Number(/** @type {any} */ (document.getElementById("play-number")).value);
    close();
    if (count >= 1) counting[act](area, Math.min(999, Math.floor(count)));
  };
  return [
    make("h2", `${areaName(area)}: ${title}`),
    make(
      "p",
      make("label", { htmlFor: "play-number" }, word("play-how-many")),
      make("input", {
        id: "play-number",
        type: "number",
        min: 1,
        max: 999,
        value: act === "deal" ? 7 : 3,
      }),
    ),
    make(
      "p.ends",
      button("close", word("decks-cancel"), close),
      button("ok", title, done, { className: "main" }),
    ),
  ];
}

function diceDialog() {
  const value = (id) => Number(/** @type {any} */ (document.getElementById(id)).value);
  const roll = () => {
    happen({ do: "roll", sides: value("play-sides"), count: value("play-dice") });
    close();
  };
  return [
    make("h2", word("play-do-dice")),
    make(
      "p",
      make("label", { htmlFor: "play-dice" }, word("play-how-many")),
      make("input", { id: "play-dice", type: "number", min: 1, max: 50, value: 1 }),
    ),
    make(
      "p",
      make("label", { htmlFor: "play-sides" }, word("play-sides")),
      make("input", { id: "play-sides", type: "number", min: 2, max: 1000, value: 6 }),
    ),
    make(
      "p.ends",
      button("close", word("decks-cancel"), close),
      button("ok", word("play-roll"), roll, { className: "main" }),
    ),
  ];
}

function textDialog(title, id, done) {
  const run = () => {
    const text = /** @type {any} */ (document.getElementById(id)).value.trim();
    close();
    if (text) done(text);
  };
  return [
    make("h2", { id: `${id}-title` }, title),
    make(id === "play-note" ? "textarea" : "input", {
      id,
      rows: 4,
      "aria-labelledby": `${id}-title`,
    }),
    make(
      "p.ends",
      button("close", word("decks-cancel"), close),
      button("ok", word("done"), run, { className: "main" }),
    ),
  ];
}

const pictureOf = (card) => {
  const face = faceOf(card);
  return face?.hash
    ? make("img", { src: withKey(`/faces/${face.hash}.svg`), alt: "", draggable: false })
    : make("span.play-blank", nameOf(card));
};

/** The first cards of a stack, or all: chosen in an order, they go somewhere in that order. */
function lookDialog({ area, count, order }) {
  const ids = idsIn(area).slice(0, count);
  const chosen = order.filter((id) => ids.includes(id));
  const pick = (id) => {
    state.dialog.order = chosen.includes(id)
      ? chosen.filter((each) => each !== id)
      : [...chosen, id];
    state.draw();
  };
  const send = (name, to, more = {}) =>
    button(
      `send ${name}`,
      word(`play-do-${name}`),
      () => {
        happen({ do: "move", cards: chosen, to, ...more });
        state.dialog.order = [];
        if (Number.isFinite(count))
          state.dialog.count = isStack(to) && to === area ? count : count - chosen.length;
        if (state.dialog.count < 1) state.dialog = null;
        state.draw();
      },
      { disabled: !chosen.length },
    );
  const player = area.includes("/") ? area.split("/")[0] : "0";
  return [
    make("h2", areaName(area)),
    make("p.under", word("play-look-how")),
    make(
      "ul.play-looked",
      { role: "list" },
      ...ids.map((id) => {
        const at = chosen.indexOf(id);
        const { card } = pieceOf(id);
        return make(
          "li",
          button(
            `pick ${id}`,
            [pictureOf(card), at < 0 ? "" : make("b", String(at + 1))],
            () => pick(id),
            { "aria-label": nameOf(card), "aria-pressed": String(at >= 0) },
          ),
        );
      }),
    ),
    make(
      "p.ends",
      send("to-hand", `${player}/hand`),
      send("discard", `${player}/discard`),
      send("table", "table", { x: 0.4, y: 0.5, up: true }),
      send("top", area),
      send("bottom", area, { at: -1 }),
      button("close", word("done"), close, { className: "main" }),
    ),
  ];
}

function happenedDialog({ found }) {
  if (!found) {
    state.studio.ask(`/api/play/summary?name=${encodeURIComponent(state.game.name)}`).then(
      (reply) =>
        state.dialog?.kind === "happened" && openDialog({ kind: "happened", found: reply }),
      (error) => state.studio.failed(error),
    );
    return [
      make("h2", word("play-do-happened")),
      make("p.under", { role: "status" }, word("decks-drawing")),
    ];
  }
  return [
    make("h2", word("play-do-happened")),
    ...found.players.flatMap((player) => [
      make("h3", player.name),
      make(
        "p",
        word(
          "play-totals",
          player.drawn,
          player.played,
          player.left,
          player.pile,
          found.play[0].turns,
        ),
      ),
      summaryTable(found.cards.filter((row) => row.player === player.player)),
    ]),
    make("h3", word("play-tab-notes")),
    ...notes(),
    make("p.ends", button("close", word("done"), close, { className: "main" })),
  ];
}

/** Cards as rows: what happened to them, and as a bar how many were drawn, with a tick at the odds. */
function summaryTable(cards) {
  const most = Math.max(...cards.flatMap(({ drawn, expected }) => [drawn, expected]), 1);
  const heads = ["cards", "copies", "opening", "chance", "drawn", "expected", "played", "left"];
  return make(
    "table.play-summary",
    tableHead(...heads.map((id) => word(`play-sum-${id}`)), make("td")),
    make(
      "tbody",
      ...cards.map((row) =>
        make(
          "tr",
          make("th", { scope: "row" }, row.name),
          ...[
            row.copies,
            row.opening,
            row.chance === null ? "" : PERCENT.format(row.chance),
            row.drawn,
            NUMBER.format(row.expected),
            row.played,
            row.left,
          ].map((value) => make("td", String(value))),
          make(
            "td",
            makeSvg(
              "svg",
              { viewBox: "0 0 100 10", class: "play-bar", "aria-hidden": "true" },
              makeSvg("rect", { class: "drawn", width: (100 * row.drawn) / most, height: 10 }),
              makeSvg("rect", {
                class: "tick",
                x: Math.min(98.5, (100 * row.expected) / most),
                width: 1.5,
                height: 10,
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

export function dialogPart() {
  const { dialog } = state;
  if (!dialog) return [];
  const kinds = {
    number: numberDialog,
    dice: diceDialog,
    look: lookDialog,
    happened: happenedDialog,
    note: ({ card }) =>
      textDialog(
        card === null ? word("play-do-note-game") : word("play-note-to", cardNow(card)),
        "play-note",
        (text) => happen(card === null ? { do: "note", text } : { do: "note", text, card }),
      ),
    counter: ({ player }) =>
      textDialog(word("play-new-counter"), "play-counter", (name) =>
        happen({ do: "count", player, name, by: 0 }),
      ),
    peek: ({ ids }) => [
      make("h2", word("play-do-peek")),
      make(
        "ul.play-looked",
        { role: "list" },
        ...ids
          .filter(pieceOf)
          .map((id) =>
            make("li", pictureOf(pieceOf(id).card), make("span", nameOf(pieceOf(id).card))),
          ),
      ),
      make("p.ends", button("close", word("done"), close, { className: "main" })),
    ],
    delete: ({ name }) => [
      make("h2", word("play-delete", name)),
      make(
        "p.ends",
        button("close", word("decks-cancel"), close),
        button(
          "ok",
          word("edit-delete"),
          async () => {
            await state.studio.post("/api/play/delete", { name });
            state.about.games = state.about.games.filter((each) => each.name !== name);
            close();
          },
          { className: "main" },
        ),
      ),
    ],
  };
  return kinds[dialog.kind](dialog);
}
