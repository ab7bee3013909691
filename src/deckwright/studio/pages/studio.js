/** The studio's page: what is asked for, what the server tells, and the wall that follows from both. */

import { cardOf, chosen, filtersOf, numbersOf, sorted, split } from "./filters.js";
import { fill, finding } from "./panel.js";
import { ask, begin, listen, Missing, run, together, Unknown } from "./session.js";
import { forget, lay_out, neighbour, tileOf } from "./wall.js";
import { counted, language, make, speak, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const game = document.documentElement.dataset.game;
const KEPT = `deckwright:${game}`;
const MOST = 5; // findings over the wall; the others are counted

// What is kept: settings in the browser, the query in the address.
const settings = { size: 55, theme: "auto", editor: "vscode", calibration: 100, life: false, guides: false, view: "normal", ...stored("deckwright:settings", {}) };
let query = read(location.search || localStorage.getItem(`${KEPT}:query`) || "");
let wall = null;
let found = null; // the cards that an expression finds; null where none is asked for
let before = new Map(); // the former hash of each face that nobody has seen yet
let known = new Map(); // the hash of each face when it was last told
let composed = new Map(); // of faces that were composed since the wall was asked for
let current = null; // the key of the tile that Tab leads to
let asking = 0;

function stored(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function read(text) {
  const given = new URLSearchParams(text);
  const filters = {};
  for (const [name, value] of given) if (name.startsWith("f.")) (filters[name.slice(2)] ??= []).push(value);
  return {
    q: given.get("q") ?? "", side: given.get("side") === "back" ? "back" : "face", style: given.get("style") ?? "",
    sort: given.get("sort") ?? "order", open: given.get("open") ?? "", filters,
    findings: given.has("findings"), changed: given.has("changed"),
  };
}

function keep() {
  const said = new URLSearchParams();
  for (const name of ["q", "style", "open"]) if (query[name]) said.set(name, query[name]);
  if (query.side === "back") said.set("side", "back");
  if (query.sort !== "order") said.set("sort", query.sort);
  for (const [name, values] of Object.entries(query.filters)) for (const value of values) said.append(`f.${name}`, value);
  for (const name of ["findings", "changed"]) if (query[name]) said.set(name, "1");
  const text = said.toString();
  history.replaceState(null, "", text ? `?${text}` : location.pathname);
  localStorage.setItem(`${KEPT}:query`, text);
}

function set(changes) {
  Object.assign(settings, changes);
  localStorage.setItem("deckwright:settings", JSON.stringify(settings));
  dress();
}

/** Let the page look as the settings say. Styles are set here alone, as the page's policy wants it. */
function dress() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.style.setProperty("--mm", `${(96 / 25.4) * (settings.calibration / 100)}px`);
  root.style.setProperty("--scale", settings.size / 100);
  $("wall").classList.toggle("small", settings.size < 36);
  $("size").value = settings.size;
  $("size").setAttribute("aria-valuetext", settings.size >= 100 ? word("life") : `${settings.size} %`);
  for (const name of ["theme", "editor", "calibration"]) $(name).value = settings[name];
}

// What has changed and was not seen: kept for all tabs, a list for each style. A studio that was
// started anew does not have the former faces any more.

const unseen = () => `${KEPT}:unseen:${wall.game.style ?? ""}`;

function saveUnseen() {
  localStorage.setItem(unseen(), JSON.stringify({ run: run(), faces: [...before] }));
  tellOthers();
}

function loadUnseen() {
  const kept = stored(unseen(), {});
  before = new Map(kept.run === run() ? kept.faces : []);
}

const tellOthers = together(() => wall && (loadUnseen(), draw()));

function seen(keys) {
  for (const key of keys) before.delete(key);
  if (!before.size) query.changed = false;
  saveUnseen();
  draw();
}

/** Keep the former hash of each face that differs; what is as it was again is forgotten. */
function compare() {
  loadUnseen();
  const old = JSON.stringify([...before]);
  const keys = new Set(wall.faces.map(({ key }) => key));
  for (const { key, hash } of wall.faces) {
    if (!hash) continue;
    const former = known.get(key);
    if (former && former !== hash && !before.has(key)) before.set(key, former);
    if (before.get(key) === hash) before.delete(key);
    known.set(key, hash);
  }
  for (const key of before.keys()) if (!keys.has(key)) before.delete(key);
  if (!before.size) query.changed = false;
  if (JSON.stringify([...before]) !== old) saveUnseen();
  forget(keys);
}

/** Take the hashes of faces that were composed after the wall was told. */
function take() {
  for (const face of wall.faces) {
    if (face.hash || !composed.has(face.key)) continue;
    face.hash = composed.get(face.key);
    face.pending = false;
  }
  compare();
}

// Drawing.

const choice = (name, said, pressed, press, color) => {
  const chip = make("button", { type: "button", className: "chip", "aria-pressed": String(pressed), onclick: press }, said);
  if (color) {
    chip.classList.add("colored");
    chip.style.setProperty("--faction", color);
  }
  chip.dataset.focus = name;
  return chip;
};

function flip(name, value) {
  const values = query.filters[name] ?? [];
  query.filters[name] = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  if (!query.filters[name].length) delete query.filters[name];
  draw();
}

function drawFilters(filters) {
  const root = $("filters");
  const faulty = wall.faces.some((face) => face.findings.length);
  const state = JSON.stringify([filters, query.filters, query.findings, query.changed, before.size > 0, faulty]);
  if (root.drawn === state) return;
  root.drawn = state;
  const focused = document.activeElement?.dataset.focus;
  const groups = filters.map((filter) => make("div", { className: "chips", role: "group", "aria-label": filter.title },
    make("span", { className: "chips-title", "aria-hidden": "true" }, filter.title),
    ...filter.values.map(({ value, name, color }) => choice(`${filter.name}=${value}`, name, (query.filters[filter.name] ?? []).includes(value), () => flip(filter.name, value), color))));
  const states = [];
  if (query.findings || faulty) {
    states.push(choice("findings", word("with-findings"), query.findings, () => ((query.findings = !query.findings), draw())));
  }
  if (query.changed || before.size) {
    states.push(choice("changed", word("changed"), query.changed, () => ((query.changed = !query.changed), draw())));
  }
  if (states.length) groups.push(make("div", { className: "chips", role: "group", "aria-label": word("findings") }, ...states));
  root.replaceChildren(...groups);
  const set = Object.values(query.filters).flat().length + query.findings + query.changed;
  $("filter-count").textContent = set ? String(set) : "";
  if (focused) root.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

function options(node, all, now) {
  const state = JSON.stringify(all);
  if (node.drawn !== state) {
    node.drawn = state;
    node.replaceChildren(...all.map(([value, text]) => make("option", { value }, text)));
  }
  node.value = now;
}

function drawMistakes() {
  const root = $("mistakes");
  const { ok, findings } = wall.state;
  const errors = findings.filter(({ severity }) => severity === "error");
  const told = errors.length ? errors : ok ? [] : findings;
  const state = JSON.stringify([told, settings.editor]);
  if (root.drawn === state) return;
  root.drawn = state;
  root.hidden = !told.length;
  root.classList.toggle("broken", !ok || errors.length > 0);
  if (!told.length) return;
  root.replaceChildren(
    make("p", { className: "head", role: "alert" }, counted("mistake-one", "mistakes", told.length)),
    make("ul", { role: "list" }, ...told.slice(0, MOST).map((one) => finding(one, wall.game, settings.editor))),
    told.length > MOST ? make("p", {}, word("more", told.length - MOST)) : "");
}

function drawChanges() {
  $("changes").hidden = !before.size;
  $("changes-count").textContent = counted("changes-one", "changes", before.size);
  $("changes-show").textContent = word(query.changed ? "changes-all" : "changes-show");
}

function drawPanel() {
  const panel = $("panel");
  const face = wall.faces.find(({ key }) => key === query.open);
  panel.hidden = !face;
  document.body.classList.toggle("opened", Boolean(face));
  for (const tile of $("factions").querySelectorAll("[aria-current]")) tile.removeAttribute("aria-current");
  if (!face) return;
  tileOf(query.open)?.setAttribute("aria-current", "true");
  const look = { life: settings.life, guides: settings.guides, view: settings.view, editor: settings.editor };
  fill(panel, face, wall, look, before, { open, close, seen, look: (changes) => (set(changes), drawPanel()) });
}

/** Return what can be searched, in the game's own terms. */
function hint(filters) {
  const [number] = numbersOf(wall.faces);
  const filter = filters.findLast(({ of }) => of !== "face");
  const terms = [number && `${number}>=3`, filter && `${filter.name}:${filter.values[0].value}`].filter(Boolean);
  return terms.length ? word("search-hint", terms.join(" ")) : word("search-words");
}

function draw() {
  if (!wall) return;
  const filters = filtersOf(wall, { faction: word("faction"), kind: word("kind") });
  const faces = sorted(chosen(wall.faces, query, filters, found, ({ key }) => before.has(key)), query.sort, wall.game.language);
  lay_out($("factions"), wall.factions, faces, before, query.changed);
  const count = (all) => new Set(all.map(cardOf)).size;
  const all = count(wall.faces);
  const hits = count(faces);
  $("hits").textContent = hits === all ? counted("all-one", "all", all) : word("hits", hits, all);
  $("empty").hidden = hits > 0;
  $("empty").textContent = word(all ? "none" : "no-cards");
  $("clear").hidden = !(query.q || Object.keys(query.filters).length || query.findings || query.changed);
  drawFilters(filters);
  drawMistakes();
  drawChanges();
  for (const button of $("sides").children) button.setAttribute("aria-pressed", String(button.dataset.side === query.side));
  $("style").hidden = !wall.game.styles.length;
  options($("style"), [["", word("usual")], ...wall.game.styles.map((name) => [name, name])], wall.game.style ?? "");
  $("query").placeholder = hint(filters);
  const labels = wall.game.labels;
  const counts = numbersOf(wall.faces);
  const labelled = counts.filter((name) => labels[name]);
  const numbers = (labelled.length ? labelled : counts).map((name) => [name, word("sort-field", labels[name] ?? name)]);
  options($("sort"), [["order", word("sort-order")], ["name", word("sort-name")], ["id", word("sort-id")], ...numbers], query.sort);
  rove();
  drawPanel();
  keep();
}

/** One tile alone is reached by Tab; arrows move between tiles. */
function rove(tile = tileOf(current) ?? tileOf(query.open) ?? $("factions").querySelector(".tile")) {
  for (const old of $("factions").querySelectorAll(".tile[tabindex='0']")) old.tabIndex = -1;
  if (!tile) return;
  tile.tabIndex = 0;
  current = tile.dataset.key;
}

// Asking the server.

async function search() {
  const mine = ++asking;
  const { expression } = split(query.q);
  let note = "";
  if (!expression) found = null;
  else {
    const reply = await ask(`/api/search?q=${encodeURIComponent(expression)}`);
    if (mine !== asking) return;
    if (reply.message) note = reply.hint ? `${reply.message}; ${reply.hint}` : reply.message;
    else found = new Set(reply.cards);
  }
  $("query-note").textContent = note;
  draw();
}

let later = null;
let loading = null;
let again = false;

/** Fetch the wall. What comes while it is fetched is fetched once more, and once only. */
function load() {
  again = true;
  loading ??= (async () => {
    while (again) {
      again = false;
      const style = query.style;
      composed = new Map();
      const told = await ask(`/api/wall${style ? `?style=${encodeURIComponent(style)}` : ""}`).catch((error) => {
        if (!(style && error instanceof Missing)) throw error;
        query.style = ""; // a style that is gone
        again = true;
      });
      if (!told || style !== query.style) continue;
      if (wall?.game.style !== told.game.style) known = new Map();
      wall = told;
      take();
      await search();
    }
  })().finally(() => (loading = null));
  return loading;
}

function connected(state) {
  const note = $("connection");
  document.body.classList.toggle("offline", state !== "up");
  note.hidden = state === "up";
  note.textContent = state === "up" ? "" : word(state);
}

const lost = (error) => connected(error instanceof Unknown ? "stale" : "gone");

function hear(event) {
  if (event.gone) connected("gone");
  else if (event.stale) connected("stale");
  else if (event.composed && (event.style ?? null) === (wall?.game.style ?? null)) {
    for (const [key, hash] of Object.entries(event.composed)) composed.set(key, hash);
    if (!wall) return;
    take();
    later ??= requestAnimationFrame(() => ((later = null), draw()));
  }
  const missed = event.up && (!wall || document.body.classList.contains("offline") || wall.faces.some(({ pending }) => pending));
  if (missed || (event.version && event.version !== wall?.version)) load().then(() => connected("up"), lost);
}

// What a person does.

function open(key) {
  query.open = key;
  draw();
  if (matchMedia("(max-width: 800px)").matches) $("panel").querySelector(".close").focus();
}

function close() {
  const back = tileOf(query.open);
  query.open = "";
  draw();
  (back ?? $("query")).focus();
}

function press(event) {
  const typing = event.target.closest("input[type=search], select, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || $("settings").open) return;
  if (event.key === "/" && !typing) {
    event.preventDefault();
    $("query").select();
  } else if (event.key === "Escape") {
    if (event.target === $("query") && query.q) write("");
    else if (query.open) close();
  } else if (event.target === $("query") && ["ArrowDown", "Enter"].includes(event.key)) {
    event.preventDefault();
    $("factions").querySelector(".tile[tabindex='0']")?.focus();
  } else if (event.target.matches?.(".tile") && /^(Arrow|Home|End)/.test(event.key)) {
    event.preventDefault();
    const next = neighbour($("factions"), event.target, event.key);
    if (!next) return;
    rove(next);
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    if (query.open && !matchMedia("(max-width: 800px)").matches) open(next.dataset.key);
  }
}

function write(text) {
  query.q = text;
  if ($("query").value !== text) $("query").value = text;
  search().catch(lost);
}

function measure() {
  const face = wall?.faces[0] ?? { width: 63, height: 88 };
  $("calibration-card").style.setProperty("--w", face.width);
  $("calibration-card").style.setProperty("--h", face.height);
  $("calibration-size").textContent = word("calibrate-size", face.width, face.height);
}

function wire() {
  $("query").value = query.q;
  $("filter-box").open = !matchMedia("(max-width: 800px)").matches;
  $("query").addEventListener("input", () => write($("query").value));
  $("sides").addEventListener("click", ({ target }) => target.dataset.side && ((query.side = target.dataset.side), draw()));
  $("style").addEventListener("change", () => ((query.style = $("style").value), load().catch(lost)));
  $("sort").addEventListener("change", () => ((query.sort = $("sort").value), draw()));
  $("size").addEventListener("input", () => set({ size: Number($("size").value) }));
  $("calibration").addEventListener("input", () => set({ calibration: Number($("calibration").value) }));
  $("theme").addEventListener("change", () => set({ theme: $("theme").value }));
  $("editor").addEventListener("change", () => (set({ editor: $("editor").value }), draw()));
  $("settings-open").addEventListener("click", () => (measure(), $("settings").showModal()));
  $("changes-show").addEventListener("click", () => ((query.changed = !query.changed), draw()));
  $("changes-seen").addEventListener("click", () => seen([...before.keys()]));
  $("clear").addEventListener("click", () => {
    Object.assign(query, { filters: {}, findings: false, changed: false });
    write("");
    $("query").focus();
  });
  $("factions").addEventListener("click", ({ target }) => {
    const tile = target.closest(".tile");
    if (!tile) return;
    rove(tile);
    if (query.open === tile.dataset.key) close();
    else open(tile.dataset.key);
  });
  new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--top", `${target.offsetHeight}px`)).observe($("top"));
  document.addEventListener("keydown", press);
  addEventListener("storage", ({ key }) => {
    if (key !== "deckwright:settings") return;
    Object.assign(settings, stored("deckwright:settings", {}));
    dress();
    draw();
  });
}

document.documentElement.lang = language;
speak(document);
dress();
wire();
begin().then(load).catch(lost).finally(() => listen(hear));
