/** What changes many cells of the table at once: it shows what it will do before it does it. */

import { Refused } from "../shared/session.js";
import {
  $,
  counted,
  localize,
  make,
  makeOptions,
  sentence,
  tableHead,
  tableRow,
  word,
} from "../shared/words.js";
import { groupFindings, readText, shownText } from "./sheet.js";

const MOST = 100; // changes that are listed
const PAUSE = 250; // milliseconds after the last key

/** Draw what is open above the table, and what it will do. */
export function drawForm(grid) {
  for (const button of document.querySelectorAll("[data-form]"))
    button.ariaExpanded = String(button.dataset.form === grid.form);
  $("grid-over").hidden = !grid.form;
  for (const form of $("grid-over").querySelectorAll("form"))
    form.hidden = form.id !== `grid-${grid.form}`;
  $("grid-balance").hidden = true;
  if (grid.form === "find") drawFind(grid);
  if (grid.form === "change") drawChange(grid);
}

/** List what cells become, each with what is wrong of it. */
function listChanges({ nameOf, sheet }, cells, found = new Map()) {
  const lines = cells.slice(0, MOST).map(({ row, column, value }) => {
    const findings = found.get(row.key)?.get(column.key) ?? [];
    const wrong = findings.filter(({ severity }) => severity === "error");
    return make("li", [
      make("span.soft", `${nameOf({ row, column })} `),
      make("del", sheet.text(row, column) || word("edit-nothing")),
      " → ",
      make("ins", shownText(column, value) || word("edit-nothing")),
      ...wrong.map((one) => make("span.wrong", ` ${localize(one.message)}`)),
    ]);
  });
  if (cells.length > MOST) lines.push(make("li.soft", word("edit-and-more", cells.length - MOST)));
  $("grid-list").replaceChildren(...lines);
  $("grid-list").hidden = !lines.length;
}

const mayChange = ({ sheet }) => {
  return ({ row, column, value }) => sheet.isFree(row, column) && value !== sheet.get(row, column);
};

// Find and replace.

/** Return the cells that have the text, and what each becomes if that is replaced. */
function findCells({ rows, columns, selection, sheet }) {
  const { find, replacement, exact } = $("grid-find").elements;
  if (!find.value) return [];
  const sought = find.value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(sought, exact.checked ? "gu" : "giu");
  const all = selection ?? rows.flatMap((row) => columns.map((column) => ({ row, column })));
  return all.flatMap(({ row, column }) => {
    const text = sheet.text(row, column);
    if (text.search(pattern) < 0) return [];
    return [
      {
        row,
        column,
        value: readText(
          column,
          text.replace(pattern, () => replacement.value),
        ),
      },
    ];
  });
}

function drawFind(grid) {
  const form = $("grid-find");
  const found = findCells(grid);
  const cells = found.filter(mayChange(grid));
  const { selection } = grid;
  const where = selection ? word("grid-in-cells", selection.length) : word("grid-in-all");
  const count =
    form.elements.find.value && `${counted("edit-found-one", "edit-found", found.length)} · `;
  form.querySelector("[role=status]").textContent = count + where;
  form.elements.done.disabled = !cells.length;
  form.elements.done.textContent = counted("grid-replace-one", "grid-replace", cells.length);
  listChanges(grid, cells);
}

export function replace(grid) {
  grid.put(findCells(grid).filter(mayChange(grid)));
  $("grid-find").elements.find.focus();
}

/** Go to the next cell with the text; the focus stays where it is. */
export function findNext(grid) {
  if (grid.form !== "find") return;
  const { at, rows, columns } = grid;
  const place = ({ row, column }) => rows.indexOf(row) * columns.length + columns.indexOf(column);
  const found = findCells(grid)
    .map(place)
    .filter((one) => one >= 0);
  const next = found.find((one) => one > at.r * columns.length + at.c) ?? found[0];
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  if (next === undefined) return;
  grid.move(Math.floor(next / columns.length), next % columns.length);
  focused.focus();
}

// Change many cells by one line.

