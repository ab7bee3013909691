/** The studio's page: its views, its address, what the server tells, and what all views share. */

import {
  dress,
  finding,
  noteUnsaved,
  noteUnsavedAgain,
  place,
  reasonOf,
  set,
  settings,
  showFailure,
  showKeys,
  unsavedIds,
  wireSettings,
} from "./shared/page.js";
import { cardOf } from "./shared/filters.js";
import { fill, lookAgain } from "./shared/panel.js";
import { ask, begin, listen, Missing, post, Refused, Unknown } from "./shared/session.js";
import {
  beginScreen,
  compareFaces,
  faceOf,
  hearWall,
  loadWall,
  markSeen,
  sayKeysAgain,
  sayKeysLater,
  shareUnseen,
  translationOf,
  unseenFaces,
  wall,
} from "./shared/wall.js";
import {
  $,
  counted,
  language,
  languageName,
  make,
  makeOptions,
  serverText,
  speak as sayWords,
  word,
} from "./shared/words.js";

// The beginning: what others left on this port goes, the server proves itself, and the page is shown.

const AGAIN = 1000; // milliseconds until it is tried again

/** Do away with service workers that another program has left on this port. */
async function alone() {
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (!navigator.serviceWorker.controller) return;
  location.reload(); // this page came through one
  await new Promise(() => {});
}

/** Return what the server says of the game, as soon as it can be asked. */
async function askGame() {
  for (;;) {
    try {
      await begin();
      return await ask("/api/game");
    } catch (error) {
      $("connection").textContent = word(error instanceof Unknown ? "stale" : "gone");
      $("connection").hidden = false;
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

dress();
await alone();
document.documentElement.lang = language;
sayWords(document);
const { name: game, language: spoken, readOnly } = await askGame();
$("connection").hidden = true;
document.documentElement.dataset.game = game;
$("game").lang = spoken;
if (readOnly) document.documentElement.dataset.readOnly = "";
$("looks-only").hidden = !readOnly;

// What the views share.

const KEPT = `deckwright:${game}`;
const PSEUDO = "en-XA"; // every text longer, in brackets and with accents
const MOST = 5; // findings over the wall; the others are counted
const SOON = 80; // milliseconds until the marks of new pictures are drawn: more may come
const NAMES = [...document.querySelectorAll("[data-view]")].map((link) => link.dataset.view);

const views = new Map(); // those that have been started
let current = ""; // the view that is shown
let opened = ""; // the key of the face that is opened
const left = new Map(); // the keys of those that were opened in other views
let opener = null; // where the focus was then

const studio = {
  wall: () => wall,
  face: faceOf,
  ask,
  post,
  settings,
  set,
  look: (changes) => (set(changes), tell({ kind: "settings" })),
  readOnly,
  views: NAMES,
  before: () => unseenFaces,
  see: (keys) => (markSeen(keys), tell({ kind: "faces" })),
  speak,
  style: (name) => attempt(() => loadWall(fetched, name)),
  bar: (name) => document.querySelector(`#bars [data-of="${name}"]`),
  go,
  keep,
  announce,
  warn,
  failed,
  attempt,
  openCard,
  editCard,
  close,
  neighbour: (by) => views.get(current)?.neighbour?.(opened, by),
  opened: () => opened,
  unsaved: (id, text) => noteUnsaved(id, text, () => tell({ kind: "unsaved" })),
  unsavedIds,
};

// The address: the view, the card that is opened, and what belongs to the view.

function read(text) {
  const params = new URLSearchParams(text);
  const view = NAMES.includes(params.get("view")) ? params.get("view") : NAMES[0];
  const open = params.get("open") ?? "";
  params.delete("view");
  params.delete("open");
  return { view, open, params };
}

function address() {
  const params = new URLSearchParams();
  if (current !== NAMES[0]) params.set("view", current);
  for (const [name, value] of views.get(current).params()) params.append(name, value);
  if (opened) params.set("open", opened);
  const text = params.toString();
  return text ? `?${text}` : location.pathname;
}

/** Write what is shown into the address, and keep it for the next time. */
function keep() {
  if (!views.has(current)) return;
  history.replaceState(null, "", address());
  localStorage.setItem(`${KEPT}:query`, location.search);
  localStorage.setItem(`${KEPT}:query:${current}`, views.get(current).params().toString());
}

/**
 * Show a view; as it was when it was left if it is not told what.
 *
 * @param {string | URLSearchParams | Record<string, string>} [params]
 */
async function go(name, params = localStorage.getItem(`${KEPT}:query:${name}`) ?? "") {
  if (name !== current) {
    history.pushState(null, "", location.href);
    left.set(current, opened);
    opened = left.get(name) ?? "";
    if (wall) drawPanel();
  }
  await show(name, new URLSearchParams(params));
  tell({ kind: "opened", key: opened });
}

async function show(name, params) {
  const former = current;
  current = name;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const part of document.querySelectorAll("#bars > *")) part.hidden = part.dataset.of !== name;
  for (const part of $("main").children) part.hidden = part.id !== name;
  document.body.dataset.shown = name;
  sayName();
  if (former && former !== name) views.get(former)?.hide?.();
  if (!views.has(name)) {
    const { start } = await import(`./${name}/${name}.js`);
    if (!views.has(name)) views.set(name, start($(name), studio));
  }
  if (current !== name) return;
  await views.get(name).show(params);
  keep();
}

// What all views hear and tell.

function tell(event) {
  if (event.kind === "files") lookAgain();
  for (const view of views.values()) view.hear?.(event);
  if (wall) drawPanel();
}

function announce(text) {
  $("announcer").textContent = "";
  requestAnimationFrame(() => ($("announcer").textContent = text));
}

function connected(state) {
  const note = $("connection");
  document.body.classList.toggle("offline", state !== "up");
  note.hidden = state === "up";
  note.textContent = state === "up" ? "" : word(state);
}

/** Tell that something has failed; `again` tries it once more. */
function warn(text, again, said = make("span", text)) {
  announce(text);
  showFailure(said, again);
}

/** Tell what went wrong of a request; `again` makes it once more. */
function failed(error, again) {
  if (error instanceof Refused) {
    const said = reasonOf(error);
    const spot = error.answer.findings?.find(({ path }) => path);
    if (spot && wall) said.append(" ", place(spot, wall.game));
    warn(said.textContent, again, said);
  } else if (error instanceof Missing) warn(word("failed-missing"), again);
  else if (error.name !== "AbortError") connected(error instanceof Unknown ? "stale" : "gone");
}

/** Do what may be refused; what fails is told, and can be tried again. */
async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    failed(error, () => attempt(call));
    return undefined;
  }
}

