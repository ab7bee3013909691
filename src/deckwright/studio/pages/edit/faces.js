/** The faces of what is edited, as they look while one types. */

import { ask, withKey } from "../shared/session.js";
import { counted, make, word } from "../shared/words.js";

/**
 * What asks for previews: one at a time, and the newest draft when the answer is there.
 *
 * @param send asks the server for one.
 * @param take is given each answer.
 */
export function previews(send, take) {
  let busy = false;
  let again = false;
  let round = 0;
  return {
    /** Ask for the faces of what stands in the form now. */
    async want() {
      again = true;
      if (busy) return;
      busy = true;
      const mine = round;
      while (again && mine === round) {
        again = false;
        try {
          const answer = await send();
          if (mine === round) await take(answer);
        } catch (error) {
          if (mine === round) await take(null, error);
        }
      }
      if (mine === round) busy = false;
    },
    /** What is under way is of no interest any more. */
    drop() {
      round += 1;
      busy = again = false;
    },
  };
}

/** Fetch pictures, so that nothing is blank while they come. */
export const fetchPictures = (hashes) =>
  Promise.all(
    hashes.filter(Boolean).map(async (hash) => {
      const image = new Image();
      image.src = withKey(`/faces/${hash}.svg`);
      try {
        await image.decode();
      } catch {
        /* what cannot be shown stays what it was */
      }
    }),
  );

/** What tells a face from the others; a card that is new has no lasting id. */
const faceKey = (face, own) =>
  `${own ? "" : `${face.card.faction}:${face.card.id}`}:${face.part}:${face.side}`;

/**
 * Return the last good faces after an answer: those that cannot be composed stay, as stale ones.
 */
export function mergeFaces(former, faces, own) {
  const old = new Map(former.map((face) => [faceKey(face, own), face]));
  return faces.map((face) => {
    const last = old.get(faceKey(face, own));
    return face.hash
      ? { ...face, stale: false }
      : last?.hash
        ? { ...last, stale: true }
        : { ...face, stale: true };
  });
}

function figure(face, stale, caption) {
  const frame = make(
    "div",
    { className: `edit-face${stale || face.stale ? " stale" : ""}` },
    face.hash
      ? make("img", {
          className: "face",
          src: withKey(`/faces/${face.hash}.svg`),
          alt: word(
            "edit-face-of",
            face.card?.name ?? "",
            word(face.side === "back" ? "back" : "front"),
          ),
        })
      : make("span", {}, word(face.begun ? "edit-not-yet" : "never")),
  );
  const node = make("figure", {}, frame, caption ? make("figcaption", {}, caption) : null);
  node.style.setProperty("--w", face.width);
  node.style.setProperty("--h", face.height);
  return node;
}

const toggleButton = (act, value, now, text) =>
  make(
    "button",
    { type: "button", "data-act": act, "data-value": value, "aria-pressed": String(value === now) },
    text,
  );

/** Return the faces, and the choice of sides, parts and styles. */
export function faces(state, draft) {
  const { form } = draft;
  const own = form.thing.of === "card";
  const { shown, side, style } = state;
  const sides = [...new Set(shown.map((face) => face.side))];
  const parts = [...new Set(shown.map((face) => face.part))];
  const now = sides.includes(side) ? side : sides[0];
  const chosen = shown.filter(
    (face) =>
      face.side === now &&
      (own
        ? parts.includes(state.part)
          ? face.part === state.part
          : face.part === parts[0]
        : true),
  );
  const styles = state.styles.length
    ? make(
        "select",
        { "data-choose": "style", "aria-label": word("style"), "data-value": style },
        make("option", { value: "", selected: style === "" }, word("usual")),
        ...state.styles.map((name) =>
          make("option", { value: name, selected: name === style }, name),
        ),
      )
    : null;
  return make(
    "aside",
    { className: `edit-faces${own ? "" : " many"}`, "aria-label": word("edit-preview") },
    make(
      "div",
      { className: "edit-figures" },
      ...chosen.map((face) =>
        figure({ ...face, begun: form.thing.new }, state.stale, own ? null : face.card?.name),
      ),
      shown.length
        ? null
        : make(
            "p",
            { className: "empty" },
            word(state.answered ? (own ? "edit-no-faction" : "edit-no-card") : "pending"),
          ),
    ),
    state.stale && shown.some(({ hash }) => hash)
      ? make("p", { className: "edit-stale", role: "status" }, word("edit-last-good"))
      : null,
    make(
      "div",
      { className: "edit-row edit-sides" },
      sides.length > 1
        ? make(
            "div",
            { className: "pair", role: "group", "aria-label": word("sides") },
            ...sides.map((each) =>
              toggleButton("side", each, now, word(each === "back" ? "back" : "front")),
            ),
          )
        : null,
      own && parts.length > 1
        ? make(
            "div",
            { className: "pair", role: "group", "aria-label": word("edit-parts") },
            ...parts.map((each) =>
              toggleButton(
                "part",
                String(each),
                String(parts.includes(state.part) ? state.part : parts[0]),
                String(each),
              ),
            ),
          )
        : null,
      styles,
    ),
    own || !form.used
      ? null
      : make("p", { className: "soft" }, counted("edit-used-one", "edit-used", form.used)),
  );
}

/** Ask which cards, rules, pictures and symbols there are. */
export const choices = (faction) =>
  ask(`/api/edit/choices${faction ? `?${new URLSearchParams({ faction })}` : ""}`);
