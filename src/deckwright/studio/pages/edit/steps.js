/** What a person does to what is edited: steps, saving, deleting, bringing back. */

import { Refused } from "../shared/session.js";
import { localize, make, word } from "../shared/words.js";
import { forgetDraft, forgetGone, keepGone, keyOf, lastGone } from "./draft.js";
import { emphasize, idOf, joinParts, offersOf, partsOf, seekKeys, writeText } from "./fields.js";
import { newChild } from "./form.js";
import {
  chooser,
  cropOf,
  cropValues,
  dialog,
  listenForFiles,
  wireCropping,
  zoomAt,
} from "./pictures.js";
import { confirm, goLeft, routeOf, showText, withFlag } from "./translate.js";

// What is done to what is edited, step by step: values put, rows added and moved, lists changed.

const fieldValue = (field, text) =>
  text !== "" ? text : field.needed && field.type === "text" ? "" : null;

const toggleValue = (values, box) =>
  box.checked ? [...values, box.value] : values.filter((value) => value !== box.value);

/**
 * Return what changes the draft of an editor.
 *
 * @param root where its form is, for the focus.
 */
function steps(root, editor) {
  const focus = (path) => root.querySelector(`#${idOf(path)}`)?.focus();
  const specOfChildren = (tag) => editor.draft.form.children.find((one) => one.tag === tag);

  function specOf(path) {
    const [where, tag, key, inner] = path.split(":");
    const { draft } = editor;
    const [name, fields, values] =
      where === "f"
        ? [path.slice(2), draft.form.fields, draft.values]
        : [
            inner,
            specOfChildren(tag).fields,
            draft.children[tag].find((it) => it.key === key)?.values,
          ];
    return { field: fields.find((one) => one.name === name), value: values?.[name] };
  }

  function put(path, value) {
    const [where, name, key, inner] = path.split(":");
    if (where === "f") editor.draft.setAll(withFlag(path.slice(2), value));
    else editor.draft.setChild(name, key, inner, value);
    editor.changed();
  }

  const flag = (field, on) => {
    const was = editor.draft.was.values[field.name] ?? null;
    const text = String(on);
    return was === null && text === (field.default ?? "false") ? null : text;
  };

  function take(control) {
    const { path } = control.dataset;
    if (path.startsWith("c:") && path.split(":").length === 2)
      return toggle(control, path.slice(2));
    const { field, value } = specOf(path);
    if (!field) return put(path, String(control.checked)); // whether a translation is fuzzy
    if (control.type === "checkbox" && field.type === "flag")
      return put(path, flag(field, control.checked));
    if (control.type === "checkbox")
      return put(path, joinParts(field, toggleValue(partsOf(field, value), control)));
    let text = control.value;
    if (control.tagName === "TEXTAREA" && !control.dataset.multiline)
      text = text.replace(/\n+/g, " ");
    return put(path, fieldValue(field, text));
  }

  function toggle(box, tag) {
    const [only] = specOfChildren(tag).fields;
    const there = editor.draft.children[tag].find(({ values }) => values[only.name] === box.value);
    if (box.checked && !there) editor.draft.add(tag, { [only.name]: box.value });
    else if (there) editor.draft.remove(tag, there.key);
    editor.changed();
  }

  function crop(name, next) {
    const { focus: middle, zoom } = cropValues(next);
    editor.draft.setAll({ [`${name}-focus`]: middle, [`${name}-zoom`]: zoom });
    editor.changed();
  }

  const zoom = (name, place) =>
    crop(name, { ...cropOf(editor.draft.values, name), zoom: zoomAt(place) });

  /** Take another picture; the crop of the former one means nothing for it. */
  function picture(path, chosen) {
    editor.draft.seal();
    const name = path.slice(2);
    if (path.startsWith("f:"))
      editor.draft.setAll({ [name]: chosen, [`${name}-focus`]: null, [`${name}-zoom`]: null });
    else put(path, chosen);
    focus(path);
    editor.state.seeking = null; // it is chosen: the field with the focus offers nothing
    editor.changed();
  }

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
      editor.draft.add(name, { ...newChild(spec), [spec.fields[0].name]: choice });
      editor.changed();
      return focus(path);
    }
    editor.draft.seal();
    const far = faction && faction !== editor.thing.faction;
    return put(path, far ? `${faction}/${choice}` : choice);
  }

  // Rows.

  function add(tag) {
    const key = editor.draft.add(tag, newChild(specOfChildren(tag)));
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
    put(path, joinParts(field, [...partsOf(field, value), ...partsOf(field, text)]));
  }

  function removePart(path, at) {
    const { field, value } = specOf(path);
    put(path, joinParts(field, partsOf(field, value).toSpliced(at, 1)));
    focus(path);
  }

  const values = { specOf, put, take, crop, zoom, picture, count, choose };
  return { ...values, add, remove, move, addPart, removePart };
}

