/** What is edited, the way back, and what the browser keeps: drafts, and what was deleted. */

import { readStored } from "../shared/page.js";

// What is being edited: the values as they stand in the form, what they were, and the way back.

const sameValue = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const copy = (given) => ({ ...given }); // what is in it is replaced, not changed

/** Return whether a thing is a card, or the translations of one. */
export const isCard = ({ of, id }) =>
  of === "card" || (of === "translation" && /^[^/]+\/(card|token)\//.test(id));

/** Return what tells a thing from all others. */
export const keyOf = ({ of, id, faction, new: begun, kind, like, rule }) =>
  (begun
    ? ["new", of, faction, kind, like, rule].map((part) => part ?? "")
    : [of, faction, id].filter((part) => part !== undefined)
  ).join(":");

/** Return how much of two texts or lists is the same at their beginning and at their end. */
export function differenceOf(one, other) {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { head, tail };
}

/** Return which lines of a text have become others. */
function changeOf(former, text) {
  const [old, lines] = [former.split("\n"), text.split("\n")];
  const { head, tail } = differenceOf(old, lines);
  return { from: head, to: old.length - tail, lines: lines.slice(head, lines.length - tail) };
}

/** Return a text of many lines with the changes of two, null if both have changed the same lines. */
function mergeTexts(former, mine, theirs) {
  if (![former, mine, theirs].every((text) => text?.includes("\n"))) return null;
  const changes = [changeOf(former, mine), changeOf(former, theirs)].sort(
    (a, b) => a.from - b.from,
  );
  const [first, second] = changes;
  if (first.to >= second.from) return null;
  const lines = former.split("\n");
  for (const { from, to, lines: now } of [second, first]) lines.splice(from, to - from, ...now);
  return lines.join("\n");
}

/** Values of a form, without what is shown only. */
function valuesOf(form) {
  const found = {};
  for (const { name, value, fuzzy, shown } of form.fields) {
    if (!shown) found[name] = value ?? null;
    if (fuzzy !== undefined) found[`${name}?fuzzy`] = String(fuzzy);
  }
  return found;
}

/**
 * A draft of one thing.
 *
 * - `values`: texts by the name of the field, null where none is given
 * - `children`: by tag, a list of `{key, values}`; keys are the draft's own
 * - `clashes`: what the file says now of what was edited here, by path: `f:name` or `c:tag`
 */
export class Draft {
  #next = 0;
  #from = new Map(); // the index in the file of each child that stands there, by key
  #undone = [];
  #done = [];
  #step = null; // what the last step was about: typing on goes into the same one

  constructor(form) {
    this.clashes = {};
    this.#take(form);
    this.values = copy(this.was.values);
    this.children = copy(this.was.children);
  }

  #take(form) {
    this.form = form;
    this.#from.clear();
    const children = {};
    for (const { tag, items } of form.children) {
      children[tag] = items.map(({ from, values }) => {
        const key = `k${this.#next++}`;
        this.#from.set(key, from);
        return { key, values };
      });
    }
    this.was = { values: valuesOf(form), children };
  }

  /** What is edited of a list, without the draft's own keys. */
  #plain(children, tag) {
    return (children[tag] ?? []).map(({ key, values }) => [this.#from.get(key) ?? null, values]);
  }

  /** Return what differs from the file, as the server wants it. */
  changes() {
    const values = {};
    for (const [name, value] of Object.entries(this.values))
      if (value !== this.was.values[name]) values[name] = value;
    const children = {};
    for (const tag of Object.keys(this.children)) {
      if (sameValue(this.#plain(this.children, tag), this.#plain(this.was.children, tag))) continue;
      children[tag] = this.children[tag].map((item) => ({
        from: this.#from.get(item.key) ?? null,
        values: item.values,
      }));
    }
    return { values, children };
  }

  get dirty() {
    const { values, children } = this.changes();
    return Object.keys(values).length + Object.keys(children).length > 0;
  }

  // Steps.

  #mark(about) {
    if (about !== null && about === this.#step) return;
    this.#done.push({ values: this.values, children: this.children });
    this.#undone = [];
    this.#step = about;
  }

  /** What comes now is a step of its own. */
  seal() {
    this.#step = null;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  #turn(from, to) {
    if (!from.length) return;
    to.push({ values: this.values, children: this.children });
    Object.assign(this, from.pop());
    this.#step = null;
  }

  undo() {
    this.#turn(this.#done, this.#undone);
  }

  redo() {
    this.#turn(this.#undone, this.#done);
  }

  // Changes.

  set(name, value) {
    this.setAll({ [name]: value });
  }

  /** Set values in one step; fields that the form only shows stay as they are. */
  setAll(given) {
    const isNew = ([name, value]) => name in this.values && this.values[name] !== value;
    const changed = Object.entries(given).filter(isNew);
    if (!changed.length) return;
    this.#mark(Object.keys(given).join(" "));
    this.values = { ...this.values, ...Object.fromEntries(changed) };
  }

  #list(tag, list, about = null) {
    this.#mark(about);
    this.children = { ...this.children, [tag]: list };
  }

  setChild(tag, key, name, value) {
    const list = this.children[tag].map((item) =>
      item.key === key ? { key, values: { ...item.values, [name]: value } } : item,
    );
    this.#list(tag, list, `${tag} ${key} ${name}`);
  }

  /** Add a child and return its key. */
  add(tag, values) {
    const key = `k${this.#next++}`;
    this.#list(tag, [...(this.children[tag] ?? []), { key, values }]);
    return key;
  }

  remove(tag, key) {
    this.#list(
      tag,
      this.children[tag].filter((item) => item.key !== key),
    );
  }

  /** Move a child to another place of its list. */
  move(tag, key, by) {
    const list = [...this.children[tag]];
    const at = list.findIndex((item) => item.key === key);
    const to = Math.max(0, Math.min(list.length - 1, at + by));
    if (at === to) return;
    list.splice(to, 0, ...list.splice(at, 1));
    this.#list(tag, list);
  }

  /** Let a list have children of these values; those that are like others stay the same. */
  setList(tag, values) {
    const was = this.was.children[tag];
    const others = this.children[tag].filter((item) => !was.some(({ key }) => key === item.key));
    const wanted = values.map((given) => ({ values: given }));
    this.#list(tag, this.#adopt(wanted, [...was, ...others]));
  }

  /** Undo all: the form is as the file. */
  revert() {
    if (!this.dirty) return;
    this.#mark(null);
    this.values = copy(this.was.values);
    this.children = copy(this.was.children);
    this.clashes = {};
  }

  // What others have done meanwhile.

  /**
   * Take the form as it was saved; what was typed after it had been sent stays.
   *
   * @param sent what the draft held then.
   */
  saved(form, sent) {
    const mine = { values: this.values, children: this.children };
    this.#take(form);
    for (const [tag, list] of Object.entries(this.was.children)) {
      // The same children keep their keys, so that steps back find them.
      list.forEach((item, at) => {
        const former = sent.children[tag]?.[at];
        if (!former) return;
        this.#from.set(former.key, this.#from.get(item.key));
        this.#from.delete(item.key);
        item.key = former.key;
      });
    }
    this.values = copy(this.was.values);
    this.children = copy(this.was.children);
    for (const [name, value] of Object.entries(mine.values))
      if (name in this.values && value !== sent.values[name]) this.values[name] = value;
    for (const [tag, list] of Object.entries(mine.children))
      if (list !== sent.children[tag]) this.children[tag] = list;
    this.clashes = {};
    this.#step = null;
  }

  /** Lay what was edited here over a file that has changed; what both have edited is a clash. */
  rebase(form) {
    const { was, clashes: open } = this;
    const mine = { values: this.values, children: this.children };
    const old = Object.fromEntries(
      Object.keys(was.children).map((tag) => [tag, was.children[tag].map(({ values }) => values)]),
    );
    const { values: changed, children: moved } = this.changes();
    this.#take(form);
    this.values = copy(this.was.values);
    this.children = copy(this.was.children);
    this.clashes = {};
    this.#done = [];
    this.#undone = [];
    for (const name of Object.keys(changed)) {
      if (!(name in this.was.values)) continue;
      const now = this.was.values[name];
      this.values[name] = mergeTexts(was.values[name], mine.values[name], now) ?? mine.values[name];
      if (this.values[name] !== mine.values[name]) continue;
      if ((now !== was.values[name] || `f:${name}` in open) && now !== mine.values[name])
        this.clashes[`f:${name}`] = now;
    }
    for (const tag of Object.keys(moved)) {
      if (!(tag in this.was.children)) continue;
      const now = this.was.children[tag];
      const kept = now.map(({ values }) => values);
      if (!sameValue(kept, old[tag]) || `c:${tag}` in open) this.clashes[`c:${tag}`] = kept;
      this.children[tag] = this.#adopt(mine.children[tag], now);
    }
  }

  /** Give children the keys of those in the file that are like them. */
  #adopt(list, now) {
    const free = [...now];
    return list.map(({ values }) => {
      const at = free.findIndex((item) => sameValue(item.values, values));
      return at < 0
        ? { key: `k${this.#next++}`, values }
        : { key: free.splice(at, 1)[0].key, values };
    });
  }

  /** End a clash: with what the file says, or with what is written here. */
  settle(path, theirs) {
    const name = path.slice(2);
    if (theirs && path.startsWith("f:")) this.set(name, this.was.values[name]);
    if (theirs && path.startsWith("c:")) this.#list(name, this.was.children[name]);
    delete this.clashes[path];
  }

  // What the browser keeps.

  /** Return what is not saved yet, for the browser to keep. */
  kept() {
    const { values, children } = this.changes();
    const pick = (from, names) =>
      Object.fromEntries(Object.keys(names).map((name) => [name, from[name]]));
    return {
      state: this.form.state,
      values,
      was: pick(this.was.values, values),
      children,
      clashes: this.clashes,
      list: Object.fromEntries(
        Object.keys(children).map((tag) => [
          tag,
          this.was.children[tag].map((item) => item.values),
        ]),
      ),
    };
  }

  /** Take what another tab has written in the same form, null for nothing. */
  follow(kept) {
    this.#mark(null);
    this.values = copy(this.was.values);
    this.children = copy(this.was.children);
    this.clashes = {};
    if (kept) this.resume(kept);
  }

  /** Take a value that nobody has typed; once somebody has, it stays. */
  propose(name, value) {
    if (this.values[name] !== this.was.values[name]) return;
    this.was.values[name] = value;
    this.values = { ...this.values, [name]: value };
  }

  /** Take up what was kept. If the file is another by now, it is laid over it. */
  resume(kept) {
    const { form } = this;
    const items = (tag, list) =>
      list.map(({ from, values }) => ({
        key: from === null || !kept.list[tag]?.[from] ? `k${this.#next++}` : this.#at(tag, from),
        values,
      }));
    if (kept.state !== form.state) {
      const former = {
        ...form,
        fields: form.fields.map((field) =>
          field.name in kept.was ? { ...field, value: kept.was[field.name] } : field,
        ),
        children: form.children.map((spec) =>
          spec.tag in kept.list
            ? { ...spec, items: kept.list[spec.tag].map((values, from) => ({ from, values })) }
            : spec,
        ),
      };
      this.#take(former);
      this.values = copy(this.was.values);
      this.children = copy(this.was.children);
    }
    for (const [name, value] of Object.entries(kept.values))
      if (name in this.values) this.values[name] = value;
    for (const [tag, list] of Object.entries(kept.children))
      if (tag in this.children) this.children[tag] = items(tag, list);
    this.clashes = { ...kept.clashes };
    if (kept.state !== form.state) this.rebase(form);
  }

  #at(tag, from) {
    return (
      this.was.children[tag].find(({ key }) => this.#from.get(key) === from)?.key ??
      `k${this.#next++}`
    );
  }
}

