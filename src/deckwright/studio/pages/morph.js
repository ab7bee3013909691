/** Change only what differs: focus, selection and scroll stay where they are. */

import { Idiomorph } from "./vendor/idiomorph.js";

// The page's policy lets no attribute `style` be set: styles are copied as the script sets them.
// What one has folded or unfolded stays so.
const callbacks = {
  beforeAttributeUpdated: (name, node) =>
    name !== "style" && !(name === "open" && node.matches("details")),
  beforeNodeMorphed(old, wanted) {
    if (wanted.style && old.style.cssText !== wanted.style.cssText)
      old.style.cssText = wanted.style.cssText;
    return true;
  },
  beforeNodeRemoved: ({ id }) => id !== "failures", // they visit the dialog that is open
};

/**
 * Bring what an element holds to these nodes.
 *
 * Nodes that are new are copies: whoever wants to hear of them listens at the root. A choice shows
 * its `data-value`.
 */
export function morph(root, nodes) {
  const wanted = document.createElement("div");
  wanted.append(...[nodes].flat());
  Idiomorph.morph(root, wanted.childNodes, { morphStyle: "innerHTML", callbacks });
  for (const choice of root.querySelectorAll("select[data-value]")) {
    if (choice.value !== choice.dataset.value) choice.value = choice.dataset.value;
  }
}
