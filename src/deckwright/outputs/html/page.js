/** The page of a game without its server: search, filters, order, and the opened card. */

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
} from "../../studio/pages/shared/filters.js";

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);

/** Make an element with properties and children. */
function make(tag, given, ...children) {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...children);
  return node;
}

const wall = JSON.parse($("data").textContent);
const { labels, language } = wall.game;

/** Return a word of the page, with what is given in its places. */
const word = (id, ...given) => wall.words[id].replace(/\{\}/g, () => given.shift());

/** @type {NodeListOf<HTMLElement>} */
const cards = document.querySelectorAll("#factions .card");
wall.faces.forEach((face, place) => {
  const picture = cards[place].querySelector("img");
  const [front, alt] = [picture.getAttribute("src"), picture.alt];
  Object.assign(face, { node: cards[place], picture, front, alt, side: "face", findings: [] });
  face.decks = { "#deck": Object.keys(face.copies) }; // no field has such a name
});
wall.game.filters.push({
  name: "#deck",
  of: "decks",
  title: word("nav-decks"),
  values: wall.decks,
});
const filters = filtersOf(wall, { faction: word("faction"), kind: word("kind") });
const query = { q: "", side: "face", filters: {} };
let backs = false;
let shown = wall.faces;

// Conditions, as the studio's server evaluates them: `strength>=3 row:CLOSE`.

const CONDITION =
  /(?:(and|or)\s+)?('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s*(!=|<=|>=|=|<|>|:)\s*|\s+(not\s+in|in)\s+)('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s+|$)/y;
const numbers = (values) => values.filter((one) => one.trim()).map(Number);
const compare = (holds) => (left, right) =>
  numbers(left).some((one) => numbers(right).some((other) => holds(one, other)));
const isEqual = (left, right) => left.some((one) => right.includes(one));
const isIn = (left, right) => left.every((one) => right.includes(one));
const TESTS = {
  "=": isEqual,
  ":": isEqual,
  "!=": (left, right) => !isEqual(left, right),
  in: isIn,
  "not in": (left, right) => !isIn(left, right),
  "<": compare((one, other) => one < other),
  "<=": compare((one, other) => one <= other),
  ">": compare((one, other) => one > other),
  ">=": compare((one, other) => one >= other),
};
const aliases = new Map(["name", "id", "kind", "faction_id"].map((name) => [name, name]));
for (const [alias, name] of Object.entries(wall.aliases)) aliases.set(alias.toLowerCase(), name);

/** Return the values of a face in a field or in children, as texts. */
function textsOf(face, name) {
  const { card: id, faction: faction_id, kind, name: called } = face;
  const value = { ...face.fields, id, faction_id, kind, name: called, ...face.children }[name];
  return (Array.isArray(value) ? value : [value]).map((one) => String(one ?? ""));
}

/**
 * Return the alternatives that an expression states: lists of tests that all must hold.
 *
 * @throws {Error} with a message for people if it is none, or names a field that no card has.
 */
