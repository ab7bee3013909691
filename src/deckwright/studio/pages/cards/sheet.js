/** The table of cards as data: its rows and columns, what is edited in them, and the way back. */

import {
  Draft,
  draftOf,
  drafts,
  forgetDraft,
  hearDrafts,
  keepDraft,
  keyOf,
} from "../edit/draft.js";
import { joinParts, partsOf } from "../edit/fields.js";
import { choices } from "../edit/pictures.js";
import { withTitles } from "../edit/titles.js";
import { word } from "../shared/words.js";

/** @returns {any} */
const thingOf = ({ faction, id }) => ({ of: "card", faction, id });
const FLAGS = { true: /^(true|yes|ja|1|x|✓)$/i, false: /^(false|no|nein|0)$/i };
const NUMBERS = new Set(["integer", "decimal"]);

/** Return the form of a row: what a draft needs of it. */
const formOf = (row) => ({
  thing: thingOf(row),
  state: row.state,
  fields: Object.entries(row.values).map(([name, value]) => ({
    name,
    value,
    shown: name in row.locks,
  })),
  children: Object.entries(row.children).map(([tag, items]) => ({
    tag,
    items: /** @type {any[]} */ (items).map((values, from) => ({ from, values })),
  })),
});

/** Return the column of children: those of one field are a list, others are only shown. */
function columnOf(spec, rules) {
  const [first, more] = spec.fields;
  const options = first.type === "rule" ? rules : first.options;
  const separator = first.type === "text" ? "\n" : ",";
  const common = { key: `c:${spec.tag}`, tag: spec.tag, label: spec.label, look: spec.look };
  return { ...common, first: first.name, whole: !more, type: "list", options, separator };
}

/** Return options whose names can be told from each other and from parts of a list. */
function nameOptions(options) {
  const count = Map.groupBy(options, ({ name }) => name);
  const isClear = (name) => name && count.get(name).length === 1 && !/[,;\n]/.test(name);
  return options.map((one) => ({ ...one, name: isClear(one.name) ? one.name : one.value }));
}

/** Return a value as it is shown and copied: terms by their names. */
export function shownText(column, value) {
  if (value === null || value === "") return "";
  if (column.type === "flag") return word(value === "true" ? "edit-yes" : "edit-no");
  const name = (one) => column.options.find((each) => each.value === one)?.name ?? one;
  if (!column.options.length) return value;
  return column.type === "list" ? joinParts(column, partsOf(column, value).map(name)) : name(value);
}

/** Return the value that a text means in a column, null for none. */
export function readText(column, text) {
  const said = column.rich || column.separator === "\n" ? text : text.replace(/\s+/g, " ").trim();
  if (said === "") return column.needed && column.type === "text" ? "" : null;
  if (NUMBERS.has(column.type)) return said.replace("−", "-").replace(/^(-?\d+),(\d+)$/, "$1.$2");
  if (column.type === "flag")
    return Object.keys(FLAGS).find((value) => FLAGS[value].test(said)) ?? said;
  const find = (one) =>
    column.options.find(({ value }) => value === one)?.value ??
    column.options.find(({ name }) => name.toLowerCase() === one.toLowerCase())?.value ??
    one;
  return column.type === "list" ? joinParts(column, partsOf(column, said).map(find)) : find(said);
}

/** Return a block as spreadsheets copy it. */
export const writeBlock = (lines) =>
  lines
    .map((line) =>
      line
        .map((text) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
        .join("\t"),
    )
    .join("\n");

/** Return the block that a spreadsheet has copied: lines of texts. */
export function readBlock(text) {
  const lines = [[]];
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g;
  for (const [found, quoted, plain, end] of text.matchAll(cells)) {
    if (!found) break;
    lines.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end && end !== "\t") lines.push([]);
  }
  if (text.endsWith("\t")) lines.at(-1).push("");
  if (!lines.at(-1).length) lines.pop();
  return lines;
}

/** Rows by key, columns by kind, drafts by row; each change is a step that can be undone. */
export class Sheet {
  #done = [];
  #undone = [];
  #timer = null;
  #checks = 0;

