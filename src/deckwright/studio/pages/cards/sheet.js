/** The table of cards as data: its rows and columns, what is edited in them, and the way back. */

import * as kept from "../edit/draft.js";
import { joinParts, partsOf } from "../edit/fields.js";
import { choices } from "../edit/pictures.js";
import { withTitles } from "../edit/titles.js";
import { word } from "../shared/words.js";

/** @returns {any} */
const thingOf = ({ faction, id }) => ({ of: "card", faction, id });
const keyOfCard = (card) => kept.keyOf(thingOf(card));
const FLAGS = { true: /^(true|yes|ja|1|x|✓)$/i, false: /^(false|no|nein|0)$/i };

/** Return the form of a row: what a draft needs of it. */
function formOf(row) {
  const fields = Object.entries(row.values).map(([name, value]) => ({ name, value }));
  const children = Object.entries(row.children).map(([tag, all]) => {
    return { tag, items: all.map((values, from) => ({ from, values })) };
  });
  const shown = fields.map((field) => ({ ...field, shown: field.name in row.locks }));
  return { thing: thingOf(row), state: row.state, fields: shown, children };
}

/** Return the column of children: those of one field are a list, others are only shown. */
function columnOf({ tag, label, look, fields: [first, more] }, rules) {
  const options = first.type === "rule" ? rules : first.options;
  const separator = first.type === "text" ? "\n" : ",";
  const list = { type: "list", first: first.name, whole: !more, options, separator };
  return { key: `c:${tag}`, tag, label, look, ...list };
}

/** Return options whose names can be told from each other and from parts of a list. */
function nameOptions(options = []) {
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
  if (["integer", "decimal"].includes(column.type))
    return said.replace("−", "-").replace(/^(-?\d+),(\d+)$/, "$1.$2");
  if (column.type === "flag")
    return Object.keys(FLAGS).find((one) => FLAGS[one].test(said)) ?? said;
  const { options } = column;
  const find = (one) =>
    options.find(({ value }) => value === one)?.value ??
    options.find(({ name }) => name.toLowerCase() === one.toLowerCase())?.value ??
    one;
  return column.type === "list" ? joinParts(column, partsOf(column, said).map(find)) : find(said);
}

/** Return lines of texts as spreadsheets copy them. */
export function writeBlock(lines) {
  const quote = (text) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return lines.map((line) => line.map(quote).join("\t")).join("\n");
}

/** Return the lines of texts that a spreadsheet has copied. */
export function readBlock(text) {
  const lines = [[]];
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/g;
  for (const [found, quoted, plain, end] of text.matchAll(cells)) {
    if (!found) break;
    lines.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end && end !== "\t") lines.push([]);
  }
  if (text.endsWith("\t")) lines.at(-1).push("");
  return lines.at(-1).length ? lines : lines.slice(0, -1);
}

