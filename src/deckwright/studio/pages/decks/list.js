/** All decks of the game, the row over an open one, and decks side by side. */

import { emptyPart, facePicture } from "../shared/page.js";
import {
  counted,
  join,
  make,
  makeOptions,
  says,
  searchField,
  serverText,
  tableHead,
  word,
} from "../shared/words.js";
import { barChart, button, choice, icon, NUMBER, PERCENT, shapeOf } from "./deck.js";
import { copiesIn } from "./state.js";

// All decks of the game, and those that nobody has saved yet.

function fan(cards, all) {
  const faces = cards.map((card) => all.get(card)).filter((face) => face?.hash);
  const lazy = { loading: "lazy", decoding: "async" };
  return make("span.decks-fan", { "aria-hidden": "true" }, [
    ...faces.map((face) => facePicture(face, { ...lazy, ...shapeOf(face) })),
  ]);
}

function listMark(deck, unsaved) {
  if (unsaved) return make("span.decks-state.open", word("decks-unsaved"));
  if (deck.ok !== null && !deck.cards) return null; // there is nothing to judge yet
  if (deck.ok) return make("span.decks-state.kept", word("decks-ok"));
  return make("span.decks-state.over", [
    deck.ok === null
      ? word("decks-unread")
      : counted("decks-broken-one", "decks-broken-many", deck.problems.length),
  ]);
}

function item(deck, ctx) {
  const faction = ctx.list.factions.find(({ id }) => id === deck.faction);
  const format = ctx.list.formats.find(({ id }) => id === deck.format);
  const unsaved = ctx.drafts.has(deck.id);
  const cards = counted("decks-card-one", "decks-card-many", deck.cards);
  const mark = make("input", {
    type: "checkbox",
    checked: ctx.marked.has(deck.id),
    defaultChecked: ctx.marked.has(deck.id),
    "data-act": "mark",
    "data-deck": deck.id,
    "aria-label": word("decks-mark", deck.name),
  });
  return make("li.decks-item", { "--faction": faction?.color ?? "gray" }, [
    button(
      "show",
      [
        fan(deck.first ?? [], ctx.cards),
        make("span.name", deck.name || deck.id),
        make("span.under", join(" · ", faction?.name ?? deck.faction, format?.name, cards)),
        listMark(deck, unsaved),
      ],
      { "data-deck": deck.id, className: "decks-open", disabled: deck.ok === null && !unsaved },
    ),
    deck.problems.length &&
      !unsaved &&
      (deck.cards || deck.ok === null) &&
      make("ul.decks-problems", [
        ...deck.problems.slice(0, 3).map((text) => make("li", serverText(text))),
      ]),
    make("div.decks-acts", [
      make("label", mark, make("span", word("decks-beside"))),
      button("copy", word("decks-copy"), {
        "data-deck": deck.id,
        "aria-label": word("decks-copy-of", deck.name),
        disabled: deck.ok === null,
      }),
      button(deck.fresh ? "drop" : "delete", word("decks-delete"), {
        "data-deck": deck.id,
        "aria-label": word("decks-delete-of", deck.name),
        disabled: !deck.fresh && (ctx.readOnly || deck.table),
      }),
    ]),
  ]);
}

const MANY = 12; // decks; more can be searched

export function listPart(ctx) {
  const all = [...ctx.fresh, ...ctx.list.decks];
  const wanted = ctx.find.toLowerCase();
  const decks = all.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted));
  const find = searchField(word("decks-find"), { value: ctx.find, "data-act": "find" });
  return [
    make("header.decks-top", [
      make("h2", word("decks-all")),
      make("div.decks-acts", [
        all.length > MANY && find,
        all.length > 1 &&
          button(
            "compare",
            ctx.marked.size > 1
              ? word("decks-compare-these", ctx.marked.size)
              : word("decks-compare"),
            { disabled: ctx.marked.size < 2, title: word("decks-compare-how") },
          ),
        button("paste", word("decks-paste")),
        all.length && button("new", word("decks-new"), { className: "main" }),
      ]),
    ]),
    ctx.gone &&
      make("p.decks-note", { role: "status" }, [
        word("decks-deleted", ctx.gone.name),
        " ",
        button("restore", word("decks-undo")),
      ]),
    all.length
      ? make("ul.decks-list", ...decks.map((deck) => item(deck, ctx)))
      : make("div.empty", [
          ...emptyPart(word("decks-none"), button("new", word("decks-new"), { className: "main" })),
        ]),
  ];
}

export function newPart(ctx) {
  const own = ctx.list.factions.filter((faction) => faction.own);
  const field = (id, label, input) => make("p", make("label", { htmlFor: id }, label), input);
  const list = (id, choices, now) => make("select", { id }, makeOptions(choices, now));
  return [
    field(
      "decks-new-name",
      word("decks-name"),
      make("input", {
        id: "decks-new-name",
        maxLength: 120,
        autofocus: true,
        placeholder: word("decks-name-hint"),
      }),
    ),
    field(
      "decks-new-faction",
      word("faction"),
      list(
        "decks-new-faction",
        own.map(({ id, name }) => [id, name]),
        own[0]?.id,
      ),
    ),
    ctx.list.formats.length &&
      field(
        "decks-new-format",
        word("decks-format"),
        list(
          "decks-new-format",
          [["", word("decks-format-usual")], ...ctx.list.formats.map(({ id, name }) => [id, name])],
          "",
        ),
      ),
  ];
}

