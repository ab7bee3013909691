/** The words of the page, in its language: `words/LANGUAGE.json`. */

import de from "../words/de.js";
import en from "../words/en.js";

/** Return the language that the settings name; words are needed before all else. */
function chosenLanguage() {
  try {
    return JSON.parse(localStorage.getItem("deckwright:settings"))?.language ?? "auto";
  } catch {
    return "auto";
  }
}

const chosen = chosenLanguage() === "auto" ? navigator.language.toLowerCase() : chosenLanguage();
export const language = chosen.startsWith("de") ? "de" : "en";

const catalogue = language === "de" ? de : en;

/** The words by id. `{}` stands for what is given, `{2}` for the second that is. */
export const WORDS = catalogue.words;

function fill(text, given) {
  let next = 0;
  return text.replace(/\{(\d|n?)\}/g, (_, at) => given[at > 0 ? at - 1 : next++]);
}

/** Return a word of the page, with what is given in its places. */
export const word = (id, ...given) => fill(WORDS[id], given);

export function languageName(code) {
  if (code === "en-XA") return word("language-pseudo");
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code.replace("_", "-"));
  } catch {
    return code;
  }
}

export const counted = (one, many, count) => (count === 1 ? word(one) : word(many, count));

// The server speaks English. For its findings and errors the catalogue has templates, in which `{}`
// stands for what the server has put in, and `{n}` for a number: they are taken from the English and
// put in the translation. Names in backticks stay as they are; all else is translated in its turn.

const ONLY_JOINS = 8; // templates with fewer letters only join parts that have translations themselves

function parse([template, translation]) {
  const quoted = [];
  const pattern = template
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\\\{(n?)\\\}/g, (_, number, at, whole) => {
      quoted.push(whole.slice(0, at).split("`").length % 2 === 0);
      return number ? "(\\d[\\d.,]*)" : quoted.at(-1) ? "([^`]*)" : "((?:[^`]|`[^`]*`)+?)";
    });
  const { length } = template.replace(/\{n?\}/g, "");
  return { pattern: new RegExp(`^${pattern}$`, "s"), translation, quoted, length };
}

const templates = Object.entries(catalogue.messages)
  .map(parse)
  .sort((one, other) => other.length - one.length); // the most specific first

const hasEnglish = (text) => /[a-z]{3}/.test(text.replace(/`[^`]*`/g, ""));

const MOST_KNOWN = 5000;
const known = new Map(); // what was translated, as the parts of long lists are met again and again

function findTranslation(text) {
  const [, message, place = ""] = /^(.*?)( \(\S+\.xml:\d+\))?$/s.exec(text);
  for (const { pattern, translation, quoted, length } of templates) {
    const match = pattern.exec(message)?.slice(1);
    const parts = match?.map((part, at) => (quoted[at] ? part : translate(part)));
    if (
      parts &&
      (length >= ONLY_JOINS || match.every((one, at) => parts[at] || !hasEnglish(one)))
    ) {
      const values = parts.map((part, at) => part ?? match[at]);
      return fill(translation, values) + place;
    }
  }
  return null;
}

/** Return what the server says in the language of the page, null if it has no words for it. */
function translate(text) {
  if (!known.has(text)) {
    if (known.size > MOST_KNOWN) known.clear();
    known.set(text, findTranslation(text));
  }
  return known.get(text);
}

/** Return what the server says in the language of the page if it has words for it. */
export const localize = (text) => translate(text) ?? text;

/** Return whether the page has words for an error of the server. */
const hasWords = ({ word: id }) => id in WORDS;

/** Return the parts of an answer that says why not; findings say more than their list. */
const parts = ({ message, hint, findings = [] }) =>
  (findings.length ? findings.map((one) => one.message) : [message, hint]).filter(Boolean);

/** Return why not, in the language of the page where it has words for it. */
export const sentence = (answer) =>
  hasWords(answer)
    ? word(answer.word, ...(answer.given ?? []))
    : parts(answer).map(localize).join("; ");

/** Return what the server says, for an element of the page; what has no translation is English. */
export function serverText(text) {
  const found = language === "en" ? text : translate(text);
  return make("span", found === null ? { lang: "en" } : {}, found ?? text);
}

/** Return why not, for an element of the page. */
export const says = (answer) =>
  hasWords(answer)
    ? make("span", sentence(answer))
    : make("span", [
        ...parts(answer).flatMap((text, place) => [place ? "; " : "", serverText(text)]),
      ]);

/**
 * Return the element of the page that has an id.
 *
 * @returns {any} nothing is known of its kind: the page says what it is.
 */
export const $ = (id) => document.getElementById(id);

/** Write the words of all elements that ask for one. */
export function speak(root) {
  for (const node of root.querySelectorAll("[data-word]"))
    node.textContent = word(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]"))
    node.setAttribute("aria-label", word(node.dataset.label));
}

/**
 * Make an element.
 *
 * @param {string} selector its tag and classes, as `p.soft`; a button submits no form by itself, and
 *   for a field nothing is proposed that was typed elsewhere.
 * @param {any[]} parts its other properties, which may be left out, and its text and children, or
 *   lists of them. False, null, "" and 0 add nothing, as in `count && make(…)`; `String(0)` adds 0.
 */
export function make(selector, ...parts) {
  const [tag, ...classes] = /** @type {any[]} */ (selector.split("."));
  const given = parts[0]?.constructor === Object ? parts.shift() : {};
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  if (tag === "input") Object.assign(node, { type: "text", autocomplete: "off" });
  if (tag === "ul" || tag === "ol") node.role = "list"; // else none for Safari without its marks
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("--")) node.style.setProperty(name, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "selected" || (name === "value" && tag === "input")) {
      if (value !== false) node.setAttribute(name, value === true ? "" : value);
    } else if (name in node && !name.includes("-")) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...parts.flat(Infinity).filter(Boolean));
  return node;
}

/**
 * Make the options of a choice.
 *
 * @param {any[]} all pairs of a value and its name, perhaps with a title, or groups of such.
 */
export const makeOptions = (all, now) =>
  all.map((one) => {
    if (!Array.isArray(one))
      return make("optgroup", { label: one.group }, ...makeOptions(one.all, now));
    const [value, name, title] = one;
    return make("option", { value, selected: value === now, ...(title ? { title } : {}) }, name);
  });

/** Join those texts that there are. */
export const join = (by, ...texts) => texts.flat().filter(Boolean).join(by);

/** Make a choice of one value; it shows its `data-value` after each `morph`. */
export const select = (given, choices, now) =>
  make("select", { ...given, "data-value": now }, makeOptions(choices, now));

/** Make a field in which something is sought. */
export const searchField = (label, given) =>
  make("input", { type: "search", placeholder: label, "aria-label": label, ...given });

/** Make buttons or fields that belong together. */
export const group = (selector, label, ...parts) =>
  make(selector, { role: "group", "aria-label": label }, ...parts);

/** Make a row of a table. */
export const tableRow = (title, ...cells) =>
  make("tr", make("th", { scope: "row" }, title), ...cells.map((cell) => make("td", cell)));

/** Make the head of a table, of the titles of its columns; one may be a cell already. */
export const tableHead = (...titles) =>
  make("thead", [
    make("tr", [
      ...titles.map((one) =>
        /^T[DH]$/.test(one.tagName) ? one : make("th", { scope: "col" }, one),
      ),
    ]),
  ]);

/** Make an element of a drawing, from attributes alone. */
export function makeSvg(tag, given, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children.flat(Infinity).filter(Boolean));
  return node;
}
