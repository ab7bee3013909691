/** What all views put on the page: settings, changes, findings, failures and unsaved changes. */

import { Idiomorph } from "../vendor/idiomorph.js";
import { post, withKey } from "./session.js";
import { $, make, says, serverText, word } from "./words.js";

const NAME = "deckwright:settings";

/** Return what the browser keeps under a name. */
export function readStored(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const settings = {
  size: 55,
  widths: {},
  language: "auto",
  theme: "auto",
  editor: "vscode",
  pattern: "",
  calibration: 100,
  life: false,
  guides: false,
  view: "normal",
  ...readStored(NAME, {}),
};

export function set(changes) {
  Object.assign(settings, changes);
  localStorage.setItem(NAME, JSON.stringify(settings));
  dress();
}

/** Let the page look as the settings say; its policy allows styles that a script sets. */
export function dress() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.seen = settings.view;
  root.style.setProperty("--mm", `${(96 / 25.4) * (settings.calibration / 100)}px`);
  for (const [name, width] of Object.entries(settings.widths))
    root.style.setProperty(`--${name}`, `${width}px`);
  root.style.setProperty("--scale", String(settings.size / 100));
  for (const name of ["language", "theme", "editor", "calibration", "pattern"])
    if ($(name).value !== String(settings[name])) $(name).value = settings[name];
  $("pattern-line").hidden = settings.editor !== "own";
}

/** Let the frame be dragged by its corner until it is as large as a card. Keys have the slider. */
function wireFrame() {
  const { min, max } = $("calibration");
  $("calibration-corner").addEventListener("pointerdown", (down) => {
    const corner = down.currentTarget;
    const frame = $("calibration-card").getBoundingClientRect();
    const [dx, dy] = [frame.right - down.clientX, frame.bottom - down.clientY];
    const drag = ({ clientX, clientY }) => {
      const grown = Math.max(
        (clientX + dx - frame.left) / frame.width,
        (clientY + dy - frame.top) / frame.height,
      );
      const percent = Math.min(max, Math.max(min, begun * grown));
      set({ calibration: Math.round(percent * 10) / 10 });
    };
    const begun = settings.calibration;
    followPointer(corner, down, drag);
  });
}

/** Call `drag` with each movement of a pointer that was pressed on a node, until it is let go. */
function followPointer(node, down, drag) {
  node.setPointerCapture(down.pointerId);
  node.addEventListener("pointermove", drag);
  const stop = () => node.removeEventListener("pointermove", drag);
  node.addEventListener("lostpointercapture", stop, { once: true });
}

/** The keys, and the words that tell what they do. */
const KEYS = [
  ["/", "search"],
  ["Esc", "escape"],
  ["Enter ↓", "down"],
  ["← → ↑ ↓ Home End", "arrows"],
  ["Enter", "enter"],
  ["Tab", "tab"],
  ["e", "edit"],
  ["+ −", "copies"],
  ["0 … 9", "digits"],
  ["Ctrl-Z Ctrl-Y", "undo"],
  ["Ctrl-S", "save"],
  ["F2", "cell"],
  ["Shift ← → ↑ ↓", "block"],
  ["Ctrl-C Ctrl-V", "copy"],
  ["Ctrl-D", "fill"],
  ["Ctrl-F Ctrl-H", "find"],
  ["Alt-P Alt-N", "left"],
  ["Ctrl-Enter", "confirm"],
  ["?", "keys"],
];

/** Show the list of all keys, or of those of a view, each with what it does. */
export function showKeys(keys = KEYS.map(([key, what]) => [key, word(`key-${what}`)])) {
  $("settings").close();
  $("keys")
    .querySelector("table")
    .replaceChildren(
      ...keys.map(([all, what]) =>
        make("tr", make("th", ...all.split(" ").map((key) => make("kbd", key))), make("td", what)),
      ),
    );
  $("keys").showModal();
  $("keys").scrollTop = 0;
}

const NARROWEST = 220; // px, of what can be made narrower

/**
 * Return the edge of a part, at which it is made wider or narrower; twice pressed, it is as usual.
 *
 * @param name of the part, in the settings and in the style sheets.
 * @param sign 1 where it grows to the right, -1 to the left.
 */
