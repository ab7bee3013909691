/** What a person does in the form: every event is heard at the root, and becomes a step of the draft. */

import { copy, dialog, remove } from "./edit-acts.js";
import { idOf, joined, partsOf } from "./edit-fields.js";
import { cropOf, cropping, grid, written, zoomAt } from "./edit-picture.js";
import { fresh } from "./edit-rows.js";
import { offered } from "./edit-seek.js";
import { emphasize, write } from "./edit-text.js";
import { make, word } from "./words.js";

const typed = (node) => node.matches?.("textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color])");

export function wire(root, editor) {
  const { state } = editor;
  let entered = ""; // what the field with the focus held when it was entered

  /** Return what is known of the field of a path. */
  function specOf(path) {
    const [where, name, key, inner] = path.split(":");
    const { form } = editor.draft;
    if (where === "f") return { field: form.fields.find((one) => one.name === name), value: editor.draft.values[name] };
    const children = form.children.find(({ tag }) => tag === name);
    const item = editor.draft.children[name].find((one) => one.key === key);
    return { children, field: children.fields.find((one) => one.name === inner), value: item?.values[inner] };
  }

  function put(path, value) {
    const [where, name, key, inner] = path.split(":");
    if (where === "f") editor.draft.set(name, value);
    else editor.draft.setChild(name, key, inner, value);
    editor.changed();
  }

  /** Return what a field is given, null for nothing. */
  function given(field, text) {
    if (text !== "") return text;
    return field.needed && field.type === "text" ? "" : null;
  }

  function input({ target }) {
    const { path, seek: list, find, zoom, part } = target.dataset;
    if (find) {
      state.find = target.value;
      editor.draw();
      return editor.studio.keep();
    }
    if (list) {
      state.seeking = { path: target.dataset.for, text: target.value, at: 0, list };
      return editor.draw();
    }
    if (part) {
      state.parts[part] = target.value;
      return undefined;
    }
    if (zoom) return crop(zoom, { ...cropOf(editor.draft.values, zoom), zoom: zoomAt(Number(target.value)) });
    if (!path) return undefined;
    if (path.startsWith("c:") && path.split(":").length === 2) return toggle(target, path.split(":")[1]);
    const { field, value } = specOf(path);
    if (target.type === "checkbox" && field.type === "flag") return put(path, flag(field, target.checked));
    if (target.type === "checkbox") return put(path, joined(field, toggled(partsOf(field, value), target)));
    let text = target.value;
    if (target.tagName === "TEXTAREA" && !target.dataset.multiline) text = text.replace(/\n+/g, " ");
    return put(path, given(field, text));
  }

  const flag = (field, on) => {
    const was = editor.draft.was.values[field.name] ?? null;
    const text = String(on);
    return was === null && text === (field.default ?? "false") ? null : text;
  };

  const toggled = (values, box) => (box.checked ? [...values, box.value] : values.filter((value) => value !== box.value));

  function toggle(box, tag) {
    const spec = editor.draft.form.children.find((one) => one.tag === tag);
    const [only] = spec.fields;
    const there = editor.draft.children[tag].find(({ values }) => values[only.name] === box.value);
    if (box.checked && !there) editor.draft.add(tag, { [only.name]: box.value });
    else if (there) editor.draft.remove(tag, there.key);
    editor.changed();
  }

  function crop(name, next) {
    const { focus, zoom } = written(next);
    editor.draft.set(`${name}-focus`, focus);
    editor.draft.set(`${name}-zoom`, zoom);
    editor.changed();
  }

  function step(path, by) {
    const { field, value } = specOf(path);
    const now = Number(value ?? field.default ?? field.min ?? 0);
    const digits = (String(value ?? "").split(".")[1] ?? "").length;
    const to = Math.min(field.max ?? Infinity, Math.max(field.min ?? -Infinity, (Number.isFinite(now) ? now : 0) + by));
    put(path, to.toFixed(digits));
  }

  // Seeking.

  function choose(path, choice, faction) {
    state.seeking = null;
    const [where, name, key] = path.split(":");
    if (where === "c" && !key) {
      const spec = editor.draft.form.children.find(({ tag }) => tag === name);
      editor.draft.add(name, { ...fresh(spec), [spec.fields[0].name]: choice });
      editor.changed();
      return root.querySelector(`#${idOf(path)}`)?.focus();
    }
    const far = faction && faction !== editor.thing.faction;
    return put(path, far ? `${faction}/${choice}` : choice);
  }

  function seekKeys(event) {
    const { target, key } = event;
    const path = target.dataset.for;
    const open = state.seeking?.path === path;
    const list = root.querySelectorAll(`#${CSS.escape(target.id)}-list [role=option]`);
    if (key === "ArrowDown" || key === "ArrowUp") {
      const last = list.length - 1;
      const at = open ? Math.max(0, Math.min(last, state.seeking.at + (key === "ArrowDown" ? 1 : -1))) : 0;
      state.seeking = { path, text: target.value, at, list: target.dataset.seek };
      editor.draw();
      root.querySelector(`#${CSS.escape(target.id)}-list [aria-selected=true]`)?.scrollIntoView({ block: "nearest" });
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

  // Rows.

  function shift(which, { tag, key }) {
    const { draft } = editor;
    const list = draft.children[tag];
    const at = list.findIndex((item) => item.key === key);
    if (which === "remove") {
      draft.remove(tag, key);
      editor.changed();
      const next = draft.children[tag][Math.min(at, list.length - 2)];
      (root.querySelector(next ? `#${idOf(`i:${tag}:${next.key}`)}` : `#${idOf(`c:${tag}`)}`))?.focus();
      return editor.studio.announce(word("edit-removed"));
    }
    draft.move(tag, key, which === "up" ? -1 : 1);
    editor.changed();
    const item = root.querySelector(`#${idOf(`i:${tag}:${key}`)}`);
    (item?.querySelector(`[data-act=${which}]:enabled`) ?? item)?.focus();
    return editor.studio.announce(word("edit-moved", draft.children[tag].findIndex((one) => one.key === key) + 1, list.length));
  }

  function add(tag) {
    const spec = editor.draft.form.children.find((one) => one.tag === tag);
    const key = editor.draft.add(tag, fresh(spec));
    editor.changed();
    root.querySelector(`#${idOf(`i:${tag}:${key}`)} :is(input, select, textarea, button)`)?.focus();
  }

  // Lists of words.

  function addPart(node) {
    const path = node.dataset.part;
    const { field, value } = specOf(path);
    const text = node.value.trim();
    if (!text) return;
    state.parts[path] = "";
    put(path, joined(field, [...partsOf(field, value), ...partsOf(field, text)]));
  }

  function unpart(path, at) {
    const { field, value } = specOf(path);
    put(path, joined(field, partsOf(field, value).filter((_, place) => place !== at)));
    root.querySelector(`#${idOf(path)}`)?.focus();
  }

  // Pictures.

  function pictures(path) {
    const now = specOf(path).value;
    const all = editor.choices.pictures;
    const tiles = make("div", { className: "edit-tiles" });
    const count = make("p", { className: "soft", role: "status" });
    const fill = (text) => {
      const found = grid(all, text, now);
      tiles.replaceChildren(...found);
      count.textContent = all.length ? word("edit-pictures-found", found.length) : word("edit-no-pictures");
    };
    const search = make("input", { type: "search", placeholder: word("edit-find-picture"), "aria-label": word("edit-find-picture"), autocomplete: "off" });
    search.addEventListener("input", () => fill(search.value));
    const node = dialog(editor, word("edit-choose-picture"), make("div", { className: "edit-row" }, search, make("button", { type: "button", "data-close": "" }, word("close"))), count, tiles);
    node.classList.add("wide");
    fill("");
    tiles.addEventListener("click", (event) => {
      const tile = event.target.closest("[data-put]");
      if (!tile) return;
      const [where, name, key] = path.split(":");
      editor.draft.seal();
      put(path, tile.dataset.put);
      if (where === "f" && !key) for (const one of [`${name}-focus`, `${name}-zoom`]) if (editor.draft.values[one]) editor.draft.set(one, null);
      node.close();
      editor.changed();
      root.querySelector(`#${idOf(path)}`)?.focus();
    });
  }

  function measured({ target }) {
    const { hash } = target.dataset;
    if (!hash || state.natural[hash] || !target.naturalWidth) return;
    state.natural[hash] = { width: target.naturalWidth, height: target.naturalHeight };
    if (editor.draft) editor.draw();
  }

  cropping(root, (name) => {
    const box = editor.answer.pictures.find(({ field }) => field === name);
    const { hash } = editor.choices.pictures.find((one) => one.name === editor.draft.values[name]);
    return { crop: cropOf(editor.draft.values, name), picture: state.natural[hash], box };
  }, crop, () => editor.draft.seal());

  // Buttons.

  const areaOf = (path) => root.querySelector(`textarea[data-path="${CSS.escape(path)}"]`);

  const ACTS = {
    back: () => editor.back(),
    undo: () => (editor.draft.undo(), editor.changed()),
    redo: () => (editor.draft.redo(), editor.changed()),
    revert: () => (editor.draft.revert(), editor.changed()),
    save: () => editor.save(),
    anyway: () => editor.save(true),
    unnotice: () => ((editor.notice = null), editor.draw(), root.querySelector("h2")?.focus()),
    copy: () => copy(editor),
    delete: () => remove(editor),
    open: ({ thing }) => editor.go(JSON.parse(thing)),
    begin: () => editor.go({ of: "new", faction: root.querySelector("[data-new=faction]").value, kind: root.querySelector("[data-new=kind]")?.value ?? editor.list.kinds[0].kind, like: null }),
    group: ({ value }) => ((state.group = value), editor.draw(), editor.studio.keep()),
    side: ({ value }) => ((state.side = value), editor.draw()),
    part: ({ value }) => ((state.part = Number(value)), editor.draw()),
    step: ({ path, by }) => step(path, Number(by)),
    put: ({ path, put: value }) => (editor.draft.seal(), put(path, value === "" ? null : value)),
    mark: ({ path, mark }) => emphasize(areaOf(path), mark),
    symbols: ({ path }) => ((state.symbols = state.symbols === path ? null : path), editor.draw()),
    symbol: ({ path, symbol }) => write(areaOf(path), `{${symbol}}`),
    choose: ({ for: path, choice, faction }) => choose(path, choice, faction),
    add: ({ tag }) => add(tag),
    up: (data) => shift("up", data),
    down: (data) => shift("down", data),
    remove: (data) => shift("remove", data),
    unpart: ({ path, at }) => unpart(path, Number(at)),
    picture: ({ path }) => pictures(path),
    uncrop: ({ crop: name }) => (editor.draft.seal(), crop(name, { x: 0.5, y: 0.5, zoom: 1 })),
    theirs: ({ path }) => (editor.draft.settle(path, true), editor.changed()),
    mine: ({ path }) => (editor.draft.settle(path, false), editor.changed()),
  };

  function click(event) {
    const node = event.target.closest("[data-act]");
    if (!node || !(node.dataset.act in ACTS)) return;
    event.preventDefault();
    Promise.resolve(ACTS[node.dataset.act](node.dataset)).catch(editor.studio.failed);
  }

  function keys(event) {
    const { target, key } = event;
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (target.dataset?.seek && !control && seekKeys(event)) return;
    if (target.dataset?.part && (key === "Enter" || key === ",")) {
      event.preventDefault();
      addPart(target);
    } else if (target.role === "spinbutton" && (key === "ArrowUp" || key === "ArrowDown")) {
      event.preventDefault();
      step(target.dataset.path, (key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
    } else if (target.tagName === "TEXTAREA" && control && ["b", "i"].includes(key.toLowerCase()) && target.closest(".edit-rich")?.querySelector(".edit-tools")) {
      event.preventDefault();
      emphasize(target, key.toLowerCase() === "b" ? "bold" : "italic");
    } else if (key === "Enter" && target.tagName === "TEXTAREA" && !target.dataset.multiline) {
      event.preventDefault();
    } else if (event.altKey && (key === "ArrowUp" || key === "ArrowDown") && target.closest(".edit-item")) {
      event.preventDefault();
      shift(key === "ArrowUp" ? "up" : "down", target.closest(".edit-item").dataset);
    }
  }

  /** The keys of the whole page, while this view is shown. */
  function pressed(event) {
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (!editor.draft?.form.editable || !control || root.hidden || document.querySelector("dialog[open]")) return;
    if (key === "s") {
      event.preventDefault();
      editor.save();
    }
    if (key !== "z" && key !== "y") return;
    // In a text, what was typed since it was entered is the browser's to undo.
    if (typed(event.target) && event.target.value !== entered) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) editor.draft.redo();
    else editor.draft.undo();
    editor.changed();
    if (typed(event.target)) entered = event.target.value;
  }

  root.addEventListener("input", input);
  root.addEventListener("click", click);
  root.addEventListener("keydown", keys);
  document.addEventListener("keydown", pressed);
  root.addEventListener("load", measured, true);
  root.addEventListener("submit", (event) => event.preventDefault());
  root.addEventListener("mousedown", (event) => {
    // The text keeps its cursor while one presses a button above it.
    if (event.target.closest("[data-act=mark], [data-act=symbol], [data-act=symbols], [data-act=choose]")) event.preventDefault();
  });
  root.addEventListener("focusin", ({ target }) => {
    entered = typed(target) ? target.value : "";
    editor.draft?.seal();
    if (target.dataset.seek) {
      state.seeking = { path: target.dataset.for, text: "", at: -1, list: target.dataset.seek };
      if (offered(editor.view, target.dataset.seek, "").length) editor.draw();
    }
  });
  root.addEventListener("focusout", ({ target }) => {
    if (target.dataset.seek && state.seeking) {
      state.seeking = null;
      editor.draw();
    }
    if (target.dataset.part && target.value.trim()) addPart(target);
  });
  root.addEventListener("change", ({ target }) => {
    if (target.dataset.choose === "style") {
      state.style = target.value;
      editor.changed();
    } else if (target.dataset.new) state[target.dataset.new] = target.value;
    else if (!typed(target)) editor.draft?.seal();
  });
  root.addEventListener("toggle", ({ target }) => target.id === "edit-look" && (state.look = target.open), true);
}