// The row over an open deck: what it is called, how it stands, undo and save.

function headMark(ctx) {
  const { judged, mistake } = ctx;
  if (!ctx.deck.entries.length && !mistake) return null;
  if (mistake) return make("span.decks-state.over", word("decks-unread"));
  if (!judged) return make("span.decks-state", "…");
  const broken =
    judged.limits.filter(({ keeps, warning }) => !keeps && !warning).length +
    judged.findings.length;
  return broken
    ? make("span.decks-state.over", counted("decks-broken-one", "decks-broken-many", broken))
    : make("span.decks-state.kept", word("decks-ok"));
}

export function headPart(ctx) {
  const { deck, draft, list } = ctx;
  const name = make("input.decks-title", {
    value: deck.name,
    maxLength: 120,
    spellcheck: false,
    "aria-label": word("decks-name"),
    placeholder: word("decks-nameless"),
    "data-act": "name",
  });
  const known = list.factions.some(({ id }) => id === deck.faction);
  const factions = list.factions.filter(({ id, own }) => own || id === deck.faction);
  const usual = list.formats.find((format) => format.default);
  const turn = (act, done) => {
    const said = done ? word(`decks-${act}-what`, done) : word(`decks-${act}`);
    const given = { className: "quiet", disabled: !done, "aria-label": said, title: said };
    return button(act, icon(act), given);
  };
  return [
    button("list", icon("back"), {
      className: "quiet",
      "aria-label": word("decks-all"),
      title: word("decks-all"),
    }),
    name,
    choice(
      "faction",
      word("faction"),
      [
        ...(known ? [] : [[deck.faction, deck.faction]]),
        ...factions.map(({ id, name: said }) => [id, said]),
      ],
      deck.faction,
    ),
    list.formats.length &&
      choice(
        "format",
        word("decks-format"),
        [
          ["", usual ? word("decks-format-as", usual.name) : word("decks-format-usual")],
          ...list.formats.map(({ id, name: said }) => [id, said]),
        ],
        deck.format ?? "",
      ),
    make("span.decks-size", counted("decks-card-one", "decks-card-many", copiesIn(deck.entries))),
    headMark(ctx),
    make("span.decks-gap"),
    turn("undo", draft.past.at(-1)?.said),
    turn("redo", draft.future.at(-1)?.said),
    make("button", { popovertarget: "decks-menu" }, word("decks-more-acts")),
    make("div.decks-menu", { id: "decks-menu", popover: "auto" }, [
      button("copy", word("decks-copy"), { "data-deck": draft.id }),
      button("beside", word("decks-beside-open")),
      button("text", word("decks-text")),
      draft.saved && button("revert", word("decks-revert"), { disabled: !draft.dirty }),
      draft.saved
        ? button("delete", word("decks-delete"), { "data-deck": draft.id, disabled: ctx.readOnly })
        : button("drop", word("decks-delete"), { "data-deck": draft.id }),
    ]),
    button("print", word("decks-print"), {
      disabled: !deck.entries.length || (draft.dirty && ctx.readOnly),
    }),
    button("save", draft.dirty ? word("decks-save") : word("decks-saved"), {
      className: draft.dirty ? "main" : "",
      disabled: !draft.dirty || ctx.readOnly,
      title: ctx.readOnly ? word("decks-read-only") : "Ctrl-S",
    }),
  ];
}

/** Return what is said over a deck whose file somebody else has changed. */
export const outsidePart = (ctx) =>
  ctx.outside
    ? make("p.decks-note", { role: "alert" }, [
        word(ctx.outside.theirs ? "decks-outside" : "decks-outside-gone"),
        " ",
        button("conflict", word("decks-look")),
      ])
    : null;

// Decks side by side: what they have in common, and what differs.

const orDash = (count) => (count ? String(count) : "–");
const differs = (values) => values.some((value) => value !== values[0]);

function compareTable(title, decks, rows, said) {
  if (!rows.length) return null;
  return make("table.decks-beside", [
    make("caption", title),
    tableHead(make("span.hidden", said), ...decks.map(({ name }) => name)),
    make("tbody", ...rows),
  ]);
}

const compareRow = (said, values, given = {}) =>
  make("tr", { className: differs(values) ? "differs" : "common", ...given }, [
    make("th", { scope: "row" }, said),
    ...values.map((value) => make("td", { className: value === "–" ? "none" : "" }, value)),
  ]);

/** Return the rows of a table of the answer, each with its values by deck. */
const rowsOf = (found, table) =>
  (found[table] ?? []).map((row) => ({ ...row, values: found.decks.map(({ deck }) => row[deck]) }));
const zoneName = ({ zone, name }) => (zone ? name : word("decks-nowhere"));

