/** The fields of a form: a control for each type, with what is said of it below. */

import { pictureField } from "./edit-picture.js";
import { seek } from "./edit-seek.js";
import { tools } from "./edit-text.js";
import { make, word } from "./words.js";

const FEW = 7; // so many terms stand as chips; more are a list to choose from
const NARROW = new Set(["integer", "decimal", "flag", "color", "focus", "zoom", "id"]);

export const idOf = (path) => `edit-${path.replace(/[^\w-]/g, "-")}`;

/** Return findings in words, for below a field. */
const said = (found) =>
  found.map((one) =>
    make(
      "p",
      { className: `edit-finding ${one.severity}` },
      make("span", {}, one.message),
      one.hint ? make("span", { className: "hint" }, one.hint) : null,
    ),
  );

/** Return what another has written in a field, and the choice between both. */
export function clash(path, text) {
  return make(
    "div",
    { className: "edit-clash", role: "group", "aria-label": word("edit-clash") },
    make(
      "p",
      {},
      make("strong", {}, word("edit-clash")),
      " ",
      make("q", {}, text === null || text === "" ? word("edit-nothing") : text),
    ),
    make(
      "p",
      { className: "edit-row" },
      make(
        "button",
        { type: "button", "data-act": "theirs", "data-path": path },
        word("edit-theirs"),
      ),
      make("button", { type: "button", "data-act": "mine", "data-path": path }, word("edit-mine")),
    ),
  );
}

/** Return the name of a value as it is printed. */
const named = (field, value) => field.options?.find((one) => one.value === value)?.name ?? value;

/** What stands where nothing is given: the default. */
const otherwise = (field) =>
  field.default === null || field.default === undefined || field.default === ""
    ? ""
    : word(
        "edit-default",
        field.type === "flag"
          ? word(field.default === "true" ? "edit-yes" : "edit-no")
          : named(field, field.default),
      );

const CONTROLS = {
  integer: number,
  decimal: number,
  flag: (field, value, given) =>
    make(
      "label",
      { className: "edit-switch" },
      make("input", {
        ...given,
        type: "checkbox",
        role: "switch",
        checked: (value ?? field.default) === "true",
      }),
      make(
        "span",
        { "aria-hidden": "true" },
        word((value ?? field.default) === "true" ? "edit-yes" : "edit-no"),
      ),
    ),
  term: (field, value, given) =>
    (field.options ?? []).length <= FEW ? radios(field, value, given) : choice(field, value, given),
  color,
  list,
  card,
  rule: card,
  image: (field, value, given, state) => pictureField(field, value, given, state),
  text: (field, value, given, state) => written(field, value, given, state),
};

function written(field, value, given, state) {
  if (!field.rich && !field.multiline) return line(field, value, given);
  const area = make("textarea", {
    ...given,
    rows: field.multiline || (value ?? "").length > 60 ? 2 : 1,
    value: value ?? "",
    spellcheck: true,
    "data-multiline": field.multiline ? "1" : "",
  });
  return make(
    "div",
    { className: "edit-rich" },
    field.rich && !state.readOnly ? tools(field.label, given["data-path"], state) : null,
    area,
  );
}

const line = (field, value, given) =>
  make("input", {
    ...given,
    type: "text",
    value: value ?? "",
    placeholder: otherwise(field),
    autocomplete: "off",
  });

function number(field, value, given) {
  const now = Number(value ?? field.default);
  const step = (by, text) =>
    make(
      "button",
      {
        type: "button",
        tabIndex: -1,
        "data-act": "step",
        "data-by": by,
        "data-path": given["data-path"],
        "aria-label": `${field.label}: ${word(by > 0 ? "edit-more" : "edit-less")}`,
      },
      text,
    );
  const input = make("input", {
    ...given,
    type: "text",
    inputMode: field.type === "integer" && field.min >= 0 ? "numeric" : "decimal",
    role: "spinbutton",
    value: value ?? "",
    placeholder: field.default ?? "",
    autocomplete: "off",
  });
  if (Number.isFinite(now)) input.setAttribute("aria-valuenow", now);
  if (field.min !== null) input.setAttribute("aria-valuemin", field.min);
  if (field.max !== null) input.setAttribute("aria-valuemax", field.max);
  return make(
    "div",
    { className: "edit-number" },
    step(-1, "−"),
    input,
    field.unit ? make("span", { className: "edit-unit" }, field.unit) : null,
    step(1, "+"),
  );
}

