/** What changes many cells of the table at once: it shows what it will do before it does it. */

import { morph } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import {
  counted,
  localize,
  make,
  makeOptions,
  sentence,
  tableHead,
  word,
} from "../shared/words.js";
import { groupFindings, readText, shownText } from "./sheet.js";

const MOST = 100; // changes that are listed
const PAUSE = 250; // milliseconds after the last key

/** Draw what is open above the table. */
export function drawPanel(grid) {
  const { panel } = grid;
  grid.over.hidden = !panel;
  if (!panel) return grid.over.replaceChildren();
  if (panel.name === "change") askChange(grid);
  const drawn = panel.name === "find" ? findPart(grid) : changePart(grid);
  morph(grid.over, drawn);
  if (!grid.over.wired) wire(grid);
  return undefined;
}

const textField = (name, value, label, given = {}) =>
  make(
    "label",
    make("span", label),
    make("input", { name, type: "text", value, autocomplete: "off", spellcheck: false, ...given }),
  );

/** Return what cells become, each with what is wrong of it. */
function changeList(grid, cells, found = new Map()) {
  const lines = cells.slice(0, MOST).map(({ row, column, value }) => {
    const wrong = (found.get(row.key)?.get(column.key) ?? []).filter(
      ({ severity }) => severity === "error",
    );
    return make(
      "li",
      make("span.soft", grid.nameOf({ row, column }), " "),
      make("del", grid.sheet.text(row, column) || word("edit-nothing")),
      " → ",
      make("ins", shownText(column, value) || word("edit-nothing")),
      ...wrong.map((one) => make("span.wrong", ` ${localize(one.message)}`)),
    );
  });
  if (cells.length > MOST) lines.push(make("li.soft", word("edit-and-more", cells.length - MOST)));
  return lines.length
    ? make("ol.grid-list", { tabIndex: 0, "aria-label": word("grid-preview") }, ...lines)
    : null;
}

const close = () => make("button.quiet", { "data-do": "close", "aria-label": word("close") }, "✕");

// Find and replace.

/** Return the cells that have a text, and what each becomes if that is replaced. */
function findCells({ rows, columns, panel, sheet }) {
  if (!panel.find) return [];
  const sought = panel.find.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(sought, panel.exact ? "gu" : "giu");
  const all = panel.cells ?? rows.flatMap((row) => columns.map((column) => ({ row, column })));
  return all
    .map((cell) => ({ ...cell, text: sheet.text(cell.row, cell.column) }))
    .filter(({ text }) => text.search(pattern) >= 0)
    .map(({ row, column, text }) => ({
      row,
      column,
      value: readText(
        column,
        text.replace(pattern, () => panel.replacement ?? ""),
      ),
    }));
}

const mayChange =
  (sheet) =>
  ({ row, column, value }) =>
    sheet.isFree(row, column) && value !== sheet.get(row, column);

function findPart(grid) {
  const { panel, sheet } = grid;
  const found = findCells(grid);
  const changes = sheet.readOnly ? [] : found.filter(mayChange(sheet));
  const where = panel.cells
    ? counted("grid-in-cell", "grid-in-cells", panel.cells.length)
    : word("grid-in-all");
  return [
    make(
      "form.grid-form",
      { "aria-label": word("grid-find") },
      textField("find", panel.find ?? "", word("grid-find-text")),
      sheet.readOnly
        ? null
        : textField("replacement", panel.replacement ?? "", word("grid-replacement")),
      make(
        "label.grid-check",
        make("input", { name: "exact", type: "checkbox", checked: Boolean(panel.exact) }),
        make("span", word("grid-exact")),
      ),
      make("button", { type: "submit", disabled: !found.length }, word("grid-next")),
      sheet.readOnly
        ? null
        : make(
            "button.main",
            { "data-do": "replace", disabled: !changes.length },
            counted("grid-replace-one", "grid-replace", changes.length),
          ),
      close(),
    ),
    make(
      "p.soft",
      { role: "status" },
      panel.find ? `${counted("edit-found-one", "edit-found", found.length)} · ` : "",
      where,
    ),
    changeList(grid, panel.find ? changes : []),
  ].filter(Boolean);
}

/** Go to the next cell with the text that is sought; the focus stays where it is. */
function findNext(grid) {
  const { r, c } = grid.at;
  const place = ({ row, column }) =>
    grid.rows.indexOf(row) * grid.columns.length + grid.columns.indexOf(column);
  const found = findCells(grid)
    .map(place)
    .sort((one, other) => one - other);
  const next = found.find((one) => one > r * grid.columns.length + c) ?? found[0];
  if (next === undefined) return;
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  grid.move(Math.floor(next / grid.columns.length), next % grid.columns.length);
  focused.focus();
}

// Change many cells by one line.

const isComputed = (text) => /^\s*[-+*/=]/.test(text) || text.includes("{{");

