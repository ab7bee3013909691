/** Calibrating a printer, with drawings of what to look at. */

import { morph, readStored } from "../shared/page.js";
import { make, makeSvg, select, tableHead, word } from "../shared/words.js";
import { jobEntry } from "./jobs.js";
import { marginsText, number, offsetName, wordOr } from "./state.js";

const [WIDTH, HEIGHT, EDGE, ARM] = [210, 297, 40, 15];
const RULER = [55, 208, 100]; // where it begins, how far down it is, how long
const STAIR = 5;

/**
 * The five places that are measured, as they lie on the second side.
 *
 * @type {[number, number][]}
 */
const SPOTS = [
  [EDGE, EDGE],
  [WIDTH - EDGE, EDGE],
  [WIDTH / 2, HEIGHT / 2],
  [EDGE, HEIGHT - EDGE],
  [WIDTH - EDGE, HEIGHT - EDGE],
];

const path = (d, name) => makeSvg("path", { d, class: name });
const svgText = (x, y, said, name = "") => makeSvg("text", { x, y, class: name }, said);
const drawing = (box, title, ...children) =>
  makeSvg("svg", { viewBox: box, class: "print-drawing", role: "img", "aria-label": title }, [
    ...children,
  ]);

const paper = () =>
  makeSvg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 1.5, class: "paper" });
const cross = ([x, y], name) =>
  path(`M${x - ARM} ${y}h${2 * ARM}M${x} ${y - ARM}v${2 * ARM}`, name);
const lines = (y, count) => {
  const line = (_, at) => `M30 ${y + 6 * at}h${at === count - 1 ? 90 : 150}`;
  return path(Array.from({ length: count }, line).join(""), "text");
};

function stair(name, chosen, transform) {
  const steps = Array.from({ length: 15 }, (_, at) =>
    path(`M${(at - 7.5) * STAIR} ${at + 1}h${STAIR}`, ""),
  );
  const label = svgText(0, 30, name, "letter");
  return makeSvg("g", { transform, class: chosen ? "here" : "" }, ...steps, label);
}

function rulerLine(name) {
  const [x, y, length] = RULER;
  const tick = (_, at) => `M${x + (at * length) / 10} ${y}v${at % 5 ? -3 : -5}`;
  const ticks = Array.from({ length: 11 }, tick).join("");
  return makeSvg("g", { class: name }, [
    path(`M${x} ${y}h${length}${ticks}`),
    svgText(x + length / 2, y + 10, "100 mm"),
  ]);
}

/** Return the first side: its ruler, or its edges, are what is looked at. */
function firstSide(title, look, edge = null) {
  const at = (name, transform, index) =>
    stair(name, look === "edges" && (edge === null || edge === index), transform);
  return drawing(
    `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`,
    title,
    paper(),
    lines(66, 3),
    ...SPOTS.map((spot) => cross(spot, "faint")),
    rulerLine(look === "ruler" ? "here" : "faint"),
    at("A", `translate(${WIDTH / 2} 0)`, 0),
    at("B", `matrix(0 1 -1 0 ${WIDTH} ${HEIGHT / 2})`, 1),
    at("C", `matrix(-1 0 0 -1 ${WIDTH / 2} ${HEIGHT})`, 2),
    at("D", `matrix(0 -1 1 0 0 ${HEIGHT / 2})`, 3),
  );
}

/** Return the second side against the light, with its five places; one is looked at. */
function secondSide(title, chosen) {
  const place = (spot, index) => {
    const [x, y] = spot;
    return makeSvg("g", { class: index === chosen ? "here" : "" }, [
      makeSvg("circle", { cx: x, cy: y, r: 22, class: "ring" }),
      cross(spot, "through"),
      path(`M${x - 7} ${y - 10}h14M${x - 10} ${y - 7}v14`),
      svgText(x + 26, y - 14, String(index + 1), "letter"),
    ]);
  };
  return drawing(
    `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`,
    title,
    makeSvg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 1.5, class: "paper lit" }),
    lines(88, 4),
    ...SPOTS.map(place),
  );
}

