/** The view of all cards: the wall, its search, filters and tiles. */

import { emptyPart, layNodes, readStored } from "../shared/page.js";
import { VIEWS } from "../shared/panel.js";
import { withKey } from "../shared/session.js";
import {
  cardOf,
  filterFaces,
  filtersOf,
  flipFilter,
  neighbour,
  numbersOf,
  sampleTerms,
  sortFaces,
  split,
} from "../shared/filters.js";
import { isOnScreen, leaveTile, watchTile } from "../shared/wall.js";
import { $, counted, group, make, makeOptions, says, word } from "../shared/words.js";
import { beginWithTable, listenForTable } from "./begin.js";
import { Grid, spotOf } from "./grid.js";

const tiles = new Map();
const sections = new Map();

const set = (node, name, value) => {
  if (node[name] !== value) node[name] = value;
};

function tile(key) {
  const picture = make("img", { alt: "", loading: "lazy", decoding: "async" });
  const marks = make("span.marks");
  const name = make("span.name");
  const id = make("span.id");
  const pictures = make("span.pictures", picture);
  const caption = make("span.caption", name, id);
  const button = make("button.tile", { tabIndex: -1, "data-key": key }, pictures, marks, caption);
  watchTile(button);
  const node = make("li.card", button);
  return { node, button, pictures, picture, marks, name, id, former: null };
}

function mark(text, className, said) {
  return make("span", { className: `mark ${className}` }, [
    make("span", { "aria-hidden": "true" }, text),
    make("span.hidden", ` ${said} `),
  ]);
}

/** Bring a tile to what its face is now. */
function showTile(kept, face, before, both, unsaved) {
  kept.unsaved = unsaved;
  const source = face.hash ? withKey(`/faces/${face.hash}.svg`) : "";
  if (kept.source !== source) {
    kept.source = source;
    if (isOnScreen(face.key)) kept.picture.loading = "eager"; // else it waits for the next layout
    if (source) kept.picture.src = source;
    else kept.picture.removeAttribute("src");
  }
  kept.button.classList.toggle("pending", !source);
  kept.button.classList.toggle("stale", Boolean(face.stale));
  const former = both && before ? withKey(`/faces/${before}.svg`) : null;
  if (kept.former !== former) {
    kept.former = former;
    kept.pictures.querySelector(".before")?.remove();
    if (former)
      kept.pictures.prepend(
        make("img.before", { alt: "", src: former, onerror: (event) => event.target.remove() }),
      );
  }
  const size = `${face.width} ${face.height} ${Boolean(former)}`;
  if (kept.size !== size) {
    kept.size = size;
    kept.node.style.setProperty("--w", face.width);
    kept.node.style.setProperty("--h", face.height);
    kept.node.classList.toggle("double", Boolean(former));
  }
  const part = face.part > 1 ? ` · ${face.part}` : "";
  set(kept.name, "textContent", face.name);
  set(kept.id, "textContent", face.card + part);
  const worst =
    ["error", "warning"].find((one) => face.findings.some(({ severity }) => severity === one)) ??
    "info";
  const marks = `${JSON.stringify(face.findings)} ${worst} ${Boolean(before)} ${face.stale} ${source === "" && face.pending} ${source} ${unsaved}`;
  if (kept.marked === marks) return;
  kept.marked = marks;
  kept.marks.replaceChildren();
  if (before) kept.marks.append(mark(word("changed"), "new", ""));
  if (unsaved) kept.marks.append(mark("✎", "old", word("not-saved")));
  if (face.stale) kept.marks.append(mark(word("last-good"), "old", ""));
  const count = face.findings.length;
  if (count) {
    const told = mark(String(count), worst, counted("finding-one", "finding-count", count));
    told.title = face.findings.map(({ code, message }) => `${code} ${message}`).join("\n");
    kept.marks.append(told);
  }
  if (!source && face.pending) kept.marks.append(make("span.hidden", word("pending")));
  else if (!source) kept.marks.append(mark(word("never"), "old", ""));
}

function section(faction) {
  const count = make("span.count");
  const name = make("span.faction-name");
  const heading = make("h3", { id: `faction-${faction.id}` }, make("span.swatch"), name, count);
  const list = make("ul");
  const node = make("section", { "aria-labelledby": heading.id }, heading, list);
  return { node, list, count, name };
}