function radios(field, value, given) {
  const now = value ?? "";
  const all = field.needed
    ? field.options
    : [{ value: "", name: otherwise(field) || word("edit-none") }, ...field.options];
  const known =
    now === "" || all.some((one) => one.value === now) ? all : [...all, { value: now, name: now }];
  return make(
    "div",
    { className: "edit-chips" },
    ...known.map((one, at) =>
      make(
        "label",
        { className: "edit-chip" },
        make("input", {
          type: "radio",
          name: given.id,
          id: at ? `${given.id}-${at}` : given.id,
          value: one.value,
          checked: one.value === now,
          "data-path": given["data-path"],
          ...described(given),
        }),
        make("span", {}, one.name || one.value),
      ),
    ),
  );
}

const described = (given) =>
  Object.fromEntries(
    ["aria-describedby", "aria-invalid"]
      .filter((name) => name in given)
      .map((name) => [name, given[name]]),
  );

function choice(field, value, given) {
  const now = value ?? "";
  const options = field.options.map((one) =>
    make("option", { value: one.value, selected: one.value === now }, one.name || one.value),
  );
  if (!field.needed || value === null)
    options.unshift(
      make("option", { value: "", selected: now === "" }, otherwise(field) || word("edit-none")),
    );
  if (now !== "" && !field.options.some((one) => one.value === now))
    options.push(make("option", { value: now, selected: true }, now));
  return make("select", { ...given, "data-value": now }, ...options);
}

function color(field, value, given) {
  const swatches = (field.options ?? []).map((one) => {
    const button = make("button", {
      type: "button",
      className: "edit-swatch",
      "data-act": "put",
      "data-path": given["data-path"],
      "data-put": one.value,
      "aria-label": one.name || one.value,
      title: one.name || one.value,
      "aria-pressed": String(one.value === value),
    });
    button.style.setProperty("--swatch", one.color ?? one.value);
    return button;
  });
  const shown = (field.options ?? []).find((one) => one.value === value)?.color ?? value ?? "";
  return make(
    "div",
    { className: "edit-color" },
    make("input", {
      type: "color",
      value: /^#[0-9a-f]{6}$/i.test(shown) ? shown : "#888888",
      "data-path": given["data-path"],
      "aria-label": `${field.label}: ${word("edit-pick-color")}`,
    }),
    line(field, value, given),
    swatches.length ? make("div", { className: "edit-swatches" }, ...swatches) : null,
  );
}

