/** The form of what is edited: its fields in groups, its children, what is said of the whole. */

import { fact, field } from "./edit-fields.js";
import { rows } from "./edit-rows.js";
import { finding } from "./places.js";
import { make, word } from "./words.js";

const PICTURES = new Set(["image", "focus", "zoom"]);

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

/** Return fields by the groups that they stand in, in their order. */
function inGroups(fields) {
  const groups = new Map();
  for (const one of fields) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups];
}

/** Return the form's nodes. */
export function form(draft, state) {
  const { fields, children } = draft.form;
  const framed = new Set(fields.filter(({ type }) => type === "image").map(({ name }) => name));
  const shows = (one) => field(one, draft.values[one.name] ?? null, `f:${one.name}`, state);
  const editable = fields.filter(
    (one) => !one.shown && !(["focus", "zoom"].includes(one.type) && framed.has(one.picture)),
  );
  const main = editable.filter((one) => !one.look && !PICTURES.has(one.type));
  const pictures = editable.filter((one) => PICTURES.has(one.type));
  const looks = editable.filter((one) => one.look && !PICTURES.has(one.type));
  const lists = (look) =>
    children
      .filter((spec) => Boolean(spec.look) === look)
      .map((spec) => rows(spec, draft.children[spec.tag], state));
  const art = [...looks.map(shows), ...lists(true)];
  const folded = art.length
    ? [
        make(
          "details",
          { className: "edit-group edit-look", id: "edit-look", open: state.look },
          make(
            "summary",
            {},
            word(draft.form.thing.of === "card" ? "edit-look" : "edit-seldom"),
            make("span", { className: "count" }, String(art.length)),
          ),
          make("div", { className: "edit-grid" }, ...art),
        ),
      ]
    : [];
  return [
    ...inGroups(main).map(([title, all]) =>
      make(
        "div",
        { className: "edit-group" },
        title ? make("h3", {}, title) : null,
        make("div", { className: "edit-grid" }, ...all.map(shows)),
      ),
    ),
    ...lists(false),
    pictures.length ? make("div", { className: "edit-grid" }, ...pictures.map(shows)) : null,
    ...folded,
  ].filter(Boolean);
}

/** Return what is for looking at only. */
export function facts(draft, worked) {
  const shown = draft.form.fields.filter((one) => one.shown);
  return shown.length
    ? make(
        "dl",
        { className: "edit-facts" },
        ...shown.flatMap((one) => fact(one, worked?.[one.name] ?? one.value)),
      )
    : null;
}

/** Return what is said of the whole, and of other things. */
export function general(found, game) {
  return found.length
    ? make(
        "section",
        { className: "edit-general", "aria-label": word("findings") },
        make("ul", { role: "list" }, ...found.map((one) => finding(one, game))),
      )
    : null;
}