// What is done with a whole thing: saved, deleted, brought back.

const MOST = 20; // cards that are named

/** Save what is edited. What is typed meanwhile stays. */
export async function save(editor, anyway) {
  const { draft, studio, thing } = editor;
  if (!editor.unsaved || editor.saving) return;
  editor.saving = true;
  editor.notice = null;
  editor.draw();
  const { values, children } = draft;
  try {
    const { form } = await studio.post(`${routeOf(thing)}/save`, { ...editor.toSave(), anyway });
    forgetGone(form.place.path);
    draft.saved(editor.named(form), { values, children });
    if (editor.draft === draft) {
      forgetDraft(studio, keyOf(thing), thing);
      editor.thing = form.thing;
      studio.keep();
    }
    studio.announce(word("edit-was-saved", editor.title));
  } catch (error) {
    if (error instanceof Refused && error.status === 409) conflict(editor, draft, error.answer);
    else if (editor.draft === draft) {
      editor.unsure ||= !(error instanceof Refused);
      editor.refused(error, () => editor.save(anyway));
    } else studio.failed(error);
  } finally {
    editor.saving = false;
  }
  if (editor.draft === draft) editor.changed();
}

async function saveAndBegin(editor) {
  const { thing } = editor;
  await editor.save();
  if (editor.unsaved || editor.thing.new) return;
  await editor.go({ of: "card", new: true, faction: thing.faction, kind: thing.kind });
}

function conflict(editor, draft, { form }) {
  if (!form) {
    editor.notice = { kind: "wrong", text: word("edit-gone") };
    return;
  }
  draft.rebase(editor.named(form));
  const isMerged = !Object.keys(draft.clashes).length;
  editor.notice = isMerged ? { kind: "", text: word("edit-merged") } : null;
}

/**
 * Say who needs a thing that is to be deleted, or what would be wrong without it.
 *
 * @param {{uses?: {cards?: any[], decks?: any[]}, findings?: any[], message?: string}} refusal
 */
function needs({ uses = {}, findings = [], message }) {
  const { cards = [], decks = [] } = uses;
  const part = (title, lines) =>
    lines.length ? [make("p", title), make("ul", ...lines.map((line) => make("li", line)))] : [];
  const named = cards.slice(0, MOST).map(({ faction, id, name }) => `${name} (${faction} ${id})`);
  if (cards.length > MOST) named.push(word("edit-and-more", cards.length - MOST));
  const counts = decks.map(({ deck, copies }) => (copies ? `${deck}: ${copies}×` : deck));
  const wrong = named.length || counts.length ? [] : findings.map((one) => localize(one.message));
  return [
    ...part(word("edit-in-cards"), named),
    ...part(word("edit-in-decks"), counts),
    ...part(message, wrong),
  ];
}

/** Ask, and delete a thing; who needs it is named first. */
function remove(editor) {
  const { title } = editor;
  const uses = make("div.edit-uses", { role: "status" }, word("edit-looking"));
  const yes = make("button.main.danger", { disabled: true }, word("edit-delete"));
  const node = dialog(
    editor,
    word("edit-delete-this", title),
    make("p", word("edit-delete-how")),
    uses,
    make("p.edit-row", make("button", { "data-close": "" }, word("edit-cancel")), yes),
  );
  let anyway = false;
  const name = (answer) => {
    anyway ||= answer.anyway;
    if (anyway) yes.textContent = word("edit-delete-anyway");
    uses.replaceChildren(...needs(answer));
    yes.disabled = false;
  };
  editor.studio
    .ask(`/api/edit/uses?${new URLSearchParams(editor.draft.form.thing)}`)
    .then(name, (error) => {
      node.close();
      editor.refused(error, () => remove(editor));
    });
  yes.addEventListener("click", async () => {
    const { draft, studio, thing } = editor;
    yes.disabled = true;
    try {
      const { undo } = await studio.post("/api/edit/delete", {
        ...draft.form.thing,
        state: draft.form.state,
        anyway,
      });
      node.close();
      editor.draft = null;
      forgetDraft(studio, keyOf(thing), thing);
      keepGone({ thing: draft.form.thing, title, path: draft.form.place.path, undo });
      studio.announce(word("edit-deleted", title));
      await editor.go(null);
    } catch (error) {
      if (!(error instanceof Refused) || !error.answer.anyway) {
        node.close();
        return editor.refused(error, () => remove(editor));
      }
      name(error.answer);
    }
  });
}

