/** The form of what is edited and its page: fields in groups, children as rows, notices. */

import { finding, place } from "../shared/page.js";
import { join, languageName, make, word } from "../shared/words.js";
import { boxes, clash, fact, field, findingsBelow, idOf, seekField } from "./fields.js";
import { faces } from "./pictures.js";
import { countLeft, leftButtons } from "./translate.js";

// Children of a card as rows: rules, effects, whatever the kind has; added, moved, removed.

const FEW_ROWS = 12;
const MANY_ROWS = 20; // a bound that nobody comes near is not told

const isChoice = (spec, items) => {
  const [only, more] = spec.fields;
  if (more || only?.type !== "term" || !only.options?.length || only.options.length > FEW_ROWS)
    return false;
  const values = items.map(({ values: given }) => given[only.name]);
  return spec.max !== 1 && new Set(values).size === values.length;
};

const holdsRules = (spec) => spec.fields[0]?.type === "rule";

const rowTitle = (spec) =>
  make("legend", [
    spec.label || spec.plural || spec.tag,
    spec.max &&
      spec.max < MANY_ROWS &&
      make("span.edit-optional", [
        spec.min === spec.max ? word("edit-exactly", spec.max) : word("edit-at-most", spec.max),
      ]),
  ]);

function rowActs(spec, item, at, count, name) {
  const act = (which, text, said, disabled) =>
    make(
      "button.quiet",
      {
        "data-act": which,
        "data-tag": spec.tag,
        "data-key": item.key,
        "aria-label": word(said, name),
        title: word(said, name),
        disabled,
      },
      [text],
    );
  return make("div.edit-acts", [
    count > 1 && act("up", "↑", "edit-up", at === 0),
    count > 1 && act("down", "↓", "edit-down", at === count - 1),
    count > spec.min && act("remove", "✕", "edit-remove-one", false),
  ]);
}

function row(spec, item, at, count, state) {
  const [first, ...rest] = spec.fields;
  const path = (one) => `c:${spec.tag}:${item.key}:${one.name}`;
  const here = state.found[`c:${spec.tag}:${item.key}`] ?? [];
  const isRule = holdsRules(spec);
  const id = item.values[first?.name] ?? "";
  const rule = isRule && state.choices.rules.find((one) => one.id === id);
  const name = isRule ? (rule?.label ?? id) : word("edit-row", spec.label || spec.tag, at + 1);
  const head =
    isRule &&
    make("div.edit-rule", [
      make("p", make("strong", name), " ", make("span.soft", id)),
      rule
        ? make("p.edit-rule-text", rule.text)
        : make("p.edit-finding.error", word("edit-unknown")),
    ]);
  const fields = (isRule ? rest : spec.fields).map((one) =>
    field(one, item.values[one.name] ?? null, path(one), state),
  );
  const foundFirst = isRule ? (state.found[path(first)] ?? []) : [];
  const found = findingsBelow([...here, ...foundFirst]);
  return make("li", { id: idOf(`l:${spec.tag}:${item.key}`) }, [
    make(
      "div.edit-item",
      {
        id: idOf(`i:${spec.tag}:${item.key}`),
        role: "group",
        "aria-label": name,
        "data-tag": spec.tag,
        "data-key": item.key,
        tabIndex: -1,
      },
      [
        make("div.edit-item-body", [
          head,
          fields.length &&
            make("div", { className: `edit-grid${spec.single ? " single" : ""}` }, ...fields),
          ...found,
        ]),
        !state.readOnly && rowActs(spec, item, at, count, name),
      ],
    ),
  ]);
}