export function edgeOf(name, sign) {
  const node = make("div.edge", {
    role: "separator",
    tabIndex: 0,
    "aria-orientation": "vertical",
    "aria-label": word("edge"),
  });
  node.setAttribute("aria-valuenow", settings.widths[name] ?? 2 * NARROWEST);
  const part = () =>
    node.closest(".panel") ?? (sign > 0 ? node.previousElementSibling : node.nextElementSibling);
  const width = () => part().getBoundingClientRect().width;
  const grow = (to) => {
    const widest = document.documentElement.clientWidth / 2;
    const now = Math.round(Math.max(NARROWEST, Math.min(widest, to)));
    set({ widths: { ...settings.widths, [name]: now } });
    node.setAttribute("aria-valuenow", String(now));
  };
  node.addEventListener("pointerdown", (down) => {
    const begun = width();
    followPointer(node, down, ({ clientX }) => grow(begun + sign * (clientX - down.clientX)));
  });
  node.addEventListener("mousedown", (event) => event.preventDefault()); // drags no card instead
  node.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    event.stopPropagation();
    grow(width() + (event.key === "ArrowRight" ? 16 : -16) * sign);
  });
  node.addEventListener("dblclick", () => {
    const { [name]: _, ...widths } = settings.widths;
    set({ widths });
    document.documentElement.style.removeProperty(`--${name}`);
  });
  return node;
}

/** Let the dialog change the settings; `changed` is called where something must be drawn anew. */
export function wireSettings(face, changed) {
  dress();
  $("settings-open").addEventListener("click", () => {
    const { width, height } = face() ?? { width: 63, height: 88 };
    $("calibration-card").style.setProperty("--w", width);
    $("calibration-card").style.setProperty("--h", height);
    $("calibration-size").textContent = word("calibrate-size", width, height);
    $("settings").showModal();
  });
  $("keys-open").addEventListener("click", () => showKeys());
  $("calibration").addEventListener("input", () =>
    set({ calibration: Number($("calibration").value) }),
  );
  $("theme").addEventListener("change", () => set({ theme: $("theme").value }));
  $("language").addEventListener("change", () => {
    set({ language: $("language").value });
    location.reload(); // what is not saved stays in the browser
  });
  $("pattern").addEventListener(
    "input",
    () => (set({ pattern: $("pattern").value.trim() }), changed()),
  );
  wireFrame();
  $("editor").addEventListener("change", () => (set({ editor: $("editor").value }), changed()));
  addEventListener("storage", ({ key }) => {
    if (key !== NAME) return;
    Object.assign(settings, readStored(NAME, {}));
    dress();
    changed();
  });
}

// Change only what differs: focus, selection and scroll stay where they are.

// The page's policy lets no attribute `style` be set: styles are copied as the script sets them.
// What one has folded or unfolded stays so.
const CALLBACKS = {
  beforeAttributeUpdated: (name, node) =>
    name !== "style" && !(name === "open" && node.matches("details")),
  beforeNodeMorphed(old, wanted) {
    if (rowsOf.has(wanted)) return false;
    if (wanted.style && old.style.cssText !== wanted.style.cssText)
      old.style.cssText = wanted.style.cssText;
    return true;
  },
  beforeNodeRemoved: ({ id }) => id !== "failures", // they visit the dialog that is open
};

const rowsOf = new WeakMap(); // the rows of the lists that are made
const laidRows = new WeakMap(); // for each list that stands: its nodes and what they show, by key

/**
 * Make a list of thousands of rows, of which `morph` touches only those that differ.
 *
 * @param id it says all that the list itself shows: a list that stands stays as it is.
 * @param rows each with its `key`, a text of all that it shows, and `build`, which makes its node.
 */
export function longList(tag, id, given, rows) {
  const node = make(tag, { ...given, id });
  rowsOf.set(node, rows);
  return node;
}

