/**
 * Where editing begins: what is not saved yet, a new card, and all that can be edited, by name or
 * text.
 */

import { counted, make, word } from "../shared/words.js";
import { lastGone } from "./draft.js";
import { findIn } from "./fields.js";
import { titleOf } from "./words.js";

const MOST = 60;

const link = (thing, title, about, text, mark) =>
  make(
    "li",
    {},
    make(
      "button",
      {
        type: "button",
        className: "edit-entry",
        "data-act": "open",
        "data-thing": JSON.stringify(thing),
      },
      make(
        "span",
        { className: "edit-entry-title" },
        make("strong", {}, title),
        about ? make("span", { className: "soft" }, about) : null,
        mark ? make("span", { className: "edit-mark" }, mark) : null,
      ),
      text ? make("span", { className: "edit-entry-text" }, text) : null,
    ),
  );

const group = (title, entries, more) =>
  entries.length
    ? make(
        "section",
        { className: "edit-group", "aria-label": title },
        make("h3", {}, title, make("span", { className: "count" }, String(entries.length + more))),
        make("ul", { className: "edit-entries", role: "list" }, ...entries),
        more ? make("p", { className: "soft" }, word("edit-more-found", more)) : null,
      )
    : null;

function section(title, all, text, entry) {
  const found = text ? findIn(all, text) : all;
  return group(title, found.slice(0, MOST).map(entry), Math.max(0, found.length - MOST));
}

const options = (all, now) =>
  all.map((one) =>
    make(
      "option",
      { value: one.id ?? one.kind, selected: (one.id ?? one.kind) === now },
      one.name || one.id || one.kind,
    ),
  );

/** Return the form of a new card: whose, and of which kind. */
function newCard(list, state) {
  const factions = list.factions.filter(({ editable }) => editable);
  if (!factions.length || !list.kinds.length) return null;
  const faction = state.faction || factions[0].id;
  const kind = state.kind || list.kinds[0].kind;
  return make(
    "div",
    { className: "edit-row" },
    make(
      "label",
      {},
      make("span", {}, word("faction")),
      make(
        "select",
        { "data-new": "faction", "data-value": faction },
        ...options(factions, faction),
      ),
    ),
    list.kinds.length > 1
      ? make(
          "label",
          {},
          make("span", {}, word("kind")),
          make("select", { "data-new": "kind", "data-value": kind }, ...options(list.kinds, kind)),
        )
      : null,
    make(
      "button",
      { type: "button", className: "main", "data-act": "begin" },
      word("edit-new-card"),
    ),
  );
}

/** Return what can be begun: cards, rules, factions. */
function newThings(list, state) {
  if (list.readOnly) return null;
  const others = Object.entries(list.begins)
    .filter(([, can]) => can)
    .map(([of]) =>
      make(
        "button",
        { type: "button", "data-act": "open", "data-thing": JSON.stringify({ of, new: true }) },
        word(`edit-new-${of}`),
      ),
    );
  const parts = [
    newCard(list, state),
    others.length ? make("div", { className: "edit-row" }, ...others) : null,
  ].filter(Boolean);
  return parts.length
    ? make(
        "section",
        { className: "edit-group edit-new", "aria-label": word("edit-new") },
        make("h3", {}, word("edit-new")),
        make("div", { className: "edit-begins" }, ...parts),
      )
    : null;
}

/** Return what was deleted last, with the way back. */
function deletedPart(readOnly) {
  const last = readOnly ? null : lastGone();
  return last
    ? make(
        "div",
        { className: "edit-notice edit-gone" },
        make("p", {}, word("edit-deleted", last.title)),
        make(
          "p",
          { className: "edit-row" },
          make("button", { type: "button", "data-act": "restore" }, word("edit-restore")),
          make(
            "button",
            { type: "button", className: "quiet", "data-act": "forget" },
            word("close"),
          ),
        ),
      )
    : null;
}

/** Return the cards of a wall, each once. */
function cardsOf(wall) {
  const found = new Map();
  for (const face of wall?.faces ?? []) {
    const key = `${face.faction}:${face.card}`;
    if (!found.has(key))
      found.set(key, { faction: face.faction, id: face.card, name: face.name, text: face.text });
  }
  return [...found.values()];
}

/** Return the page on which editing begins. */
export function startPage(list, wall, drafts, { state, notice }) {
  const text = state.find;
  const names = new Map((wall?.factions ?? []).map(({ id, name }) => [id, name]));
  const only = state.group;
  // Those of tables alone have no forms.
  const factions = list.begins.faction ? list.factions.filter(({ id }) => id) : [];
  const there = {
    cards: true,
    rules: list.rules.length,
    texts: list.texts.length,
    factions: factions.length,
  };
  const of = (name, all, entry) =>
    only && only !== name ? null : section(word(`edit-${name}`), all, text, entry);
  const groups = [
    text || only
      ? null
      : group(
          word("edit-drafts"),
          drafts.map(({ thing, title }) => link(thing, title, "", "", word("edit-unsaved"))),
          0,
        ),
    text || only ? null : newThings(list, state),
    text || only === "cards"
      ? of("cards", cardsOf(wall), (one) =>
          link(
            { of: "card", faction: one.faction, id: one.id },
            one.name,
            `${one.id} · ${names.get(one.faction) ?? one.faction}`,
          ),
        )
      : null,
    of("rules", list.rules, (one) =>
      link({ of: "rule", id: one.id }, one.label || one.id, one.id, one.text),
    ),
    of(
      "texts",
      list.texts.map((one) => ({ ...one, name: titleOf({ of: "texts", id: one.id }, one.title) })),
      (one) => link({ of: "texts", id: one.id }, one.name),
    ),
    of("factions", factions, (one) => link({ of: "faction", id: one.id }, one.name, one.id)),
  ].filter(Boolean);
  return make(
    "div",
    { className: "edit-start" },
    make(
      "div",
      { className: "edit-top" },
      make("h2", {}, word(list.readOnly ? "edit-look-title" : "edit-title")),
      make("input", {
        type: "search",
        className: "edit-find",
        "data-find": "1",
        id: "edit-find",
        value: text,
        placeholder: word("edit-find"),
        "aria-label": word("edit-find"),
        autocomplete: "off",
        spellcheck: false,
      }),
    ),
    make(
      "div",
      { className: "edit-row edit-groups" },
      ...["", ...Object.keys(there).filter((name) => there[name])].map((name) =>
        make(
          "button",
          {
            type: "button",
            className: "chip",
            "data-act": "group",
            "data-value": name,
            "aria-pressed": String(only === name),
          },
          word(`edit-${name || "all"}`),
        ),
      ),
      make("p", { className: "soft" }, word("edit-start-how")),
    ),
    make(
      "div",
      { className: "edit-notices" },
      notice
        ? make("p", { className: `edit-notice ${notice.kind}`, role: "alert" }, notice.text)
        : null,
      deletedPart(list.readOnly),
    ),
    ...groups,
    text && !groups.length ? make("p", { className: "empty" }, word("edit-none-found")) : null,
    make(
      "p",
      { className: "hidden", role: "status" },
      text
        ? counted(
            "edit-found-one",
            "edit-found",
            groups.reduce((sum, node) => sum + node.querySelectorAll("li").length, 0),
          )
        : "",
    ),
  );
}