function rows(spec, items, state) {
  const path = `c:${spec.tag}`;
  const id = idOf(path);
  const few = items.length < spec.min;
  const found = findingsBelow(
    few && state.found[path]
      ? [{ severity: "error", message: word("edit-at-least", spec.min) }]
      : (state.found[path] ?? []),
  );
  const full = spec.max !== null && spec.max !== undefined && items.length >= spec.max;
  const [first] = spec.fields;
  const shown = [rowTitle(spec)];
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
        make("ol.edit-items", ...items.map((item, at) => row(spec, item, at, items.length, state))),
      );
    if (!state.readOnly && !full) {
      shown.push(
        holdsRules(spec)
          ? seekField(
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
          : make("p.edit-row", [
              make("button", { "data-act": "add", "data-tag": spec.tag, id }, [
                `+ ${word("edit-add")}`,
              ]),
            ]),
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
  return make("fieldset.edit-field.wide.edit-children", ...shown, make("div.edit-says", ...found));
}

/** Return the values of a child that is new: first choices where there is one to be made. */
export function newChild(spec) {
  const values = {};
  for (const one of spec.fields)
    if (one.needed)
      values[one.name] =
        one.options?.[0]?.value ??
        (one.type === "integer" || one.type === "decimal" ? String(Math.max(one.min ?? 0, 0)) : "");
  return values;
}

// The form of what is edited: its fields in groups, its children, what is said of the whole.

const PICTURES = new Set(["image", "focus", "zoom"]);
const isPicture = ({ type, needed }) => PICTURES.has(type) || (type === "drawing" && needed);

/** Return findings by the path of the field that they are of; "" has those of the whole. */
export function byPath(findings, draft) {
  const found = {};
  for (const one of findings) {
    let path = "";
    if (one.here && one.child) {
      const item =
        one.index === null || one.index === undefined
          ? null
          : draft.children[one.child]?.[one.index];
      path = item
        ? `c:${one.child}:${item.key}${one.childField ? `:${one.childField}` : ""}`
        : `c:${one.child}`;
    } else if (one.here && one.field) path = `f:${one.field}`;
    (found[path] ??= []).push(one);
  }
  return found;
}

function form(draft, state) {
  const { fields, children } = draft.form;
  const framed = new Set(fields.filter(({ type }) => type === "image").map(({ name }) => name));
  const shows = (one) => field(one, draft.values[one.name] ?? null, `f:${one.name}`, state);
  const editable = fields.filter(
    (one) => !one.shown && !(["focus", "zoom"].includes(one.type) && framed.has(one.picture)),
  );
  const main = editable.filter((one) => !one.look && !isPicture(one));
  const pictures = editable.filter(isPicture);
  const looks = editable.filter((one) => one.look && !isPicture(one));
  const lists = (look) =>
    children
      .filter((spec) => Boolean(spec.look) === look)
      .map((spec) => rows(spec, draft.children[spec.tag], state));
  const art = [...looks.map(shows), ...lists(true)];
  return [
    ...[...Map.groupBy(main, ({ group }) => group)].map(([title, all]) =>
      make("div.edit-group", title && make("h3", title), make("div.edit-grid", ...all.map(shows))),
    ),
    ...lists(false),
    pictures.length && make("div.edit-grid", ...pictures.map(shows)),
    art.length &&
      make("details.edit-group.edit-look", { id: "edit-look", open: state.look }, [
        make("summary", [
          word(draft.form.thing.of === "card" ? "edit-look" : "edit-seldom"),
          make("span.count", String(art.length)),
        ]),
        make("div.edit-grid", art),
      ]),
  ];
}

function facts(draft, worked) {
  const shown = draft.form.fields.filter((one) => one.shown);
  return shown.length
    ? make("dl.edit-facts", ...shown.flatMap((one) => fact(one, worked?.[one.name] ?? one.value)))
    : null;
}

/** Return what is said of the whole, and of other things. */
export function general(found, game) {
  return found.length
    ? make("section.edit-general", { "aria-label": word("findings") }, [
        make("ul", ...found.map((one) => finding(one, game))),
      ])
    : null;
}

// The page of what is edited: what it is and what can be done with it, its faces, its form.

const actButton = (which, text, given = {}) =>
  make("button", { "data-act": which, ...given }, text);

export function page(editor) {
  const { draft, view } = editor;
  const game = editor.studio.wall()?.game ?? {};
  if (editor.template) return [head(editor), notices(editor, game)];
  const fieldset = { disabled: view.readOnly, "aria-label": word("edit-fields") };
  return [
    head(editor),
    notices(editor, game),
    make(`div.edit-body${draft.form.faceless ? ".single" : ""}`, [
      !draft.form.faceless && faces(view, draft),
      make(
        "form.edit-form",
        { autocomplete: "off", noValidate: true, "aria-label": editor.title },
        [
          general(view.found[""] ?? [], game),
          make("fieldset.edit-all", fieldset, form(draft, view)),
          facts(draft, editor.answer?.worked),
          foot(draft, game),
        ],
      ),
    ]),
  ];
}

function head(editor) {
  const { draft, unsaved, saving, title, thing } = editor;
  const { form: now } = draft;
  const arrow = (by, text, said) => {
    const next = editor.neighbour(by);
    return actButton("open", text, {
      className: "quiet edit-back",
      id: `edit-${said}`,
      disabled: !next,
      "aria-label": word(said),
      title: word(said),
      "data-thing": JSON.stringify(next ?? null),
    });
  };
  const button = (which, text, disabled, className = "") =>
    actButton(which, text, { disabled, className, id: `edit-${which}` });
  const translates = thing.of === "translation";
  const buttons = now.editable && [
    translates && leftButtons(),
    button("undo", word("edit-undo"), !draft.canUndo),
    button("redo", word("edit-redo"), !draft.canRedo),
    thing.new && editor.own && !thing.rule && button("save-new", word("edit-save-new"), saving),
    button("save", word(saving ? "edit-saving" : "edit-save"), !unsaved || saving, "main"),
  ];
  return make("div.edit-top", [
    actButton("back", "‹", { className: "quiet edit-back", "aria-label": word("edit-back") }),
    make("div.edit-name", [
      make("h2", { tabIndex: -1 }, title || word("edit-nameless")),
      make("p.under", [
        translates
          ? join(" · ", languageName(now.kind), countLeft(editor))
          : join(" · ", draft.values.id ?? now.thing.id ?? word("edit-is-new"), now.kind),
        " ",
        make("span", { className: `edit-state${unsaved ? " open" : ""}`, role: "status" }, [
          now.editable ? word(unsaved ? "edit-unsaved" : "edit-saved") : word("edit-only-look"),
        ]),
      ]),
    ]),
    make("div.edit-row.edit-buttons", [
      editor.own && !thing.new && [arrow(-1, "←", "previous"), arrow(1, "→", "next")],
      buttons,
    ]),
  ]);
}

function notices({ draft, notice }, game) {
  const parts = [];
  if (draft.form.table) parts.push(make("p.edit-notice", word("edit-in-table", draft.form.table)));
  if (Object.keys(draft.clashes).length)
    parts.push(
      make("p.edit-notice.wrong", { role: "alert" }, word("edit-clashes")),
      draft.form.thing.of === "template" ? clash("f:text", draft.clashes["f:text"]) : "",
    );
  if (notice) {
    parts.push(
      make("div", { className: `edit-notice ${notice.kind}`, role: "alert", tabIndex: -1 }, [
        make("p", notice.text),
        general(notice.findings ?? [], game),
        make("p.edit-row", [
          notice.anyway && actButton("anyway", word("edit-anyway")),
          actButton("unnotice", word("close"), { className: "quiet" }),
        ]),
      ]),
    );
  }
  return parts.length ? make("div.edit-notices", ...parts) : null;
}

function foot(draft, game) {
  const { links = [], begins = [], deletable, place: spot, editable } = draft.form;
  const open = (one, text, className = "") =>
    actButton("open", text, { className, "data-thing": JSON.stringify(one.thing) });
  return make("div.edit-foot", [
    links.length &&
      make("p.edit-row", [
        make("span.soft", word("edit-beside")),
        ...links.map((one) => open(one, one.title, "link")),
      ]),
    editable &&
      make("p.edit-row", [
        draft.dirty && actButton("revert", word("edit-revert")),
        ...begins.map((one) =>
          open(one, one.title ? word("edit-new-of", one.title) : word("edit-copy")),
        ),
        deletable && actButton("delete", word("edit-delete"), { className: "danger" }),
      ]),
    spot && make("p.source", `${word("edit-stands")} `, place(spot, game)),
  ]);
}
