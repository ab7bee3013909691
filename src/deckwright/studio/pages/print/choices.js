/** The form beside the sheets, and what is made for services and programs. */

import { counted, join, make, searchField, select, word } from "../shared/words.js";
import {
  byName,
  candidates,
  countChanged,
  marginsText,
  moment,
  number,
  offsetName,
  optionName,
  optionValue,
  row,
  sheetName,
  thingAbout,
  thingName,
  wordOr,
} from "./state.js";

// What is printed, and how: the form beside the sheets.

const MANY = 12; // decks; more can be searched
const HOW = ["sheet", "paper", "style", "backs", "flip", "marks", "printer"];
const ELSEWHERE = ["backs_apart", "changed", "scale"];

const pickBox = (given, checked, ...said) =>
  make("label.print-check", make("input", { ...given, checked }), make("span", ...said));

function things(state) {
  const all = state.can.things.filter(({ group }) => group === "print");
  return make("fieldset", [
    make("legend", word("print-what")),
    make("div.print-things", [
      ...all.map((thing) =>
        make("label.chip", [
          make("input", {
            type: "radio",
            name: "print-thing",
            value: thing.id,
            checked: thing.id === state.thing,
            "data-act": "thing",
          }),
          thingName(thing),
        ]),
      ),
    ]),
    make("p.print-hint", thingAbout(state.current())),
  ]);
}

const allOrSome = {
  decks: "print-all-decks",
  markers: "print-all-markers",
  factions: "print-all-factions",
  cards: "print-all-cards",
};

function sourceList(state, thing) {
  const given = candidates(state.can, thing.of);
  if (!thing.of) return null;
  const title = word(
    thing.of === "markers"
      ? "print-markers"
      : thing.of.startsWith("decks")
        ? "print-decks"
        : "print-factions",
  );
  if (!given.length)
    return make("p.print-hint", [
      `${word("print-no-decks")} `,
      make("button.main", { "data-act": "new-deck" }, word("print-new-deck")),
    ]);
  const chosen = new Set(state.chosen(thing));
  const told = state.find.toLowerCase();
  const shown = [...given]
    .sort(byName)
    .filter(({ id, name }) => chosen.has(id) || `${id} ${name}`.toLowerCase().includes(told));
  const find = searchField(word("print-find"), { "data-act": "find", value: state.find });
  const marks = (id) => ({ type: "checkbox", value: id, "data-act": "of", "data-of": thing.of });
  return make("fieldset.print-which", [
    make("legend", title),
    given.length > MANY && find,
    make("ul", [
      !thing.needs &&
        make("li", [
          pickBox(
            { type: "checkbox", "data-act": "of-all", "data-of": thing.of },
            !chosen.size,
            word(allOrSome[thing.of] ?? "print-all"),
          ),
        ]),
      ...shown.map(({ id, name, cards, copies }) =>
        make("li", [
          pickBox(
            marks(id),
            chosen.has(id),
            name,
            (cards ?? copies) && make("small", number(cards ?? copies)),
          ),
        ]),
      ),
    ]),
    thing.needs &&
      given.length > 1 &&
      make("p.print-some", [
        make("button.link", { "data-act": "of-every", "data-of": thing.of }, word("print-all")),
        make("button.link", { "data-act": "of-none", "data-of": thing.of }, word("print-none")),
      ]),
    thing.needs && !chosen.size && make("p.wrong", word("print-nothing-chosen")),
  ]);
}

function sheets(can) {
  const usual = can.sheets.find((one) => one.usual);
  /** @type {any[]} */
  const list = [["", usual ? word("print-as-game-is", sheetName(usual)) : word("print-as-game")]];
  const add = (group, of) =>
    of.length && list.push({ group, all: of.map((one) => [one.id, sheetName(one), one.why]) });
  const fits = can.sheets.filter((one) => one.fits);
  const own = (one) => !one.paper && one.width > 0;
  for (const paper of [...new Set(fits.map((one) => one.paper).filter(Boolean))])
    add(
      word("print-sheet-paper", wordOr(`print-value-${paper}`, paper)),
      fits.filter((one) => one.paper === paper),
    );
  add(word("print-sheet-own"), fits.filter(own));
  add(
    word("print-sheet-cards"),
    fits.filter((one) => !one.paper && !own(one)),
  );
  add(
    word("print-sheet-scaled"),
    can.sheets.filter((one) => !one.fits),
  );
  return list;
}

