/** The table of cards: rows that scroll by the thousand, cells that are edited as in a spreadsheet. */

import { morph } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import {
  $,
  counted,
  language,
  localize,
  make,
  makeOptions,
  sentence,
  word,
} from "../shared/words.js";
import { drawForm, findNext, replace } from "./changes.js";
import { readBlock, readText, Sheet, shownText, writeBlock } from "./sheet.js";

const ROW = 34; // px, the height of a row
const BEYOND = 8; // rows that are drawn above and below what is seen
const [NARROWEST, WIDEST] = [5, 22]; // rem, of a column
const TITLES = "titles"; // the key of the row of the titles
const { compare } = new Intl.Collator(language, { numeric: true });
const clamp = (at, least, most) => Math.max(least, Math.min(most, at));
const isWrong = ({ severity }) => severity === "error";

/** Return what tells the card of a row and of a face from others: where it stands, and its id. */
export const spotOf = ({ source, place = source, card, id = card }) =>
  `${place.path}:${place.line}:${id}`;

export class Grid {
  #nodes = new Map(); // the rows that are drawn, by key
  #free = []; // nodes of rows that are not seen any more
  #places = new Map(); // where each row is, by key
  #drawn = ""; // what the order of the rows was made of
  #drawnRows = null;
  #head = { row: "", column: "" }; // the active cell
  #anchor = null; // the other corner of the block, null for one cell
  #editor = null; // the cell that is edited, and its field
  #frame = 0;

  constructor(studio) {
    this.studio = studio;
    this.kind = "";
    this.sort = { key: "", up: true };
    this.all = false; // whether what only matters for the drawing is shown
    this.form = ""; // what is open above the table: to find, or to change many cells
    this.selection = null; // the cells in which that finds
    this.plan = null; // what the change of many would do
    this.notice = null; // why something was refused
    this.spots = []; // of the cards that are shown
    this.kinds = []; // those that have cards that are shown
    this.rows = [];
    this.columns = [];
    this.box = $("grid");
    this.titles = this.box.querySelector(".grid-row");
    this.body = this.box.querySelector(".grid-body");
    this.sheet = new Sheet(studio, () => this.draw());
    this.#wire();
  }

  show(spots) {
    this.spots = spots;
    this.draw();
  }

  // What is where.