  /** @param {() => void} changed called after whatever changes what is shown. */
  constructor(studio, changed) {
    this.studio = studio;
    this.changed = changed;
    this.readOnly = this.saving = this.hasWorth = false;
    this.version = 0; // it grows with each change
    /** @type {Map<string, any>} */
    this.rows = new Map();
    /** @type {Map<string, Draft>} */
    this.drafts = new Map();
    /** @type {any[]} */
    this.kinds = [];
    /** What is wrong, by the row and then by the column; "" has that of no column. */
    this.found = new Map();
    /** @type {any[]} */
    this.general = [];
    hearDrafts((key) => this.rows.has(key) && (this.#sync(key, draftOf(key)?.kept), changed()));
  }

  /** Read the cards, and lay what is edited over them. */
  async load() {
    if (this.saving) return;
    const answer = await this.studio.ask("/api/grid");
    const all = answer.kinds.flatMap(({ children }) => children);
    const holdsRules = all.some(({ fields }) => fields[0].type === "rule");
    const { rules } = holdsRules ? await choices("") : { rules: [] };
    const factions = this.studio.wall()?.factions ?? [];
    const owners = factions.map(({ id, name }) => ({ value: id, name }));
    const faction = { key: "faction", label: word("faction"), type: "term", options: owners };
    const named = nameOptions(rules.map(({ id, label }) => ({ value: id, name: label })));
    this.kinds = answer.kinds.map(({ kind, name, fields, children }) => {
      const given = { thing: { of: "card" }, title: "", fields, children };
      const form = withTitles(given, this.studio.wall()?.game.filters);
      const [id, ...others] = form.fields.map((one) => ({ ...one, key: one.name }));
      const columns = [
        id,
        ...(factions.length > 1 ? [faction] : []),
        ...others,
        ...form.children.map((spec) => columnOf(spec, named)),
      ];
      for (const one of columns) one.options = nameOptions(one.options ?? []);
      return { kind, name, columns };
    });
    Object.assign(this, { readOnly: answer.readOnly, hasWorth: answer.hasWorth });
    this.rows = new Map(answer.rows.map((row) => [keyOf(thingOf(row)), row]));
    for (const [key, row] of this.rows) {
      row.key = key;
      row.values.faction = row.faction;
      row.locks.faction = "";
    }
    this.sync();
  }

  /** Take what the browser keeps, which a form may have edited as well. */
  sync() {
    const kept = new Map(drafts().map((one) => [one.key, one.kept]));
    for (const key of new Set([...this.drafts.keys(), ...kept.keys()]))
      this.#sync(key, kept.get(key));
    this.changed();
    this.#check();
  }

  #sync(key, kept) {
    const [row, old] = [this.rows.get(key), this.drafts.get(key)];
    if (!row || !kept || !row.editable || this.readOnly) return void this.drafts.delete(key);
    const same = old && old.form.state === row.state;
    if (same && JSON.stringify(old.kept()) === JSON.stringify(kept)) return undefined;
    const draft = new Draft(formOf(row));
    draft.resume(kept);
    this.drafts.set(key, draft);
    return this.#keep(row, draft);
  }

  #keep(row, draft) {
    const thing = draft.form.thing;
    if (draft.dirty)
      return keepDraft(this.studio, row.key, {
        thing,
        title: draft.values.name || row.values.name,
        kept: draft.kept(),
      });
    this.drafts.delete(row.key);
    return forgetDraft(this.studio, row.key, thing);
  }

  // Cells.

  /** Return the value of a cell, null for none; as the file has it if the draft is null. */
  get(row, column, draft = this.drafts.get(row.key)) {
    if (!column.tag) {
      const values = draft && column.key in draft.values ? draft.values : row.values;
      return values[column.key] ?? null;
    }
    const items = draft
      ? (draft.children[column.tag] ?? []).map(({ values }) => values)
      : (row.children[column.tag] ?? []);
    if (column.whole)
      return joinParts(
        column,
        items.map((values) => values[column.first] ?? ""),
      );
    return items.map((values) => Object.values(values).filter(Boolean).join(" ")).join("; ");
  }

  text = (row, column) => shownText(column, this.get(row, column));

  /** Return whether a cell can be changed. */
  isFree({ values, locks, children, editable }, { tag, whole, key }) {
    if (this.readOnly || !editable) return false;
    return tag ? whole && tag in children : key in values && !(key in locks);
  }

  /** Return why a cell cannot be changed, "" if it can. */
  lockOf(row, column) {
    if (this.isFree(row, column)) return "";
    if (this.readOnly) return word("edit-only-look");
    if (!row.editable) return word("edit-in-table", row.place.path);
    if (column.tag in row.children) return word("grid-in-form");
    const lock = row.locks[column.tag ?? column.key];
    if (lock === "") return word(column.key === "id" ? "grid-id" : "grid-computed");
    return word(`edit-lock-${lock ?? "column"}`);
  }

  /** Return what another has written in a cell that is edited here, undefined for nothing. */
  clash(row, column) {
    const now = this.drafts.get(row.key)?.clashes[column.tag ? column.key : `f:${column.key}`];
    return Array.isArray(now)
      ? now.map((values) => Object.values(values).join(" ")).join(", ")
      : now;
  }

  settle(row, column, theirs) {
    const draft = this.drafts.get(row.key);
    draft.settle(column.tag ? column.key : `f:${column.key}`, theirs);
    this.#keep(row, draft);
    this.changed();
  }

  /** Return a row with a clash, undefined if there is none. */
  get clashing() {
    return [...this.drafts].find(([, { clashes }]) => Object.keys(clashes).length)?.[0];
  }

  // Steps.

