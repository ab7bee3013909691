/** Calibrating a printer: step by step, with drawings that show where to measure. */

import { firstSide, glass, meaning, secondSide, SPOTS, stairs } from "./print-drawings.js";
import { entry } from "./print-jobs.js";
import { select } from "./print-options.js";
import { edges as told, known, number, towards } from "./print-words.js";
import { make, teach, word } from "./words.js";

teach({
  en: {
    "print-c-title": "Calibrate a printer",
    "print-c-first": "Before the first print",
    "print-c-step": "Step {} of {}: {}",
    "print-c-ask":
      "Printers are off by some tenths of a millimetre, always in the same direction, and leave an edge of the paper white. Measure yours once, with one sheet of paper, and backs will lie behind their faces from then on.",
    "print-c-ask-time":
      "It takes about five minutes. You find it beside the printer whenever you like.",
    "print-c-begin": "Calibrate now",
    "print-c-without": "Print without",
    "print-c-print": "Print the sheet",
    "print-c-print-how":
      "Print both pages on the two sides of one sheet, at 100 % (“actual size”, not “fit to page”), on the printer and the paper that you will use.",
    "print-c-make": "Make the sheet",
    "print-c-anew": "Make it again",
    "print-c-printed": "I have printed it",
    "print-c-ruler": "Measure the ruler",
    "print-c-ruler-how": "On side 1, lay a ruler on the printed one. How long is it?",
    "print-c-ruler-mm": "Length in mm",
    "print-c-ruler-good": "Good: the printer prints at its true size.",
    "print-c-ruler-bad":
      "It prints at {} %. Choose 100 % or “actual size” when you print, and print the sheet again: nothing else helps.",
    "print-c-edges": "The white edges",
    "print-c-edges-how":
      "At each edge of side 1 there is a stair of lines. Which is the smallest number whose line is printed in full?",
    "print-c-edge-0": "A, at the top",
    "print-c-edge-1": "B, at the right",
    "print-c-edge-2": "C, at the bottom",
    "print-c-edge-3": "D, at the left",
    "print-c-edges-mean":
      "Marks, rulers and footers keep {} mm away from the edges, and sheets that need more are told of before you print.",
    "print-c-light": "Hold it against a lamp",
    "print-c-light-how":
      "Side 2 towards you, a lamp behind. At each of the five places the thin lines of side 1 cross two scales. Read the level scale as X and the upright one as Y; the middle alone will do, five are better.",
    "print-c-place": "Place {}",
    "print-c-stair": "The stair at {}: grey is what stays white",
    "print-c-drawn": "As it looks at place {}",
    "print-c-none": "Enter what you read: the lines of the drawing move there.",
    "print-c-mean": "Backs will be moved {}.",
    "print-c-true": "Backs need not be moved: your printer is true.",
    "print-c-apart":
      "The places differ by {} mm. The printer turns or stretches the page, and moving it does not mend that: try another tray, or the straight way through the printer.",
    "print-c-name": "Name and save",
    "print-c-name-how": "The name is what you choose when you print.",
    "print-c-name-label": "Name of the printer",
    "print-c-name-wrong": "At most 40 letters, digits, - and _.",
    "print-c-name-usual": "home",
    "print-c-nothing": "Nothing was measured yet. Go back, or leave it for now.",
    "print-c-save": "Save",
    "print-c-use": "Use for now",
    "print-c-read-only":
      "At --read-only nothing is saved; the backs are moved in this window only.",
    "print-c-saved": "{} is saved and used from now on.",
    "print-c-used": "Backs are moved from now on.",
    "print-c-margins": "{} mm of the paper stay white.",
    "print-c-next": "Next",
    "print-c-skip": "Skip",
    "print-c-back": "Back",
    "print-c-fixed": "Without (left) and with these numbers, ten times as far apart.",
    "print-c-side-1": "Side 1, with what to look at",
    "print-c-side-2": "Side 2 against the light, with its five places",
  },
  de: {
    "print-c-title": "Drucker kalibrieren",
    "print-c-first": "Vor dem ersten Druck",
    "print-c-step": "Schritt {} von {}: {}",
    "print-c-ask":
      "Drucker liegen um einige Zehntelmillimeter daneben, immer in dieselbe Richtung, und lassen einen Rand des Papiers weiß. Miss deinen einmal, mit einem Blatt Papier, und die Rückseiten liegen fortan genau hinter den Vorderseiten.",
    "print-c-ask-time": "Das dauert etwa fünf Minuten. Du findest es jederzeit neben dem Drucker.",
    "print-c-begin": "Jetzt kalibrieren",
    "print-c-without": "Ohne drucken",
    "print-c-print": "Das Blatt drucken",
    "print-c-print-how":
      "Drucke beide Seiten auf Vorder- und Rückseite eines Blattes, mit 100 % („tatsächliche Größe“, nicht „an Seite anpassen“), mit dem Drucker und dem Papier, die du verwenden wirst.",
    "print-c-make": "Blatt erstellen",
    "print-c-anew": "Noch einmal erstellen",
    "print-c-printed": "Es ist gedruckt",
    "print-c-ruler": "Das Lineal messen",
    "print-c-ruler-how": "Lege auf Seite 1 ein Lineal an das gedruckte. Wie lang ist es?",
    "print-c-ruler-mm": "Länge in mm",
    "print-c-ruler-good": "Gut: Der Drucker druckt in wahrer Größe.",
    "print-c-ruler-bad":
      "Er druckt mit {} %. Wähle beim Drucken 100 % oder „tatsächliche Größe“ und drucke das Blatt noch einmal: Anderes hilft nicht.",
    "print-c-edges": "Die weißen Ränder",
    "print-c-edges-how":
      "An jedem Rand von Seite 1 ist eine Treppe aus Linien. Welches ist die kleinste Zahl, deren Linie vollständig gedruckt ist?",
    "print-c-edge-0": "A, oben",
    "print-c-edge-1": "B, rechts",
    "print-c-edge-2": "C, unten",
    "print-c-edge-3": "D, links",
    "print-c-edges-mean":
      "Marken, Lineal und Fußzeile bleiben {} mm von den Rändern weg; Bögen, die mehr brauchen, werden vor dem Druck gemeldet.",
    "print-c-light": "Gegen eine Lampe halten",
    "print-c-light-how":
      "Seite 2 nach vorn, eine Lampe dahinter. An jeder der fünf Stellen kreuzen die dünnen Linien von Seite 1 zwei Skalen. Lies die waagerechte als X und die senkrechte als Y; die Mitte allein genügt, fünf sind besser.",
    "print-c-place": "Stelle {}",
    "print-c-stair": "Die Treppe bei {}: Grau bleibt weiß",
    "print-c-drawn": "So sieht es an Stelle {} aus",
    "print-c-none": "Trag ein, was du abliest: Die Linien der Zeichnung rücken dorthin.",
    "print-c-mean": "Rückseiten rücken {}.",
    "print-c-true": "Rückseiten müssen nicht gerückt werden: Dein Drucker ist genau.",
    "print-c-apart":
      "Die Stellen weichen um {} mm voneinander ab. Der Drucker dreht oder dehnt die Seite; Rücken behebt das nicht. Versuch ein anderes Fach oder den geraden Papierweg.",
    "print-c-name": "Benennen und speichern",
    "print-c-name-how": "Unter diesem Namen wählst du ihn beim Drucken.",
    "print-c-name-label": "Name des Druckers",
    "print-c-name-wrong": "Höchstens 40 Buchstaben ohne Umlaute, Ziffern, - und _.",
    "print-c-name-usual": "daheim",
    "print-c-nothing": "Es ist noch nichts gemessen. Geh zurück, oder lass es vorerst.",
    "print-c-save": "Speichern",
    "print-c-use": "Vorerst verwenden",
    "print-c-read-only":
      "Mit --read-only wird nichts gespeichert; die Rückseiten rücken nur in diesem Fenster.",
    "print-c-saved": "{} ist gespeichert und wird ab jetzt verwendet.",
    "print-c-used": "Die Rückseiten rücken ab jetzt.",
    "print-c-margins": "{} mm vom Papier bleiben weiß.",
    "print-c-next": "Weiter",
    "print-c-skip": "Überspringen",
    "print-c-back": "Zurück",
    "print-c-fixed": "Ohne (links) und mit diesen Zahlen, zehnmal so weit auseinander.",
    "print-c-side-1": "Seite 1 mit dem, worauf zu achten ist",
    "print-c-side-2": "Seite 2 gegen das Licht mit ihren fünf Stellen",
  },
});