  /** Where the active cell is; -1 is the row of the titles. */
  get at() {
    const { row, column } = this.#head;
    return { r: row === TITLES ? -1 : (this.#places.get(row) ?? 0), c: this.#column(column) };
  }

  #column = (key) =>
    Math.max(
      0,
      this.columns.findIndex((column) => column.key === key),
    );

  /** The first and last rows and columns of the selected block. */
  get block() {
    const { r, c } = this.at;
    const known = this.#anchor && this.#places.has(this.#anchor.row);
    const [row, column] = known
      ? [this.#places.get(this.#anchor.row), this.#column(this.#anchor.column)]
      : [r, c];
    const [top, left] = [Math.max(0, Math.min(r, row)), Math.min(c, column)];
    return { top, left, bottom: Math.max(r, row), right: Math.max(c, column) };
  }

  lines({ top, bottom, left, right } = this.block) {
    const columns = this.columns.slice(left, right + 1);
    const rows = this.rows.slice(top, bottom + 1);
    return rows.map((row) => columns.map((column) => ({ row, column })));
  }

  nameOf = ({ row, column }) => `${this.sheet.get(row, { key: "name" })} · ${column.label}`;

  faceOf = (row) =>
    row &&
    this.studio.wall().faces.find((face) => face.side === "face" && spotOf(face) === spotOf(row));

  /** Make a cell the active one; with `extend`, the block goes on to it. */
  move(r, c, extend = false) {
    this.#close(true);
    const row = clamp(r, extend ? 0 : -1, this.rows.length - 1);
    const column = this.columns[clamp(c, 0, this.columns.length - 1)];
    this.#anchor = extend ? (this.#anchor ?? this.#head) : null;
    this.#head = { row: row < 0 ? TITLES : (this.rows[row]?.key ?? ""), column: column?.key ?? "" };
    this.draw();
    this.focus();
    this.#active()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  focus() {
    this.#active()?.focus({ preventScroll: true });
  }

  #active() {
    const { r, c } = this.at;
    const row = r < 0 ? this.titles : this.#nodes.get(this.rows[r]?.key);
    return row?.children[c];
  }

  // Drawing.

  /** Bring the table to what is shown; the rows keep their order until something else is wanted. */
  draw() {
    const { sheet, box } = this;
    const spots = new Set(this.spots);
    const shown = [...sheet.rows.values()].filter((row) => spots.has(spotOf(row)));
    const tags = new Set(shown.map((row) => row.kind));
    this.kinds = sheet.kinds.filter((one) => tags.has(one.kind));
    const known = this.kinds.find((one) => one.kind === this.kind) ?? this.kinds[0];
    const { kind, columns = [] } = known ?? {};
    const focused = this.body.contains(document.activeElement) && !this.#editor;
    this.kind = kind;
    this.columns = columns.filter(({ look }) => this.all || !look);
    const drawn = JSON.stringify([this.spots, kind, this.sort, this.all]);
    if (drawn !== this.#drawn || sheet.rows !== this.#drawnRows) this.#order();
    [this.#drawn, this.#drawnRows] = [drawn, sheet.rows];
    if (!this.#places.has(this.#head.row) && this.#head.row !== TITLES)
      this.#head = { ...this.#head, row: this.rows[0]?.key ?? "" };
    box.hidden = !this.rows.length;
    box.ariaRowCount = String(this.rows.length + 1);
    box.ariaColCount = String(this.columns.length);
    this.body.style.height = `${this.rows.length * ROW}px`;
    this.#drawTitles();
    this.#drawRows();
    this.#drawTools(columns.some(({ look }) => look));
    drawForm(this);
    morph($("grid-says"), this.#says());
    if (focused && !this.body.contains(document.activeElement)) this.focus();
  }

  /** Choose the rows, bring them in order, and make the columns as wide as they need. */
  #order() {
    const { sheet } = this;
    this.selection = null;
    const order = new Map(this.spots.map((spot, at) => [spot, at]));
    const place = (row) => order.get(spotOf(row)) ?? -1;
    this.rows = [...sheet.rows.values()].filter((row) => row.kind === this.kind && place(row) >= 0);
    this.rows.sort((one, other) => place(one) - place(other));
    const widths = this.columns.map((column) => {
      const lengths = this.rows.map((row) => sheet.text(row, column).length);
      return clamp(1.5 + Math.max(column.label.length + 2, ...lengths) * 0.55, NARROWEST, WIDEST);
    });
    this.box.style.setProperty("--columns", widths.map((width) => `${width}rem`).join(" "));
    this.box.style.setProperty("--wide", `${widths.reduce((sum, width) => sum + width, 0)}rem`);
    this.box.style.setProperty("--first", `${widths[0]}rem`);
    const column = this.columns.find(({ key }) => key === this.sort.key);
    const texts = new Map(this.rows.map((row) => [row, column ? sheet.text(row, column) : ""]));
    const sign = this.sort.up ? 1 : -1;
    this.rows.sort((one, other) => {
      const [a, b] = [texts.get(one), texts.get(other)];
      return !a || !b ? Number(!a) - Number(!b) : sign * compare(a, b);
    });
    this.#places = new Map(this.rows.map(({ key }, at) => [key, at]));
  }

  #drawTitles() {
    const { c, r } = this.at;
    const names = this.columns.map(({ label }) => label);
    const drawn = JSON.stringify([names, this.sort, r < 0 && c]);
    if (this.titles.drawn === drawn) return;
    this.titles.drawn = drawn;
    const title = ({ key, label, says }, at) =>
      make("div.grid-cell", {
        className: at ? "grid-cell" : "grid-cell id",
        role: "columnheader",
        ariaColIndex: String(at + 1),
        ariaSort: key !== this.sort.key ? "none" : this.sort.up ? "ascending" : "descending",
        tabIndex: r < 0 && at === c ? 0 : -1,
        "data-at": `-1 ${at}`,
        title: says ? `${label}: ${localize(says)}` : label,
        textContent: label,
      });
    morph(this.titles, this.columns.map(title));
  }

  /** Draw the rows that are seen, and the one with the active cell. */
  #drawRows() {
    const [{ r }, { scrollTop, clientHeight }] = [this.at, this.box];
    const first = Math.max(0, Math.floor(scrollTop / ROW) - BEYOND);
    const last = first + Math.ceil(clientHeight / ROW) + 2 * BEYOND;
    const wanted = new Map();
    if (r < first) wanted.set(this.rows[r]?.key, r);
    for (let at = first; at <= last && this.rows[at]; at++) wanted.set(this.rows[at].key, at);
    if (r > last) wanted.set(this.rows[r].key, r);
    if (r < 0 || !this.rows.length) wanted.delete(this.rows[r]?.key);
    for (const [key, node] of this.#nodes) {
      if (wanted.has(key)) continue;
      this.#nodes.delete(key);
      this.#free.push(node);
      node.remove();
    }
    let former = null;
    const block = { ...this.at, ...this.block };
    for (const [key, at] of wanted) {
      const kept = this.#nodes.get(key);
      const node = kept ?? this.#free.pop() ?? make("div.grid-row", { role: "row" });
      const stays = kept && (at === r || node.previousElementSibling === former); // with the focus
      if (!stays && former) former.after(node);
      else if (!stays) this.body.prepend(node);
      this.#nodes.set(key, node);
      this.#drawRow(node, this.rows[at], at, block);
      former = node;
    }
  }

  #drawRow(node, row, at, { r, c, top, bottom, left, right }) {
    const { sheet } = this;
    node.ariaRowIndex = String(at + 2);
    node.style.transform = `translateY(${at * ROW}px)`;
    while (node.childElementCount > this.columns.length) node.lastElementChild.remove();
    while (node.childElementCount < this.columns.length)
      node.append(make("div", { role: node.firstElementChild ? "gridcell" : "rowheader" }));
    const edited = sheet.drafts.has(row.key);
    this.columns.forEach((column, place) => {
      const cell = node.children[place];
      const value = sheet.get(row, column);
      const text = shownText(column, value);
      const shown = text || shownText(column, column.default ?? null);
      const within = at >= top && at <= bottom && place >= left && place <= right;
      const worst = this.#findings(row, column)[0]?.severity;
      const states = {
        id: !place,
        locked: !sheet.isFree(row, column),
        changed: edited && (value ?? "") !== (sheet.get(row, column, null) ?? ""),
        clash: edited && sheet.clash(row, column) !== undefined,
        in: within && (top < bottom || left < right),
        default: shown !== text,
      };
      const active = at === r && place === c;
      const names = Object.keys(states).filter((name) => states[name]);
      const className = ["grid-cell", column.type, worst ?? "", ...names].join(" ");
      const drawn = `${at} ${within} ${active} ${className} ${shown}`;
      if (cell.drawn === drawn || this.#editor?.cell === cell) return;
      Object.assign(cell, { drawn, className, textContent: shown, tabIndex: active ? 0 : -1 });
      cell.dataset.at = `${at} ${place}`;
      cell.ariaColIndex = String(place + 1);
      cell.ariaSelected = String(within);
      cell.ariaReadOnly = String(states.locked);
      cell.ariaInvalid = String(worst === "error");
      cell.setAttribute("aria-describedby", active ? "grid-says" : "");
      if (column.type !== "color") return;
      const color = column.options.find((one) => one.value === value)?.color ?? value;
      cell.style.setProperty("--swatch", color ?? "transparent");
    });
  }

  #findings = (row, column) => this.sheet.found.get(row.key)?.get(column.key) ?? [];

  #drawTools(looks) {
    const { drafts, saving, canUndo, canRedo } = this.sheet;
    const all = this.kinds.map(({ kind, name }) => [kind, name || kind]);
    morph($("grid-kind"), makeOptions(all, this.kind));
    $("grid-kind").value = this.kind;
    $("grid-kind").hidden = all.length < 2;
    $("grid-all").hidden = !looks;
    $("grid-all").ariaPressed = String(this.all);
    $("grid-undo").disabled = !canUndo;
    $("grid-redo").disabled = !canRedo;
    $("grid-revert").hidden = !drafts.size;
    $("grid-save").disabled = !drafts.size || saving;
    const count = drafts.size && counted("grid-save-one", "grid-save", drafts.size);
    $("grid-save").textContent = saving ? word("edit-saving") : count || word("edit-saved");
  }

  /** Return what was refused, what is wrong in the active cell, or why it cannot be changed. */
  #says() {
    const { sheet, notice } = this;
    const { r, c } = this.at;
    const [row, column] = [this.rows[r], this.columns[c]];
    const act = (name, id) => make("button", { "data-do": name }, word(id));
    const line = (of, ...parts) => make("p", { className: of }, ...parts);
    const findings = (all = [], head = "") =>
      all.map(({ severity, message, hint }) =>
        line(severity, head, localize(message), hint ? ` ${localize(hint)}` : ""),
      );
    const parts = findings(sheet.found.get("")?.get(""));
    if (notice) parts.unshift(line("wrong", notice.text, " "));
    if (notice?.anyway) parts[0].append(act("anyway", "edit-anyway"));
    if (!row || !column) return parts;
    const theirs = sheet.clash(row, column);
    if (theirs !== undefined) {
      const said = `${word("edit-clash")} ${shownText(column, theirs) || word("edit-nothing")} `;
      parts.push(
        line("warning", said, act("theirs", "edit-theirs"), " ", act("mine", "edit-mine")),
      );
    }
    parts.push(...findings(this.#findings(row, column), `${this.nameOf({ row, column })}: `));
    const lock = sheet.lockOf(row, column);
    return lock ? [...parts, line("soft", lock)] : parts;
  }

  // Editing.

  /** Open the active cell; with a text, that replaces what it holds. */
  edit(text) {
    const { r, c } = this.at;
    const [row, column, cell] = [this.rows[r], this.columns[c], this.#active()];
    if (column.key === "id" && text === undefined)
      return this.studio.openCard(this.faceOf(row).key);
    if (!this.sheet.isFree(row, column))
      return this.studio.announce(this.sheet.lockOf(row, column));
    const field = column.options.length
      ? make("input.grid-edit")
      : make("textarea.grid-edit", { rows: 1, spellcheck: Boolean(column.rich) });
    if (column.options.length) field.setAttribute("list", "grid-options");
    field.ariaLabel = this.nameOf({ row, column });
    field.value = text ?? this.sheet.text(row, column);
    cell.replaceChildren(field);
    this.#editor = { cell, field, row, column, typed: text !== undefined };
    this.#offer();
    field.focus();
    return field.select();
  }

  /** Offer the terms that the cell may have; in a list, each after those that stand there. */
  #offer() {
    const { column, field } = this.#editor;
    const before = column.type === "list" ? field.value.replace(/[^,]*$/, "") : "";
    const all = column.options.map(({ name }) => [before ? `${before} ${name}` : name, name]);
    $("grid-options").replaceChildren(...makeOptions(all, ""));
  }

  /** Close the cell that is edited, and keep what was typed or not. */
  #close(keeps) {
    if (!this.#editor) return;
    const { cell, field, row, column } = this.#editor;
    const focused = document.activeElement === field;
    this.#editor = null;
    cell.drawn = "";
    const now = this.sheet.rows.get(row.key); // it may have been read again
    if (keeps && now) this.put([{ row: now, column, value: readText(column, field.value) }]);
    this.draw();
    if (focused) this.focus();
  }

  /** Put values into cells, and say how many have changed and how many cannot. */
  put(cells) {
    this.notice = null;
    const { changed, locked } = this.sheet.put(cells);
    const said = [counted("grid-changed-one", "grid-changed", changed)];
    if (locked) said.push(counted("grid-locked-one", "grid-locked", locked));
    if (cells.length > 1 || locked) this.studio.announce(said.join(" "));
  }

  #clear() {
    const cells = this.lines().flat();
    this.put(cells.map((cell) => ({ ...cell, value: readText(cell.column, "") })));
  }

  /** Fill the block with its first row, or a single row with that above. */
  #fill() {
    const block = this.block;
    const top = block.top === block.bottom ? Math.max(0, block.top - 1) : block.top;
    const [first = [], ...others] = this.lines({ ...block, top });
    const values = first.map(({ row, column }) => this.sheet.get(row, column));
    this.put(others.flatMap((line) => line.map((cell, at) => ({ ...cell, value: values[at] }))));
  }

  /** Put lines of texts where the selection begins; those that fit into it several times fill it. */
  #paste(texts) {
    if (!texts.length) return;
    const { top, bottom, left, right } = this.block;
    const [high, wide] = [texts.length, Math.max(...texts.map((line) => line.length))];
    const size = (room, own) => (room % own ? own : room);
    const [rows, columns] = [size(bottom - top + 1, high), size(right - left + 1, wide)];
    const area = { top, left, bottom: top + rows - 1, right: left + columns - 1 };
    const text = (at, place) => texts[at % high][place % wide] ?? "";
    const cells = this.lines(area).flatMap((line, at) =>
      line.map((cell, place) => ({ ...cell, value: readText(cell.column, text(at, place)) })),
    );
    this.put(cells);
    const lost = top + rows - this.rows.length;
    if (lost > 0) this.studio.announce(counted("grid-lost-one", "grid-lost", lost));
    this.#anchor = { row: this.rows[top].key, column: this.columns[left].key };
    this.move(area.bottom, area.right, true);
  }

