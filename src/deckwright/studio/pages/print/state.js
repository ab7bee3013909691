/** What the view Print knows: the choices, the sheets, and how both are called. */

import { withKey } from "../shared/session.js";
import { counted, join, language, make, makeSvg, select, word, WORDS } from "../shared/words.js";

export const PAIRS_AT_ONCE = 120; // pairs of pages; more are shown when asked for
const BEYOND = 7; // mm by which a cut is drawn beyond the cards

/**
 * Return all pages as pairs of a front and its back, which may be null.
 *
 * Where backs follow their fronts, a sheet of paper has each page and the next: texts as well.
 */
export function spreads(preview) {
  const all = preview.documents.map(({ file, pages }, at) =>
    pages.map((page, index) => ({ page, file, id: `${at}-${index}`, at, index })),
  );
  const backs = new Map(
    all
      .flat()
      .filter(({ page }) => page.behind)
      .map((one) => [one.page.behind.join("-"), one]),
  );
  return all.flatMap((pages) => {
    if (pages.some(({ page, at }) => page.behind?.[0] === at)) {
      return pages
        .filter(({ index }) => index % 2 === 0)
        .map((front) => ({ front, back: pages[front.index + 1] ?? null }));
    }
    return pages
      .filter(({ page }) => !page.behind)
      .map((front) => ({ front, back: backs.get(front.id) ?? null }));
  });
}

/** Return whether a page is turned about an upright axis, as that of a book. */
const turnsUpright = (page, flip) => (flip !== "short") === page.height >= page.width;

/** Return the largest size of pairs in mm, and how many pages lie side by side and below. */
export function extent(pairs, flip, light) {
  const beside = pairs.some(({ front, back }) => back && !light && turnsUpright(front.page, flip));
  const below = pairs.some(({ front, back }) => back && !light && !turnsUpright(front.page, flip));
  const size = ({ front, back }) => {
    const { width, height } = front.page;
    if (!back || light) return [width, height];
    return turnsUpright(front.page, flip)
      ? [width + back.page.width, height]
      : [width, height + back.page.height];
  };
  const sizes = pairs.map(size);
  return {
    width: Math.max(0, ...sizes.map(([w]) => w)),
    height: Math.max(0, ...sizes.map(([, h]) => h)),
    across: beside ? 2 : 1,
    down: below ? 2 : 1,
  };
}

function cuts(page) {
  const [left, top] = [
    Math.min(...page.slots.map(({ x }) => x)),
    Math.min(...page.slots.map(({ y }) => y)),
  ];
  const right = Math.max(...page.slots.map(({ x, width }) => x + width));
  const bottom = Math.max(...page.slots.map(({ y, height }) => y + height));
  const places = (ends) => [...new Set(ends.map((one) => one.toFixed(2)))];
  const xs = places(page.slots.flatMap(({ x, width }) => [x, x + width]));
  const ys = places(page.slots.flatMap(({ y, height }) => [y, y + height]));
  const path = [
    ...xs.map((x) => `M${x} ${top - BEYOND}V${bottom + BEYOND}`),
    ...ys.map((y) => `M${left - BEYOND} ${y}H${right + BEYOND}`),
  ].join("");
  return makeSvg(
    "svg",
    { viewBox: `0 0 ${page.width} ${page.height}`, class: "print-cuts", "aria-hidden": "true" },
    [makeSvg("path", { d: path, "vector-effect": "non-scaling-stroke" })],
  );
}

function slot(one, id, first) {
  const state = one.state ? word(`print-${one.state}`) : null;
  return make(
    "button",
    {
      className: `print-slot ${one.state ?? ""}`,
      id,
      "data-act": "open",
      "data-key": one.key,
      tabIndex: first ? 0 : -1,
      title: one.name,
      "--x": one.x,
      "--y": one.y,
      "--width": one.width,
      "--height": one.height,
      "aria-label": state
        ? word("print-slot-state", one.name, state)
        : word("print-slot", one.name),
    },
    [state && make("span.print-flag", { "aria-hidden": "true" }, state)],
  );
}

const pagePicture = (page, given) =>
  make("img", {
    src: withKey(page.picture),
    loading: "lazy",
    decoding: "async",
    draggable: false,
    ...given,
  });