function layRows(list, rows) {
  const before = laidRows.get(list) ?? new Map();
  const now = new Map();
  const typed = new Set(
    [...list.querySelectorAll("input")]
      .filter(({ value, defaultValue }) => value !== defaultValue)
      .map((field) => field.closest("li")),
  );
  for (const { key, shown, build } of rows) {
    let own = key;
    while (now.has(own)) own += " again";
    const old = before.get(own);
    if (old?.shown === shown && !typed.has(old.node)) now.set(own, old);
    else {
      const node = build();
      if (old) Idiomorph.morph(old.node, node, { morphStyle: "outerHTML", callbacks: CALLBACKS });
      now.set(own, { shown, node: old?.node ?? node });
    }
  }
  laidRows.set(list, now);
  layNodes(
    list,
    [...now.values()].map(({ node }) => node),
  );
}

/** Let an element hold these very nodes; those that stand in their place are not touched. */
export function layNodes(root, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...root.children]) if (!wanted.has(node)) node.remove();
  let next = root.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling;
    else root.insertBefore(node, next);
  }
}

/**
 * Bring what an element holds to these nodes, of which some may be lacking.
 *
 * Nodes that are new are copies: whoever wants to hear of them listens at the root. A choice shows
 * its `data-value`.
 */
export function morph(root, nodes) {
  const wanted = document.createElement("div");
  wanted.append(...[nodes].flat(Infinity).filter(Boolean));
  const children = /** @type {any} */ (wanted.childNodes); // Idiomorph takes them, its types do not
  const lists = [...wanted.querySelectorAll("[id]")].filter((node) => rowsOf.has(node));
  Idiomorph.morph(root, children, { morphStyle: "innerHTML", callbacks: CALLBACKS });
  for (const list of lists) layRows(document.getElementById(list.id), rowsOf.get(list));
  for (const choice of root.querySelectorAll("select[data-value]")) {
    if (choice.value !== choice.dataset.value) choice.value = choice.dataset.value;
  }
}

/** Return what stands where there is nothing yet: a sentence, and the button that does what is next. */
export const emptyPart = (text, ...next) => [make("p", text), ...next.filter(Boolean)];

/** Make the picture of a face. */
export const facePicture = (face, given = {}) =>
  make("img", { src: withKey(`/faces/${face.hash}.svg`), alt: "", draggable: false, ...given });

/** Show a face large beside a node, on the side that has room. */
export function showLarge(picture, face, node, tallest) {
  const box = node.getBoundingClientRect();
  const high = Math.min(innerHeight - 24, tallest);
  const wide = (high * face.width) / face.height;
  const [right, left] = [box.right + 12, Math.max(8, box.left - wide - 12)];
  const top = Math.max(12, Math.min(box.top - 40, innerHeight - high - 12));
  picture.src = withKey(`/faces/${face.hash}.svg`);
  picture.style.height = `${high}px`;
  picture.style.left = `${right + wide < innerWidth ? right : left}px`;
  picture.style.top = `${top}px`;
  picture.hidden = false;
}

/** Return the bytes of a file in base64. */
export const encodeFile = (file) =>
  new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const address = String(reader.result);
      done(address.slice(address.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => fail(reader.error));
    reader.readAsDataURL(file);
  });

// Findings, and the places in files that they are about: links that open an editor there.

const filePath = (path) => (path.startsWith("/") ? path : `/${path}`);

/** How editors are called, by their settings. */
const EDITORS = {
  vscode: (path, line, column) => `vscode://file${filePath(path)}:${line}:${column}`,
  cursor: (path, line, column) => `cursor://file${filePath(path)}:${line}:${column}`,
  zed: (path, line, column) => `zed://file${filePath(path)}:${line}:${column}`,
  idea: (path, line) => `idea://open?file=${path}&line=${line}`,
  sublime: (path, line, column) =>
    `subl://open?url=file://${filePath(path)}&line=${line}&column=${column}`,
  own: (path, line, column) =>
    settings.pattern
      .replaceAll("{path}", path)
      .replaceAll("{line}", line)
      .replaceAll("{column}", column),
};

/** Return whether a pattern can link to an editor: nothing that a browser runs or shows itself. */
const isPattern = (pattern) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) &&
  !/^(javascript|data|blob|file|https?):/i.test(pattern) &&
  pattern.includes("{path}");

function editorAddress(spot, game) {
  if (!game.folder || (settings.editor === "own" && !isPattern(settings.pattern))) return null;
  const folder = game.folder.replaceAll("\\", "/").replace(/\/$/, "");
  const whole = `${folder}/${spot.path}`;
  if (!whole.isWellFormed()) return null; // no address can say it
  const path = whole
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^(\/?[a-z])%3A/i, "$1:");
  return EDITORS[settings.editor]?.(path, spot.line || 1, spot.column || 1);
}