  #turn(back) {
    const [first] = this.sheet.turn(back);
    if (first) this.goTo(first.key, ({ column }) => column.key === first.column.key);
  }

  #settle(theirs) {
    const { r, c } = this.at;
    this.sheet.settle(this.rows[r], this.columns[c], theirs);
    this.focus();
  }

  #sortBy(key) {
    const { up } = this.sort;
    if (this.sort.key !== key) this.sort = { key, up: true };
    else this.sort = { key: up ? key : "", up: !up };
  }

  /** Save all that was edited, or lead to what is in the way. */
  async save(anyway = false) {
    const { sheet } = this;
    this.#close(true);
    if (!sheet.drafts.size || sheet.saving) return;
    this.notice = null;
    const isClash = ({ row, column }) => sheet.clash(row, column) !== undefined;
    const clashing = [...sheet.drafts].find(([, { clashes }]) => Object.keys(clashes).length);
    if (clashing) {
      this.notice = { text: word("edit-clashes") };
      this.goTo(clashing[0], isClash);
      return;
    }
    try {
      this.studio.announce(counted("grid-saved-one", "grid-saved", await sheet.save(anyway)));
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      const { status, answer } = error;
      const text = status === 409 ? word("edit-merged") : sentence({ ...answer, findings: [] });
      this.notice = { text, anyway: answer.anyway };
      if (status === 409) await sheet.load();
      const [key] =
        [...sheet.found].find(([, cells]) => [...cells.values()].flat().some(isWrong)) ?? [];
      this.goTo(key, ({ row, column }) => this.#findings(row, column).some(isWrong));
    }
  }

  /** Go to the first cell of a row that is meant, if it can be shown. */
  goTo(key, isMeant) {
    const row = this.sheet.rows.get(key);
    if (row && row.kind !== this.kind) {
      this.kind = row.kind;
      this.draw();
    }
    const column = row && this.columns.findIndex((one) => isMeant({ row, column: one }));
    if (this.#places.has(key)) this.move(this.#places.get(key), column);
  }

  /** Open what finds cells or changes many, at one of its fields, or close it by "". */
  open(form, field = "") {
    this.#close(true);
    const cells = this.lines().flat();
    this.selection = cells.length > 1 ? cells : null;
    this.form = form === this.form && !field ? "" : form;
    this.draw();
    if (this.form) $(`grid-${form}`).elements[field || 0].focus();
    else this.focus();
  }

  // What a person does.

  #wire() {
    const { box, sheet } = this;
    const place = ({ target }) => target.closest("[data-at]")?.dataset.at.split(" ").map(Number);
    const acts = {
      all: () => ((this.all = !this.all), this.draw()),
      undo: () => this.#turn(true),
      redo: () => this.#turn(false),
      fill: () => this.#fill(),
      open: ({ form }) => this.open(form),
      close: () => this.open(""),
      replace: () => replace(this),
      apply: () => (this.put(this.plan.cells), this.open("")),
      revert: () => sheet.revert(),
      save: () => this.save(),
      anyway: () => this.save(true),
      theirs: () => this.#settle(true),
      mine: () => this.#settle(false),
    };
    let dragged = null; // where a drag began, in px
    box.addEventListener("scroll", () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.#drawRows());
    });
    new ResizeObserver(() => this.#drawRows()).observe(box);
    box.addEventListener("mousedown", (event) => {
      const at = place(event);
      if (!at || event.button || event.target.matches(".grid-edit")) return;
      event.preventDefault();
      dragged = event.clientX + event.clientY;
      if (at[0] < 0) this.#sortBy(this.columns[at[1]].key);
      this.move(at[0], at[1], event.shiftKey);
    });
    box.addEventListener("mouseover", (event) => {
      const at = place(event);
      const moved = dragged !== null && Math.abs(event.clientX + event.clientY - dragged) > 4;
      if (moved && event.buttons === 1 && at?.[0] >= 0) this.move(at[0], at[1], true);
    });
    addEventListener("mouseup", () => (dragged = null));
    // A finger scrolls; from the active cell, which takes no scrolling, it selects a block.
    let touched = false;
    box.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch" && event.target === this.#active();
    });
    box.addEventListener("pointermove", ({ clientX, clientY }) => {
      const target = touched && document.elementFromPoint(clientX, clientY);
      const [r, c] = (target && place({ target })) || [];
      if (r >= 0 && (r !== this.at.r || c !== this.at.c)) this.move(r, c, true);
    });
    box.addEventListener("dblclick", (event) => place(event)?.[0] >= 0 && this.edit());
    box.addEventListener("focusin", (event) => {
      const [r, c] = place(event) ?? [];
      if (r === this.at.r && c === this.at.c) return;
      if (event.target.matches("[data-at]")) this.move(r, c);
    });
    box.addEventListener("focusout", ({ target }) => {
      if (target === this.#editor?.field) this.#close(true);
    });
    box.addEventListener("input", () => this.#offer());
    box.addEventListener("keydown", (event) => {
      const done = this.#editor ? this.#editKey(event) : this.#key(event);
      if (done) event.preventDefault();
      const control = event.ctrlKey || event.metaKey;
      if (done || (this.#editor && !control)) event.stopPropagation();
    });
    const copy = (event) => {
      if (this.#editor) return;
      const lines = this.lines().map((line) =>
        line.map(({ row, column }) => sheet.text(row, column)),
      );
      event.clipboardData.setData("text/plain", writeBlock(lines));
      event.preventDefault();
      if (event.type === "cut") this.#clear();
    };
    box.addEventListener("copy", copy);
    box.addEventListener("cut", copy);
    box.addEventListener("paste", (event) => {
      if (this.#editor) return;
      event.preventDefault();
      this.#paste(readBlock(event.clipboardData.getData("text/plain")));
    });
    const root = $("table");
    root.addEventListener("click", ({ target }) => {
      const { do: act, ...given } = target.closest("[data-do]")?.dataset ?? {};
      if (act in acts) this.studio.attempt(async () => acts[act](given));
    });
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !event.target.closest("form")) return;
      event.stopPropagation();
      this.open("");
    });
    document.addEventListener("keydown", (event) => {
      const here = root.contains(event.target) || event.target === document.body;
      if (here && root.checkVisibility() && this.#control(event)) event.preventDefault();
    });
    $("grid-kind").addEventListener(
      "change",
      () => ((this.kind = $("grid-kind").value), this.draw()),
    );
    $("grid-over").addEventListener("input", () => this.draw());
    $("grid-over").addEventListener("submit", (event) => (event.preventDefault(), findNext(this)));
  }

  /** Take a key with Ctrl, wherever in the table it is pressed; return whether it was one. */
  #control({ key, ctrlKey, metaKey, altKey, shiftKey, target }) {
    if (!(ctrlKey || metaKey) || altKey) return false;
    const anywhere = {
      s: () => this.studio.attempt(() => this.save()),
      f: () => this.open("find", "find"),
      h: () => this.open("find", "replacement"),
    };
    const cells = {
      z: () => this.#turn(!shiftKey),
      y: () => this.#turn(false),
      d: () => this.#fill(),
      a: () => (this.move(0, 0), this.move(Infinity, Infinity, true)),
    };
    const typing = target.matches("input, textarea");
    const act = { ...anywhere, ...(typing ? {} : cells) }[key.toLowerCase()];
    act?.();
    return Boolean(act);
  }

  /** Take a key in the cell that is edited; return false for those that are the browser's. */
  #editKey({ key, shiftKey, altKey, ctrlKey, isComposing }) {
    const { r, c } = this.at;
    const { field, column, typed } = this.#editor;
    const lines = field.matches("textarea") && (column.rich || column.separator === "\n");
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (isComposing || (ctrlKey && key === "Enter")) return false;
    if (key === "Escape") this.#close(false);
    else if (key === "Enter" && altKey && lines)
      field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end");
    else if (key === "Enter") this.move(r + (shiftKey ? -1 : 1), c);
    else if (key === "Tab") this.move(r, c + (shiftKey ? -1 : 1));
    else if (step && typed && !field.list) this.move(r + step, c);
    else return false;
    return true;
  }

  /** Take a key in the table; return false for those that are the browser's. */
  #key({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    const { r, c } = this.at;
    const [row, column] = [this.rows[r], this.columns[c]];
    const far = ctrlKey || metaKey;
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 2);
    const moves = {
      ArrowUp: [far ? 0 : r - 1, c],
      ArrowDown: [far ? Infinity : r + 1, c],
      ArrowLeft: [r, far ? 0 : c - 1],
      ArrowRight: [r, far ? Infinity : c + 1],
      Home: [far ? 0 : r, 0],
      End: [far ? Infinity : r, Infinity],
      PageUp: [Math.max(0, r - page), c],
      PageDown: [r + page, c],
    };
    if (moves[key] && !altKey) this.move(...moves[key], shiftKey);
    else if (far || altKey) return false;
    else if (!row && (key === "Enter" || key === " ")) (this.#sortBy(column.key), this.draw());
    else if (!row) return false;
    else if (key === "Enter" || key === "F2") this.edit();
    else if (key === "Delete" || key === "Backspace") this.#clear();
    else if (key === "Escape" && this.#anchor) this.move(r, c);
    else if (key === " " && column.type === "flag") {
      const now = this.sheet.get(row, column) ?? column.default;
      this.put([{ row, column, value: String(now !== "true") }]);
    } else if (key.length === 1) {
      this.edit("");
      return !this.#editor; // else the browser types it into the cell
    } else return false;
    return true;
  }
}