/**
 * Show these faces.
 *
 * @param root the element that holds the factions.
 * @param factions in their order, each with its id, name and color.
 * @param faces those that are shown, in order.
 * @param before the former hash by key.
 * @param both whether the former face stands beside the new one.
 * @param unsaved the ids of works that are not saved.
 */
function layOut(root, factions, faces, before, both, unsaved) {
  const edited = new Set(unsaved);
  const groups = new Map(factions.map((faction) => [faction.id, []]));
  for (const face of faces) groups.get(face.faction)?.push(face);
  const shown = factions.filter(({ id }) => groups.get(id).length);
  layNodes(
    root,
    shown.map((faction) => {
      if (!sections.has(faction.id)) sections.set(faction.id, section(faction));
      const kept = sections.get(faction.id);
      const group = groups.get(faction.id);
      set(kept.name, "textContent", faction.name);
      set(kept.count, "textContent", String(group.length));
      kept.node.style.setProperty("--faction", faction.color);
      layNodes(
        kept.list,
        group.map((face) => {
          if (!tiles.has(face.key)) tiles.set(face.key, tile(face.key));
          const one = tiles.get(face.key);
          showTile(one, face, before.get(face.key), both, edited.has(`edit:${cardOf(face)}`));
          return one.node;
        }),
      );
      return kept.node;
    }),
  );
}

function touch(face, before, both) {
  const kept = tiles.get(face.key);
  if (kept?.node.isConnected) showTile(kept, face, before, both, kept.unsaved);
}

export function forget(keys) {
  for (const [key, { button }] of tiles) {
    if (keys.has(key)) continue;
    leaveTile(button);
    tiles.delete(key);
  }
}

/** Return the tile of a face, undefined if it is not on the wall. */
function tileOf(key) {
  const kept = tiles.get(key);
  return kept?.node.isConnected ? kept.button : undefined;
}

// What was searched for and how it was filtered, kept by a name.

const KEPT = `deckwright:${document.documentElement.dataset.game}:kept`;

/** Return what is kept: the name and the query of each, in the order of their names. */
const keptSearches = () =>
  readStored(KEPT, []).filter(({ name, query }) => name && typeof query === "string");

function writeKept(all) {
  localStorage.setItem(KEPT, JSON.stringify(all.toSorted((a, b) => a.name.localeCompare(b.name))));
}

/**
 * Draw what is kept, and a place to keep what is shown now.
 *
 * @param root where.
 * @param now the query that is shown, "" for nothing to keep.
 * @param apply shows another query.
 */
function drawKept(root, now, apply) {
  const all = keptSearches();
  const state = JSON.stringify([all, now]);
  if (root.drawn === state) return;
  root.drawn = state;
  const again = (focus) => {
    drawKept(root, now, apply);
    root.querySelector(focus)?.focus();
  };
  const chips = all.map(({ name, query }) => {
    const on = query === now;
    const chosen = { "aria-pressed": on, onclick: () => apply(on ? "" : query) };
    const onclick = () => {
      writeKept(keptSearches().filter((one) => one.name !== name));
      again("button");
    };
    const forget = { "aria-label": word("kept-forget", name), onclick };
    return make("span.kept", [
      make("button.chip", chosen, name),
      on && make("button.chip.forget", forget, "✕"),
    ]);
  });
  const name = make("input", {
    maxLength: 60,
    required: true,
    "aria-label": word("kept-name"),
    placeholder: word("kept-name"),
  });
  const submit = make("button.chip", { type: "submit" }, word("kept-do"));
  const form = make("form.naming", { hidden: true }, name, submit);
  const onclick = () => ((form.hidden = false), (begin.hidden = true), name.focus());
  const begin = make("button.link", { onclick }, word("kept-begin"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = name.value.trim();
    if (!said) return;
    writeKept([...keptSearches().filter((one) => one.name !== said), { name: said, query: now }]);
    again(`[aria-pressed="true"]`);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    form.hidden = true;
    begin.hidden = false;
    begin.focus();
  });
  begin.hidden = !now || all.some(({ query }) => query === now);
  root.hidden = begin.hidden && !all.length;
  root.replaceChildren(
    all.length ? make("span.chips-title", { "aria-hidden": "true" }, word("kept")) : "",
    ...chips,
    begin,
    form,
  );
}

// What is searched for, filtered and sorted, and the wall that follows.

