/** Findings, and the places in files that they are about: links that open an editor there. */

import { settings } from "./settings.js";
import { english, make, word } from "./words.js";

const file = (path) => (path.startsWith("/") ? path : `/${path}`);

/** How editors are called, by their settings. */
const EDITORS = {
  vscode: (path, line, column) => `vscode://file${file(path)}:${line}:${column}`,
  cursor: (path, line, column) => `cursor://file${file(path)}:${line}:${column}`,
  zed: (path, line, column) => `zed://file${file(path)}:${line}:${column}`,
  idea: (path, line) => `idea://open?file=${path}&line=${line}`,
  sublime: (path, line, column) =>
    `subl://open?url=file://${file(path)}&line=${line}&column=${column}`,
  own: (path, line, column) =>
    settings.pattern
      .replaceAll("{path}", path)
      .replaceAll("{line}", line)
      .replaceAll("{column}", column),
};

/** Return whether a pattern can be a link to an editor: nothing that a browser runs or shows itself. */
export const isPattern = (pattern) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) &&
  !/^(javascript|data|blob|file|https?):/i.test(pattern) &&
  pattern.includes("{path}");

function address(spot, game) {
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
  const href = address(spot, game);
  if (href) return make("a", { href, className: "place", title: word("open") }, text ?? told);
  const copy = async (event) => {
    await navigator.clipboard.writeText(told);
    event.target.textContent = word("copied");
  };
  return make(
    "button",
    { type: "button", className: "link place", title: word("copy"), onclick: copy },
    text ?? told,
  );
}

/** Return a finding: its place, its message and its hint. */
export function finding(one, game) {
  return make(
    "li",
    { className: `finding ${one.severity}` },
    make("span", { className: "code" }, one.code),
    " ",
    english(one.message),
    one.hint ? make("span", { className: "hint" }, `${word("hint")}: `, english(one.hint)) : null,
    one.path ? place(one, game) : null,
  );
}
