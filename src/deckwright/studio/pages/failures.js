/** What has failed: in one place over every view, with a way to try again, until somebody closes it. */

import { english, make, says, word } from "./words.js";

const MOST = 3; // failures that are shown at a time

const root = document.getElementById("failures");
const list = root.querySelector("ul");

/** Show the failures where they can be reached: all but the open dialog is out of reach. */
function place() {
  (document.querySelector("dialog:modal") ?? document.body).append(root);
}

function close(item) {
  item.remove();
  root.hidden = !list.childElementCount;
}

/** Return what a refused request says of its reason, for an element of the page. */
export function reasonOf({ status, answer }) {
  if (status >= 500 && !answer.word) return make("span", {}, word("failed-inside"));
  return answer.message || answer.word ? says(answer) : english(`${status}`);
}

/**
 * Show that something has failed.
 *
 * @param said why, as an element.
 * @param again tries it once more; left out where that cannot help.
 */
export function showFailure(said, again) {
  for (const item of [...list.children])
    if (item.firstChild.textContent === said.textContent) item.remove();
  const item = make(
    "li",
    {},
    make("p", {}, said),
    again
      ? make("button", { type: "button", onclick: () => (close(item), again()) }, word("retry"))
      : null,
    make(
      "button",
      {
        type: "button",
        className: "quiet",
        "aria-label": word("close"),
        onclick: () => close(item),
      },
      "✕",
    ),
  );
  list.append(item);
  while (list.childElementCount > MOST) list.firstChild.remove();
  root.hidden = false;
  place();
}

document.addEventListener("close", place, true);