const STEPS = ["print", "ruler", "edges", "light", "name"];
const APART = 0.5; // mm by which places may differ that moving the page still mends
const TRUE = 0.5; // mm by which a ruler may be misread
const NAME = /^[A-Za-z0-9_-]{1,40}$/;

/** What has been measured so far: kept until it is saved, for paper takes its time. */
export const blank = () => ({
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

/** Return what the places say: by how much backs are moved, and how far the places differ; null if none was read. */
export function read(spots) {
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
export function margins(entered) {
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

const says = (good, said) =>
  make("p", { className: good ? "print-good" : "print-bad", role: "status" }, said);
const two = (drawn, ...rest) =>
  make("div", { className: "print-c-two" }, drawn, make("div", {}, ...rest));

function print(now, state, studio) {
  const job = now.job ? state.jobs.get(now.job) : null;
  const named = (all) => all.map((one) => [one, known(`print-value-${one}`, one)]);
  const list = (name, label, all) =>
    make(
      "div",
      { className: "print-row" },
      make("label", { htmlFor: `print-c-${name}` }, label),
      select({ id: `print-c-${name}`, "data-c": name }, named(all), now[name]),
    );
  return two(
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
      ? make("ul", { role: "list", className: "print-job-list" }, entry(job, state, studio))
      : null,
  );
}

function ruler(now) {
  const length = numeric(now.ruler);
  return two(
    firstSide(word("print-c-side-1"), "ruler"),
    make("p", {}, word("print-c-ruler-how")),
    box("ruler", word("print-c-ruler-mm"), now.ruler, { min: 50, max: 150 }),
    length === null
      ? null
      : Math.abs(length - 100) <= TRUE
        ? says(true, word("print-c-ruler-good"))
        : says(false, word("print-c-ruler-bad", number(length, 1))),
  );
}

function edges(now) {
  const all = margins(now.margins);
  const letter = "ABCD"[now.edge];
  return two(
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
    all ? says(true, word("print-c-edges-mean", told(all))) : null,
  );
}

function moved({ offset }) {
  const where = towards(offset);
  return where ? word("print-c-mean", where) : word("print-c-true");
}

function light(now) {
  const found = read(now.spots);
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
  return two(
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
      ? says(
          found.apart <= APART,
          found.apart <= APART ? moved(found) : word("print-c-apart", number(found.apart, 1)),
        )
      : make("p", { className: "print-hint" }, word("print-c-none")),
  );
}

function name(now, readOnly) {
  const found = read(now.spots);
  const white = margins(now.margins);
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
  return two(
    found
      ? make(
          "figure",
          {},
          meaning(moved(found), ...found.offset),
          make("figcaption", {}, word("print-c-fixed")),
        )
      : firstSide(word("print-c-side-1"), "edges"),
    found ? make("p", {}, moved(found)) : null,
    white ? make("p", {}, word("print-c-margins", told(white))) : null,
    readOnly
      ? make("p", { className: "print-hint" }, word("print-c-read-only"))
      : make(
          "div",
          { className: "print-row" },
          make("label", { htmlFor: "print-c-name" }, word("print-c-name-label")),
          field,
          make("small", {}, word(wrong ? "print-c-name-wrong" : "print-c-name-how")),
        ),
    now.wrong ? says(false, now.wrong) : null,
  );
}

/** Return whether what was entered can be saved. */
export const savable = (now, readOnly) =>
  Boolean(read(now.spots) || (!readOnly && margins(now.margins))) &&
  (readOnly || NAME.test(now.name));

/** Return the dialog at the step that it has come to. */
export function dialog(now, state, studio) {
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
    print: () => print(now, state, studio),
    ruler: () => ruler(now),
    edges: () => edges(now),
    light: () => light(now),
    name: () => name(now, studio.readOnly),
  }[now.step]();
  const empty = { ruler: now.ruler === "", edges: !margins(now.margins), light: !read(now.spots) }[
    now.step
  ];
  const last = at === STEPS.length - 1;
  const next = last
    ? make(
        "button",
        {
          type: "button",
          className: "main",
          "data-act": "c-save",
          disabled: !savable(now, studio.readOnly),
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
export const onwards = (now, by) =>
  STEPS[Math.min(STEPS.length - 1, Math.max(0, STEPS.indexOf(now.step) + by))];
