/**
 * Calibrating a printer: a dialog that goes step by step, with drawings that show where to measure.
 */

import { morph } from "../shared/page.js";
import { make, word } from "../shared/words.js";
import { firstSide, glass, meaning, secondSide, SPOTS, stairs } from "./drawings.js";
import "./calibration-words.js";
import { jobEntry } from "./jobs.js";
import { select } from "./state.js";
import { marginsText, number, offsetName, wordOr } from "./words.js";

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

/**
 * Return what the places say: by how much backs are moved, and how far the places differ; null if
 * none was read.
 */
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
  return make("div", { className: "print-row" }, make("label", { htmlFor: node.id }, label), node);
}

const verdict = (good, said) =>
  make("p", { className: good ? "print-good" : "print-bad", role: "status" }, said);
const beside = (drawn, ...rest) =>
  make("div", { className: "print-c-two" }, drawn, make("div", {}, ...rest));

function printStep(now, state, studio) {
  const job = now.job ? state.jobs.get(now.job) : null;
  const named = (all) => all.map((one) => [one, wordOr(`print-value-${one}`, one)]);
  const list = (name, label, all) =>
    make(
      "div",
      { className: "print-row" },
      make("label", { htmlFor: `print-c-${name}` }, label),
      select({ id: `print-c-${name}`, "data-c": name }, named(all), now[name]),
    );
  return beside(
    firstSide(word("print-c-side-1"), ""),
    make("p", {}, word("print-c-print-how")),
    list("paper", word("print-option-paper"), ["a4", "letter", "a3"]),
    list("flip", word("print-option-flip"), ["long", "short"]),
    make(
      "button",
      { type: "button", className: job ? "" : "main", "data-act": "c-sheet" },
      word(job ? "print-c-anew" : "print-c-make"),
    ),
    job
      ? make("ul", { role: "list", className: "print-job-list" }, jobEntry(job, state, studio))
      : null,
  );
}

function rulerStep(now) {
  const length = numeric(now.ruler);
  return beside(
    firstSide(word("print-c-side-1"), "ruler"),
    make("p", {}, word("print-c-ruler-how")),
    box("ruler", word("print-c-ruler-mm"), now.ruler, { min: 50, max: 150 }),
    length === null
      ? null
      : Math.abs(length - 100) <= TRUE
        ? verdict(true, word("print-c-ruler-good"))
        : verdict(false, word("print-c-ruler-bad", number(length, 1))),
  );
}

function marginsStep(now) {
  const all = readMargins(now.margins);
  const letter = "ABCD"[now.edge];
  return beside(
    make(
      "div",
      { className: "print-c-drawings" },
      firstSide(word("print-c-side-1"), "edges", now.edge),
      make(
        "figure",
        {},
        stairs(word("print-c-stair", letter), numeric(now.margins[now.edge])),
        make("figcaption", {}, word("print-c-stair", letter)),
      ),
    ),
    make("p", {}, word("print-c-edges-how")),
    ...now.margins.map((value, at) =>
      box(`margin-${at}`, word(`print-c-edge-${at}`), value, { min: 0, max: 60 }),
    ),
    all ? verdict(true, word("print-c-edges-mean", marginsText(all))) : null,
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
    return make("td", {}, node);
  };
  return beside(
    make(
      "div",
      { className: "print-c-drawings" },
      secondSide(word("print-c-side-2"), now.spot),
      make(
        "figure",
        {},
        glass(word("print-c-drawn", now.spot + 1), x, y),
        make("figcaption", {}, word("print-c-drawn", now.spot + 1)),
      ),
    ),
    make("p", {}, word("print-c-light-how")),
    make(
      "table",
      { className: "print-c-spots" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", {}),
          make("th", { scope: "col" }, "X"),
          make("th", { scope: "col" }, "Y"),
        ),
      ),
      make(
        "tbody",
        {},
        ...now.spots.map((_, spot) =>
          make(
            "tr",
            { className: spot === now.spot ? "chosen" : "" },
            make("th", { scope: "row" }, word("print-c-place", spot + 1)),
            cell(spot, 0),
            cell(spot, 1),
          ),
        ),
      ),
    ),
    found
      ? verdict(
          found.apart <= APART,
          found.apart <= APART
            ? offsetInWords(found)
            : word("print-c-apart", number(found.apart, 1)),
        )
      : make("p", { className: "print-hint" }, word("print-c-none")),
  );
}

