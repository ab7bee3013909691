/** The table of cards: rows that scroll by the thousand, cells that are edited as in a spreadsheet. */

import { morph } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import { cardOf } from "../shared/wall.js";
import { counted, language, localize, make, makeOptions, sentence, word } from "../shared/words.js";
import { drawPanel } from "./changes.js";
import { readBlock, readText, Sheet, shownText, writeBlock } from "./sheet.js";

const ROW = 34; // px, the height of a row
const BEYOND = 8; // rows that are drawn above and below what is seen
const [NARROWEST, WIDEST] = [5, 22]; // rem, of a column
const collator = new Intl.Collator(language, { numeric: true });
const clamp = (at, least, most) => Math.max(least, Math.min(most, at));

export class Grid {
  #nodes = new Map(); // the rows that are drawn, by key
  #free = []; // nodes of rows that are not seen any more
  #rows = []; // what is shown, in order
  #places = new Map(); // where each row is, by key
  #columns = [];
  #widths = new Map(); // rem, of the columns
  #wanted = ""; // what the order was made of
  #head = { row: "", column: "" }; // the active cell; the first row is that of the titles
  #anchor = null; // the other corner of the block, null for one cell
  #editor = null;
  #frame = 0;

  /** @param opened returns the key of the face that is opened. */
  constructor(root, studio) {
    this.studio = studio;
    this.kind = "";
    this.sort = { key: "", up: true };
    this.all = false; // whether what only matters for the drawing is shown
    this.panel = null; // what is open above the table: to find, or to change many cells
    this.notice = null;
    this.tools = make("div.grid-tools", { role: "toolbar", "aria-label": word("grid-tools") });
    this.over = make("div.grid-over");
    this.titles = make("div.grid-row", { role: "row", ariaRowIndex: "1" });
    this.body = make("div.grid-body", { role: "rowgroup" });
    this.box = make(
      "div.grid-box",
      { role: "grid", "aria-label": word("grid"), "aria-multiselectable": "true" },
      make("div.grid-titles", { role: "rowgroup" }, this.titles),
      this.body,
    );
    this.says = make("div.grid-says", { id: "grid-says", role: "status" });
    this.options = make("datalist", { id: "grid-options" });
    root.append(this.tools, this.over, this.box, this.says, this.options);
    this.sheet = new Sheet(studio, () => this.draw());
    this.#wire(root);
  }

  /** Show the cards with these keys, in this order. */
  show(cards) {
    this.cards = cards;
    this.draw();
  }

  // What is where.

  get rows() {
    return this.#rows;
  }

  get columns() {
    return this.#columns;
  }