/** Return the parts of a list's text. */
export const partsOf = (field, value) =>
  (value ?? "")
    .split(field.separator || ",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Return the text of a list. */
export const joined = (field, parts) =>
  parts.length
    ? parts.join(/\s/.test(field.separator) ? field.separator : `${field.separator || ","} `)
    : null;

function list(field, value, given, state) {
  const parts = partsOf(field, value);
  if (field.options?.length) return boxes(field, parts, given);
  const rows = parts.map((part, at) =>
    make(
      "li",
      { className: "edit-part" },
      make("span", {}, part),
      make(
        "button",
        {
          type: "button",
          className: "quiet",
          "data-act": "unpart",
          "data-at": at,
          "data-path": given["data-path"],
          "aria-label": word("edit-remove-one", part),
        },
        "✕",
      ),
    ),
  );
  return make(
    "div",
    { className: "edit-parts" },
    rows.length ? make("ul", { role: "list" }, ...rows) : null,
    state.readOnly
      ? null
      : make("input", {
          ...given,
          type: "text",
          className: "edit-part-new",
          "data-path": "",
          "data-part": given["data-path"],
          value: state.parts[given["data-path"]] ?? "",
          placeholder: word("edit-part-new"),
          autocomplete: "off",
        }),
  );
}

/** Chips to switch on and off. */
export function boxes(field, values, given) {
  const all = [
    ...field.options,
    ...values
      .filter((value) => !field.options.some((one) => one.value === value))
      .map((value) => ({ value, name: value })),
  ];
  return make(
    "div",
    { className: "edit-chips" },
    ...all.map((one, at) =>
      make(
        "label",
        { className: "edit-chip" },
        make("input", {
          type: "checkbox",
          id: at ? `${given.id}-${at}` : given.id,
          value: one.value,
          checked: values.includes(one.value),
          "data-path": given["data-path"],
          ...described(given),
        }),
        make("span", {}, one.name || one.value),
      ),
    ),
  );
}

function card(field, value, given, state) {
  const all = field.type === "rule" ? state.choices.rules : state.choices.cards;
  const found = all.find((one) => one.id === value || `${one.faction}/${one.id}` === value);
  return make(
    "div",
    { className: "edit-named" },
    value
      ? make(
          "p",
          { className: "edit-chosen" },
          make("strong", {}, found?.name ?? found?.label ?? value),
          " ",
          make("span", { className: "soft" }, found ? value : word("edit-unknown")),
          field.needed || state.readOnly
            ? null
            : make(
                "button",
                {
                  type: "button",
                  className: "quiet",
                  "data-act": "put",
                  "data-put": "",
                  "data-path": given["data-path"],
                  "aria-label": word("edit-remove-one", value),
                },
                "✕",
              ),
        )
      : null,
    state.readOnly
      ? null
      : seek(
          given,
          state,
          field.type === "rule" ? "rules" : "cards",
          word(field.type === "rule" ? "edit-seek-rule" : "edit-seek-card"),
        ),
  );
}

/** Return whether a field is wide: it has a row of its own. */
const wide = (field, path) =>
  !(
    NARROW.has(field.type) ||
    (field.type === "name" && path !== "f:name") ||
    field.group ||
    (field.type === "term" && (field.options ?? []).length > FEW)
  );

/** Whether a finding says that a field has to be filled: in a form, that can be said in fewer words. */
const lacking = (spec, value, { severity }) =>
  severity === "error" && spec.needed && (value ?? "").trim() === "";

/** Return a field's control with its name, and what is said of it. */
export function field(spec, value, path, state) {
  const found = (state.found[path] ?? []).map((one) =>
    lacking(spec, value, one)
      ? {
          ...one,
          message: ["integer", "decimal"].includes(spec.type)
            ? `${word("edit-needed")}: ${spec.says}`
            : word("edit-needed"),
          hint: null,
        }
      : one,
  );
  const id = idOf(path);
  const notes = [found.length ? `${id}-says` : "", path in state.clashes ? `${id}-clash` : ""]
    .filter(Boolean)
    .join(" ");
  const given = { id, "data-path": path };
  if (notes) given["aria-describedby"] = notes;
  if (found.some(({ severity }) => severity === "error")) given["aria-invalid"] = "true";
  const group = groups(spec);
  const label = [
    spec.label || spec.name,
    spec.needed || spec.type === "flag"
      ? null
      : make("span", { className: "edit-optional" }, word("edit-optional")),
  ];
  const control = (CONTROLS[spec.type] ?? CONTROLS.text)(spec, value, given, state);
  return make(
    group ? "fieldset" : "div",
    {
      className: `edit-field${wide(spec, path) ? " wide" : ""}${found.length ? " found" : ""}`,
      "data-type": spec.type,
    },
    make(group ? "legend" : "label", group ? { id: `${id}-label` } : { htmlFor: id }, ...label),
    control,
    path in state.clashes
      ? make(
          "div",
          { id: `${id}-clash` },
          clash(path, state.clashes[path] === null ? null : named(spec, state.clashes[path])),
        )
      : null,
    make("div", { id: `${id}-says`, className: "edit-says" }, ...said(found)),
  );
}

/** Whether a field is a group of controls. */
const groups = (spec) =>
  (spec.type === "term" && (spec.options ?? []).length <= FEW) ||
  (spec.type === "list" && spec.options?.length > 0) ||
  spec.type === "image";

/** Return what is shown only: worked out, or for good. */
export const fact = (spec, value) => [
  make("dt", {}, spec.label || spec.name),
  make(
    "dd",
    {},
    value === null || value === ""
      ? "–"
      : `${named(spec, value)}${spec.unit ? ` ${spec.unit}` : ""}`,
  ),
];