let studio;
/** @type {Grid} */
let grid;
let query = read(new URLSearchParams());
let foundCards = null; // the cards that an expression finds; null where none is asked for
let current = null; // the key of the tile that Tab leads to
let lastSearch = 0;

function read(given) {
  const filters = {};
  for (const [name, value] of given)
    if (name.startsWith("f.")) (filters[name.slice(2)] ??= []).push(value);
  return {
    q: given.get("q") ?? "",
    as: given.get("as") === "table" ? "table" : "wall",
    side: given.get("side") === "back" ? "back" : "face",
    style: given.get("style") ?? "",
    sort: given.get("sort") ?? "order",
    filters,
    findings: given.has("findings"),
    changed: given.has("changed"),
  };
}

function params() {
  const said = new URLSearchParams();
  for (const name of ["q", "style"]) if (query[name]) said.set(name, query[name]);
  if (query.as === "table") said.set("as", "table");
  if (query.side === "back") said.set("side", "back");
  if (query.sort !== "order") said.set("sort", query.sort);
  for (const [name, values] of Object.entries(query.filters))
    for (const value of values) said.append(`f.${name}`, value);
  for (const name of ["findings", "changed"]) if (query[name]) said.set(name, "1");
  return said;
}

// Drawing.

const choice = (name, said, pressed, onclick, color) => {
  const given = { "aria-pressed": pressed, onclick, "data-focus": name };
  const colored = color && { "--faction": color };
  return make(color ? "button.chip.colored" : "button.chip", { ...given, ...colored }, said);
};

/** Return a chip that switches something of the query on and off. */
const toggle = (name, id) => {
  const flip = () => ((query[name] = !query[name]), draw());
  return choice(name, word(id), query[name], flip);
};

