/** Children of a card as rows: rules, effects, whatever the kind has; added, moved, removed. */

import { boxes, clash, field, idOf } from "./edit-fields.js";
import { seek } from "./edit-seek.js";
import { make, word } from "./words.js";

const FEW = 12;
const MANY = 20; // a bound that nobody comes near is not told

/** Whether children are just a choice of terms, each once. */
export const isChoice = (spec, items) => {
  const [only, more] = spec.fields;
  if (more || only?.type !== "term" || !only.options?.length || only.options.length > FEW)
    return false;
  const values = items.map(({ values: given }) => given[only.name]);
  return spec.max !== 1 && new Set(values).size === values.length;
};

export const holdsRules = (spec) => spec.fields[0]?.type === "rule";

const title = (spec) =>
  make(
    "legend",
    {},
    spec.label || spec.plural || spec.tag,
    spec.max && spec.max < MANY
      ? make(
          "span",
          { className: "edit-optional" },
          spec.min === spec.max ? word("edit-exactly", spec.max) : word("edit-at-most", spec.max),
        )
      : null,
  );

function acts(spec, item, at, count, name) {
  const act = (which, text, said, disabled) =>
    make(
      "button",
      {
        type: "button",
        className: "quiet",
        "data-act": which,
        "data-tag": spec.tag,
        "data-key": item.key,
        "aria-label": word(said, name),
        title: word(said, name),
        disabled,
      },
      text,
    );
  return make(
    "div",
    { className: "edit-acts" },
    count > 1 ? act("up", "↑", "edit-up", at === 0) : null,
    count > 1 ? act("down", "↓", "edit-down", at === count - 1) : null,
    count > spec.min ? act("remove", "✕", "edit-remove-one", false) : null,
  );
}

function row(spec, item, at, count, state) {
  const [first, ...rest] = spec.fields;
  const path = (one) => `c:${spec.tag}:${item.key}:${one.name}`;
  const here = state.found[`c:${spec.tag}:${item.key}`] ?? [];
  const rule = holdsRules(spec)
    ? state.choices.rules.find(({ id }) => id === item.values[first.name])
    : null;
  const name = holdsRules(spec)
    ? (rule?.label ?? item.values[first.name] ?? "")
    : word("edit-row", spec.label || spec.tag, at + 1);
  const head = holdsRules(spec)
    ? make(
        "div",
        { className: "edit-rule" },
        make(
          "p",
          {},
          make("strong", {}, name),
          " ",
          make("span", { className: "soft" }, item.values[first.name] ?? ""),
        ),
        rule
          ? make("p", { className: "edit-rule-text" }, rule.text)
          : make("p", { className: "edit-finding error" }, word("edit-unknown")),
      )
    : null;
  const fields = (holdsRules(spec) ? rest : spec.fields).map((one) =>
    field(one, item.values[one.name] ?? null, path(one), state),
  );
  const foundFirst = holdsRules(spec) ? (state.found[path(first)] ?? []) : [];
  const found = [...here, ...foundFirst].map((one) =>
    make(
      "p",
      { className: `edit-finding ${one.severity}` },
      one.message,
      one.hint ? make("span", { className: "hint" }, one.hint) : null,
    ),
  );
  return make(
    "li",
    { id: idOf(`l:${spec.tag}:${item.key}`) },
    make(
      "div",
      {
        className: "edit-item",
        id: idOf(`i:${spec.tag}:${item.key}`),
        role: "group",
        "aria-label": name,
        "data-tag": spec.tag,
        "data-key": item.key,
        tabIndex: -1,
      },
      make(
        "div",
        { className: "edit-item-body" },
        head,
        fields.length
          ? make("div", { className: `edit-grid${spec.single ? " single" : ""}` }, ...fields)
          : null,
        ...found,
      ),
      state.readOnly ? null : acts(spec, item, at, count, name),
    ),
  );
}

/** Return the children of a kind as a group of the form. */
export function rows(spec, items, state) {
  const path = `c:${spec.tag}`;
  const id = idOf(path);
  const few = items.length < spec.min;
  const found = (
    few && state.found[path]
      ? [{ severity: "error", message: word("edit-at-least", spec.min) }]
      : (state.found[path] ?? [])
  ).map((one) =>
    make(
      "p",
      { className: `edit-finding ${one.severity}` },
      one.message,
      one.hint ? make("span", { className: "hint" }, one.hint) : null,
    ),
  );
  const full = spec.max !== null && spec.max !== undefined && items.length >= spec.max;
  const [first] = spec.fields;
  const shown = [title(spec)];
  if (isChoice(spec, items)) {
    shown.push(
      boxes(
        first,
        items.map(({ values }) => values[first.name]),
        { id, "data-path": path },
      ),
    );
  } else {
    if (items.length)
      shown.push(
        make(
          "ol",
          { className: "edit-items", role: "list" },
          ...items.map((item, at) => row(spec, item, at, items.length, state)),
        ),
      );
    if (!state.readOnly && !full) {
      shown.push(
        holdsRules(spec)
          ? seek(
              { id, "data-path": path },
              {
                ...state,
                choices: {
                  ...state.choices,
                  rules: state.choices.rules.filter(
                    (one) => !items.some(({ values }) => values[first.name] === one.id),
                  ),
                },
              },
              "rules",
              word("edit-seek-rule"),
            )
          : make(
              "p",
              { className: "edit-row" },
              make(
                "button",
                { type: "button", "data-act": "add", "data-tag": spec.tag, id },
                `+ ${word("edit-add")}`,
              ),
            ),
      );
    }
  }
  if (path in state.clashes)
    shown.push(
      clash(
        path,
        state.clashes[path]
          .map((values) => Object.values(values).filter(Boolean).join(" "))
          .join(", "),
      ),
    );
  return make(
    "fieldset",
    { className: "edit-field wide edit-children" },
    ...shown,
    make("div", { className: "edit-says" }, ...found),
  );
}

/** Return the values of a child that is new: first choices where there is one to be made. */
export function fresh(spec) {
  const values = {};
  for (const one of spec.fields)
    if (one.needed)
      values[one.name] =
        one.options?.[0]?.value ??
        (one.type === "integer" || one.type === "decimal" ? String(Math.max(one.min ?? 0, 0)) : "");
  return values;
}