  /** Return where the active cell is: -1 is the row of the titles. */
  get at() {
    const { row, column } = this.#head;
    return { r: row === "titles" ? -1 : (this.#places.get(row) ?? 0), c: this.#place(column) };
  }

  #place = (column) =>
    Math.max(
      0,
      this.#columns.findIndex(({ key }) => key === column),
    );

  /** Return the selected block: its first and last rows and columns. */
  get block() {
    const { r, c } = this.at;
    const known = this.#anchor && this.#places.has(this.#anchor.row);
    const row = known ? this.#places.get(this.#anchor.row) : r;
    const column = known ? this.#place(this.#anchor.column) : c;
    return {
      top: Math.max(0, Math.min(r, row)),
      bottom: Math.max(r, row),
      left: Math.min(c, column),
      right: Math.max(c, column),
    };
  }

  /** Return the cells of the block as lines. */
  lines({ top, bottom, left, right } = this.block) {
    const columns = this.#columns.slice(left, right + 1);
    return this.#rows
      .slice(top, bottom + 1)
      .map((row) => columns.map((column) => ({ row, column })));
  }

  nameOf = ({ row, column }) =>
    `${this.sheet.get(row, { key: "name" }) ?? row.id} · ${column.label}`;

  /** Make a cell the active one; with `extend`, the block goes on to it. */
  move(r, c, extend = false) {
    this.#close(true);
    const at = clamp(r, extend ? 0 : -1, this.#rows.length - 1);
    const { key } = this.#columns[clamp(c, 0, this.#columns.length - 1)] ?? { key: "" };
    if (!extend) this.#anchor = null;
    else this.#anchor ??= { ...this.#head };
    this.#head = { row: at < 0 ? "titles" : (this.#rows[at]?.key ?? ""), column: key };
    if (at >= 0) {
      const seen = this.box.clientHeight - 2 * ROW;
      const top = at * ROW;
      this.box.scrollTop = clamp(this.box.scrollTop, top - Math.max(0, seen), top);
    }
    this.draw();
    const node = this.active();
    node?.focus({ preventScroll: true });
    if (node && at >= 0 && !node.classList.contains("id")) {
      const [cell, box] = [node.getBoundingClientRect(), this.box.getBoundingClientRect()];
      const left = box.left + this.titles.firstElementChild.getBoundingClientRect().width;
      if (cell.left < left) this.box.scrollLeft -= left - cell.left;
      else if (cell.right > box.right - 16) this.box.scrollLeft += cell.right - box.right + 16;
    }
  }

  /** Return the node of the active cell. */
  active() {
    const { r, c } = this.at;
    const row = r < 0 ? this.titles : this.#nodes.get(this.#rows[r]?.key);
    return row?.children[c];
  }

  // Drawing.

  /** Bring the table to what is shown; the rows keep their order until something else is wanted. */
  draw() {
    const { sheet } = this;
    const known = sheet.kinds.find(({ kind }) => kind === this.kind) ?? sheet.kinds[0];
    this.kind = known?.kind ?? "";
    this.#columns = (known?.columns ?? []).filter(({ look }) => this.all || !look);
    const looks = known?.columns.some(({ look }) => look);
    const wanted = JSON.stringify([this.cards, this.kind, this.sort, this.all]);
    const focused = this.body.contains(document.activeElement) && !this.#editor;
    if (wanted !== this.#wanted || sheet.rows !== this.lastRows) this.#order(wanted);
    if (!this.#places.has(this.#head.row) && this.#head.row !== "titles")
      this.#head.row = this.#rows[0]?.key ?? "";
    if (!this.#columns.some(({ key }) => key === this.#head.column))
      this.#head.column = this.#columns[0]?.key ?? "";
    this.box.hidden = !this.#rows.length;
    this.box.ariaRowCount = String(this.#rows.length + 1);
    this.box.ariaColCount = String(this.#columns.length);
    this.box.ariaReadOnly = String(sheet.readOnly);
    const widths = this.#columns.map(({ key }) => this.#widths.get(key));
    this.box.style.setProperty("--columns", widths.map((width) => `${width}rem`).join(" "));
    this.box.style.setProperty("--wide", `${widths.reduce((sum, width) => sum + width, 0)}rem`);
    this.body.style.height = `${this.#rows.length * ROW}px`;
    this.#drawTitles();
    this.#drawRows();
    morph(this.tools, this.#tools(looks));
    drawPanel(this);
    this.#drawSays();
    if (focused && !this.body.contains(document.activeElement))
      this.active()?.focus({ preventScroll: true });
  }

  #order(wanted) {
    this.#close(true);
    this.#wanted = wanted;
    this.#free.push(...this.#nodes.values());
    this.#nodes.clear();
    this.lastRows = this.sheet.rows;
    const place = new Map((this.cards ?? []).map((card, at) => [card, at]));
    const found = [];
    for (const row of this.sheet.rows.values()) {
      const at = [`${row.faction}:${row.id}`, ...row.also].map((card) => place.get(card));
      const first = Math.min(...at.filter((one) => one !== undefined));
      if (row.kind === this.kind && first < Infinity) found.push([first, row]);
    }
    this.#rows = found.sort((one, other) => one[0] - other[0]).map(([, row]) => row);
    for (const column of this.#columns) {
      const lengths = this.#rows.map((row) => this.sheet.text(row, column).length);
      const longest = Math.max(column.label.length + 2, ...lengths);
      this.#widths.set(column.key, clamp(1.5 + longest * 0.55, NARROWEST, WIDEST));
    }
    const column = this.#columns.find(({ key }) => key === this.sort.key);
    if (column) this.#sortRows(column);
    this.#places = new Map(this.#rows.map(({ key }, at) => [key, at]));
  }

  #sortRows(column) {
    const texts = new Map(this.#rows.map((row) => [row, this.sheet.text(row, column)]));
    const sign = this.sort.up ? 1 : -1;
    this.#rows.sort((one, other) => {
      const [a, b] = [texts.get(one), texts.get(other)];
      return !a || !b ? Number(!a) - Number(!b) : sign * collator.compare(a, b);
    });
  }

  #drawTitles() {
    const { c, r } = this.at;
    const drawn = JSON.stringify([
      this.#columns.map(({ key, label }) => [key, label]),
      this.sort,
      r < 0 && c,
    ]);
    if (this.titles.drawn === drawn) return;
    this.titles.drawn = drawn;
    const sorted = { true: "ascending", false: "descending" };
    morph(
      this.titles,
      this.#columns.map((column, at) =>
        make(
          "div",
          {
            className: `grid-cell ${at ? "" : "id"}`,
            role: "columnheader",
            ariaColIndex: String(at + 1),
            ariaSort: column.key === this.sort.key ? sorted[String(this.sort.up)] : "none",
            tabIndex: r < 0 && at === c ? 0 : -1,
            "data-at": `-1 ${at}`,
            title: column.says ? `${column.label}: ${localize(column.says)}` : column.label,
          },
          column.label,
        ),
      ),
    );
  }

  /** Draw the rows that are seen, and the one with the active cell. */
  #drawRows() {
    const [active, block] = [this.at, this.block];
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - BEYOND);
    const last = first + Math.ceil(this.box.clientHeight / ROW) + 2 * BEYOND;
    const wanted = new Map();
    if (this.#rows[active.r]) wanted.set(this.#rows[active.r].key, active.r);
    for (let at = first; at <= last && at < this.#rows.length; at++)
      wanted.set(this.#rows[at].key, at);
    for (const [key, node] of this.#nodes)
      if (!wanted.has(key)) {
        this.#nodes.delete(key);
        this.#free.push(node);
      }
    let former = null;
    for (const [key, at] of [...wanted].sort((one, other) => one[1] - other[1])) {
      const kept = this.#nodes.get(key);
      const node = kept ?? this.#free.pop() ?? make("div.grid-row", { role: "row" });
      if (!kept && former) former.after(node);
      else if (!kept) this.body.prepend(node);
      this.#nodes.set(key, node);
      this.#drawRow(node, this.#rows[at], at, active, block);
      former = node;
    }
    for (const node of this.#free.splice(0)) node.remove();
  }

  #drawRow(node, row, at, { r, c }, { top, bottom, left, right }) {
    const { sheet } = this;
    if (node.ariaRowIndex !== String(at + 2)) {
      node.ariaRowIndex = String(at + 2);
      node.style.transform = `translateY(${at * ROW}px)`;
    }
    while (node.childElementCount > this.#columns.length) node.lastElementChild.remove();
    while (node.childElementCount < this.#columns.length)
      node.append(make("div", { role: node.firstElementChild ? "gridcell" : "rowheader" }));
    const edited = sheet.drafts.has(row.key);
    const many = top < bottom || left < right;
    this.#columns.forEach((column, place) => {
      const cell = node.children[place];
      if (this.#editor?.cell === cell) return;
      const value = sheet.get(row, column);
      const text = shownText(column, value);
      const shown = text || shownText(column, column.default ?? null);
      const worst = this.#findings(row, column)[0]?.severity ?? "";
      const within = at >= top && at <= bottom && place >= left && place <= right;
      const free = sheet.isFree(row, column);
      const names = ["grid-cell", column.type, place ? "" : "id", worst];
      if (!free) names.push("locked");
      if (edited && (value ?? "") !== (sheet.get(row, column, null) ?? "")) names.push("changed");
      if (edited && sheet.clash(row, column) !== undefined) names.push("clash");
      if (within && many) names.push("in");
      if (shown !== text) names.push("default");
      const active = at === r && place === c;
      const drawn = JSON.stringify([at, shown, names, within, active]);
      if (cell.drawn === drawn) return;
      cell.drawn = drawn;
      cell.textContent = shown;
      cell.className = names.join(" ");
      cell.tabIndex = active ? 0 : -1;
      cell.dataset.at = `${at} ${place}`;
      cell.ariaColIndex = String(place + 1);
      cell.ariaSelected = String(within);
      cell.ariaReadOnly = String(!free);
      cell.ariaInvalid = String(worst === "error");
      if (active) cell.setAttribute("aria-describedby", "grid-says");
      else cell.removeAttribute("aria-describedby");
      if (column.type !== "color") return;
      const color = column.options.find((one) => one.value === value)?.color ?? value;
      cell.style.setProperty("--swatch", color ?? "transparent");
    });
  }

  #findings = (row, column) => this.sheet.found.get(row.key)?.get(column.key) ?? [];

  #tools(looks) {
    const { sheet } = this;
    const button = (act, text, given = {}) =>
      make("button", { "data-act": act, id: `grid-${act}`, ...given }, text);
    const count = sheet.drafts.size;
    const open = (name) => ({ "aria-expanded": String(this.panel?.name === name) });
    return [
      sheet.kinds.length > 1
        ? make(
            "select",
            { id: "grid-kind", "aria-label": word("kind"), "data-value": this.kind },
            ...makeOptions(
              sheet.kinds.map(({ kind, name }) => [kind, name || kind]),
              this.kind,
            ),
          )
        : null,
      looks ? button("all", word("edit-look"), { "aria-pressed": String(this.all) }) : null,
      ...(sheet.readOnly
        ? [button("find", word("grid-find"), open("find"))]
        : [
            button("undo", word("edit-undo"), { disabled: !sheet.canUndo }),
            button("redo", word("edit-redo"), { disabled: !sheet.canRedo }),
            button("fill", word("grid-fill")),
            button("find", word("grid-find"), open("find")),
            button("change", word("grid-change"), open("change")),
            make("span.grid-space"),
            count ? button("revert", word("edit-revert")) : null,
            button(
              "save",
              sheet.saving
                ? word("edit-saving")
                : count
                  ? counted("grid-save-one", "grid-save", count)
                  : word("edit-saved"),
              {
                className: "main",
                disabled: !count || sheet.saving,
              },
            ),
          ]),
    ];
  }

  /** Say of the active cell what is wrong, or why it cannot be changed; and what was refused. */
  #drawSays() {
    const { r, c } = this.at;
    const [row, column] = [this.#rows[r], this.#columns[c]];
    const parts = [];
    const act = (name, text) => make("button", { "data-act": name }, text);
    if (this.notice)
      parts.push(
        make(
          "p.wrong",
          this.notice.text,
          " ",
          this.notice.anyway ? act("anyway", word("edit-anyway")) : null,
        ),
      );
    for (const one of this.sheet.general)
      parts.push(make("p", { className: one.severity }, localize(one.message)));
    if (row && column) {
      const theirs = this.sheet.clash(row, column);
      if (theirs !== undefined)
        parts.push(
          make(
            "p.warning",
            `${word("edit-clash")} ${shownText(column, theirs) || word("edit-nothing")} `,
            act("theirs", word("edit-theirs")),
            " ",
            act("mine", word("edit-mine")),
          ),
        );
      for (const one of this.#findings(row, column))
        parts.push(
          make(
            "p",
            { className: one.severity },
            make("strong", `${this.nameOf({ row, column })}: `),
            localize(one.message),
            one.hint ? make("span.hint", ` ${localize(one.hint)}`) : null,
          ),
        );
      const lock = this.sheet.lockOf(row, column);
      if (lock) parts.push(make("p.soft", lock));
    }
    morph(this.says, parts.slice(0, 4));
  }

  // Editing.

  /** Open the active cell; with a text, that replaces what it holds. */
  edit(text) {
    const { r, c } = this.at;
    const [row, column, cell] = [this.#rows[r], this.#columns[c], this.active()];
    if (!row || this.#editor) return;
    if (column.key === "id" && text === undefined)
      return this.studio.openCard(this.faceOf(row).key);
    if (this.sheet.lockOf(row, column)) return this.studio.announce(this.sheet.lockOf(row, column));
    const given = {
      "aria-label": this.nameOf({ row, column }),
      autocomplete: "off",
      spellcheck: Boolean(column.rich),
    };
    const field = column.options.length
      ? make("input.grid-edit", { ...given, type: "text", list: "grid-options" })
      : make("textarea.grid-edit", { ...given, rows: 1 });
    field.value = text ?? this.sheet.text(row, column);
    cell.replaceChildren(field);
    this.#editor = { cell, field, row, column, typed: text !== undefined };
    this.#offer();
    field.focus();
    if (text === undefined) field.select();
  }

  /** Offer the terms that the cell may have; in a list, each after those that stand there. */
  #offer() {
    const { column, field } = this.#editor;
    const before = column.type === "list" ? field.value.replace(/[^,]*$/, "").trim() : "";
    this.options.replaceChildren(
      ...column.options.map(({ name }) =>
        make("option", { value: before ? `${before} ${name}` : name }),
      ),
    );
  }

  /** Close the cell that is edited, and keep what was typed or not. */
  #close(keep) {
    if (!this.#editor) return;
    const { cell, field, row, column } = this.#editor;
    const focused = document.activeElement === field;
    this.#editor = null;
    cell.drawn = "";
    if (keep) this.put([{ row, column, value: readText(column, field.value) }]);
    this.draw();
    if (focused) this.active()?.focus({ preventScroll: true });
  }

  /** Put values into cells, and say of those that cannot be changed. */
  put(cells) {
    this.notice = null;
    const { changed, locked } = this.sheet.put(cells);
    if (cells.length > 1 || locked)
      this.studio.announce(
        [
          counted("grid-changed-one", "grid-changed", changed),
          locked ? counted("grid-locked-one", "grid-locked", locked) : "",
        ].join(" "),
      );
  }

  fill() {
    const lines = this.lines();
    const [first, ...others] =
      lines.length > 1
        ? lines
        : [
            this.lines({ ...this.block, top: this.block.top - 1, bottom: this.block.top - 1 })[0] ??
              [],
            ...lines,
          ];
    const values = first.map(({ row, column }) => this.sheet.get(row, column));
    this.put(
      others.flatMap((line) => line.map((cell, at) => ({ ...cell, value: values[at] ?? null }))),
    );
  }

  /** Put a block of texts where the selection begins; one that fits several times fills it. */
  paste(texts) {
    if (!texts.length) return;
    const { top, bottom, left, right } = this.block;
    const [high, wide] = [texts.length, Math.max(...texts.map((line) => line.length))];
    const times = (room, size) => (room % size ? 1 : room / size) * size;
    const area = {
      top,
      left,
      bottom: top + times(bottom - top + 1, high) - 1,
      right: left + times(right - left + 1, wide) - 1,
    };
    const lines = this.lines(area);
    this.put(
      lines.flatMap((line, at) =>
        line.map((cell, place) => ({
          ...cell,
          value: readText(cell.column, texts[at % high][place % wide] ?? ""),
        })),
      ),
    );
    this.#anchor = { row: lines[0][0].row.key, column: lines[0][0].column.key };
    const end = lines.at(-1).at(-1);
    this.#head = { row: end.row.key, column: end.column.key };
    const lost = high - lines.length;
    if (lost > 0) this.studio.announce(counted("grid-lost-one", "grid-lost", lost));
    this.draw();
    this.active()?.focus({ preventScroll: true });
  }

  turn(back) {
    const [first] = this.sheet.turn(back);
    const row = first && this.sheet.rows.get(first.key);
    if (!row) return;
    this.kind = row.kind;
    this.draw();
    const r = this.#rows.indexOf(row);
    if (r >= 0)
      this.move(
        r,
        this.#columns.findIndex(({ key }) => key === first.column.key),
      );
  }

  /** Save all that was edited, or lead to what is in the way. */
  async save(anyway = false) {
    const { sheet } = this;
    this.#close(true);
    if (!sheet.drafts.size || sheet.saving) return;
    this.notice = null;
    if (sheet.clashing) {
      this.notice = { text: word("edit-clashes") };
      return this.goTo(sheet.clashing, ({ row, column }) => sheet.clash(row, column) !== undefined);
    }
    try {
      this.studio.announce(counted("grid-saved-one", "grid-saved", await sheet.save(anyway)));
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      const { status, answer } = error;
      this.notice = {
        text: status === 409 ? word("edit-merged") : sentence({ ...answer, findings: [] }),
        anyway: answer.anyway,
      };
      if (status === 409) await sheet.load();
      const [key] =
        [...sheet.found].find(([, cells]) =>
          [...cells.values()].flat().some(({ severity }) => severity === "error"),
        ) ?? [];
      this.goTo(key, ({ row, column }) =>
        this.#findings(row, column).some(({ severity }) => severity === "error"),
      );
    }
  }

  /** Go to the first cell of a row that is meant. */
  goTo(key, isMeant) {
    const row = this.sheet.rows.get(key);
    if (!row) return this.draw();
    this.kind = row.kind;
    this.all ||= this.sheet.kinds
      .find(({ kind }) => kind === row.kind)
      .columns.some((column) => column.look && isMeant({ row, column }));
    this.draw();
    const r = this.#rows.indexOf(row);
    if (r >= 0)
      this.move(
        r,
        this.#columns.findIndex((column) => isMeant({ row, column })),
      );
  }

  /** Show or leave what finds cells or changes many. */
  openPanel(name, focus) {
    const cells = this.lines().flat();
    this.panel =
      !name || (this.panel?.name === name && !focus)
        ? null
        : { ...this.panel, name, cells: cells.length > 1 ? cells : null };
    this.draw();
    if (this.panel) this.over.querySelector(focus ?? "input").select();
    else this.active()?.focus();
  }

  /** Return the face of the card of a row. */
  faceOf = (row) =>
    row && this.studio.wall().faces.find((one) => cardOf(one) === `${row.faction}:${row.id}`);

  // What a person does.

  #wire(root) {
    const place = ({ target }) => target.closest("[data-at]")?.dataset.at.split(" ").map(Number);
    let dragging = false;
    this.box.addEventListener("scroll", () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.#drawRows());
    });
    new ResizeObserver(() => this.#drawRows()).observe(this.box);
    this.box.addEventListener("mousedown", (event) => {
      const at = place(event);
      if (!at || event.button || event.target.closest(".grid-edit")) return;
      event.preventDefault();
      dragging = true;
      if (at[0] < 0) this.#sortBy(this.#columns[at[1]].key);
      this.move(at[0], at[1], event.shiftKey);
    });
    this.box.addEventListener("mouseover", (event) => {
      const at = place(event);
      if (dragging && event.buttons === 1 && at && at[0] >= 0) this.move(at[0], at[1], true);
    });
    addEventListener("mouseup", () => (dragging = false));
    this.box.addEventListener("dblclick", (event) => place(event)?.[0] >= 0 && this.edit());
    this.box.addEventListener("focusout", ({ target }) => {
      if (target === this.#editor?.field) this.#close(true);
    });
    this.box.addEventListener("input", () => this.#editor?.column.type === "list" && this.#offer());
    this.box.addEventListener("keydown", (event) => {
      const done = this.#editor ? this.#editKey(event) : this.#key(event);
      if (done !== false) event.preventDefault();
      if (done !== false || this.#editor) event.stopPropagation();
    });
    for (const name of ["copy", "cut"])
      this.box.addEventListener(name, (event) => {
        if (this.#editor) return;
        event.preventDefault();
        event.clipboardData.setData(
          "text/plain",
          writeBlock(
            this.lines().map((line) => line.map(({ row, column }) => this.sheet.text(row, column))),
          ),
        );
        if (name === "cut") this.#clear();
      });
    this.box.addEventListener("paste", (event) => {
      if (this.#editor) return;
      event.preventDefault();
      this.paste(readBlock(event.clipboardData.getData("text/plain")));
    });
    const acts = {
      all: () => ((this.all = !this.all), this.draw()),
      undo: () => this.turn(true),
      redo: () => this.turn(false),
      fill: () => this.fill(),
      find: () => this.openPanel("find"),
      change: () => this.openPanel("change"),
      revert: () => this.sheet.revert(),
      save: () => this.save(),
      anyway: () => this.save(true),
      theirs: () => this.#settle(true),
      mine: () => this.#settle(false),
    };
    root.addEventListener("click", ({ target }) => {
      const act = target.closest("[data-act]")?.dataset.act;
      if (acts[act]) this.studio.attempt(async () => acts[act]());
    });
    root.addEventListener(
      "change",
      ({ target }) => target.id === "grid-kind" && ((this.kind = target.value), this.draw()),
    );
    root.addEventListener("keydown", (event) => {
      if (!this.#control(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #settle(theirs) {
    const { r, c } = this.at;
    this.sheet.settle(this.#rows[r], this.#columns[c], theirs);
    this.active()?.focus();
  }

  #sortBy(key) {
    this.sort =
      this.sort.key !== key
        ? { key, up: true }
        : this.sort.up
          ? { key, up: false }
          : { key: "", up: true };
  }

  #clear() {
    this.put(
      this.lines()
        .flat()
        .map((cell) => ({ ...cell, value: readText(cell.column, "") })),
    );
  }

  /** Take a key with Ctrl, wherever in the table it is pressed; return whether it was one. */
  #control({ key, ctrlKey, metaKey, altKey, shiftKey, target }) {
    if (!(ctrlKey || metaKey) || altKey) return false;
    const name = key.toLowerCase();
    const typing = target.matches("input, textarea");
    if (name === "s") this.studio.attempt(() => this.save());
    else if (name === "f") this.openPanel("find", "[name=find]");
    else if (name === "h") this.openPanel("find", "[name=replacement]");
    else if (typing) return false;
    else if (name === "z") this.turn(!shiftKey);
    else if (name === "y") this.turn(false);
    else if (name === "d") this.fill();
    else return false;
    return true;
  }

  /** Take a key in a cell that is edited; return false for those that are the browser's. */
  #editKey({ key, shiftKey, altKey, isComposing, ctrlKey }) {
    if (isComposing) return false;
    const { r, c } = this.at;
    const { field, column, typed } = this.#editor;
    if (key === "Escape") this.#close(false);
    else if (
      key === "Enter" &&
      altKey &&
      field.matches("textarea") &&
      (column.rich || column.separator === "\n")
    )
      field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end");
    else if (key === "Enter" && !ctrlKey) this.move(r + (shiftKey ? -1 : 1), c);
    else if (key === "Tab") this.move(r, c + (shiftKey ? -1 : 1));
    else if (typed && !field.list && /^Arrow(Up|Down)$/.test(key))
      this.move(r + (key === "ArrowUp" ? -1 : 1), c);
    else return false;
    return true;
  }

  /** Take a key in the table; return false for those that are the browser's. */
  #key({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    if (altKey) return false;
    const { r, c } = this.at;
    const far = ctrlKey || metaKey;
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 2);
    const [end, last] = [this.#rows.length - 1, this.#columns.length - 1];
    const moves = {
      ArrowUp: [far ? 0 : r - 1, c],
      ArrowDown: [far ? end : r + 1, c],
      ArrowLeft: [r, far ? 0 : c - 1],
      ArrowRight: [r, far ? last : c + 1],
      Home: [far ? 0 : r, 0],
      End: [far ? end : r, last],
      PageUp: [Math.max(0, r - page), c],
      PageDown: [r + page, c],
    };
    const [row, column] = [this.#rows[r], this.#columns[c]];
    if (moves[key]) this.move(...moves[key], shiftKey);
    else if (far && key.toLowerCase() === "a") {
      this.move(0, 0);
      this.move(end, last, true);
    } else if (far) return false;
    else if (r < 0 && (key === "Enter" || key === " ")) (this.#sortBy(column.key), this.draw());
    else if (r < 0 || !row) return false;
    else if (key === "Enter" || key === "F2") this.edit();
    else if (key === "Delete" || key === "Backspace") this.#clear();
    else if (key === "Escape" && this.#anchor) this.move(r, c);
    else if (key === " " && column.type === "flag")
      this.put([
        { row, column, value: String((this.sheet.get(row, column) ?? column.default) !== "true") },
      ]);
    else if (key.length === 1) {
      this.edit("");
      return !this.#editor; // else the browser types it into the cell
    } else return false;
    return true;
  }
}