// What was deleted and can come back until its file changes; the last one is last.

const GONE_KEY = `deckwright:${document.documentElement.dataset.game}:deleted`;
const MOST = 20;

const allGone = () => readStored(GONE_KEY, []);
const storeGone = (list) => localStorage.setItem(GONE_KEY, JSON.stringify(list.slice(-MOST)));

/** Return what was deleted last: `{thing, title, path, undo}`. */
export const lastGone = () => allGone().at(-1);

export const keepGone = (one) => storeGone([...allGone(), one]);

/** Forget what was deleted last; or all that was in a file, which has changed. */
export const forgetGone = (path) =>
  storeGone(
    path === undefined ? allGone().slice(0, -1) : allGone().filter((one) => one.path !== path),
  );

// Drafts that are not saved: the browser keeps them, so that they outlive the page.

const game = document.documentElement.dataset.game;
const DRAFT_KEY = `deckwright:${game}:edit:`;
const SOON = 50; // ms until drafts are written

const unwritten = new Map(); // drafts by key, null for those to forget: writing many takes long

function writeDrafts() {
  for (const [key, draft] of unwritten)
    if (draft) localStorage.setItem(DRAFT_KEY + key, JSON.stringify(draft));
    else localStorage.removeItem(DRAFT_KEY + key);
  unwritten.clear();
}