/** Return one of the places as large as under a glass; the thin lines are where the numbers say. */
function glass(title, x, y) {
  const ticks = (along) =>
    Array.from({ length: 25 }, (_, step) => {
      const at = (step - 12) / 2;
      const long = step % 6 === 0 ? 1.6 : step % 2 === 0 ? 1 : 0.6;
      return along ? `M${at} -10v${-long}` : `M-10 ${at}h${-long}`;
    }).join("");
  const numbers = [-6, -3, 0, 3, 6].flatMap((value) => {
    const said = value ? `${value > 0 ? "+" : "−"}${Math.abs(value)}` : "0";
    return [svgText(value, -12.2, said, "tick"), svgText(-12.9, value + 0.5, said, "tick")];
  });
  return drawing(
    "-15.5 -15 24 24",
    title,
    makeSvg("circle", { cx: -3.5, cy: -3, r: 11.9, class: "paper lit" }),
    path(`M-6 -10h12${ticks(true)}M-10 -6v12${ticks(false)}`, "scale"),
    ...numbers,
    path(`M${x ?? 0} -12v18`, x === null ? "through faint" : "through"),
    path(`M-12 ${y ?? 0}h18`, y === null ? "through faint" : "through"),
  );
}

/** Return the stair at an edge as large as under a glass; what the printer leaves white is grey. */
function stairs(title, white) {
  const steps = Array.from({ length: 15 }, (_, at) => {
    const lost = white !== null && at + 1 < white;
    const said = svgText((at - 7) * STAIR, at + 4.6, String(at + 1), lost ? "step faint" : "step");
    return makeSvg("g", { class: white === at + 1 ? "here" : "" }, [
      !lost && path(`M${(at - 7.5) * STAIR} ${at + 1}h${STAIR}`, "step"),
      said,
    ]);
  });
  return drawing(
    "-42 -4 84 28",
    title,
    makeSvg("rect", { x: -42, y: 0, width: 84, height: 24, class: "paper" }),
    makeSvg("rect", { x: -42, y: 0, width: 84, height: Math.min(24, white ?? 0), class: "white" }),
    ...steps,
  );
}

/** Return a card and its back as they would lie, ten times as far apart, before and after. */
function meaning(title, x, y) {
  const pair = (left, dx, dy) =>
    makeSvg("g", { transform: `translate(${left} 0)` }, [
      makeSvg("rect", { x: 0, y: 0, width: 40, height: 56, rx: 2, class: "paper" }),
      makeSvg("rect", { x: dx, y: dy, width: 40, height: 56, rx: 2, class: "back" }),
    ]);
  const far = Math.min(1, 14 / Math.max(1, Math.abs(x) * 10, Math.abs(y) * 10));
  return drawing(
    "-16 -16 152 88",
    title,
    pair(0, -x * 10 * far, -y * 10 * far),
    path("M56 28h18m-5 -4l5 4l-5 4", "arrow"),
    pair(80, 0, 0),
  );
}

// Calibrating a printer: step by step, with drawings that show where to measure.

const STEPS = ["print", "ruler", "edges", "light", "name"];
const APART = 0.5; // mm by which places may differ that moving the page still mends
const TRUE = 0.5; // mm by which a ruler may be misread
const NAME = /^[A-Za-z0-9_-]{1,40}$/;

/** What has been measured so far: kept until it is saved, for paper takes its time. */
const newMeasures = () => ({
  step: "ask",
  paper: "a4",
  flip: "long",
  ruler: "",
  margins: ["", "", "", ""],
  spots: SPOTS.map(() => ["", ""]),
  spot: 2,
  edge: 0,
  name: "",
});

const numeric = (said) => (said === "" || !Number.isFinite(Number(said)) ? null : Number(said));
const rounded = (value) => Math.round(value * 10) / 10;

/** Return by how much backs are moved, and how far the places differ; null if none was read. */
function readSpots(spots) {
  const whole = spots
    .map((spot) => spot.map(numeric))
    .filter((spot) => spot.every((one) => one !== null));
  if (!whole.length) return null;
  const along = (at) => whole.map((spot) => spot[at]);
  const mean = (all) => rounded(all.reduce((sum, one) => sum + one, 0) / all.length);
  const span = (all) => Math.max(...all) - Math.min(...all);
  return {
    offset: [mean(along(0)), mean(along(1))],
    apart: rounded(Math.max(span(along(0)), span(along(1)))),
  };
}