function drawFilters(filters) {
  const root = $("filters");
  const before = studio.before();
  const faulty = studio.wall().faces.some((face) => face.findings.length);
  const { findings, changed } = query;
  const state = JSON.stringify([
    filters,
    query.filters,
    findings,
    changed,
    before.size > 0,
    faulty,
  ]);
  if (root.drawn === state) return;
  root.drawn = state;
  const focused = document.activeElement?.dataset.focus;
  const groups = filters.map((filter) =>
    group("div.chips", filter.title, [
      make("span.chips-title", { "aria-hidden": "true" }, filter.title),
      ...filter.values.map(({ value, name, color }) =>
        choice(
          `${filter.name}=${value}`,
          name,
          (query.filters[filter.name] ?? []).includes(value),
          () => (flipFilter(query.filters, filter.name, value), draw()),
          color,
        ),
      ),
    ]),
  );
  const states = [];
  if (findings || faulty) states.push(toggle("findings", "with-findings"));
  if (changed || before.size) states.push(toggle("changed", "changed"));
  if (states.length) groups.push(group("div.chips", word("findings"), states));
  root.replaceChildren(...groups);
  const set = Object.values(query.filters).flat().length + Number(findings) + Number(changed);
  $("filter-count").textContent = set ? String(set) : "";
  if (focused) root.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

function options(node, all, now) {
  const state = JSON.stringify(all);
  if (node.drawn !== state) {
    node.drawn = state;
    node.replaceChildren(...makeOptions(all, now));
  }
  node.value = now;
}

function drawTools(filters) {
  const { faces, game } = studio.wall();
  for (const button of $("layouts").children)
    button.ariaPressed = String(button.dataset.as === query.as);
  for (const id of ["sides", "sort", "seen", "size"])
    $(id).closest(".pair, label").hidden = query.as === "table";
  for (const button of $("sides").children)
    button.ariaPressed = String(button.dataset.side === query.side);
  $("style").hidden = !game.styles.length;
  const styles = game.styles.map((name) => [name, name]);
  options($("style"), [["", word("usual")], ...styles], game.style ?? "");
  const terms = sampleTerms(studio.wall(), filters).join(" ");
  $("query").placeholder = terms ? word("search-hint", terms) : word("search-words");
  const counts = numbersOf(faces);
  const labelled = counts.filter((name) => game.labels[name]);
  const numbers = (labelled.length ? labelled : counts).map((name) => [
    name,
    word("sort-field", game.labels[name] ?? name),
  ]);
  const orders = ["order", "name", "id"].map((order) => [order, word(`sort-${order}`)]);
  options($("sort"), [...orders, ...numbers], query.sort);
  const views = VIEWS.map((view) => [view, word(`view-${view}`)]);
  options($("seen"), views, studio.settings.view);
  drawSize();
}

function drawSize() {
  const { size } = studio.settings;
  $("cards").classList.toggle("small", size < 36);
  $("size").value = size;
  $("size").setAttribute("aria-valuetext", size >= 100 ? word("life") : `${size} %`);
}

const mayEdit = () => !studio.readOnly && studio.views.includes("edit");
const newCard = () => studio.attempt(() => studio.go("edit", { new: "card" }));

/** Return whether the game can begin with a table: it is as blank as it was made. */
const mayBegin = () => !studio.readOnly && Boolean(studio.wall()?.game.blank);

/** Say that nothing is shown, and offer what is next: all cards, or the first one. */
function drawEmpty(all) {
  const act = (text, onclick, className = "main") => make("button", { className, onclick }, text);
  const next = all
    ? [act(word("clear"), () => $("clear").click())]
    : mayEdit()
      ? [act(word("new-card"), newCard)]
      : [];
  if (mayBegin()) next.push(act(word("begin"), () => beginWithTable(studio), ""));
  $("empty").replaceChildren(...emptyPart(word(all ? "none" : "no-cards"), ...next));
}

function draw() {
  const wall = studio.wall();
  if (!wall) return;
  const before = studio.before();
  if (!before.size) query.changed = false;
  const filters = filtersOf(wall, { faction: word("faction"), kind: word("kind") });
  const isTable = query.as === "table";
  const side = isTable ? "face" : query.side;
  const faces = sortFaces(
    filterFaces(wall.faces, { ...query, side }, filters, foundCards, ({ key }) => before.has(key)),
    isTable ? "order" : query.sort,
    wall.game.language,
  );
  $("factions").hidden = isTable;
  $("table").hidden = !isTable || !faces.length;
  const groups = Map.groupBy(faces, ({ faction }) => faction);
  const spots = wall.factions.flatMap(({ id }) => (groups.get(id) ?? []).map(spotOf));
  if (isTable) grid.show([...new Set(spots)]);
  else layOut($("factions"), wall.factions, faces, before, query.changed, studio.unsavedIds());
  const count = (all) => new Set(all.map(cardOf)).size;
  const all = count(wall.faces);
  const hits = count(faces);
  $("hits").textContent =
    hits === all
      ? counted("all-one", "all", all)
      : all === 1
        ? word("hits-one", hits)
        : word("hits", hits, all);
  $("empty").hidden = hits > 0;
  $("layouts").hidden = !all;
  $("new-card").hidden = !all || !mayEdit();
  if (!hits) drawEmpty(all);
  const { q, findings, changed } = query;
  $("clear").hidden = !(q || Object.keys(query.filters).length || findings || changed);
  drawFilters(filters);
  drawKept($("kept"), params().toString(), apply);
  $("changes").hidden = !before.size;
  $("changes-count").textContent = counted("changes-one", "changes", before.size);
  $("changes-show").textContent = word(changed ? "changes-all" : "changes-show");
  drawTools(filters);
  drawOpened();
  rove();
  studio.keep();
}

function drawOpened() {
  for (const tile of $("factions").querySelectorAll("[aria-current]"))
    tile.removeAttribute("aria-current");
  tileOf(studio.opened())?.setAttribute("aria-current", "true");
}

/** One tile alone is reached by Tab; arrows move between tiles. */
function rove(
  tile = tileOf(current) ?? tileOf(studio.opened()) ?? $("factions").querySelector(".tile"),
) {
  for (const old of $("factions").querySelectorAll(".tile[tabindex='0']")) old.tabIndex = -1;
  if (!tile) return;
  tile.tabIndex = 0;
  current = tile.dataset.key;
}

// Asking the server.

async function search() {
  const mine = ++lastSearch;
  const { expression } = split(query.q);
  let note = null;
  if (!expression) foundCards = null;
  else {
    const reply = await studio.ask(`/api/search?q=${encodeURIComponent(expression)}`);
    if (mine !== lastSearch) return;
    if (reply.message) note = says(reply);
    else foundCards = new Set(reply.cards);
  }
  $("query-note").replaceChildren(note ?? "");
  draw();
}

function hear(event) {
  if (query.as === "table" && ["wall", "files"].includes(event.kind))
    studio.attempt(() => grid.sheet.load());
  if (event.kind === "wall") {
    query.style = studio.wall().game.style ?? ""; // it may be gone
    forget(new Set(studio.wall().faces.map(({ key }) => key)));
    studio.attempt(search);
  } else if (event.kind === "opened") {
    drawOpened();
    rove();
  } else if (event.kind === "pictures") {
    for (const key of event.keys) touch(studio.face(key), studio.before().get(key), query.changed);
  } else if (event.kind === "faces" && event.facts) {
    forget(new Set(studio.wall().faces.map(({ key }) => key)));
    studio.attempt(search);
  } else if (["faces", "settings", "unsaved"].includes(event.kind)) draw();
}

// What a person does.

function press(event) {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    $("query").select();
  } else if (event.key === "Escape" && event.target === $("query") && query.q) {
    write("");
  } else if (event.target === $("query") && ["ArrowDown", "Enter"].includes(event.key)) {
    event.preventDefault();
    const tile = $("factions").querySelector(".tile[tabindex='0']");
    (query.as === "table" ? grid : tile)?.focus();
  } else if (event.target.matches?.(".tile") && /^(Arrow|Home|End)/.test(event.key)) {
    event.preventDefault();
    const next = neighbour([...$("factions").querySelectorAll(".tile")], event.target, event.key);
    if (!next) return true;
    rove(next);
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    if (studio.opened() && !matchMedia("(max-width: 800px)").matches)
      studio.openCard(next.dataset.key);
  } else return false;
  return true;
}