function sheet(one, pair, state, side) {
  const { page } = one;
  const light = state.look.light && pair.back && one === pair.front;
  const shown = page.slots.filter(({ key }) => key);
  const paper = make("div.print-paper", { id: `print-paper-${state.preview.thing}-${one.id}` }, [
    pagePicture(page, {
      className: "print-ink",
      alt: word("print-title", page.title ?? one.file, page.number),
    }),
    light && behindFront(pair, state),
    state.look.cuts && page.slots.length && cuts(page),
    ...shown.map((each, index) => {
      const id = `print-slot-${one.id}-${index}`;
      return slot(each, id, id === state.tabbed);
    }),
  ]);
  const said = join(
    " · ",
    word("print-page", page.number),
    side && word(`print-${side}`),
    page.title,
  );
  return make(
    "figure.print-page",
    { id: `print-page-${state.preview.thing}-${one.id}`, "--w": page.width, "--h": page.height },
    [paper, make("figcaption", { title: said }, said)],
  );
}

/** Return a back as it lies behind its front; the printer undoes what the page is moved by. */
function behindFront({ front, back }, state) {
  const way = turnsUpright(front.page, state.preview.flip) ? "across" : "down";
  const [x, y] = state.printer()?.offset ?? [0, 0];
  const className = `print-ink print-through ${way}`;
  return pagePicture(back.page, { className, alt: "", "--x": -x, "--y": -y });
}

function spread(pair, state) {
  const { front, back } = pair;
  const both = back && !state.look.light;
  const turned = back ? (turnsUpright(front.page, state.preview.flip) ? "across" : "down") : "";
  const apart = back && back.at !== front.at ? `, ${word("print-apart", back.file)}` : "";
  return make(
    "li",
    { className: `print-spread ${turned}`, id: `print-spread-${state.preview.thing}-${front.id}` },
    [
      make("div.print-pair", [
        sheet(front, pair, state, back ? "front" : null),
        both && sheet(back, pair, state, "back"),
      ]),
      both && make("p.print-turned", word(`print-turned-${state.preview.flip ?? "long"}`) + apart),
    ],
  );
}

export function summary(preview) {
  const pages = preview.documents.reduce((sum, one) => sum + one.pages.length, 0);
  const said = [counted("print-one-page", "print-many-pages", pages)];
  const paper = spreads(preview).length;
  if (paper !== pages) said.push(counted("print-one-sheet", "print-many-sheets", paper));
  if (preview.cards) said.push(counted("print-card", "print-cards", preview.cards));
  if (preview.empty) said.push(counted("print-one-empty", "print-many-empty", preview.empty));
  const spare = Object.entries(preview.spare ?? {});
  if (spare.length)
    said.push(
      word("print-spare", spare.map(([name, count]) => `${name} ${number(count)}`).join(", ")),
    );
  return said.join(" · ");
}

export function documents(state) {
  const pairs = state.pairs.slice(0, state.most);
  const many = state.preview.documents.length > 1;
  const nodes = state.preview.documents.map(({ file }, at) => {
    const own = pairs.filter(({ front }) => front.at === at);
    if (!own.length) return null;
    return make(
      "section.print-document",
      { id: `print-document-${state.preview.thing}-${at}`, "aria-label": file },
      [many && make("h3", file), make("ol", ...own.map((pair) => spread(pair, state)))],
    );
  });
  const left = state.pairs.length - pairs.length;
  if (left > 0)
    nodes.push(
      make("p.acts", make("button", { "data-act": "more-pages" }, word("print-and-more", left))),
    );
  return nodes.filter(Boolean);
}

// The options of what is printed as rows of a form, whatever they are, and what was entered there.

const inputField = (given, value, marks) =>
  make("input", { ...given, ...marks, value: value ?? "" });

function control(option, value, marks) {
  const { name, type } = option;
  const label = optionName(option);
  if (type === "flag") {
    const now = value === null ? "" : value ? "yes" : "no";
    const all = [
      ["", word("print-as-game")],
      ["yes", word("print-yes")],
      ["no", word("print-no")],
    ];
    return select(marks, all, now);
  }
  if (type === "choice") {
    const all = option.choices.map((one) => [String(one.value ?? ""), optionValue(option, one)]);
    if (option.optional && !option.choices.some((one) => one.value === null))
      all.unshift(["", word(option.default === null ? "print-usual" : "print-as-game")]);
    return select(marks, all, value === null ? "" : String(value));
  }
  if (type === "integer" || type === "number") {
    const limits = {
      min: option.least ?? "",
      max: option.most ?? "",
      step: type === "integer" ? 1 : "any",
    };
    return inputField({ type: "number", inputMode: "decimal", ...limits }, value, marks);
  }
  if (type === "offset" || type === "size") {
    return make("span.print-two", [
      ...[0, 1].map((at) =>
        inputField(
          {
            type: "number",
            step: type === "size" ? 1 : 0.1,
            "aria-label": `${label} ${at + 1}`,
            "data-at": at,
          },
          value?.[at],
          at ? { "data-option": name, "data-bag": marks["data-bag"] } : marks,
        ),
      ),
    ]);
  }
  return inputField(
    { type: name === "date" ? "date" : "text", autocomplete: "off", spellcheck: false },
    type === "names" ? (value ?? []).join(", ") : value,
    marks,
  );
}