function changePart(grid) {
  const { panel, sheet } = grid;
  const fields = grid.columns.filter(({ tag, key, shown }) => !tag && key !== "id" && !shown);
  panel.field =
    fields.find(({ key }) => key === panel.field)?.key ??
    fields.find(({ type }) => type === "integer")?.key ??
    fields[0]?.key ??
    "";
  const { cells = [], said, found, balance } = panel;
  const done = panel.change && panel.answered === panel.asked;
  return [
    make(
      "form.grid-form",
      { "aria-label": word("grid-change") },
      make(
        "label",
        make("span", word("grid-field")),
        make(
          "select",
          { name: "field", "data-value": panel.field },
          ...makeOptions(
            fields.map(({ key, label }) => [key, label]),
            panel.field,
          ),
        ),
      ),
      textField("change", panel.change ?? "", word("grid-change-by"), {
        placeholder: "+1",
        "aria-describedby": "grid-change-how",
      }),
      textField("where", panel.where ?? "", word("grid-where"), {
        placeholder: word("grid-where-all", grid.rows.length),
      }),
      make(
        "button.main",
        { "data-do": "apply", disabled: !done || !cells.length },
        counted("grid-apply-one", "grid-apply", done ? cells.length : 0),
      ),
      close(),
    ),
    make("p.soft", { id: "grid-change-how" }, word("grid-change-how")),
    make(
      "p",
      { role: "status" },
      said ? make("span.wrong", said) : done && !cells.length ? word("grid-no-change") : "",
    ),
    changeList(grid, done ? cells : [], found),
    done && cells.length && sheet.hasWorth ? balancePart(balance) : null,
  ].filter(Boolean);
}

/** Ask what the line does, in a moment, if it or the table differs from what was asked last. */
function askChange(grid) {
  const { panel, sheet, kind } = grid;
  const { field, change = "", where = "" } = panel;
  const among = grid.rows.map(({ faction, id }) => `${faction}:${id}`);
  const asked = JSON.stringify([field, change, where, kind, among, sheet.version]);
  if (asked === panel.asked || !field) return;
  const column = grid.columns.find(({ key }) => key === field);
  Object.assign(panel, { asked, balance: undefined });
  clearTimeout(panel.timer);
  if (!change.trim()) return void Object.assign(panel, { cells: [], said: "", found: new Map() });
  panel.timer = setTimeout(async () => {
    const still = () => grid.panel?.asked === asked;
    const cards = sheet.sent();
    const take = (given) => still() && (Object.assign(grid.panel, given), grid.draw());
    try {
      const given = isComputed(change) ? change : (readText(column, change) ?? change);
      const answer = await sheet.studio.post("/api/grid/change", {
        cards,
        change: { kind, field, change: given, where, among },
      });
      const values = new Map(answer.cells);
      const cells = grid.rows
        .map((row) => ({ row, column, value: values.get(`${row.faction}:${row.id}`) }))
        .filter(({ value }) => value !== undefined)
        .map((cell) => ({ ...cell, value: cell.value === "" ? null : cell.value }))
        .filter(mayChange(sheet));
      const after = sheet.sent(cells);
      take({ cells, said: "", found: new Map(), answered: asked });
      if (!cells.length || !still()) return;
      const { findings } = await sheet.studio.post("/api/grid/check", { cards: after });
      take({ found: groupFindings(findings, after).found });
      if (sheet.hasWorth && still())
        take({ balance: await sheet.studio.post("/api/grid/balance", { before: cards, after }) });
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) sheet.studio.failed(error);
      else take({ cells: [], said: sentence(error.answer), answered: asked });
    }
  }, PAUSE);
}

/** Return the balance of the game before and after the change. */
function balancePart(balance) {
  if (!balance) return make("p.soft", { role: "status" }, word("grid-balance-soon"));
  const { before, after } = balance;
  if (!before || !after) return make("p.soft", word("grid-balance-none"));
  const line = (title, one, other) =>
    make(
      "tr",
      make("th", { scope: "row" }, title),
      make("td", String(one)),
      make("td", String(other)),
    );
  const texts = (all) => all.map(({ card, name, said }) => [card, `${name}: ${said}`]);
  const differ = (title, one, other) => {
    const known = new Set(one.map(({ card }) => card));
    const all = texts(other.filter(({ card }) => !known.has(card)));
    return all.length
      ? make("p", make("strong", `${title} `), all.map(([, text]) => text).join("; "))
      : null;
  };
  return make(
    "section.grid-balance",
    { "aria-label": word("grid-balance") },
    make(
      "table",
      tableHead(word("grid-balance"), word("grid-before"), word("grid-after")),
      make(
        "tbody",
        line(word("grid-line"), before.line || "–", after.line || "–"),
        before.fit === null ? null : line(word("grid-fit"), `${before.fit} %`, `${after.fit} %`),
        line(word("grid-far"), before.outliers.length, after.outliers.length),
        before.compared
          ? line(word("grid-beaten"), before.beaten.length, after.beaten.length)
          : null,
        ...before.factions
          .map(({ name, above }, at) => [name, above, after.factions[at]?.above])
          .filter(([, one, other]) => one !== other)
          .map(([name, one, other]) => line(word("grid-above", name), one, other)),
      ),
    ),
    differ(word("grid-new-far"), before.outliers, after.outliers),
    differ(word("grid-no-far"), after.outliers, before.outliers),
    differ(word("grid-new-beaten"), before.beaten, after.beaten),
    differ(word("grid-no-beaten"), after.beaten, before.beaten),
    before.compared ? null : make("p.soft", word("grid-many")),
  );
}

// What a person does.

function wire(grid) {
  const { over } = grid;
  over.wired = true;
  const acts = {
    close: () => grid.openPanel(""),
    replace: () => grid.put(findCells(grid)),
    apply: () => (grid.put(grid.panel.cells), grid.openPanel("")),
  };
  const hear = ({ target }) => {
    if (!grid.panel) return;
    grid.panel[target.name] = target.type === "checkbox" ? target.checked : target.value;
    grid.draw();
  };
  over.addEventListener("input", hear);
  over.addEventListener("change", hear);
  over.addEventListener("click", ({ target }) => acts[target.closest("[data-do]")?.dataset.do]?.());
  over.addEventListener(
    "submit",
    (event) => (event.preventDefault(), grid.panel.name === "find" && findNext(grid)),
  );
  over.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    grid.openPanel("");
  });
}