async function restore(editor) {
  const { studio } = editor;
  const last = lastGone();
  if (!last) return;
  try {
    const { thing } = await studio.post("/api/edit/restore", { ...last.thing, undo: last.undo });
    forgetGone();
    studio.announce(word("edit-restored", last.title));
    await editor.go(thing);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    forgetGone(last.path);
    editor.refused(error);
  }
}

// What a person does in the form: the root hears every event, which becomes a step.

const typedValue = (node) =>
  node.matches?.(
    "textarea:not(.markup-text), input:not([type=checkbox], [type=radio], [type=range], [type=color])",
  );

export function wireForm(root, editor) {
  const { state } = editor;
  let entered = ""; // what the field with the focus held when it was entered

  const step = steps(root, editor);

  function input({ target }) {
    const { path, seek: list, find, zoom, part } = target.dataset;
    if (find) {
      state.find = target.value;
      editor.draw();
      return editor.studio.keep();
    }
    if (list) {
      const at = path ? -1 : 0; // what is typed counts where it is the value
      state.seeking = { path: target.dataset.for, text: target.value, at, list };
      return path ? step.take(target) : editor.draw();
    }
    if (part) {
      state.parts[part] = target.value;
      return undefined;
    }
    if (zoom) return step.zoom(zoom, Number(target.value));
    return path ? step.take(target) : undefined;
  }

  function measured({ target }) {
    const { hash } = target.dataset;
    if (!hash || state.natural[hash] || !target.naturalWidth) return;
    state.natural[hash] = { width: target.naturalWidth, height: target.naturalHeight };
    if (editor.draft) editor.draw();
  }

  wireCropping(
    root,
    (name) => {
      const box = editor.answer.pictures.find(({ field }) => field === name);
      const { hash } = editor.choices.pictures.find(
        (one) => one.name === editor.draft.values[name],
      );
      return { crop: cropOf(editor.draft.values, name), picture: state.natural[hash], box };
    },
    step.crop,
    () => editor.draft.seal(),
  );
  listenForFiles(root, editor, step);

  // Buttons.

  const areaOf = (path) => root.querySelector(`textarea[data-path="${CSS.escape(path)}"]`);

  const ACTS = {
    back: () => editor.back(),
    left: ({ by }) => goLeft(editor, Number(by)),
    text: ({ name }) => showText(editor, name),
    undo: () => (editor.draft.undo(), editor.changed()),
    redo: () => (editor.draft.redo(), editor.changed()),
    revert: () => (editor.draft.revert(), editor.changed()),
    discard: () => (forgetDraft(editor.studio, keyOf(editor.thing), editor.thing), editor.go(null)),
    save: () => editor.save(),
    anyway: () => editor.save(true),
    "save-new": () => saveAndBegin(editor),
    unnotice: () => ((editor.notice = null), editor.draw(), root.querySelector("h2")?.focus()),
    delete: () => remove(editor),
    restore: () => restore(editor),
    forget: () => (forgetGone(), editor.draw()),
    users: () => editor.studio.go("cards", { q: `rules:${editor.thing.id}` }),
    open: ({ thing }) => editor.go(JSON.parse(thing)),
    begin: () =>
      editor.go({
        of: "card",
        new: true,
        faction: root.querySelector("[data-new=faction]").value,
        kind: root.querySelector("[data-new=kind]")?.value ?? editor.list.kinds[0].kind,
      }),
    group: ({ value }) => ((state.group = value), editor.draw(), editor.studio.keep()),
    side: ({ value }) => ((state.side = value), editor.draw()),
    part: ({ value }) => ((state.part = Number(value)), editor.draw()),
    step: ({ path, by }) => step.count(path, Number(by)),
    put: ({ path, put: value }) => (
      editor.draft.seal(),
      step.put(path, value === "" ? null : value)
    ),
    mark: ({ path, mark }) => emphasize(areaOf(path), mark),
    symbols: ({ path }) => ((state.symbols = state.symbols === path ? null : path), editor.draw()),
    symbol: ({ path, symbol }) => writeText(areaOf(path), `{${symbol}}`),
    choose: ({ for: path, choice, faction }) => step.choose(path, choice, faction),
    add: ({ tag }) => step.add(tag),
    up: (item) => step.move(item, -1),
    down: (item) => step.move(item, 1),
    remove: (item) => step.remove(item),
    unpart: ({ path, at }) => step.removePart(path, Number(at)),
    picture: ({ path }) => chooser(editor, step, path),
    uncrop: ({ crop }) => (editor.draft.seal(), step.crop(crop, { x: 0.5, y: 0.5, zoom: 1 })),
    theirs: ({ path }) => (editor.draft.settle(path, true), editor.changed()),
    mine: ({ path }) => (editor.draft.settle(path, false), editor.changed()),
  };

  function click(event) {
    const node = event.target.closest("[data-act]");
    if (!node || !(node.dataset.act in ACTS)) return;
    event.preventDefault();
    const given = { ...node.dataset };
    editor.studio.attempt(() => ACTS[given.act](given));
  }

  function keys(event) {
    const { target, key } = event;
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (target.dataset?.seek && !control && seekKeys(event, editor, step.choose)) return;
    if (target.dataset?.part && (key === "Enter" || key === ",")) {
      event.preventDefault();
      step.addPart(target);
    } else if (target.role === "spinbutton" && (key === "ArrowUp" || key === "ArrowDown")) {
      event.preventDefault();
      step.count(target.dataset.path, (key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
      entered = target.value; // the browser knows nothing of this, so it is ours to undo
    } else if (
      target.tagName === "TEXTAREA" &&
      control &&
      ["b", "i"].includes(key.toLowerCase()) &&
      target.closest(".edit-rich")?.querySelector(".edit-tools")
    ) {
      event.preventDefault();
      emphasize(target, key.toLowerCase() === "b" ? "bold" : "italic");
    } else if (key === "Enter" && target.tagName === "TEXTAREA" && !target.dataset.multiline) {
      event.preventDefault();
    } else if (
      event.altKey &&
      (key === "ArrowUp" || key === "ArrowDown") &&
      target.closest(".edit-item")
    ) {
      event.preventDefault();
      step.move(target.closest(".edit-item").dataset, key === "ArrowUp" ? -1 : 1);
    }
  }

  /** The keys of the whole page, while this view is shown. */
  function pressed(event) {
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    const by = { KeyN: 1, KeyP: -1 }[event.altKey && !event.ctrlKey ? event.code : ""];
    const confirms = control && key === "enter" && editor.thing?.of === "translation";
    if (by && editor.texts && !root.hidden && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      editor.studio.attempt(() => goLeft(editor, by));
    }
    if (
      !editor.draft?.form.editable ||
      !control ||
      root.hidden ||
      document.querySelector("dialog[open]")
    )
      return;
    if (key === "s") {
      event.preventDefault();
      editor.save();
    }
    if (confirms && event.target.dataset.path) {
      event.preventDefault();
      editor.studio.attempt(() => confirm(editor, event.target.dataset.path));
    }
    if (key !== "z" && key !== "y") return;
    // In a text, what was typed since it was entered is the browser's to undo.
    if (typedValue(event.target) && event.target.value !== entered) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) editor.draft.redo();
    else editor.draft.undo();
    editor.changed();
    if (typedValue(event.target)) entered = event.target.value;
  }

  root.addEventListener("input", input);
  root.addEventListener("click", click);
  root.addEventListener("keydown", keys);
  document.addEventListener("keydown", pressed);
  root.addEventListener("load", measured, true);
  root.addEventListener("submit", (event) => event.preventDefault());
  root.addEventListener("mousedown", (event) => {
    // The text keeps its cursor while one presses a button above it.
    if (
      event.target.closest(
        "[data-act=mark], [data-act=symbol], [data-act=symbols], [data-act=choose]",
      )
    )
      event.preventDefault();
  });
  root.addEventListener("focusin", ({ target }) => {
    entered = typedValue(target) ? target.value : "";
    editor.draft?.seal();
    if (target.dataset.seek) {
      state.seeking = { path: target.dataset.for, text: "", at: -1, list: target.dataset.seek };
      if (offersOf(editor.view, target.dataset.seek, "").length) editor.draw();
    }
  });
  root.addEventListener("focusout", ({ target }) => {
    if (target.dataset.seek && state.seeking) {
      state.seeking = null;
      editor.draw();
    }
    if (target.dataset.part && target.value.trim()) step.addPart(target);
  });
  root.addEventListener("change", ({ target }) => {
    if (target.dataset.choose === "style") {
      state.style = target.value;
      editor.changed();
    } else if (target.dataset.new) state[target.dataset.new] = target.value;
    else if (!typedValue(target)) editor.draft?.seal();
  });
  root.addEventListener(
    "toggle",
    ({ target }) => target.id === "edit-look" && (state.look = target.open),
    true,
  );
}
