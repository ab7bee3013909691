/** The fields of a form: a control for each type, texts with symbols, and what is found by name. */

import { withKey } from "../shared/session.js";
import { group, join, localize, make, select, word } from "../shared/words.js";
import { drawingSource, pictureField } from "./pictures.js";
import { translation } from "./translate.js";

// Find a rule or a card by name or text, and choose it: a field with a list below it.

const MOST = 12;

const plainText = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Return what is found of a list: names before texts. */
export function findIn(all, text) {
  const words = plainText(text).split(/\s+/).filter(Boolean);
  const rank = (one) => {
    const name = plainText(`${one.label ?? one.name ?? ""}`);
    if (words.every((each) => name.startsWith(each))) return 0;
    if (words.every((each) => name.includes(each))) return 1;
    return words.every((each) =>
      `${name} ${plainText(`${one.id} ${one.text ?? ""} ${one.faction ?? ""}`)}`.includes(each),
    )
      ? 2
      : 3;
  };
  return all
    .map((one, at) => [rank(one), at, one])
    .filter(([at]) => at < 3)
    .sort((one, other) => one[0] - other[0] || one[1] - other[1])
    .map(([, , one]) => one);
}

/** Return what may be chosen: rules that fit first, none that is there already. */
export function offersOf(state, list, text) {
  if (list === "drawings")
    return [
      ...findIn(state.choices.pictures, text).slice(0, MOST),
      ...findIn(state.choices.icons, text).slice(0, 2 * MOST),
    ].slice(0, 2 * MOST);
  const found = findIn(state.choices[list], text);
  return [
    ...found.filter(({ fits }) => fits !== false),
    ...found.filter(({ fits }) => fits === false),
  ].slice(0, MOST);
}

/** Return the field, and the list where one types in it. */
export function seekField(given, state, list, label, value) {
  const path = given["data-path"];
  const isNew = value === undefined; // what is chosen is added, and the field is empty again
  const listed = { id: `${given.id}-list` };
  const open = state.seeking?.path === path;
  const text = open ? state.seeking.text : "";
  const found = open ? offersOf(state, list, text) : [];
  const at = open ? Math.min(state.seeking.at, found.length - 1) : -1;
  const input = make("input", {
    ...given,
    role: "combobox",
    "aria-expanded": open,
    "aria-autocomplete": "list",
    "aria-controls": `${given.id}-list`,
    placeholder: label,
    ...(isNew && { "aria-label": label }),
    value: value ?? text,
    "data-seek": list,
    "data-path": isNew ? "" : path,
    "data-for": path,
    ...(at >= 0 && { "aria-activedescendant": `${given.id}-list-${at}` }),
  });
  const options = found.map((one, place) =>
    make(
      "li",
      {
        id: `${given.id}-list-${place}`,
        role: "option",
        "aria-selected": place === at,
        "data-act": "choose",
        "data-for": path,
        "data-choice": one.value ?? one.id ?? one.name,
        "data-faction": one.faction ?? "",
      },
      [
        !isNew &&
          make("img", { src: drawingSource(one), alt: "", loading: "lazy", decoding: "async" }),
        make("strong", one.label ?? one.name ?? one.id),
        " ",
        isNew && make("span.soft", join(" · ", one.faction, one.id)),
        one.fits === false && make("span.edit-unfit", word("edit-unfit")),
        isNew && one.text && make("span.edit-option-text", one.text),
      ],
    ),
  );
  return make("div.edit-seek", [
    input,
    make("ul", { ...listed, role: "listbox", "aria-label": label, hidden: !open }, options),
    isNew && open && !found.length && make("p.edit-none-found", word("edit-none-found")),
  ]);
}

/**
 * Take a key in a field that seeks.
 *
 * @param choose takes its path, the id of what was chosen, and its faction.
 * @returns whether the key has done anything.
 */
