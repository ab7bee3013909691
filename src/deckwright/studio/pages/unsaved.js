/** What is not saved yet, and stays in the browser: told in the bar, and to the server for its end. */

import { post } from "./session.js";
import { word } from "./words.js";

const works = new Map();

/** Return the ids of what is not saved. */
export const unsavedIds = () => [...works.keys()];

/** Note that something is not saved, in words; or that it is, by null. Returns whether that is new. */
export function note(id, text) {
  if ((works.get(id) ?? null) === (text ?? null)) return false;
  if (text) works.set(id, text);
  else works.delete(id);
  const bar = document.getElementById("unsaved");
  bar.hidden = !works.size;
  bar.textContent =
    works.size === 1 ? word("unsaved", [...works.values()][0]) : word("unsaved-many", works.size);
  bar.title = [...works.values()].join("\n");
  tellServer(id, text);
  return true;
}

const tellServer = (id, text) => post("/api/unsaved", { id, text: text ?? null }).catch(() => {}); // told again when it is back

/** Tell the server all again, which was started anew. */
export function noteAgain() {
  for (const [id, text] of works) tellServer(id, text);
}