/** Return what an option is by default: as the game, its sheet and the printer say. */
function defaultName(option, state, thing) {
  const chosen = state.value(thing, { name: "sheet", default: null });
  const sheet = state.can.sheets.find(({ id, usual }) => (chosen ? id === chosen : usual));
  if (!sheet) return word("print-as-game");
  if (option.name === "backs") {
    const both = state.can.backs || sheet.fold !== "none";
    return word("print-as-game-is", word(both ? "print-backs-behind" : "print-backs-no"));
  }
  const value = (option.name === "flip" && state.printer()?.flip) || sheet[option.name];
  return value
    ? word("print-as-game-is", optionValue(option, { value, name: null }))
    : word(option.name === "style" ? "usual" : "print-as-game");
}

const labelRow = (option, node, ...more) =>
  make("div.print-row", make("label", { htmlFor: node.id }, optionName(option)), node, ...more);

function optionRow(option, state, thing) {
  const value = state.value(thing, option);
  const marks = {
    id: `print-o-print-${option.name}`,
    "data-option": option.name,
    "data-bag": "print",
  };
  if (option.name === "sheet") {
    const scaled = state.can.sheets.some(({ id, fits }) => id === value && !fits);
    return labelRow(
      option,
      select(marks, sheets(state.can), value ?? ""),
      scaled && make("small", word("print-scaled")),
    );
  }
  if (option.name === "backs") {
    const now =
      value === false ? "no" : state.bag(thing).backs_apart ? "apart" : value ? "behind" : "";
    const named = ["no", "behind", "apart"].map((one) => [one, word(`print-backs-${one}`)]);
    return labelRow(
      option,
      select(
        { ...marks, "data-option": null, "data-act": "backs" },
        [["", defaultName(option, state, thing)], ...named],
        now,
      ),
    );
  }
  if (option.name === "printer") {
    const names = state.can.printers.map(({ name }) => [name, name]);
    const printer = state.printer();
    const moved = printer && offsetName(printer.offset);
    const white = printer?.margins.some(Boolean) && marginsText(printer.margins);
    return labelRow(
      option,
      select(marks, [["", word("print-no-printer")], ...names], value ?? ""),
      printer &&
        make(
          "small",
          join(" ", moved && word("print-moves", moved), white && word("print-white", white)),
        ),
      make("button.link", { "data-act": "calibrate" }, [
        word(printer ? "print-calibrate-again" : "print-calibrate"),
      ]),
    );
  }
  if (option.name === "style" && !(option.choices ?? []).some((one) => one.value !== null))
    return null;
  if (option.name === "flip" && state.value(thing, { name: "backs", default: null }) === false)
    return null;
  if (option.type === "choice") {
    const named = option.choices
      .filter((one) => one.value !== null)
      .map((one) => [String(one.value), optionValue(option, one)]);
    return labelRow(
      option,
      select(
        marks,
        option.optional ? [["", defaultName(option, state, thing)], ...named] : named,
        value ?? "",
      ),
    );
  }
  return row(option, value, "print");
}

/** Return what has changed since decks were printed, with the choice to print only that. */
function sinceLastPrint(state) {
  const thing = state.current();
  const option = thing.options.find(({ name }) => name === "changed");
  const { preview } = state;
  if (!option || !preview?.changed || preview.thing !== thing.id) return null;
  const lasts = Object.values(preview.changed).filter(Boolean);
  const only = Boolean(state.value(thing, option));
  if (!lasts.length) return make("p.print-hint", word("print-since-never"));
  const [newest] = lasts
    .map(({ when }) => when)
    .toSorted()
    .reverse();
  const { fresh, changed } = countChanged(preview);
  const here = join(
    ", ",
    fresh && word("print-new-count", fresh),
    changed && word("print-changed-count", changed),
  );
  const all = lasts.reduce((sum, { cards }) => sum + cards, 0);
  const said =
    here || (all ? word("print-since-elsewhere", counted("print-card", "print-cards", all)) : "");
  return make("section.print-since", { "aria-label": word("print-what-changed") }, [
    make("p", [
      word("print-since", moment(newest)),
      ": ",
      make("strong", said || word("print-since-same")),
    ]),
    (said || only) &&
      pickBox(
        { type: "checkbox", "data-option": "changed", "data-bag": "print" },
        only,
        word("print-only-these"),
      ),
    said &&
      make("details", { id: "print-differences", "data-act": "differences" }, [
        make("summary", word("print-what-changed")),
        ...differences(state),
      ]),
  ]);
}

