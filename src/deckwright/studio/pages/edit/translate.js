/** Translating: the field of a translation, the list of texts, and the way to the next one left. */

import { languageName, make, searchField, word } from "../shared/words.js";
import { idOf } from "./fields.js";

const FLAG = "?fuzzy"; // the end of the name of the field that says whether a translation is fuzzy

export const routeOf = ({ of }) =>
  ({ translation: "/api/translation", template: "/api/edit/template" })[of] ?? "/api/edit";

/** Return the language and the page of the thing that is translated, nothing for other things. */
export function partsOfId(thing) {
  const [language, ...page] = thing?.of === "translation" ? thing.id.split("/") : [""];
  return { language, page: page.join("/") };
}

/** Return what is set when a value is typed: a new translation is not fuzzy any more. */
export const withFlag = (name, value) => ({ [name]: value, [name + FLAG]: "false" });

const stateOf = (values, name) =>
  values[name] ? (values[name + FLAG] === "true" ? "fuzzy" : "done") : "missing";

/** Return the field of a translation: its source in grey, its text, and its state. */
export function translation(field, value, given, state) {
  const { id, "aria-describedby": notes } = given;
  const [from, to] = state.languages;
  const now = stateOf(state.values, field.name);
  const path = given["data-path"];
  return make("div.edit-translation", [
    make("p.edit-source", { id: `${id}-source`, lang: from, dir: "auto" }, field.source),
    field.former &&
      make("p.edit-source", [
        make("span", `${word("translate-former")} `),
        make("del", { lang: from, dir: "auto" }, field.former),
      ]),
    field.note && make("p.soft", field.note),
    make("textarea", {
      ...given,
      "aria-describedby": [`${id}-source`, `${id}-state`, notes].filter(Boolean).join(" "),
      rows: Math.min(6, Math.ceil((field.source.length + 1) / 60)),
      value: value ?? "",
      lang: to,
      dir: "auto",
      spellcheck: true,
      "data-multiline": field.source.includes("\n") ? "1" : "",
    }),
    make("p.edit-row", [
      make("span", { id: `${id}-state`, className: `edit-translated ${now}` }, [
        word(`translate-${now}`),
      ]),
      value
        ? make("label", [
            make("input", {
              type: "checkbox",
              id: idOf(path + FLAG),
              "data-path": path + FLAG,
              checked: now === "fuzzy",
            }),
            ` ${word("translate-unsure")}`,
          ])
        : state.readOnly
          ? null
          : make(
              "button.link",
              { "data-act": "put", "data-path": path, "data-put": field.source },
              [word("translate-copy")],
            ),
    ]),
  ]);
}

/** Return the texts with their states; those of the page that is open as they stand there. */
const textsNow = ({ texts, draft }) =>
  texts.map((one) =>
    draft && one.name in draft.values ? { ...one, state: stateOf(draft.values, one.name) } : one,
  );

export function countLeft(editor) {
  const all = textsNow(editor).map(({ state }) => state);
  const count = (wanted) => all.filter((one) => one === wanted).length;
  const fuzzy = count("fuzzy");
  const left = count("missing") + fuzzy;
  return left ? word("translate-left", left, fuzzy) : word("translate-all-done");
}

/** Return the field that finds what can be edited. */
export const findField = (label, value) => {
  const given = { className: "edit-find", id: "edit-find", "data-find": "1" };
  return searchField(label, { ...given, value, spellcheck: false });
};

/** Return the chip that shows a group of what can be edited, "" for the usual one. */
export const groupChip = (name, now, said) => {
  const given = { "data-act": "group", "data-value": name, "aria-pressed": now === name };
  return make("button.chip", given, said);
};

/** Return the page on which translating begins: what is left, or all that is sought. */
export function startTexts(editor, section, link) {
  const { language, state } = editor;
  const { find, group } = state;
  const title = word("translate-title", languageName(language));
  const shown = editor.texts.filter(({ state }) => find || group === "all" || state !== "done");
  const entries = shown.map((one) => ({ ...one, id: one.name, label: one.source }));
  const entry = ({ page, name, source, state }) => {
    const thing = { of: "translation", id: `${language}/${page}` };
    const node = link(thing, source, name, "", word(`translate-${state}`));
    Object.assign(node.firstChild.dataset, { act: "text", name });
    return node;
  };
  return make("div.edit-start", [
    make("div.edit-top", [
      make("h2", { tabIndex: -1 }, title),
      findField(word("translate-find"), find),
    ]),
    make("div.edit-row.edit-groups", [
      ...["", "all"].map((name) =>
        groupChip(name, group, word(name ? "edit-all" : "translate-only-left")),
      ),
      ...leftButtons(),
      make("p.soft", { role: "status" }, countLeft(editor)),
    ]),
    section(word(find || group ? "edit-texts" : "translate-only-left"), entries, find, entry),
    find && !entries.length && make("p.empty", word("edit-none-found")),
  ]);
}

export const leftButtons = () =>
  [-1, 1].map((by) =>
    make(
      "button",
      {
        "data-act": "left",
        "data-by": by,
        id: `edit-left${by}`,
        "aria-keyshortcuts": by < 0 ? "Alt+P" : "Alt+N",
        title: by < 0 ? "Alt+P" : "Alt+N",
      },
      [word(by < 0 ? "translate-before" : "translate-after")],
    ),
  );

/** Show the field of a text, on the page that is open or on its own. */
export async function showText(editor, name) {
  const { language, texts, draft } = editor;
  if (!draft || !(name in draft.values)) {
    const { page } = texts.find((one) => one.name === name);
    await editor.go({ of: "translation", id: `${language}/${page}` });
  }
  editor.body.querySelector(`#${idOf(`f:${name}`)}`)?.focus();
}

/** Lead to the next text (1) or the one before (-1) that is left, on this page or on another. */
export async function goLeft(editor, by) {
  const { draft, studio } = editor;
  const all = textsNow(editor);
  const names = all.map(({ name }) => name);
  const left = new Set(all.filter(({ state }) => state !== "done").map(({ name }) => name));
  const here = (draft?.form.fields ?? [])
    .filter(({ type }) => type === "translation")
    .map(({ name }) => name);
  const turned = (list) => (by < 0 ? list.toReversed() : list);
  const now = document.activeElement?.dataset.path?.slice(2).replace(FLAG, "");
  const order = turned(here);
  const at = order.indexOf(now);
  // First what follows on this page, then what follows it in the game, then this page again.
  const page = turned(names);
  const start = page.indexOf(order.find((name) => names.includes(name)));
  const others = [...page.slice(start + 1), ...page.slice(0, start + 1)];
  const found =
    order.slice(at + 1).find((name) => left.has(name)) ??
    others.find((name) => left.has(name) && !here.includes(name)) ??
    order.find((name) => left.has(name));
  if (found === undefined) return studio.announce(word("translate-all-done"));
  return showText(editor, found);
}

/** Confirm the translation of the field with the focus: it is saved, and the next one left comes. */
export async function confirm(editor, path) {
  const name = path.slice(2).replace(FLAG, "");
  editor.draft.setAll({ [name + FLAG]: "false" });
  editor.changed();
  if (editor.unsaved) await editor.save();
  if (!editor.unsaved) await goLeft(editor, 1);
}
