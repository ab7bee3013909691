/** The way to the server: the token, questions, and one stream for all tabs. */

import { sentence } from "./words.js";

const NAME = "deckwright-studio";
const QUIET = 40_000; // the server says something every 15 s

/** Raised where the server does not know our token. */
export class Unknown extends Error {}

/** Raised where the server has nothing of this name. */
export class Missing extends Error {}

/** Take the token out of the address, and show it to the server. */
export async function begin() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (/^[\w-]{16,}$/.test(given)) {
    sessionStorage.setItem(NAME, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  const reply = await fetch("/api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: sessionStorage.getItem(NAME) ?? "" }),
  });
  if (reply.status === 401 || reply.status === 403) throw new Unknown();
  if (!reply.ok) throw new Error(reply.statusText);
}

/** Raised where the server says why not: `status` and its whole `answer`. */
export class Refused extends Error {
  constructor(status, answer) {
    super(sentence(answer));
    this.status = status;
    this.answer = answer;
  }
}

async function asked(path, given = {}) {
  const headers = { "X-Deckwright-Token": sessionStorage.getItem(NAME) ?? "", ...given.headers };
  const reply = await fetch(path, { cache: "no-store", ...given, headers });
  if (reply.status === 401 || reply.status === 403) throw new Unknown();
  if (reply.status === 404) throw new Missing();
  if (reply.status === 429 && !given.signal?.aborted) { // so much is asked at once by tabs alone
    await new Promise((done) => setTimeout(done, 1000));
    return asked(path, given);
  }
  if (!reply.ok) throw new Refused(reply.status, await reply.json().catch(() => ({ message: reply.statusText })));
  return reply;
}

/** Return what tells this run of the studio from another. */
export const run = () => (sessionStorage.getItem(NAME) ?? "").slice(-6);

/** Ask the server for JSON. */
export const ask = async (path, signal) => (await asked(path, { signal })).json();

/** Tell the server something, and return what it answers. */
export async function post(path, said, signal) {
  const headers = { "Content-Type": "application/json" };
  return (await asked(path, { method: "POST", headers, body: JSON.stringify(said), signal })).json();
}

/** Read the stream until it ends; tell each event. */
async function read(tell) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), QUIET);
  try {
    const stream = (await asked("/api/events", { signal: stop.signal })).body.pipeThrough(new TextDecoderStream());
    const reader = stream.getReader();
    for (let rest = "", up = false; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), QUIET);
      const lines = (rest + value).split(/\r?\n/);
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        if (!up) tell({ up: (up = true) });
        tell(JSON.parse(line.slice(5)));
      }
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/**
 * Listen to the server for ever. One tab of all holds the stream and passes on what it hears: a
 * browser allows six connections to a host. Where it closes, another takes over.
 *
 * Told are events of the server, {up: true} when the stream speaks, {gone: true} when it ends, and
 * {stale: true} where our token is not known any more.
 */
export function listen(hear) {
  const channel = new BroadcastChannel(NAME);
  let last = {};
  let leading = false;
  const tell = (event) => {
    last = event;
    hear(event);
    channel.postMessage(event);
  };
  channel.onmessage = ({ data }) => {
    if (!data.hello) hear(data);
    else if (leading && (last.gone || last.stale)) channel.postMessage(last);
  };
  channel.postMessage({ hello: true });
  navigator.locks.request(NAME, async () => {
    leading = true;
    for (let wait = 250; ; wait = Math.min(wait * 2, 4000)) {
      try {
        await begin();
        await read((event) => ((wait = 250), tell(event)));
        tell({ gone: true });
      } catch (error) {
        tell(error instanceof Unknown ? { stale: true } : { gone: true });
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  });
}