export function seekKeys(event, editor, choose) {
  const { target, key } = event;
  const { state, body } = editor;
  const path = target.dataset.for;
  const open = state.seeking?.path === path;
  const list = body.querySelectorAll(`#${CSS.escape(target.id)}-list [role=option]`);
  if (key === "ArrowDown" || key === "ArrowUp") {
    const at = open
      ? Math.max(0, Math.min(list.length - 1, state.seeking.at + (key === "ArrowDown" ? 1 : -1)))
      : 0;
    state.seeking = { path, text: target.value, at, list: target.dataset.seek };
    editor.draw();
    body
      .querySelector(`#${CSS.escape(target.id)}-list [aria-selected=true]`)
      ?.scrollIntoView({ block: "nearest" });
  } else if (key === "Enter" && open && list[state.seeking.at]) {
    const { choice, faction } = list[state.seeking.at].dataset;
    choose(path, choice, faction);
  } else if (key === "Escape" && open) {
    state.seeking = null;
    editor.draw();
  } else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

// Texts with emphasis and symbols: the buttons above them, and what these write.

const SIGNS = { bold: "**", italic: "__" };

function textTools(label, path, state) {
  const button = (mark, text, said, keys) =>
    make(
      "button",
      {
        className: `edit-tool ${mark}`,
        "data-act": "mark",
        "data-mark": mark,
        "data-path": path,
        "aria-label": said,
        title: keys ? `${said} (${keys})` : said,
      },
      [text],
    );
  const symbols = state.choices.symbols ?? [];
  const open = state.symbols === path;
  const shown = symbols.map(({ id, name, hash }) =>
    make(
      "button.edit-symbol",
      { "data-act": "symbol", "data-symbol": id, "data-path": path, title: `{${id}}` },
      [hash && make("img", { src: withKey(`/faces/${hash}.svg`), alt: "" }), name || id],
    ),
  );
  return make(
    "div.edit-tools",
    { role: "group", "aria-label": `${label}: ${word("edit-tools")}` },
    [
      make("div.edit-row", [
        button("bold", "B", word("edit-bold"), "Ctrl+B"),
        button("italic", "I", word("edit-italic"), "Ctrl+I"),
        symbols.length &&
          make(
            "button.edit-tool",
            { "data-act": "symbols", "data-path": path, "aria-expanded": open },
            [`{ } ${word("edit-symbols")}`],
          ),
      ]),
      open && make("div.edit-symbols", ...shown),
    ],
  );
}

/** Write into a text where its cursor is, so that the browser itself can undo it. */
export function writeText(area, text) {
  area.focus();
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** Put the signs of an emphasis around what is selected, or take them away. */
export function emphasize(area, mark) {
  const sign = SIGNS[mark];
  const { value } = area;
  let { selectionStart: start, selectionEnd: end } = area;
  if (start === end) {
    // The word at the cursor.
    while (start > 0 && /[\p{L}\p{N}'’-]/u.test(value[start - 1])) start--;
    while (end < value.length && /[\p{L}\p{N}'’-]/u.test(value[end])) end++;
  }
  while (start < end && /\s/.test(value[start])) start++;
  while (end > start && /\s/.test(value[end - 1])) end--;
  const text = value.slice(start, end);
  const around =
    value.slice(start - sign.length, start) === sign &&
    value.slice(end, end + sign.length) === sign;
  if (around) area.setSelectionRange(start - sign.length, end + sign.length);
  else area.setSelectionRange(start, end);
  const within = text.length > 2 * sign.length && text.startsWith(sign) && text.endsWith(sign);
  const plain = within ? text.slice(sign.length, -sign.length) : text;
  const at = around ? start - sign.length : start;
  writeText(area, around || within ? plain : `${sign}${text}${sign}`);
  const offset = around || within ? 0 : sign.length;
  area.setSelectionRange(at + offset, at + offset + plain.length);
}

// The fields of a form: a control for each type, with what is said of it below.

const FEW = 7; // so many terms stand as chips; more are a list to choose from
const NARROW = new Set(["integer", "decimal", "flag", "color", "focus", "zoom", "id"]);

export const idOf = (path) => `edit-${path.replace(/[^\w-]/g, "-")}`;

export const findingsBelow = (found) =>
  found.map((one) =>
    make("p", { className: `edit-finding ${one.severity}` }, [
      make("span", localize(one.message)),
      one.hint && make("span.hint", localize(one.hint)),
    ]),
  );

/** Return what another has written in a field, and the choice between both. */
export function clash(path, text) {
  return group("div.edit-clash", word("edit-clash"), [
    make("p", make("strong", word("edit-clash")), " ", make("q", text || word("edit-nothing"))),
    make("p.edit-row", [
      make("button", { "data-act": "theirs", "data-path": path }, word("edit-theirs")),
      make("button", { "data-act": "mine", "data-path": path }, word("edit-mine")),
    ]),
  ]);
}

const optionName = (field, value) =>
  field.options?.find((one) => one.value === value)?.name ?? value;

/** What stands where nothing is given: the default. */
const defaultText = (field) =>
  (field.default ?? "") === ""
    ? ""
    : word(
        "edit-default",
        field.type === "flag" ? yesOrNo(field.default) : optionName(field, field.default),
      );

const yesOrNo = (value) => word(value === "true" ? "edit-yes" : "edit-no");

const CONTROLS = {
  integer: number,
  decimal: number,
  flag(field, value, given) {
    const now = value ?? field.default;
    const box = { ...given, type: "checkbox", role: "switch", checked: now === "true" };
    const said = make("span", { "aria-hidden": "true" }, yesOrNo(now));
    return make("label.edit-switch", make("input", box), said);
  },
  term: (field, value, given) =>
    (field.options ?? []).length <= FEW ? radios(field, value, given) : choice(field, value, given),
  color,
  list,
  card,
  rule: card,
  image: pictureField,
  drawing,
  text: textInput,
  translation,
};

function textInput(field, value, given, state) {
  if (!field.rich && !field.multiline) return line(field, value, given);
  const area = make("textarea", {
    ...given,
    rows: field.multiline || (value ?? "").length > 60 ? 2 : 1,
    value: value ?? "",
    spellcheck: true,
    "data-multiline": field.multiline ? "1" : "",
  });
  return make("div.edit-rich", [
    field.rich && !state.readOnly && textTools(field.label, given["data-path"], state),
    area,
  ]);
}

const line = (field, value, given) =>
  make("input", { ...given, value: value ?? "", placeholder: defaultText(field) });

function number(field, value, given) {
  const now = Number(value ?? field.default);
  const step = (by, text) =>
    make(
      "button",
      {
        tabIndex: -1,
        "data-act": "step",
        "data-by": by,
        "data-path": given["data-path"],
        "aria-label": `${field.label}: ${word(by > 0 ? "edit-more" : "edit-less")}`,
      },
      [text],
    );
  const input = make("input", {
    ...given,
    inputMode: field.type === "integer" && field.min >= 0 ? "numeric" : "decimal",
    role: "spinbutton",
    value: value ?? "",
    placeholder: field.default ?? "",
    ...(Number.isFinite(now) && { "aria-valuenow": now }),
    ...(field.min !== null && { "aria-valuemin": field.min }),
    ...(field.max !== null && { "aria-valuemax": field.max }),
  });
  return make("div.edit-number", [
    step(-1, "−"),
    input,
    field.unit && make("span.edit-unit", field.unit),
    step(1, "+"),
  ]);
}

function radios(field, value, given) {
  const now = value ?? "";
  const all = field.needed
    ? field.options
    : [{ value: "", name: defaultText(field) || word("edit-none") }, ...field.options];
  const known = now === "" || all.some((one) => one.value === now);
  return chips("radio", known ? all : [...all, { value: now, name: now }], [now], given);
}

/** Return chips of which those with these values are switched on: one, or any of them. */
function chips(type, all, values, given) {
  const { "aria-describedby": notes, "aria-invalid": invalid, "data-path": path, id } = given;
  return make("div.edit-chips", [
    ...all.map((one, at) =>
      make("label.edit-chip", [
        make("input", {
          type,
          ...(type === "radio" && { name: id }),
          id: at ? `${id}-${at}` : id,
          value: one.value,
          checked: values.includes(one.value),
          "data-path": path,
          ...(notes && { "aria-describedby": notes }),
          ...(invalid && { "aria-invalid": invalid }),
        }),
        make("span", one.name || one.value),
      ]),
    ),
  ]);
}

function choice(field, value, given) {
  const now = value ?? "";
  const all = field.options.map((one) => [one.value, one.name || one.value]);
  const known = all.some(([one]) => one === now);
  if (!field.needed || value === null) all.unshift(["", defaultText(field) || word("edit-none")]);
  if (now !== "" && !known) all.push([now, now]);
  return select(given, all, now);
}

function color(field, value, given) {
  const swatches = (field.options ?? []).map((one) =>
    make("button.edit-swatch", {
      "data-act": "put",
      "data-path": given["data-path"],
      "data-put": one.value,
      "aria-label": one.name || one.value,
      title: one.name || one.value,
      "aria-pressed": one.value === value,
      "--swatch": one.color ?? one.value,
    }),
  );
  const shown = (field.options ?? []).find((one) => one.value === value)?.color ?? value ?? "";
  return make("div.edit-color", [
    make("input", {
      type: "color",
      value: /^#[0-9a-f]{6}$/i.test(shown) ? shown : "#888888",
      "data-path": given["data-path"],
      "aria-label": `${field.label}: ${word("edit-pick-color")}`,
    }),
    line(field, value, given),
    swatches.length && make("div.edit-swatches", ...swatches),
  ]);
}

export const partsOf = (field, value) =>
  (value ?? "")
    .split(field.separator || ",")
    .map((part) => part.trim())
    .filter(Boolean);

export const joinParts = (field, parts) =>
  parts.length
    ? parts.join(/\s/.test(field.separator) ? field.separator : `${field.separator || ","} `)
    : null;

function list(field, value, given, state) {
  const parts = partsOf(field, value);
  if (field.options?.length) return boxes(field, parts, given);
  const rows = parts.map((part, at) =>
    make("li.edit-part", [
      make("span", part),
      make(
        "button.quiet",
        {
          "data-act": "unpart",
          "data-at": at,
          "data-path": given["data-path"],
          "aria-label": word("edit-remove-one", part),
        },
        ["✕"],
      ),
    ]),
  );
  return make("div.edit-parts", [
    rows.length && make("ul", ...rows),
    !state.readOnly &&
      make("input.edit-part-new", {
        ...given,
        "data-path": "",
        "data-part": given["data-path"],
        value: state.parts[given["data-path"]] ?? "",
        placeholder: word("edit-part-new"),
      }),
  ]);
}

export function boxes(field, values, given) {
  const all = [
    ...field.options,
    ...values
      .filter((value) => !field.options.some((one) => one.value === value))
      .map((value) => ({ value, name: value })),
  ];
  return chips("checkbox", all, values, given);
}

function card(field, value, given, state) {
  const all = state.choices[`${field.type}s`]; // cards or rules
  const removed = { "data-act": "put", "data-put": "", "data-path": given["data-path"] };
  const remove = { ...removed, "aria-label": word("edit-remove-one", value) };
  const found = all.find((one) => one.id === value || `${one.faction}/${one.id}` === value);
  return make("div.edit-named", [
    value &&
      make("p.edit-chosen", [
        make("strong", found?.name ?? found?.label ?? value),
        " ",
        make("span.soft", found ? value : word("edit-unknown")),
        !(field.needed || state.readOnly) && make("button.quiet", remove, "✕"),
      ]),
    !state.readOnly && seekField(given, state, `${field.type}s`, word(`edit-seek-${field.type}`)),
  ]);
}

/** Return the field of a text that names a picture or an icon: both are offered as one types. */
function drawing(field, value, given, state) {
  const path = given["data-path"];
  const { pictures, icons } = state.choices;
  const found = pictures.find(({ name }) => name === value) ?? icons.find(({ id }) => id === value);
  return make("div.edit-picture.edit-drawing", { "data-path": path }, [
    found && make("img.edit-thumb", { src: drawingSource(found), alt: "" }),
    make("div.edit-picture-side", [
      seekField(given, state, "drawings", word("edit-seek-drawing"), value ?? ""),
      !state.readOnly &&
        make("p.edit-row", [
          make("button", { "data-act": "picture", "data-path": path }, word("edit-choose-picture")),
          make("span.soft", word("edit-drop-here")),
        ]),
    ]),
  ]);
}

/** Return whether a field is wide: it has a row of its own. */
const wide = (field, path) =>
  !(
    NARROW.has(field.type) ||
    (field.type === "name" && path !== "f:name") ||
    (field.group && field.type !== "translation") ||
    (field.type === "term" && (field.options ?? []).length > FEW)
  );

/** Whether a finding says that a field is empty, for which a form has fewer words. */
const isMissing = (spec, value, { severity }) =>
  severity === "error" && spec.needed && (value ?? "").trim() === "";

/** Return a field's control with its name, and what is said of it. */
export function field(spec, value, path, state) {
  const isNumber = ["integer", "decimal"].includes(spec.type);
  const found = (state.found[path] ?? []).map((one) =>
    one.code === "L001"
      ? { ...one, message: word("edit-overflow"), hint: one.message }
      : isMissing(spec, value, one)
        ? { ...one, message: join(": ", word("edit-needed"), isNumber && spec.says), hint: null }
        : one,
  );
  const id = idOf(path);
  const clashes = path in state.clashes;
  const notes = join(" ", found.length && `${id}-says`, clashes && `${id}-clash`);
  const given = { id, "data-path": path };
  if (notes) given["aria-describedby"] = notes;
  if (found.some(({ severity }) => severity === "error")) given["aria-invalid"] = "true";
  const group = groups(spec);
  const label = [
    spec.label || spec.name,
    !(spec.needed || ["flag", "translation"].includes(spec.type)) &&
      make("span.edit-optional", word("edit-optional")),
  ];
  const control = (CONTROLS[spec.type] ?? CONTROLS.text)(spec, value, given, state);
  return make(
    group ? "fieldset" : "div",
    {
      className: `edit-field${wide(spec, path) ? " wide" : ""}${found.length ? " found" : ""}`,
      "data-type": spec.type,
    },
    [
      make(group ? "legend" : "label", group ? { id: `${id}-label` } : { htmlFor: id }, ...label),
      control,
      clashes &&
        make("div", { id: `${id}-clash` }, clash(path, optionName(spec, state.clashes[path]))),
      make("div.edit-says", { id: `${id}-says` }, ...findingsBelow(found)),
    ],
  );
}

const groups = (spec) =>
  (spec.type === "term" && (spec.options ?? []).length <= FEW) ||
  (spec.type === "list" && spec.options?.length > 0) ||
  spec.type === "image";

/** Return what is shown only: worked out, or for good. */
export const fact = (spec, value) => [
  make("dt", spec.label || spec.name),
  make("dd", [
    value === null || value === ""
      ? "–"
      : `${optionName(spec, value)}${spec.unit ? ` ${spec.unit}` : ""}`,
    spec.lock && make("div.soft", word(`edit-lock-${spec.lock}`)),
  ]),
];
