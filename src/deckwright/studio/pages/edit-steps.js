/** What is done to what is edited, step by step: values put, rows added and moved, lists changed. */

import { idOf, joined, partsOf } from "./edit-fields.js";
import { cropOf, written, zoomAt } from "./edit-picture.js";
import { fresh } from "./edit-rows.js";
import { word } from "./words.js";

/** Return what is given for a field, null for nothing. */
const given = (field, text) =>
  text !== "" ? text : field.needed && field.type === "text" ? "" : null;

const toggled = (values, box) =>
  box.checked ? [...values, box.value] : values.filter((value) => value !== box.value);

/**
 * Return what changes the draft of an editor.
 *
 * @param root where its form is, for the focus.
 */
export function steps(root, editor) {
  const focus = (path) => root.querySelector(`#${idOf(path)}`)?.focus();
  const specOfChildren = (tag) => editor.draft.form.children.find((one) => one.tag === tag);

  /** Return what is known of the field of a path. */
  function specOf(path) {
    const [where, name, key, inner] = path.split(":");
    const { form } = editor.draft;
    if (where === "f")
      return {
        field: form.fields.find((one) => one.name === path.slice(2)),
        value: editor.draft.values[path.slice(2)],
      };
    const item = editor.draft.children[name].find((one) => one.key === key);
    return {
      field: specOfChildren(name).fields.find((one) => one.name === inner),
      value: item?.values[inner],
    };
  }

  function put(path, value) {
    const [where, name, key, inner] = path.split(":");
    if (where === "f") editor.draft.set(path.slice(2), value);
    else editor.draft.setChild(name, key, inner, value);
    editor.changed();
  }

  const flag = (field, on) => {
    const was = editor.draft.was.values[field.name] ?? null;
    const text = String(on);
    return was === null && text === (field.default ?? "false") ? null : text;
  };

  /** Take what a control says now. */
  function take(control) {
    const { path } = control.dataset;
    if (path.startsWith("c:") && path.split(":").length === 2)
      return toggle(control, path.slice(2));
    const { field, value } = specOf(path);
    if (control.type === "checkbox" && field.type === "flag")
      return put(path, flag(field, control.checked));
    if (control.type === "checkbox")
      return put(path, joined(field, toggled(partsOf(field, value), control)));
    let text = control.value;
    if (control.tagName === "TEXTAREA" && !control.dataset.multiline)
      text = text.replace(/\n+/g, " ");
    return put(path, given(field, text));
  }

  function toggle(box, tag) {
    const [only] = specOfChildren(tag).fields;
    const there = editor.draft.children[tag].find(({ values }) => values[only.name] === box.value);
    if (box.checked && !there) editor.draft.add(tag, { [only.name]: box.value });
    else if (there) editor.draft.remove(tag, there.key);
    editor.changed();
  }

  function crop(name, next) {
    const { focus: middle, zoom } = written(next);
    editor.draft.set(`${name}-focus`, middle);
    editor.draft.set(`${name}-zoom`, zoom);
    editor.changed();
  }

  const zoom = (name, place) =>
    crop(name, { ...cropOf(editor.draft.values, name), zoom: zoomAt(place) });

  /** Take another picture; the crop of the former one means nothing for it. */
  function picture(path, chosen) {
    editor.draft.seal();
    put(path, chosen);
    for (const one of path.startsWith("f:") ? ["focus", "zoom"] : []) {
      const name = `${path.slice(2)}-${one}`;
      if (editor.draft.values[name]) editor.draft.set(name, null);
    }
    editor.changed();
    focus(path);
  }

  /** Count a number up or down. */
  function count(path, by) {
    const { field, value } = specOf(path);
    const now = Number(value ?? field.default ?? field.min ?? 0);
    const digits = (String(value ?? "").split(".")[1] ?? "").length;
    const to = Math.min(
      field.max ?? Infinity,
      Math.max(field.min ?? -Infinity, (Number.isFinite(now) ? now : 0) + by),
    );
    put(path, to.toFixed(digits));
  }

  /** Take a rule or card that was sought: for a field, or as a new row. */
  function choose(path, choice, faction) {
    editor.state.seeking = null;
    const [where, name, key] = path.split(":");
    if (where === "c" && !key) {
      const spec = specOfChildren(name);
      editor.draft.add(name, { ...fresh(spec), [spec.fields[0].name]: choice });
      editor.changed();
      return focus(path);
    }
    const far = faction && faction !== editor.thing.faction;
    return put(path, far ? `${faction}/${choice}` : choice);
  }

  // Rows.

  function add(tag) {
    const key = editor.draft.add(tag, fresh(specOfChildren(tag)));
    editor.changed();
    root.querySelector(`#${idOf(`i:${tag}:${key}`)} :is(input, select, textarea, button)`)?.focus();
  }

  function remove({ tag, key }) {
    const { draft } = editor;
    const list = draft.children[tag];
    const at = list.findIndex((item) => item.key === key);
    draft.remove(tag, key);
    editor.changed();
    const next = draft.children[tag][Math.min(at, list.length - 2)];
    focus(next ? `i:${tag}:${next.key}` : `c:${tag}`);
    editor.studio.announce(word("edit-removed"));
  }

  function move({ tag, key }, by) {
    const { draft } = editor;
    draft.move(tag, key, by);
    editor.changed();
    const item = root.querySelector(`#${idOf(`i:${tag}:${key}`)}`);
    (item?.querySelector(`[data-act=${by < 0 ? "up" : "down"}]:enabled`) ?? item)?.focus();
    const list = draft.children[tag];
    editor.studio.announce(
      word("edit-moved", list.findIndex((one) => one.key === key) + 1, list.length),
    );
  }

  // Lists of words.

  function addPart(node) {
    const path = node.dataset.part;
    const { field, value } = specOf(path);
    const text = node.value.trim();
    if (!text) return;
    editor.state.parts[path] = "";
    put(path, joined(field, [...partsOf(field, value), ...partsOf(field, text)]));
  }

  function removePart(path, at) {
    const { field, value } = specOf(path);
    put(
      path,
      joined(
        field,
        partsOf(field, value).filter((_, place) => place !== at),
      ),
    );
    focus(path);
  }

  return {
    specOf,
    put,
    take,
    crop,
    zoom,
    picture,
    count,
    choose,
    add,
    remove,
    move,
    addPart,
    removePart,
  };
}
