/** What a person does in the form: every event is heard at the root, and becomes a step of the draft. */

import { remove, restore } from "./edit-acts.js";
import { keyOf } from "./edit-draft.js";
import { forgetGone } from "./edit-gone.js";
import { forgetDraft } from "./edit-kept.js";
import { cropOf, cropping } from "./edit-picture.js";
import { chooser, listenForFiles } from "./edit-pictures.js";
import { offered, seekKeys } from "./edit-seek.js";
import { steps } from "./edit-steps.js";
import { emphasize, write } from "./edit-text.js";

const typed = (node) =>
  node.matches?.("textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color])");

export function wire(root, editor) {
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
      state.seeking = { path: target.dataset.for, text: target.value, at: 0, list };
      return editor.draw();
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

  cropping(
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
    undo: () => (editor.draft.undo(), editor.changed()),
    redo: () => (editor.draft.redo(), editor.changed()),
    revert: () => (editor.draft.revert(), editor.changed()),
    discard: () => (forgetDraft(editor.studio, keyOf(editor.thing), editor.thing), editor.go(null)),
    save: () => editor.save(),
    anyway: () => editor.save(true),
    unnotice: () => ((editor.notice = null), editor.draw(), root.querySelector("h2")?.focus()),
    delete: () => remove(editor),
    restore: () => restore(editor),
    forget: () => (forgetGone(), editor.draw()),
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
    symbol: ({ path, symbol }) => write(areaOf(path), `{${symbol}}`),
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
    if (
      event.target.closest(
        "[data-act=mark], [data-act=symbol], [data-act=symbols], [data-act=choose]",
      )
    )
      event.preventDefault();
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
    if (target.dataset.part && target.value.trim()) step.addPart(target);
  });
  root.addEventListener("change", ({ target }) => {
    if (target.dataset.choose === "style") {
      state.style = target.value;
      editor.changed();
    } else if (target.dataset.new) state[target.dataset.new] = target.value;
    else if (!typed(target)) editor.draft?.seal();
  });
  root.addEventListener(
    "toggle",
    ({ target }) => target.id === "edit-look" && (state.look = target.open),
    true,
  );
}
