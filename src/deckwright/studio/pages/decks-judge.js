/** What the server says of the deck that is built: asked after each change, and the last answer counts. */

import { at, sent } from "./decks-state.js";

const WAIT = 70;
const SEARCH = 150;
let timer = 0;
let last = null;

async function judged() {
  last?.abort();
  const mine = (last = new AbortController());
  const { draft, studio } = at;
  const deck = draft.now;
  const still = () => mine === last && at.draft === draft;
  try {
    const answer = await studio.post("/api/decks/judge", sent(draft), mine.signal);
    if (!still()) return;
    Object.assign(at, { judged: answer, judgedDeck: deck });
    at.draw();
    if (!at.list?.opening) return;
    const odds = await studio.post("/api/decks/odds", sent(draft), mine.signal).catch((error) => {
      if (!error.answer) throw error;
      return error.answer;
    });
    if (!still()) return;
    at.odds = odds;
    at.draw();
  } catch (error) {
    if (error.name !== "AbortError" && still()) studio.failed(error);
  }
}

/** Ask for a judgement of the deck soon; what was asked before does not count any more. */
export function judge(wait = WAIT) {
  clearTimeout(timer);
  last?.abort();
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
      at.wrong = reply.message ? [reply.message, reply.hint].filter(Boolean).join("; ") : "";
      if (!reply.message) at.found = new Set(reply.cards);
      at.draw();
    } catch (error) {
      at.studio.failed(error);
    }
  }, SEARCH);
}