/** Return the margins that were read, null unless all four were. */
function readMargins(entered) {
  const all = entered.map(numeric);
  return all.every((one) => one !== null && one >= 0) ? all : null;
}

function box(name, label, value, given = {}) {
  const node = make("input", {
    id: `print-c-${name}`,
    type: "number",
    inputMode: "decimal",
    step: "any",
    "data-c": name,
    value,
    ...given,
  });
  return make("div.print-row", make("label", { htmlFor: node.id }, label), node);
}

const verdict = (good, said) =>
  make("p", { className: good ? "print-good" : "print-bad", role: "status" }, said);
const beside = (drawn, ...rest) => make("div.print-c-two", drawn, make("div", ...rest));

function printStep(now, state, studio) {
  const job = now.job ? state.jobs.get(now.job) : null;
  const named = (all) => all.map((one) => [one, wordOr(`print-value-${one}`, one)]);
  const list = (name, label, all) =>
    make("div.print-row", [
      make("label", { htmlFor: `print-c-${name}` }, label),
      select({ id: `print-c-${name}`, "data-c": name }, named(all), now[name]),
    ]);
  return beside(
    firstSide(word("print-c-side-1"), ""),
    make("p", word("print-c-print-how")),
    list("paper", word("print-option-paper"), ["a4", "letter", "a3"]),
    list("flip", word("print-option-flip"), ["long", "short"]),
    make("button", { className: job ? "" : "main", "data-act": "c-sheet" }, [
      word(job ? "print-c-anew" : "print-c-make"),
    ]),
    job && make("ul.print-job-list", jobEntry(job, state, studio)),
  );
}

function rulerStep(now) {
  const length = numeric(now.ruler);
  return beside(
    firstSide(word("print-c-side-1"), "ruler"),
    make("p", word("print-c-ruler-how")),
    box("ruler", word("print-c-ruler-mm"), now.ruler, { min: 50, max: 150 }),
    length !== null &&
      (Math.abs(length - 100) <= TRUE
        ? verdict(true, word("print-c-ruler-good"))
        : verdict(false, word("print-c-ruler-bad", number(length, 1)))),
  );
}

function marginsStep(now) {
  const all = readMargins(now.margins);
  const letter = "ABCD"[now.edge];
  return beside(
    make("div.print-c-drawings", [
      firstSide(word("print-c-side-1"), "edges", now.edge),
      make("figure", [
        stairs(word("print-c-stair", letter), numeric(now.margins[now.edge])),
        make("figcaption", word("print-c-stair", letter)),
      ]),
    ]),
    make("p", word("print-c-edges-how")),
    ...now.margins.map((value, at) =>
      box(`margin-${at}`, word(`print-c-edge-${at}`), value, { min: 0, max: 60 }),
    ),
    all && verdict(true, word("print-c-edges-mean", marginsText(all))),
  );
}

function offsetInWords({ offset }) {
  const where = offsetName(offset);
  return where ? word("print-c-mean", where) : word("print-c-true");
}

function lightStep(now) {
  const found = readSpots(now.spots);
  const [x, y] = now.spots[now.spot].map(numeric);
  const cell = (spot, at) => {
    const node = make("input", {
      id: `print-c-spot-${spot}-${at}`,
      type: "number",
      inputMode: "decimal",
      step: 0.1,
      min: -20,
      max: 20,
      "data-c": `spot-${spot}-${at}`,
      "aria-label": `${word("print-c-place", spot + 1)}, ${at ? "Y" : "X"}`,
      value: now.spots[spot][at],
    });
    return make("td", node);
  };
  return beside(
    make("div.print-c-drawings", [
      secondSide(word("print-c-side-2"), now.spot),
      make("figure", [
        glass(word("print-c-drawn", now.spot + 1), x, y),
        make("figcaption", word("print-c-drawn", now.spot + 1)),
      ]),
    ]),
    make("p", word("print-c-light-how")),
    make("table.print-c-spots", [
      tableHead(make("td"), "X", "Y"),
      make("tbody", [
        ...now.spots.map((_, spot) =>
          make("tr", { className: spot === now.spot ? "chosen" : "" }, [
            make("th", { scope: "row" }, word("print-c-place", spot + 1)),
            cell(spot, 0),
            cell(spot, 1),
          ]),
        ),
      ]),
    ]),
    found
      ? verdict(
          found.apart <= APART,
          found.apart <= APART
            ? offsetInWords(found)
            : word("print-c-apart", number(found.apart, 1)),
        )
      : make("p.print-hint", word("print-c-none")),
  );
}