function write(text) {
  query.q = text;
  if ($("query").value !== text) $("query").value = text;
  studio.attempt(search);
}

function wire() {
  $("filter-box").open = !matchMedia("(max-width: 800px)").matches;
  $("query").addEventListener("input", () => write($("query").value));
  $("sides").addEventListener(
    "click",
    ({ target }) => target.dataset.side && ((query.side = target.dataset.side), draw()),
  );
  $("layouts").addEventListener("click", ({ target }) => {
    if (target.dataset.as) studio.attempt(() => lay(target.dataset.as));
  });
  $("style").addEventListener("change", () => studio.style((query.style = $("style").value)));
  $("sort").addEventListener("change", () => ((query.sort = $("sort").value), draw()));
  $("seen").addEventListener("change", () => studio.look({ view: $("seen").value }));
  $("size").addEventListener(
    "input",
    () => (studio.set({ size: Number($("size").value) }), drawSize()),
  );
  $("changes-show").addEventListener("click", () => ((query.changed = !query.changed), draw()));
  $("changes-seen").addEventListener("click", () => studio.see([...studio.before().keys()]));
  listenForTable($("cards"), (file) => beginWithTable(studio, file), mayBegin);
  $("new-card").addEventListener("click", newCard);
  $("clear").addEventListener("click", () => {
    Object.assign(query, { filters: {}, findings: false, changed: false });
    write("");
    $("query").focus();
  });
  $("factions").addEventListener("click", ({ target }) => {
    const tile = target.closest(".tile");
    if (!tile) return;
    rove(tile);
    if (studio.opened() === tile.dataset.key) studio.close();
    else studio.openCard(tile.dataset.key);
  });
}

const apply = (text) => studio.attempt(() => show(new URLSearchParams(text)));

async function lay(as) {
  query.as = as;
  draw();
  if (as === "table") await grid.sheet.load();
}

async function show(given) {
  query = read(given);
  $("query").value = query.q;
  if (query.as === "table") studio.attempt(() => grid.sheet.load());
  if ((studio.wall()?.game.style ?? "") !== query.style) await studio.style(query.style);
  else if (studio.wall()) await search();
}

export function start(_, given) {
  studio = given;
  grid = new Grid(studio);
  wire();
  drawSize();
  const neighbourOf = (key, by) => {
    if (query.as === "table") {
      const spot = spotOf(studio.face(key));
      const at = grid.rows.findIndex((row) => spotOf(row) === spot);
      return at < 0 ? undefined : grid.faceOf(grid.rows[at + by])?.key;
    }
    const all = [...$("factions").querySelectorAll(".tile")];
    const at = all.indexOf(tileOf(key));
    return at < 0 ? undefined : all[at + by]?.dataset.key;
  };
  return {
    show,
    hear,
    press,
    params,
    place: (key) => (query.as === "table" ? grid : tileOf(key)) ?? $("query"),
    neighbour: neighbourOf,
  };
}