function cards(found, zone, ctx) {
  const rows = rowsOf(found, "cards")
    .filter((row) => row.zone === zone.zone && (!ctx.look.differing || differs(row.values)))
    .toSorted((a, b) => Number(differs(b.values)) - Number(differs(a.values)))
    .map(({ faction, id, name, values }) =>
      compareRow(name, values.map(orDash), { "data-peek": `${faction}:${id}` }),
    );
  return compareTable(
    zoneName(zone),
    found.decks,
    [compareRow(word("decks-cards"), zone.values.map(orDash)), ...rows],
    word("decks-cards"),
  );
}

function curves(found, zone) {
  const copies = rowsOf(found, "copies").filter((row) => row.zone === zone.zone);
  return [...new Set(copies.map(({ field }) => field))].map((field) => {
    const bars = copies.filter((row) => row.field === field);
    const averages = rowsOf(found, "sums").find(
      (row) => row.zone === zone.zone && row.field === field && row.of === "average",
    );
    const most = Math.max(1, ...bars.flatMap(({ values }) => values));
    const bar = (count, place) => ({
      class: `deck-${place % 4}`,
      x: 2 + 10 * place,
      y: (40 - (40 * count) / most).toFixed(1),
      width: 9,
      height: ((40 * count) / most).toFixed(1),
    });
    return make("figure.decks-chart", [
      make("figcaption", [
        make("span.name", bars[0].name),
        averages &&
          make("span.count", averages.values.map((each) => `⌀ ${NUMBER.format(each)}`).join(" · ")),
      ]),
      make("ol.curve", [
        ...bars.map(({ value, values }) =>
          make("li", [
            make("span.copies", values.some(Boolean) && values.join("·")),
            barChart(10 * values.length + 4, 40, values.map(bar)),
            make("span.label", String(value)),
          ]),
        ),
      ]),
    ]);
  });
}

export function comparePart(ctx, found) {
  const others = [...ctx.fresh, ...ctx.list.decks].filter(
    ({ id, ok }) => ok !== null && !ctx.beside.includes(id),
  );
  const add = word("decks-add-beside");
  const more = [["", add], ...others.map(({ id, name }) => [id, name || id])];
  const head = make("header.decks-top", [
    make("div", [
      button("list", `‹ ${word("decks-all")}`, { className: "link" }),
      make("h2", word("decks-side")),
    ]),
    make("div.decks-acts", [
      button("differing", word("decks-differing"), { "aria-pressed": Boolean(ctx.look.differing) }),
      others.length && ctx.beside.length < 8 && choice("add-beside", add, more, ""),
    ]),
  ]);
  if (!found) return [head, make("p.under", word("decks-judging"))];
  if (found.message) return [head, make("p.wrong", says(found))];
  const [zones, all] = [rowsOf(found, "zones"), rowsOf(found, "cards")];
  const common = all.filter(({ values }) => !differs(values)).length;
  const names = make("ul.decks-legend", [
    ...found.decks.map(({ name, faction }, place) =>
      make("li", { className: `deck-${place % 4}` }, [
        make("b", name),
        make("span.under", [
          ` ${ctx.list.factions.find(({ id }) => id === faction)?.name ?? faction}`,
        ]),
        button("show", word("decks-open"), {
          "data-deck": ctx.beside[place],
          className: "link",
          "aria-label": word("decks-open-of", name),
        }),
        found.decks.length > 2 &&
          button("drop-beside", "✕", {
            "data-deck": ctx.beside[place],
            className: "link",
            "aria-label": word("decks-drop-beside", name),
          }),
      ]),
    ),
  ]);
  const limits = [...new Set(found.limits.map(({ id }) => id))].map((id) => {
    const states = found.decks.map(({ deck }) =>
      found.limits.find((state) => state.deck === deck && state.id === id),
    );
    const { name, zone } = states.find(Boolean);
    const where = ctx.zones.find(({ id }) => id === zone)?.name;
    return compareRow(
      join(": ", where, name),
      states.map((state) =>
        state ? `${NUMBER.format(state.number)}${state.keeps ? "" : " ✗"}` : "–",
      ),
    );
  });
  const worth = rowsOf(found, "measures").map(({ name, values }) =>
    compareRow(name, values.map(NUMBER.format)),
  );
  const odds = rowsOf(found, "chances").map(({ value, values }) =>
    compareRow(value, values.map(PERCENT.format)),
  );
  return [
    head,
    names,
    make("p.under", { role: "status" }, [
      word(
        "decks-shared",
        counted("decks-common-one", "decks-common", common),
        counted("decks-differ-one", "decks-differ", all.length - common),
      ),
    ]),
    make("div.decks-columns", [
      make("div", ...zones.map((zone) => cards(found, zone, ctx))),
      make("div", [
        ...zones.flatMap((zone) => {
          const charts = curves(found, zone);
          const head = charts.length && zones.length > 1;
          return head ? [make("h3", zoneName(zone)), ...charts] : charts;
        }),
        compareTable(word("decks-limits"), found.decks, limits, word("decks-limits")),
        compareTable(word("decks-worth"), found.decks, worth, word("decks-worth")),
        compareTable(word("decks-odds-some"), found.decks, odds, word("decks-odds")),
      ]),
    ]),
  ];
}