/** Return an option as a row of a form, null for one that has no form. */
export function row(option, value, bag) {
  if (option.type === "numbers" || (option.type === "choice" && !option.choices.length))
    return null;
  const id = `print-o-${bag}-${option.name}`;
  const marks = { id, "data-option": option.name, "data-bag": bag };
  if (option.type === "flag" && !option.optional) {
    return make("label.print-check", [
      make("input", { type: "checkbox", checked: Boolean(value), ...marks }),
      make("span", optionName(option)),
    ]);
  }
  return make("div.print-row", [
    make("label", { htmlFor: id }, optionName(option)),
    control(option, value, marks),
  ]);
}

/** Return what was entered for an option; undefined while that is not finished. */
export function enteredValue(option, node) {
  const text = node.value.trim();
  if (option.type === "flag")
    return node.type === "checkbox" ? node.checked : text ? text === "yes" : null;
  if (option.type === "choice")
    return option.choices.find((one) => String(one.value ?? "") === text)?.value ?? null;
  if (option.type === "names")
    return text
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  if (option.type === "integer" || option.type === "number") {
    if (!text) return node.validity.badInput ? undefined : null;
    return node.validity.valid ? Number(text) : undefined;
  }
  if (option.type === "offset" || option.type === "size") {
    const both = [...node.closest(".print-two").children].map((one) => one.value);
    if (both.every((one) => !one)) return null;
    return both.every(Boolean) ? both.map(Number) : undefined;
  }
  return text || null;
}

export const sameValue = (one, other) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

export const byName = (one, other) =>
  one.name.localeCompare(other.name, language, { numeric: true });

// What the view Print knows: what can be made, what is chosen, what was laid out, and the jobs.

/** Return what a thing can be made of: decks, markers or factions. */
export function candidates(can, of) {
  if (of === "decks") return can.decks;
  if (of === "markers") return can.markers;
  if (of === "factions" || of === "cards") return can.factions;
  return of ? [...can.decks, ...can.factions] : [];
}

/** Return the state at the beginning; `look` is how sheets were looked at before. */
export function newState(look) {
  const state = {
    shown: false, // whether the view is
    can: null,
    tab: "paper",
    thing: "decks",
    of: {}, // the ids that are chosen, by what they are
    bags: {}, // options that were entered: for all that is printed, and for each other thing
    find: "",
    unfolded: false, // the form, where it lies over the sheets
    look: { zoom: "page", light: false, cuts: true, ...look },
    preview: null,
    pairs: [],
    wrong: null,
    busy: false,
    changes: [],
    jobs: new Map(),
    allFiles: new Set(),
    most: PAIRS_AT_ONCE,
    tabbed: "", // the slot that Tab leads to
    at: 0, // the pair of pages that is looked at
    thingOf: (id) => state.can.things.find((thing) => thing.id === id),
    current: () => state.thingOf(state.thing),
    bag: (thing) => (state.bags[thing.group === "print" ? "print" : thing.id] ??= {}),
    value: (thing, option) =>
      option.name in state.bag(thing) ? state.bag(thing)[option.name] : option.default,
    chosen: (thing) =>
      (state.of[thing.of] ?? []).filter((id) =>
        candidates(state.can, thing.of).some((one) => one.id === id),
      ),
    complete: (thing) => !thing.needs || state.chosen(thing).length > 0,
    printer: () =>
      state.can.printers.find(({ name }) => name === state.bags.print?.printer) ?? null,
    wanted: (thing) => requestOf(state, thing),
  };
  return state;
}

/** Return what is asked for of a thing, as the server takes it. */
function requestOf(state, thing) {
  const bag = state.bag(thing);
  const options = {};
  for (const option of thing.options) {
    if (option.name in bag && !sameValue(bag[option.name], option.default))
      options[option.name] = bag[option.name];
  }
  const scaled = state.can.sheets.some(({ id, fits }) => id === options.sheet && !fits);
  if (scaled && thing.options.some(({ name }) => name === "scale")) options.scale = "fit";
  return { thing: thing.id, of: thing.of ? state.chosen(thing) : [], options };
}