function drawChange(grid) {
  const { field, change, where, done } = $("grid-change").elements;
  const fields = grid.columns.filter(({ tag, key, shown }) => !tag && key !== "faction" && !shown);
  const first = fields.find(({ type }) => type === "integer") ?? fields[0];
  const now = fields.find(({ key }) => key === field.value) ?? first;
  const options = fields.map(({ key, label }) => [key, label]);
  if (field.drawn !== String(options)) field.replaceChildren(...makeOptions(options, now?.key));
  field.drawn = String(options);
  where.placeholder = word("grid-where-all", grid.rows.length);
  askChange(grid, now, change.value, where.value);
  const { cells, said, found, balance, asked, answered } = grid.plan;
  const ready = asked === answered;
  done.disabled = !ready || !cells.length;
  done.textContent = counted("grid-apply-one", "grid-apply", ready ? cells.length : 0);
  const none = ready && change.value && !cells.length ? word("grid-no-change") : "";
  $("grid-change").querySelector("[role=status]").textContent = said || none;
  listChanges(grid, cells, found);
  if (ready && cells.length && grid.sheet.hasWorth) drawBalance(balance);
}

const NOTHING = { cells: [], said: "", found: new Map(), balance: undefined };

/** Ask what the line does, in a moment, if it or the table differs from what was asked last. */
function askChange(grid, column, change, where) {
  const { kind, sheet } = grid;
  const among = grid.rows.map(({ faction, id }) => `${faction}:${id}`);
  const asked = JSON.stringify([column?.key, change, where, kind, among, sheet.version]);
  if (asked === grid.plan?.asked) return;
  clearTimeout(grid.plan?.timer);
  grid.plan = { ...NOTHING, asked };
  if (!column || !change.trim()) return;
  const isComputed = /^\s*[-+*/=]/.test(change) || change.includes("{{");
  const wanted = isComputed ? change : (readText(column, change) ?? change);
  const take = (given) =>
    asked === grid.plan.asked && (Object.assign(grid.plan, given), grid.draw());
  const post = (name, said) => sheet.studio.post(`/api/grid/${name}`, said);
  grid.plan.timer = setTimeout(async () => {
    const before = sheet.sent();
    const line = { kind, field: column.key, change: wanted, where, among };
    try {
      const values = new Map((await post("change", { cards: before, change: line })).cells);
      const all = grid.rows.filter(({ faction, id }) => values.has(`${faction}:${id}`));
      const value = ({ faction, id }) => values.get(`${faction}:${id}`) || null;
      const cells = all.map((row) => ({ row, column, value: value(row) })).filter(mayChange(grid));
      const after = sheet.sent(cells);
      if (!take({ cells, answered: asked }) && !cells.length) return;
      const { findings } = await post("check", { cards: after });
      take({ found: groupFindings(findings, after) });
      if (sheet.hasWorth) take({ balance: await post("balance", { before, after }) });
    } catch (error) {
      if (error instanceof Refused && error.status < 500)
        take({ said: sentence(error.answer), answered: asked });
      else sheet.studio.failed(error);
    }
  }, PAUSE);
}

function drawBalance(balance) {
  const { before, after } = balance ?? {};
  const soon = word(balance ? "grid-balance-none" : "grid-balance-soon");
  $("grid-balance").hidden = false;
  if (!before || !after) return $("grid-balance").replaceChildren(make("p.soft", soon));
  const lines = [
    [word("grid-line"), before.line, after.line],
    [word("grid-fit"), `${before.fit ?? "–"} %`, `${after.fit ?? "–"} %`],
    [word("grid-far"), before.outliers.length, after.outliers.length],
    [word("grid-beaten"), before.beaten.length, after.beaten.length],
    ...before.factions.map(([name, one], at) => [
      word("grid-above", name),
      one,
      after.factions[at]?.[1],
    ]),
  ];
  const shown = lines.filter(([, one, other], at) => at < 3 || one !== other);
  const row = ([title, ...cells]) => tableRow(title, ...cells.map(String));
  const differ = (title, one, other) => {
    const known = new Set(one.map(([card]) => card));
    const texts = other.filter(([card]) => !known.has(card)).map(([, text]) => text);
    return texts.length ? make("p", make("strong", `${word(title)} `), texts.join("; ")) : "";
  };
  return $("grid-balance").replaceChildren(
    make("table", [
      tableHead(word("grid-balance"), word("grid-before"), word("grid-after")),
      make("tbody", ...shown.map(row)),
    ]),
    differ("grid-new-far", before.outliers, after.outliers),
    differ("grid-no-far", after.outliers, before.outliers),
    differ("grid-new-beaten", before.beaten, after.beaten),
    differ("grid-no-beaten", after.beaten, before.beaten),
    before.compared ? "" : make("p.soft", word("grid-many")),
  );
}