/** Return a link that opens a place in the editor, or a button that copies it. */
export function place(spot, game, text) {
  const told = `${spot.path}${spot.line ? `:${spot.line}` : ""}`;
  const href = editorAddress(spot, game);
  if (href) return make("a.place", { href, title: word("open") }, text ?? told);
  const copy = async (event) => {
    await navigator.clipboard.writeText(told);
    event.target.textContent = word("copied");
  };
  return make("button.link.place", { title: word("copy"), onclick: copy }, text ?? told);
}

/** Return a finding: its place, its message and its hint. */
export function finding(one, game) {
  return make("li", { className: `finding ${one.severity}` }, [
    make("span.code", one.code),
    " ",
    serverText(one.message),
    one.hint && make("span.hint", `${word("hint")}: `, serverText(one.hint)),
    one.path && place(one, game),
  ]);
}

// What has failed: over every view, with a way to try again, until somebody closes it.

const MOST_FAILURES = 3; // failures that are shown at a time

const failures = document.getElementById("failures");
const failureList = failures.querySelector("ul");

/** Show the failures where they can be reached: all but the open dialog is out of reach. */
function raiseFailures() {
  (document.querySelector("dialog:modal") ?? document.body).append(failures);
}

function closeFailure(item) {
  item.remove();
  failures.hidden = !failureList.childElementCount;
}

/** Return what a refused request says of its reason, for an element of the page. */
export function reasonOf({ status, answer }) {
  if (status >= 500 && !answer.word) return make("span", word("failed-inside"));
  return answer.message || answer.word ? says(answer) : serverText(`${status}`);
}

/**
 * Show that something has failed.
 *
 * @param said why, as an element.
 * @param again tries it once more; left out where that cannot help.
 */
export function showFailure(said, again) {
  for (const item of [...failureList.children])
    if (item.firstChild.textContent === said.textContent) item.remove();
  const item = make("li", [
    make("p", said),
    again && make("button", { onclick: () => (closeFailure(item), again()) }, word("retry")),
    make("button.quiet", { "aria-label": word("close"), onclick: () => closeFailure(item) }, "✕"),
  ]);
  const page = document.documentElement;
  const atEnd = page.scrollTop + innerHeight >= page.scrollHeight - 1;
  failureList.append(item);
  while (failureList.childElementCount > MOST_FAILURES) failureList.firstChild.remove();
  failures.hidden = false;
  raiseFailures();
  if (atEnd) scrollTo(0, page.scrollHeight); // nothing that was seen is covered
}

document.addEventListener("close", raiseFailures, true);

// What is not saved yet, and stays in the browser: told in the bar, and to the server for its end.

const unsavedWorks = new Map();

const unsent = new Map(); // what the server and the page were not told yet

export const unsavedIds = () => [...unsavedWorks.keys()];

/**
 * Note that something is not saved, in words; or that it is, by null. If that is new, it is told
 * together with what is noted at the same time.
 */
export function noteUnsaved(id, text, told) {
  if ((unsavedWorks.get(id) ?? null) === (text ?? null)) return;
  if (text) unsavedWorks.set(id, text);
  else unsavedWorks.delete(id);
  if (!unsent.size) queueMicrotask(() => (showUnsaved(), told?.()));
  unsent.set(id, text ?? null);
}

function showUnsaved() {
  const bar = document.getElementById("unsaved");
  bar.hidden = !unsavedWorks.size;
  bar.textContent =
    unsavedWorks.size === 1
      ? word("unsaved", [...unsavedWorks.values()][0])
      : word("unsaved-many", unsavedWorks.size);
  bar.title = [...unsavedWorks.values()].join("\n");
  tellServer(unsent);
  unsent.clear();
}

/** Tell the server; where it is away, it is told again when it is back. */
const tellServer = (works) =>
  post("/api/unsaved", { works: Object.fromEntries(works) }).catch(() => {});

/** Tell the server all again, which was started anew. */
export function noteUnsavedAgain() {
  if (unsavedWorks.size) tellServer(unsavedWorks);
}