/** Show the game in a language, "" for its own: all tabs and sheets follow. */
async function speak(code) {
  if (wall?.game.shown !== code) localStorage.removeItem(`${KEPT}:query:edit`);
  await attempt(() => post("/api/language", { language: code }));
  drawLanguages();
}

/** Offer the languages of the game, and one to try how much longer texts may become. */
function drawLanguages() {
  const { language: own, languages = [], shown = "" } = wall?.game ?? {};
  const choice = $("game-language");
  choice.hidden = !own;
  const names = ["", ...languages, PSEUDO].map((code) => [code, languageName(code || own || "")]);
  if (own) choice.replaceChildren(...makeOptions(names, shown));
  choice.value = shown;
}

/** Say what the game is called, which of its views is shown, and in which language. */
function sayName() {
  drawLanguages();
  const name = ($("game").textContent = wall?.game.name ?? game);
  document.title = current === NAMES[0] ? name : `${word(`nav-${current}`)} · ${name}`;
}

function fetched() {
  sayName();
  sayKeysAgain();
  compareFaces(game, wall);
  drawMistakes();
  tell({ kind: "wall" });
}

let later = null; // what was heard and not drawn yet
const nothing = () => ({ kind: "faces", keys: new Set(), facts: false });

/** Take what the server tells of the wall: pictures are shown at once, the rest with others. */
function hearNews(event) {
  const news = hearWall(event);
  if (!news) return false;
  if (event.version === wall?.version && !event.state && !news.keys.length && !news.facts)
    return true;
  const first = !later;
  later ??= nothing();
  for (const key of news.keys) later.keys.add(key);
  later.facts ||= news.facts;
  views.get(current)?.hear?.({ kind: "pictures", keys: news.keys });
  compareFaces(game, wall); // at once, for another tab may say that it has been seen
  if (first) setTimeout(drawNews, news.facts ? 0 : SOON);
  return true;
}

function drawNews() {
  const heard = later;
  later = null;
  drawMistakes();
  tell(heard);
}