function nameStep(now, readOnly) {
  const found = readSpots(now.spots);
  const white = readMargins(now.margins);
  if (!found && !white) return make("div", make("p", word("print-c-nothing")));
  const wrong = Boolean(now.name) && !NAME.test(now.name);
  const field = make("input", {
    id: "print-c-name",
    spellcheck: false,
    "data-c": "name",
    maxLength: 40,
    required: true,
    value: now.name,
    ...(wrong && { "aria-invalid": "true" }),
  });
  return beside(
    found
      ? make("figure", [
          meaning(offsetInWords(found), ...found.offset),
          make("figcaption", word("print-c-fixed")),
        ])
      : firstSide(word("print-c-side-1"), "edges"),
    found && make("p", offsetInWords(found)),
    white && make("p", word("print-c-margins", marginsText(white))),
    readOnly
      ? make("p.print-hint", word("print-c-read-only"))
      : make("div.print-row", [
          make("label", { htmlFor: "print-c-name" }, word("print-c-name-label")),
          field,
          make("small", word(wrong ? "print-c-name-wrong" : "print-c-name-how")),
        ]),
    now.wrong && verdict(false, now.wrong),
  );
}

const canSave = (now, readOnly) =>
  Boolean(readSpots(now.spots) || (!readOnly && readMargins(now.margins))) &&
  (readOnly || NAME.test(now.name));

function dialog(now, state, studio) {
  const at = STEPS.indexOf(now.step);
  const close = make("button.quiet.close", { "data-act": "c-close", "aria-label": word("close") }, [
    "✕",
  ]);
  if (at < 0) {
    return [
      make("header", make("h2", { id: "print-c-heading" }, word("print-c-first")), close),
      make("p", word("print-c-ask")),
      make("p.print-hint", word("print-c-ask-time")),
      make("footer", [
        make("button", { "data-act": "c-without" }, word("print-c-without")),
        make("button.main", { "data-act": "c-begin" }, word("print-c-begin")),
      ]),
    ];
  }
  const made = {
    print: () => printStep(now, state, studio),
    ruler: () => rulerStep(now),
    edges: () => marginsStep(now),
    light: () => lightStep(now),
    name: () => nameStep(now, studio.readOnly),
  }[now.step]();
  const empty = {
    ruler: now.ruler === "",
    edges: !readMargins(now.margins),
    light: !readSpots(now.spots),
  }[now.step];
  const last = at === STEPS.length - 1;
  const next = last
    ? make("button.main", { "data-act": "c-save", disabled: !canSave(now, studio.readOnly) }, [
        word(studio.readOnly ? "print-c-use" : "print-c-save"),
      ])
    : make("button", { className: empty ? "" : "main", "data-act": "c-next" }, [
        word(now.step === "print" ? "print-c-printed" : empty ? "print-c-skip" : "print-c-next"),
      ]);
  return [
    make("header", make("h2", { id: "print-c-heading" }, word("print-c-title")), close),
    make("p.print-c-step", { id: "print-c-step", tabIndex: -1 }, [
      word("print-c-step", at + 1, STEPS.length, word(`print-c-${now.step}`)),
    ]),
    make("div.print-c-body", { id: `print-c-${now.step}-body` }, made),
    make("footer", at && make("button", { "data-act": "c-back" }, word("print-c-back")), next),
  ];
}