/** Count the cards that are new or look different since the last print, each once. */
export function countChanged(preview) {
  const seen = { new: new Set(), changed: new Set() };
  for (const { pages } of preview.documents)
    for (const { slots } of pages)
      for (const { state, key } of slots) if (state) seen[state].add(key);
  return { fresh: seen.new.size, changed: seen.changed.size };
}

export function takeAddress(state, params) {
  if (params.has("thing")) state.thing = params.get("thing");
  state.tab = params.get("for") === "files" ? "files" : "paper";
  for (const [name, value] of params) {
    const [kind, of, option] = name.split(".");
    if (kind === "of") state.of[of] = value ? value.split(",") : [];
    if (kind !== "o" || !option) continue;
    try {
      (state.bags[of] ??= {})[option] = JSON.parse(value);
    } catch {
      // somebody else's address: as if it were not there
    }
  }
}

export function addressOf(state) {
  const params = new URLSearchParams();
  if (state.tab !== "paper") params.set("for", state.tab);
  if (state.thing !== "decks") params.set("thing", state.thing);
  for (const [of, ids] of Object.entries(state.of)) params.set(`of.${of}`, ids.join(","));
  for (const [bag, options] of Object.entries(state.bags))
    for (const [name, value] of Object.entries(options))
      params.set(`o.${bag}.${name}`, JSON.stringify(value));
  return params;
}

/** Whether a refusal is of what was chosen: one of the server, in its own words, may pass. */
export const cannotBeLaid = (wrong) => Boolean(wrong) && wrong.status < 500 && !wrong.answer.word;

// What options, values and sheets are called.

const PAPERS = {
  a4: "A4",
  a3: "A3",
  letter: "Letter",
  "12x12": "12 × 12 in",
  "12x18": "12 × 18 in",
};

/** Return a word that may be lacking, or what is said instead. */
export const wordOr = (id, otherwise) => (id in WORDS ? word(id) : otherwise);

export const thingName = (thing) => wordOr(`print-thing-${thing.id}`, thing.name);
export const thingAbout = (thing) =>
  wordOr(
    `print-about-${thing.id}`,
    thing.id.startsWith("service-") ? word("print-own-service") : thing.about,
  );
export const optionName = (option) =>
  wordOr(`print-option-${option.name}`, option.name.replaceAll("_", " "));
export const optionValue = (option, { value, name }) =>
  option.name === "scale" && value === "none"
    ? word("print-scale-none")
    : wordOr(`print-value-${value}`, name ?? String(value));

export const number = (value, digits = 2) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);

/** Return where backs are moved, "" if they are not. */
export function offsetName([x, y]) {
  const said = [];
  if (x) said.push(word(x > 0 ? "print-right" : "print-left", number(Math.abs(x), 1)));
  if (y) said.push(word(y > 0 ? "print-down" : "print-up", number(Math.abs(y), 1)));
  return said.length > 1 ? word("print-and", ...said) : said.join("");
}

/** Return the margins that a printer leaves white, from the top clockwise. */
export const marginsText = (all) =>
  (new Set(all).size > 1 ? all : all.slice(0, 1)).map((one) => number(one)).join(" / ");

export const moment = (text) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(text),
  );

export function bytes(count) {
  const [value, unit] =
    count < 1e6 ? [Math.max(1, Math.round(count / 1e3)), "kB"] : [count / 1e6, "MB"];
  return `${number(value, 1)} ${unit}`;
}

/** Return how a sheet is called: its cards and its bleed; its paper is that of the group. */
export function sheetName(sheet) {
  const parts = sheet.id.split("-");
  const paper = PAPERS[parts[0]];
  const rest = parts
    .filter((part, at) => !(at === 0 && paper) && part !== "bleed" && part !== "gutterfold")
    .join("-");
  const said = [paper];
  if (!paper && !sheet.width) said.push(word("print-sheet-card"));
  else if (!rest) said.push(word("print-sheet-any"));
  else said.push(rest.replace(/^(\d+)x(\d+)$/, "$1 × $2 mm").replaceAll("-", " "));
  if (sheet.fold && sheet.fold !== "none") said.push(word("print-sheet-fold"));
  if (sheet.bleed) said.push(word("print-sheet-bleed", number(sheet.bleed)));
  return said.filter(Boolean).join(" · ");
}