addEventListener("pagehide", writeDrafts);

function writeSoon(key, draft) {
  if (!unwritten.size) setTimeout(writeDrafts, SOON);
  unwritten.set(key, draft);
}

export function drafts() {
  writeDrafts();
  const found = [];
  for (let at = 0; at < localStorage.length; at++) {
    const name = localStorage.key(at);
    if (!name.startsWith(DRAFT_KEY)) continue;
    const one = draftOf(name.slice(DRAFT_KEY.length));
    if (one) found.push(one);
  }
  return found.sort((one, other) => one.title.localeCompare(other.title));
}

export function draftOf(key) {
  writeDrafts();
  const kept = readStored(DRAFT_KEY + key, null);
  return kept && { key, ...kept };
}

const workOf = ({ thing, key }) =>
  thing.of === "card" && !thing.new ? `edit:${thing.faction}:${thing.id}` : `edit:${key}`;

export function keepDraft(studio, key, draft) {
  writeSoon(key, draft);
  studio.unsaved(workOf({ key, ...draft }), draft.title);
}

export function forgetDraft(studio, key, thing) {
  // Nothing is scheduled without need: it would undo what another tab writes until then.
  if (unwritten.has(key) || localStorage.getItem(DRAFT_KEY + key) !== null) writeSoon(key, null);
  studio.unsaved(workOf({ key, thing }), null);
}

export function hearDrafts(hear) {
  addEventListener("storage", ({ key: name, newValue }) => {
    if (!name?.startsWith(DRAFT_KEY)) return;
    const key = name.slice(DRAFT_KEY.length);
    unwritten.delete(key); // the other tab was later
    hear(key, newValue === null ? null : draftOf(key)?.kept);
  });
}

/** Say of all drafts that they are not saved, as after a reload. */
export function remind(studio) {
  for (const draft of drafts()) studio.unsaved(workOf(draft), draft.title);
}
