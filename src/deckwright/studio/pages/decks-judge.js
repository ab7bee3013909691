/** What the server says of the deck that is built: asked after each change, and the last answer counts. */

import { answer, at, sent } from "./decks-state.js";
import { sentence } from "./words.js";

const WAIT = 70;
const SEARCH = 150;
let timer = 0;
let last = null;

async function judged() {
  last?.abort();
  const mine = (last = new AbortController());
  const { draft, studio } = at;
  const deck = draft.now;
  const asked = (what) => answer(what, sent(draft), mine.signal);
  const take = (known) => {
    const still = mine === last && at.draft === draft;
    if (still) {
      Object.assign(at, known);
      at.draw();
    }
    return still;
  };
  try {
    const found = await asked("judge");
    if (
      !take({
        judgedDeck: deck,
        ...(found.message ? { mistake: found } : { judged: found, mistake: null }),
      }) ||
      found.message
    )
      return;
    if (at.list?.opening && !take({ odds: await asked("odds") })) return;
    if (at.query.only !== "fits") return;
    take({ refitting: true });
    const fitting = await asked("fits");
    if (take({ refitting: false, fitting: fitting.message ? null : fitting }) && fitting.message) {
      at.query.only = "";
      at.draw();
      studio.warn(sentence(fitting));
    }
  } catch (error) {
    if (error.name !== "AbortError" && mine === last) studio.failed(error, () => judge(0));
  }
}

/** Ask for a judgement of the deck soon; what was asked before does not count any more. */
export function judge(wait = WAIT) {
  clearTimeout(timer);
  last?.abort();
  if (at.query.only !== "fits") at.fitting = null;
  timer = setTimeout(judged, wait);
}

let seeking = 0;
let later = 0;

/** Ask for the cards that an expression finds. */
export function search(expression) {
  const mine = ++seeking;
  clearTimeout(later);
  if (!expression) {
    Object.assign(at, { found: null, wrong: "" });
    at.draw();
    return;
  }
  later = setTimeout(async () => {
    try {
      const reply = await at.studio.ask(`/api/search?q=${encodeURIComponent(expression)}`);
      if (mine !== seeking) return;
      at.wrong = reply.message ? sentence(reply) : "";
      if (!reply.message) at.found = new Set(reply.cards);
      at.draw();
    } catch (error) {
      at.studio.failed(error, () => search(expression));
    }
  }, SEARCH);
}