/** Return findings by row and column; those of no cell are at "". */
export function groupFindings(findings, cards) {
  const found = new Map();
  for (const one of findings) {
    const key = one.here && cards[one.target] ? keyOfCard(cards[one.target]) : "";
    const name = !key ? "" : one.child ? `c:${one.child}` : (one.field ?? "id");
    if (!found.has(key)) found.set(key, new Map());
    found.get(key).set(name, [...(found.get(key).get(name) ?? []), one]);
  }
  return found;
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
    /** @type {Map<string, kept.Draft>} */
    this.drafts = new Map();
    /** @type {any[]} */
    this.kinds = [];
    this.found = new Map(); // what is wrong, by row and column
    kept.hearDrafts((key) => (this.#sync(key, kept.draftOf(key)?.kept), changed()));
  }

  /** Read the cards, and lay what is edited over them. */
  async load() {
    if (this.saving) return;
    await this.#read();
    this.sync();
  }

  async #read() {
    const { kinds, rows, readOnly, hasWorth } = await this.studio.ask("/api/grid");
    const lists = kinds.flatMap(({ children }) => children);
    const holdsRules = lists.some(({ fields }) => fields[0].type === "rule");
    const { rules } = holdsRules ? await choices("") : { rules: [] };
    const { factions = [], game } = this.studio.wall() ?? {};
    const owners = factions.map(({ id, name }) => ({ value: id, name }));
    const faction = { key: "faction", label: word("faction"), type: "term", options: owners };
    this.kinds = kinds.map(({ kind, name, fields, children }) => {
      const form = withTitles(
        { thing: { of: "card" }, title: "", fields, children },
        game?.filters,
      );
      const [id, called, ...others] = form.fields.map((one) => ({ ...one, key: one.name }));
      const options = rules.map((rule) => ({ value: rule.id, name: rule.label }));
      others.push(...form.children.map((spec) => columnOf(spec, options)));
      const columns =
        owners.length > 1 ? [id, called, faction, ...others] : [id, called, ...others];
      return { kind, name, columns: columns.map(withOptions) };
    });
    Object.assign(this, { readOnly, hasWorth });
    for (const row of rows) {
      row.key = keyOfCard(row);
      [row.values.faction, row.locks.faction] = [row.faction, ""];
    }
    this.rows = new Map(rows.map((row) => [row.key, row]));
  }

  /** Take what the browser keeps, which a form may have edited as well. */
  sync() {
    const all = new Map(kept.drafts().map((one) => [one.key, one.kept]));
    for (const key of new Set([...this.drafts.keys(), ...all.keys()]))
      this.#sync(key, all.get(key));
    this.changed();
    this.#check();
  }

  #sync(key, given) {
    const [row, old] = [this.rows.get(key), this.drafts.get(key)];
    if (!row?.editable || !given || this.readOnly) return void this.drafts.delete(key);
    const same =
      old?.form.state === row.state && JSON.stringify(old.kept()) === JSON.stringify(given);
    if (same) return undefined;
    this.drafts.set(key, new kept.Draft(formOf(row)));
    this.drafts.get(key).resume(given);
    return this.#keep(row);
  }

  /** Let the browser keep the draft of a row, or forget one that is as the file. */
  #keep(row) {
    const draft = this.drafts.get(row.key);
    const { thing } = draft.form;
    const title = draft.values.name || row.values.name;
    if (draft.dirty) kept.keepDraft(this.studio, row.key, { thing, title, kept: draft.kept() });
    else kept.forgetDraft(this.studio, row.key, thing);
    if (!draft.dirty) this.drafts.delete(row.key);
  }

  // Cells.

  /** Return the value of a cell, null for none; as the file has it if the draft is null. */
  get(row, column, draft = this.drafts.get(row.key)) {
    if (!column.tag)
      return (draft && column.key in draft.values ? draft : row).values[column.key] ?? null;
    const drafted = draft?.children[column.tag]?.map(({ values }) => values);
    const items = (drafted ?? row.children[column.tag] ?? []).map((values) =>
      Object.values(values),
    );
    if (column.whole)
      return joinParts(
        column,
        items.map(([value]) => value ?? ""),
      );
    return items.map((values) => values.filter(Boolean).join(" ")).join("; ");
  }

  text = (row, column) => shownText(column, this.get(row, column));

  isFree({ values, locks, children, editable }, { tag, whole, key }) {
    if (this.readOnly || !editable) return false;
    return tag ? whole && tag in children : key in values && !(key in locks);
  }

  lockOf(row, column) {
    if (this.isFree(row, column)) return "";
    if (this.readOnly) return word("edit-only-look");
    if (!row.editable) return word("edit-in-table", row.place.path);
    if (column.tag in row.children) return word("grid-in-form");
    const lock = row.locks[column.tag ?? column.key] ?? "column";
    if (lock) return word(`edit-lock-${lock}`);
    return word(column.key === "id" ? "grid-id" : "grid-computed");
  }

  #path = (column) => (column.tag ? column.key : `f:${column.key}`);

  /** Return what another has written in a cell that is edited here, undefined for nothing. */
  clash(row, column) {
    const now = this.drafts.get(row.key)?.clashes[this.#path(column)];
    return Array.isArray(now) ? now.flatMap((one) => Object.values(one)).join(", ") : now;
  }

  /** End a clash: with what the file says, or with what is written here. */
  settle(row, column, theirs) {
    this.drafts.get(row.key).settle(this.#path(column), theirs);
    this.#keep(row);
    this.changed();
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
    const columns = ({ kind }) => this.kinds.find((one) => one.kind === kind).columns;
    const cells = rows.flatMap((row) => columns(row).map((column) => ({ row, column })));
    this.put(cells.map((cell) => ({ ...cell, value: this.get(cell.row, cell.column, null) })));
    for (const [key, draft] of this.drafts) (draft.revert(), this.#keep(this.rows.get(key)));
    this.changed();
  }

  #apply(step, side) {
    this.version++;
    const touched = new Set();
    for (const { key, column, [side]: value } of step) {
      const row = this.rows.get(key);
      if (!row || !this.isFree(row, column)) continue; // it is gone
      if (!this.drafts.has(key)) this.drafts.set(key, new kept.Draft(formOf(row)));
      const draft = this.drafts.get(key);
      draft.seal();
      if (!column.tag) draft.set(column.key, value);
      else
        draft.setList(
          column.tag,
          partsOf(column, value).map((part) => ({ [column.first]: part })),
        );
      touched.add(row);
    }
    for (const row of touched) this.#keep(row);
    this.changed();
    this.#check();
  }

  // The server.

  /** Return the drafts as the server wants them, with other values in some cells. */
  sent(cells = []) {
    const changes = (key) => this.drafts.get(key)?.changes() ?? { values: {}, children: {} };
    const keys = new Set([...this.drafts.keys(), ...cells.map(({ row }) => row.key)]);
    const cards = new Map(
      [...keys].map((key) => [key, { ...this.rows.get(key), ...changes(key) }]),
    );
    for (const { row, column, value } of cells) cards.get(row.key).values[column.key] = value;
    return [...cards.values()].map(({ faction, id, state, values, children }) => {
      return { faction, id, state, values, children };
    });
  }

  /** Ask what is wrong, in a moment: more may be typed. */
  #check() {
    clearTimeout(this.#timer);
    const mine = ++this.#checks;
    this.#timer = setTimeout(async () => {
      const cards = this.sent();
      const ask = () => this.studio.post("/api/grid/check", { cards });
      const answer = cards.length ? await this.studio.attempt(ask) : { findings: [] };
      if (answer && mine === this.#checks) this.#take(answer.findings, cards);
    }, 250);
  }

  #take(findings, cards) {
    this.found = groupFindings(findings, cards);
    this.changed();
  }

  /**
   * Save all drafts, or none; what is typed meanwhile stays.
   *
   * @throws {Error} where the server refuses; its findings are taken.
   */
  async save(anyway) {
    const cards = this.sent();
    const former = cards.map((card) => ({ ...this.drafts.get(keyOfCard(card)) }));
    this.saving = true;
    this.changed();
    try {
      const { things } = await this.studio.post("/api/grid/save", { cards, anyway });
      await this.#read();
      things.forEach((thing, at) => {
        const [key, old] = [kept.keyOf(thing), keyOfCard(cards[at])];
        const draft = this.drafts.get(old);
        kept.forgetDraft(this.studio, old, thingOf(cards[at]));
        this.drafts.delete(old);
        const cells = key === old ? [] : [...this.#done, ...this.#undone].flat();
        for (const cell of cells) if (cell.key === old) cell.key = key; // its name made its id
        if (!this.rows.has(key)) return;
        draft.saved(formOf(this.rows.get(key)), former[at]);
        this.drafts.set(key, draft);
        this.#keep(this.rows.get(key));
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

const withOptions = (column) => ({ ...column, options: nameOptions(column.options) });
