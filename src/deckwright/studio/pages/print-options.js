/** The options of what is printed as rows of a form, whatever they are, and what was entered there. */

import { known, optionName, optionValue } from "./print-words.js";
import { language, make, word } from "./words.js";

const input = (given, value, marks) => make("input", { ...given, ...marks, value: value ?? "" });

/** Return a list to choose from; `all` are pairs of a value and its name, or a group of such. */
export function select(given, all, now) {
  const one = ([value, name, title]) =>
    make("option", { value, selected: value === now, ...(title ? { title } : {}) }, name);
  return make(
    "select",
    { ...given, "data-value": now },
    ...all.map((entry) =>
      Array.isArray(entry)
        ? one(entry)
        : make("optgroup", { label: entry.group }, ...entry.all.map(one)),
    ),
  );
}

function control(option, value, marks) {
  const { name, type } = option;
  const label = optionName(option);
  if (type === "flag") {
    const now = value === null ? "" : value ? "yes" : "no";
    return select(
      marks,
      [
        ["", word("print-as-game")],
        ["yes", word("print-yes")],
        ["no", word("print-no")],
      ],
      now,
    );
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
    return input({ type: "number", inputMode: "decimal", ...limits }, value, marks);
  }
  if (type === "offset" || type === "size") {
    return make(
      "span",
      { className: "print-two" },
      ...[0, 1].map((at) =>
        input(
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
    );
  }
  return input(
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
  const help =
    known(`print-option-${option.name}`, null) === null && option.help
      ? make("small", { lang: "en" }, option.help)
      : null;
  if (option.type === "flag" && !option.optional) {
    return make(
      "label",
      { className: "print-check" },
      make("input", { type: "checkbox", checked: Boolean(value), ...marks }),
      make("span", {}, optionName(option), help),
    );
  }
  return make(
    "div",
    { className: "print-row" },
    make("label", { htmlFor: id }, optionName(option)),
    control(option, value, marks),
    help,
  );
}

/** Return what was entered for an option; undefined while that is not finished. */
export function entered(option, node) {
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

/** Return whether two values are the same. */
export const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Return names in the order of the page's language. */
export const byName = (one, other) =>
  one.name.localeCompare(other.name, language, { numeric: true });