function hear(event) {
  if (event.gone) connected("gone");
  else if (event.stale) connected("stale");
  else if (event.kind) tell(event);
  if (event.up) {
    noteUnsavedAgain();
    sayKeysAgain();
  }
  const missed = event.up && (!wall || document.body.classList.contains("offline"));
  if (missed || (event.version && !hearNews(event)))
    (current ? loadWall(fetched) : restore()).then(
      () => connected("up"),
      (error) => failed(error, () => attempt(() => loadWall(fetched))),
    );
}

function drawMistakes() {
  const root = $("mistakes");
  const { ok, findings } = wall.state;
  // Those of decks are told at the decks.
  const errors = findings.filter(({ severity, code }) => severity === "error" && code[0] !== "D");
  const told = errors.length || ok ? errors : findings.filter(({ code }) => code[0] !== "D");
  const state = JSON.stringify([told, settings]);
  if (root.drawn === state) return;
  root.drawn = state;
  root.hidden = !told.length;
  root.classList.toggle("broken", !ok || errors.length > 0);
  if (!told.length) return;
  const [summary, list] = root.children;
  summary.replaceChildren(
    make("strong", { role: "alert" }, counted("mistake-one", "mistakes", told.length)),
    serverText(told[0].message),
  );
  list.replaceChildren(
    ...told.slice(0, MOST).map((one) => finding(one, wall.game)),
    told.length > MOST ? make("li", word("more", told.length - MOST)) : "",
  );
}

// The opened card, beside whatever is shown.

function drawPanel() {
  const panel = $("panel");
  const face = wall.faces.find(({ key }) => key === opened);
  panel.hidden = !face;
  document.body.classList.toggle("opened", Boolean(face));
  if (!face) return;
  fill(panel, face, studio);
}

function openCard(key) {
  if (!opened) opener = document.activeElement;
  opened = key;
  sayKeysLater();
  tell({ kind: "opened", key });
  keep();
  if (matchMedia("(max-width: 800px)").matches) $("panel").querySelector(".close")?.focus();
}

function close() {
  const back = views.get(current)?.place?.(opened) ?? opener;
  opened = "";
  tell({ kind: "opened", key: "" });
  keep();
  back?.focus();
}

function editCard() {
  const face = wall?.faces.find(({ key }) => key === opened);
  if (face && NAMES.includes("edit"))
    attempt(async () => {
      const translated = translationOf(face);
      await go("edit", translated ? { translation: translated } : { card: cardOf(face) });
      document.querySelector("#edit h2")?.focus();
    });
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
    return;
  if (views.get(current)?.press?.(event)) return;
  if (event.key === "Escape" && opened) close();
  if (event.key === "?" && !event.target.closest("input, select, textarea")) showKeys();
  if (event.key === "e" && current !== "edit" && !event.target.closest("input, select, textarea"))
    editCard();
}

async function restore() {
  const { view, open, params } = read(location.search);
  opened = open;
  await show(view, params);
  if (!wall) await loadWall(fetched);
  else tell({ kind: "opened", key: opened });
}

function wire() {
  beginScreen(
    (keys) => post("/api/seen", { style: wall.game.style, keys }).catch(() => {}),
    () => opened,
  );
  wireSettings(
    () => wall?.faces[0],
    () => wall && (drawMistakes(), tell({ kind: "settings" })),
  );
  shareUnseen(() => tell({ kind: "faces" }));
  document.querySelector("nav").addEventListener("click", (event) => {
    const name = event.target.closest("[data-view]")?.dataset.view;
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    attempt(() => (name === current && views.get(name)?.home?.()) || go(name));
  });
  new ResizeObserver(([{ target }]) =>
    document.documentElement.style.setProperty("--top", `${target.offsetHeight}px`),
  ).observe($("top"));
  $("game-language").addEventListener("change", () => speak($("game-language").value));
  document.addEventListener("keydown", press);
  addEventListener("popstate", () => attempt(restore));
}

wire();
if (!location.search)
  history.replaceState(
    null,
    "",
    `${location.pathname}${localStorage.getItem(`${KEPT}:query`) ?? ""}${location.hash}`,
  );
if (NAMES.includes("edit")) import("./edit/draft.js").then(({ remind }) => remind(studio));
attempt(restore).finally(() => listen(hear));
document.querySelector("header").inert = false; // its links lead elsewhere before they are wired
