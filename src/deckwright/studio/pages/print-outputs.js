/** What is made for print services and other programs: what each is good for, its options, its button. */

import { which } from "./print-choose.js";
import { row } from "./print-options.js";
import { thingAbout, thingName } from "./print-words.js";
import { make, word } from "./words.js";

function output(thing, state) {
  const id = `print-output-${thing.id}`;
  const form = thing.options.find(({ name }) => name === "form");
  const rows = thing.options
    .filter((option) => option !== form)
    .map((option) => row(option, state.value(thing, option), thing.id))
    .filter(Boolean);
  const set = Object.keys(state.bag(thing)).length;
  const lacking = thing.needs && !state.chosen(thing).length;
  return make(
    "article",
    { className: "print-output", id, "aria-labelledby": `${id}-name` },
    make("h3", { id: `${id}-name` }, thingName(thing)),
    make("p", {}, thingAbout(thing)),
    form ? row(form, state.value(thing, form), thing.id) : null,
    rows.length
      ? make(
          "details",
          { id: `${id}-options` },
          make(
            "summary",
            {},
            word("print-options"),
            set ? make("span", { className: "count" }, String(set)) : null,
          ),
          ...rows,
        )
      : null,
    make(
      "button",
      {
        type: "button",
        "data-act": "make",
        "data-thing": thing.id,
        disabled: lacking,
        "aria-describedby": `${id}-name`,
      },
      word("print-make-files"),
    ),
  );
}

function group(name, state) {
  const all = state.can.things.filter((thing) => thing.group === name);
  return make(
    "section",
    { className: "print-outputs", "aria-labelledby": `print-${name}s-title` },
    make("h2", { id: `print-${name}s-title` }, word(`print-${name}s`)),
    make("p", { className: "print-hint" }, word(`print-${name}s-how`)),
    make("div", { className: "print-grid" }, ...all.map((thing) => output(thing, state))),
  );
}

/** Return all services and exports. */
export const outputs = (state) => [group("service", state), group("export", state)];

/** Return the lists of what services and exports are made of: decks, and factions for pictures. */
export function ofWhat(state) {
  const things = state.can.things.filter(
    ({ group: name }) => name === "service" || name === "export",
  );
  const kinds = [...new Set(things.map(({ of }) => of).filter(Boolean))];
  const shown = kinds.filter((of) => of !== "decks-or-factions" || !kinds.includes("decks"));
  return shown
    .map((of) =>
      which(
        state,
        things.find((thing) => thing.of === of),
      ),
    )
    .filter(Boolean);
}