function differences(state) {
  return state.changes
    .filter(({ cards }) => cards.length)
    .map(({ name, cards }) =>
      make("section", [
        state.changes.length > 1 && make("h4", name),
        make("ul", [
          ...cards.map((card) => make("li", make("strong", card.name), " ", difference(card))),
        ]),
      ]),
    );
}

function difference(card) {
  if (card.change === "new") return word("print-new");
  if (card.change === "gone") return word("print-gone");
  const told = card.differences.map((one) =>
    one.words ? one.words : `${one.name} ${one.old ?? "–"} → ${one.new ?? "–"}`,
  );
  if (card.old_copies !== card.new_copies && card.old_copies !== null && card.new_copies !== null)
    told.push(word("print-copies-change", `${card.new_copies} ×`, `${card.old_copies} ×`));
  return told.join(", ") || word("print-changed");
}

export function choiceForm(state) {
  const thing = state.current();
  const rest = thing.options.filter(({ name }) => !HOW.includes(name) && !ELSEWHERE.includes(name));
  const shown = HOW.flatMap((name) => thing.options.filter((option) => option.name === name))
    .map((option) => optionRow(option, state, thing))
    .filter(Boolean);
  const more = rest
    .map((option) => row(option, state.value(thing, option), "print"))
    .filter(Boolean);
  const set = rest.filter((option) => option.name in state.bag(thing)).length;
  return [
    things(state),
    sourceList(state, thing),
    shown.length && make("fieldset", make("legend", word("print-how")), ...shown),
    sinceLastPrint(state),
    more.length &&
      make("details.print-more", { id: "print-more" }, [
        make("summary", word("print-more"), set && make("span.count", String(set))),
        ...more,
      ]),
  ];
}

export function choiceSummary(state) {
  const thing = state.current();
  const names = state
    .chosen(thing)
    .map((id) => candidates(state.can, thing.of).find((one) => one.id === id).name);
  const many = names.length > 1 ? ` ${word("print-and-more", names.length - 1)}` : "";
  return names.length ? names[0] + many : thingName(thing);
}

/** Return how many pages of how many files are made. */
export function outputSize(preview) {
  if (!preview) return word("print-make");
  const pages = preview.documents.reduce((sum, { pages: all }) => sum + all.length, 0);
  if (preview.documents.length > 1) return word("print-make-many", preview.documents.length, pages);
  return counted("print-make-one", "print-make-n", pages);
}

// What is made for services and programs: what each is good for, its options, its button.

function outputPart(thing, state) {
  const id = `print-output-${thing.id}`;
  const form = thing.options.find(({ name }) => name === "form");
  const rows = thing.options
    .filter((option) => option !== form)
    .map((option) => row(option, state.value(thing, option), thing.id))
    .filter(Boolean);
  const set = Object.keys(state.bag(thing)).length;
  const lacking = thing.needs && !state.chosen(thing).length;
  return make("article.print-output", { id, "aria-labelledby": `${id}-name` }, [
    make("h3", { id: `${id}-name` }, thingName(thing)),
    make("p", thingAbout(thing)),
    form && row(form, state.value(thing, form), thing.id),
    rows.length &&
      make("details", { id: `${id}-options` }, [
        make("summary", word("print-options"), set && make("span.count", String(set))),
        ...rows,
      ]),
    make(
      "button",
      {
        "data-act": "make",
        "data-thing": thing.id,
        disabled: lacking,
        "aria-describedby": `${id}-name`,
      },
      [word("print-make-files")],
    ),
  ]);
}

function outputGroup(name, state) {
  const all = state.can.things.filter((thing) => thing.group === name);
  return make("section.print-outputs", { "aria-labelledby": `print-${name}s-title` }, [
    make("h2", { id: `print-${name}s-title` }, word(`print-${name}s`)),
    make("p.print-hint", word(`print-${name}s-how`)),
    make("div.print-grid", ...all.map((thing) => outputPart(thing, state))),
  ]);
}

export const outputs = (state) => [outputGroup("service", state), outputGroup("export", state)];

/** Return the lists of what services and exports are made of: decks, and factions for pictures. */
export function outputSources(state) {
  const things = state.can.things.filter(
    ({ group: name }) => name === "service" || name === "export",
  );
  const kinds = [...new Set(things.map(({ of }) => of).filter(Boolean))];
  const shown = kinds.filter((of) => of !== "decks-or-factions" || !kinds.includes("decks"));
  return shown
    .map((of) =>
      sourceList(
        state,
        things.find((thing) => thing.of === of),
      ),
    )
    .filter(Boolean);
}