  /**
   * Put values into cells, in one step; those that are locked stay.
   *
   * @param {{row: any, column: any, value: string | null}[]} cells
   * @returns how many have changed, and how many are locked.
   */
  put(cells) {
    const free = cells.filter(({ row, column }) => this.isFree(row, column));
    const step = free
      .map((cell) => ({ ...cell, key: cell.row.key, before: this.get(cell.row, cell.column) }))
      .filter(({ before, value }) => (before ?? "") !== (value ?? ""));
    if (step.length) {
      this.#done.push(step);
      this.#undone = [];
      this.#apply(step, "value");
    }
    return { changed: step.length, locked: cells.length - free.length };
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** Undo a step, or do it again; return its cells. */
  turn(back) {
    const [from, to] = back ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const step = from.pop() ?? [];
    if (step.length) to.push(step);
    this.#apply(step, back ? "before" : "value");
    return step;
  }

  /** Let all cells be as in the files, in one step. */
  revert() {
    const rows = [...this.drafts.keys()].map((key) => this.rows.get(key));
    const cells = rows.flatMap((row) =>
      this.kinds
        .find(({ kind }) => kind === row.kind)
        .columns.map((column) => ({ row, column, value: this.get(row, column, null) })),
    );
    this.put(cells);
    for (const row of rows) {
      const draft = this.drafts.get(row.key);
      if (!draft) continue; // what the table does not show was edited in a form
      draft.revert();
      this.#keep(row, draft);
    }
    this.changed();
  }

  #apply(step, side) {
    this.version++;
    const touched = new Set();
    for (const { key, column, [side]: value } of step) {
      const row = this.rows.get(key);
      if (!row || !this.isFree(row, column)) continue; // it is gone
      if (!this.drafts.has(key)) this.drafts.set(key, new Draft(formOf(row)));
      const draft = this.drafts.get(key);
      draft.seal();
      if (column.tag)
        draft.setList(
          column.tag,
          partsOf(column, value).map((part) => ({ [column.first]: part })),
        );
      else draft.set(column.key, value);
      touched.add(row);
    }
    for (const row of touched) this.#keep(row, this.drafts.get(row.key));
    this.changed();
    this.#check();
  }

  // The server.

  /** Return the drafts as the server wants them, with other values in some cells. */
  sent(cells = []) {
    const given = new Map(
      [...this.drafts].map(([key, draft]) => [key, { ...draft.form.thing, ...draft.changes() }]),
    );
    for (const { row, column, value } of cells) {
      const one = given.get(row.key) ?? { ...thingOf(row), values: {}, children: {} };
      given.set(row.key, { ...one, values: { ...one.values, [column.key]: value } });
    }
    return [...given].map(([key, one]) => ({ ...one, state: this.rows.get(key).state }));
  }

  /** Ask what is wrong, in a moment: more may be typed. */
  #check() {
    clearTimeout(this.#timer);
    const mine = ++this.#checks;
    if (!this.drafts.size) return this.#take([], []);
    this.#timer = setTimeout(async () => {
      const cards = this.sent();
      const answer = await this.studio.attempt(() =>
        this.studio.post("/api/grid/check", { cards }),
      );
      if (answer && mine === this.#checks) this.#take(answer.findings, cards);
    }, 250);
    return undefined;
  }

  #take(findings, cards) {
    ({ found: this.found, general: this.general } = groupFindings(findings, cards));
    this.changed();
  }

  /**
   * Save all drafts, or none; what is typed meanwhile stays.
   *
   * @throws {Error} where the server refuses; its findings are taken.
   */
  async save(anyway) {
    const cards = this.sent();
    const sent = cards.map((one) => {
      const { values, children } = this.drafts.get(keyOf(thingOf(one)));
      return { values, children };
    });
    this.saving = true;
    this.changed();
    try {
      const { things } = await this.studio.post("/api/grid/save", { cards, anyway });
      this.saving = false;
      const old = this.drafts;
      this.drafts = new Map();
      for (const one of cards) forgetDraft(this.studio, keyOf(thingOf(one)), thingOf(one));
      await this.load();
      things.forEach((thing, at) => {
        const [key, former] = [keyOf(thing), keyOf(thingOf(cards[at]))];
        const [row, draft] = [this.rows.get(key), old.get(former)];
        for (const step of key === former ? [] : [...this.#done, ...this.#undone])
          for (const cell of step) if (cell.key === former) cell.key = key;
        if (!row) return;
        draft.saved(formOf(row), sent[at]);
        if (draft.dirty) this.drafts.set(key, draft);
        this.#keep(row, draft);
      });
      this.sync();
      return cards.length;
    } catch (error) {
      if (error.answer?.findings) this.#take(error.answer.findings, cards);
      throw error;
    } finally {
      this.saving = false;
      this.changed();
    }
  }
}

/** Return findings by row and column, and those of no cell. */
export function groupFindings(findings, cards) {
  const found = new Map();
  const general = [];
  for (const one of findings) {
    const key = one.here && cards[one.target] ? keyOf(thingOf(cards[one.target])) : null;
    if (!key) general.push(one);
    else {
      const cells = found.get(key) ?? found.set(key, new Map()).get(key);
      const name = one.child ? `c:${one.child}` : (one.field ?? "id");
      cells.set(name, [...(cells.get(name) ?? []), one]);
    }
  }
  return { found, general };
}