function parse(text) {
  const groups = [];
  CONDITION.lastIndex = 0;
  for (let at = 0; at < text.length; at = CONDITION.lastIndex) {
    const match = CONDITION.exec(text);
    if (!match || Boolean(match[1]) > Boolean(groups.length)) throw new Error(hint());
    const [field, value] = [match[2], match[5]].map((part) => part.replace(/^["']|["']$/g, ""));
    const name = aliases.get(field.toLowerCase());
    const known = [...new Set(Object.values(labels))].join(", ");
    if (!name) throw new Error(word("search-unknown", field, known));
    const terms = wall.game.filters.find((filter) => filter.name === name)?.values ?? [];
    const sign = match[3] ?? match[4].replace(/\s+/, " ");
    const right = (match[4] ? value.split(",") : [value]).map((part) => {
      const wanted = part.trim().toLowerCase();
      return terms.find((term) => term.name.toLowerCase() === wanted)?.value ?? part.trim();
    });
    if (match[1] === "or" || !groups.length) groups.push([]);
    groups.at(-1).push((face) => TESTS[sign](textsOf(face, name), right));
  }
  return groups;
}

/** Return what can be searched, in the game's own terms. */
function hint() {
  const terms = sampleTerms(wall, filters);
  return terms.length ? word("search-hint", terms.join(" ")) : word("search-words");
}

let found = null; // the cards that a condition finds, the last ones while it has a mistake

function search() {
  query.q = $("query").value;
  const { expression } = split(query.q);
  $("query-note").textContent = "";
  try {
    const groups = expression && parse(expression);
    const holds = (face) => groups.some((group) => group.every((test) => test(face)));
    found = expression ? new Set(wall.faces.filter(holds).map(cardOf)) : null;
  } catch (error) {
    $("query-note").textContent = error.message;
  }
  draw();
}

// The wall: the tiles that the page has anyway, in another order and some of them hidden.

const count = (faces) => new Set(faces.map(cardOf)).size;

function draw() {
  const order = $("sort").value;
  const wanted = filterFaces(wall.faces, query, filters, found, () => false);
  shown = sortFaces(wanted, order, language).filter(({ back }) => back || !backs);
  const visible = new Set(shown);
  for (const face of wall.faces) {
    face.node.hidden = !visible.has(face);
    const source = backs ? face.back : face.front;
    if (source && face.picture.getAttribute("src") !== source) {
      face.picture.src = source;
      face.picture.alt = backs ? `${face.name}: ${word("back")}` : face.alt;
    }
  }
  for (const face of shown) face.node.parentElement.append(face.node);
  for (const part of $("factions").children) {
    const number = part.querySelectorAll(".card:not([hidden])").length;
    part.hidden = !number;
    part.querySelector(".count").textContent = String(number);
  }
  const [all, hits] = [count(wall.faces), count(shown)];
  const said = hits === all ? ["all-one", "all"] : ["hits-one", "hits"];
  $("hits").textContent = word(said[all === 1 ? 0 : 1], hits, all);
  $("empty").hidden = hits > 0;
  const chosen = Object.values(query.filters).flat().length;
  $("clear").hidden = !query.q && !chosen;
  $("filter-count").textContent = chosen || "";
  for (const chip of $("filters").querySelectorAll("button"))
    chip.ariaPressed = String((query.filters[chip.name] ?? []).includes(chip.value));
}

for (const { name, title, values } of filters) {
  const chips = values.map(({ value, name: text, color }) => {
    const chip = make("button", { type: "button", className: "chip", name, value }, text);
    if (color) chip.style.setProperty("--faction", color);
    chip.classList.toggle("colored", Boolean(color));
    return chip;
  });
  const said = make("span", { className: "chips-title", ariaHidden: "true" }, title);
  const group = make("div", { className: "chips", role: "group", ariaLabel: title }, said);
  group.append(...chips);
  $("filters").append(group);
}

function clear() {
  query.filters = {};
  $("query").value = "";
  search();
}

// The opened card.

const byAnchor = new Map(wall.faces.map((face) => [face.node.id, face]));
let opened = null;

function openCard(face) {
  opened = face;
  const className = face.node.classList[1];
  const side = (src, alt) => (src ? [make("img", { src, alt, className })] : []);
  $("opened-name").textContent = face.name;
  $("opened-faces").replaceChildren(...side(face.front, ""), ...side(face.back, word("back")));
  $("opened-text").replaceChildren(
    make("p", { className: "under" }, `${wall.game.kinds[face.kind]} · ${face.card}`),
    ...face.alt
      .split("\n")
      .slice(1)
      .map((line) => make("p", {}, line)),
    ...wall.decks
      .filter(({ value }) => face.copies[value])
      .map(({ value, name }) =>
        make("p", {}, `${face.copies[value]}× `, make("a", { href: `#deck-${value}` }, name)),
      ),
  );
  if (!$("opened").open) $("opened").showModal();
}

/** Open the card before or behind the opened one. */
const turn = (by) => openCard(shown[shown.indexOf(opened) + by] ?? opened);

/** Open the card that a link names, and return whether there is one. */
function follow(address) {
  const face = byAnchor.get(decodeURIComponent(address.slice(1)));
  if (face) openCard(face);
  return Boolean(face);
}

function click(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a");
  const anchor = link?.matches(".tile") ? `#${link.parentElement.id}` : link?.getAttribute("href");
  if (anchor?.startsWith("#card-") && follow(anchor)) event.preventDefault();
  else if (link && $("opened").open) $("opened").close();
  if (event.target === $("opened")) $("opened").close(); // beside what it holds
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if ($("opened").open) {
    if (event.key === "ArrowLeft") turn(-1);
    if (event.key === "ArrowRight") turn(1);
    return;
  }
  const tiles = shown.map(({ node }) => node.firstElementChild);
  let next;
  if (event.key === "/" && !event.target.closest("input, select")) next = $("query");
  else if (event.key === "Escape" && event.target === $("query")) clear();
  else if (event.key === "ArrowDown" && event.target === $("query")) next = tiles[0];
  else if (/^(Arrow|Home|End)/.test(event.key) && event.target.matches(".tile"))
    next = neighbour(tiles, event.target, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const counts = numbersOf(wall.faces);
const labelled = counts.filter((name) => labels[name]);
const orders = { order: word("sort-order"), name: word("sort-name"), id: word("sort-id") };
for (const name of labelled.length ? labelled : counts)
  orders[name] ??= word("sort-field", labels[name] ?? name);
for (const value in orders) $("sort").append(make("option", { value }, orders[value]));
$("sort").value = "order"; // a browser may remember another one
$("query").placeholder = hint();
$("filter-box").open = !matchMedia("(max-width: 800px)").matches;
for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;

$("query").addEventListener("input", search);
$("sort").addEventListener("change", draw);
$("clear").addEventListener("click", () => (clear(), $("query").focus()));
$("filters").addEventListener("click", ({ target }) => {
  if (target.name) flipFilter(query.filters, target.name, target.value);
  draw();
});
$("sides").addEventListener("click", ({ target }) => {
  if (!target.matches("button")) return;
  backs = target.value === "back";
  for (const button of $("sides").children) button.ariaPressed = String(button === target);
  draw();
});
$("size").addEventListener("input", () =>
  document.documentElement.style.setProperty("--scale", String($("size").value / 100)),
);
$("previous").addEventListener("click", () => turn(-1));
$("next").addEventListener("click", () => turn(1));
$("close").addEventListener("click", () => $("opened").close());
document.addEventListener("click", click);
document.addEventListener("keydown", press);
addEventListener("beforeprint", () => {
  for (const { picture } of shown) picture.loading = "eager";
});
search();
follow(location.hash);