const stepBy = (now, by) =>
  STEPS[Math.min(STEPS.length - 1, Math.max(0, STEPS.indexOf(now.step) + by))];

// The dialog in which a printer is calibrated: what was measured, and what is done with it.

/**
 * Return what opens the dialog: `open()`, and `first(thing, print)`, which asks before the first print.
 *
 * @param root the view's element.
 * @param state what the view knows.
 * @param act what the view can do: `draw()`, `begin(thing, choice)`, `changed()`, `saved(name, printers)`,
 *   and `kept`, where the browser keeps things.
 */
export function calibrationDialog(root, studio, state, act) {
  const name = `${act.kept}:calibration`;
  const asked = `${act.kept}:asked`;
  let now = { ...newMeasures(), ...readStored(name, {}), wrong: null };
  let without = null; // what is printed if one does not want to calibrate
  const node = make("dialog.print-c", { id: "print-c", "aria-labelledby": "print-c-heading" });
  root.append(node);

  function draw() {
    if (node.open) morph(node, dialog(now, state, studio));
  }

  function set(changes) {
    Object.assign(now, changes);
    localStorage.setItem(name, JSON.stringify(now));
    draw();
  }

  function open(step = now.step === "ask" ? "print" : now.step) {
    Object.assign(now, {
      step,
      wrong: null,
      name: now.name || state.printer()?.name || word("print-c-name-usual"),
    });
    node.showModal();
    draw();
  }

  function go(by) {
    set({ step: stepBy(now, by), wrong: null });
    node.scrollTo(0, 0);
    node.querySelector("#print-c-step").focus();
  }

  async function sheet() {
    const thing = state.thingOf("calibration");
    const options = Object.fromEntries(
      ["paper", "flip"]
        .filter((one) => thing.options.some((option) => option.name === one))
        .map((one) => [one, now[one]]),
    );
    const job = await act.begin(thing, { thing: thing.id, of: [], options });
    if (job) set({ job: job.id });
  }

  async function save() {
    const found = readSpots(now.spots);
    if (studio.readOnly) {
      (state.bags.print ??= {}).back_offset = found.offset;
      finish(word("print-c-used"));
      return act.changed(0);
    }
    const white = readMargins(now.margins);
    const told = {
      name: now.name,
      flip: now.flip,
      ...(found ? { offset: found.offset } : {}),
      ...(white ? { margins: white } : {}),
    };
    try {
      const { printers } = await studio.post("/api/print/printers", told);
      finish(word("print-c-saved", told.name));
      await act.saved(told.name, printers);
    } catch (error) {
      if (error.status < 500) set({ wrong: error.message });
      else studio.failed(error, save);
    }
  }

  function finish(said) {
    localStorage.removeItem(name);
    now = newMeasures();
    node.close();
    studio.announce(said);
    act.draw();
  }

  const acts = {
    "c-close": () => node.close(),
    "c-begin": () => ((without = null), go(1)),
    "c-without": () => (node.close(), without?.()),
    "c-next": () => go(1),
    "c-back": () => go(-1),
    "c-sheet": sheet,
    "c-save": save,
  };

  node.addEventListener("click", ({ target }) =>
    acts[target.closest("[data-act]")?.dataset.act]?.(),
  );
  node.addEventListener("focusin", ({ target }) => {
    const [, kind, index] = target.dataset.c?.match(/^(spot|margin)-(\d)/) ?? [];
    const looked = kind === "margin" ? "edge" : kind;
    if (kind && Number(index) !== now[looked]) set({ [looked]: Number(index) });
  });
  node.addEventListener("input", ({ target }) => {
    const [kind, index, at] = (target.dataset.c ?? "").split("-");
    if (!kind) return;
    if (kind === "margin") now.margins[index] = target.value;
    else if (kind === "spot") now.spots[index][at] = target.value;
    else now[kind] = target.value;
    set({ wrong: null });
  });

  return {
    draw,
    open: () => open(),
    first(thing, print) {
      const matters =
        thing.group === "print" && !state.can.printers.length && !localStorage.getItem(asked);
      if (!matters) return print();
      localStorage.setItem(asked, "1");
      without = print;
      return open("ask");
    },
  };
}