function nameStep(now, readOnly) {
  const found = readSpots(now.spots);
  const white = readMargins(now.margins);
  if (!found && !white) return make("div", {}, make("p", {}, word("print-c-nothing")));
  const field = make("input", {
    id: "print-c-name",
    type: "text",
    autocomplete: "off",
    spellcheck: false,
    "data-c": "name",
    maxLength: 40,
    required: true,
    value: now.name,
  });
  const wrong = now.name && !NAME.test(now.name);
  if (wrong) field.setAttribute("aria-invalid", "true");
  return beside(
    found
      ? make(
          "figure",
          {},
          meaning(offsetInWords(found), ...found.offset),
          make("figcaption", {}, word("print-c-fixed")),
        )
      : firstSide(word("print-c-side-1"), "edges"),
    found ? make("p", {}, offsetInWords(found)) : null,
    white ? make("p", {}, word("print-c-margins", marginsText(white))) : null,
    readOnly
      ? make("p", { className: "print-hint" }, word("print-c-read-only"))
      : make(
          "div",
          { className: "print-row" },
          make("label", { htmlFor: "print-c-name" }, word("print-c-name-label")),
          field,
          make("small", {}, word(wrong ? "print-c-name-wrong" : "print-c-name-how")),
        ),
    now.wrong ? verdict(false, now.wrong) : null,
  );
}

/** Return whether what was entered can be saved. */
const canSave = (now, readOnly) =>
  Boolean(readSpots(now.spots) || (!readOnly && readMargins(now.margins))) &&
  (readOnly || NAME.test(now.name));

/** Return the dialog at the step that it has come to. */
function dialog(now, state, studio) {
  const at = STEPS.indexOf(now.step);
  const close = make(
    "button",
    {
      type: "button",
      className: "quiet close",
      "data-act": "c-close",
      "aria-label": word("close"),
    },
    "✕",
  );
  if (at < 0) {
    return [
      make("header", {}, make("h2", { id: "print-c-heading" }, word("print-c-first")), close),
      make("p", {}, word("print-c-ask")),
      make("p", { className: "print-hint" }, word("print-c-ask-time")),
      make(
        "footer",
        {},
        make("button", { type: "button", "data-act": "c-without" }, word("print-c-without")),
        make(
          "button",
          { type: "button", className: "main", "data-act": "c-begin" },
          word("print-c-begin"),
        ),
      ),
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
    ? make(
        "button",
        {
          type: "button",
          className: "main",
          "data-act": "c-save",
          disabled: !canSave(now, studio.readOnly),
        },
        word(studio.readOnly ? "print-c-use" : "print-c-save"),
      )
    : make(
        "button",
        { type: "button", className: empty ? "" : "main", "data-act": "c-next" },
        word(now.step === "print" ? "print-c-printed" : empty ? "print-c-skip" : "print-c-next"),
      );
  return [
    make("header", {}, make("h2", { id: "print-c-heading" }, word("print-c-title")), close),
    make(
      "p",
      { className: "print-c-step", id: "print-c-step", tabIndex: -1 },
      word("print-c-step", at + 1, STEPS.length, word(`print-c-${now.step}`)),
    ),
    make("div", { className: "print-c-body", id: `print-c-${now.step}-body` }, made),
    make(
      "footer",
      {},
      at ? make("button", { type: "button", "data-act": "c-back" }, word("print-c-back")) : null,
      next,
    ),
  ];
}

/** Return the step before or after. */
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
  let now = { ...newMeasures(), ...JSON.parse(localStorage.getItem(name) ?? "{}"), wrong: null };
  let without = null; // what is printed if one does not want to calibrate
  const node = make("dialog", {
    className: "print-c",
    id: "print-c",
    "aria-labelledby": "print-c-heading",
  });
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
