/** The way to the server: what both prove to each other, questions, and one stream for all tabs. */

import { sentence } from "./words.js";

const NAME = "deckwright-studio"; // what the token is kept by; it is sent to nobody
const QUIET = 40_000; // the server says something every 15 s
const LINKED = ["/faces/", "/sheets/", "/files/"];

let proofRequest = null; // while the server is asked for its proof, and as long as it answers
let keys = {}; // of this run of the studio: worth nothing to another that gets them

export class Unknown extends Error {}

export class Missing extends Error {}

/** Take the token out of the address; return whether there was one. */
function takeToken() {
  const given = location.hash.slice(1);
  if (!/^[\w-]{16,}$/.test(given)) return false;
  sessionStorage.setItem(NAME, given);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

addEventListener("hashchange", () => takeToken() && location.reload());

const digits = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Have the server prove that it knows the token; keys.py has the other side. */
async function prove() {
  const encode = (text) => new TextEncoder().encode(text);
  const token = sessionStorage.getItem(NAME);
  if (!token) throw new Unknown();
  const nonce = digits(crypto.getRandomValues(new Uint8Array(16)));
  const reply = await fetch(`/api/session?nonce=${nonce}`, { cache: "no-store" });
  const { run, proof } = await reply.json().catch(() => ({}));
  const secret = await crypto.subtle.importKey(
    "raw",
    encode(token),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const sign = async (...words) =>
    digits(
      new Uint8Array(
        await crypto.subtle.sign("HMAC", secret, encode([location.port, run, ...words].join(" "))),
      ),
    );
  if (proof !== (await sign("proof", nonce))) throw new Unknown();
  const found = await Promise.all(
    ["page", ...LINKED].map(async (name) => [name, await sign(name)]),
  );
  keys = { run, ...Object.fromEntries(found) };
  for (const picture of document.images) {
    // of a run before
    const [path, key] = (picture.getAttribute("src") ?? "").split("?");
    if (key && withKey(path) !== `${path}?${key}`) picture.src = withKey(path);
  }
}

/** Begin, or begin again with a server that did not answer. */
export async function begin() {
  takeToken();
  proofRequest ??= prove();
  try {
    await proofRequest;
  } catch (error) {
    proofRequest = null;
    throw error;
  }
}

/** Return the address of a picture or a file, with the key that reads such and nothing else. */
export const withKey = (path) =>
  `${path}?key=${keys[LINKED.find((area) => path.startsWith(area))] ?? ""}`;

/** Raised where the server says why not: `status` and its whole `answer`. */
export class Refused extends Error {
  constructor(status, answer) {
    super(sentence(answer));
    this.status = status;
    this.answer = answer;
  }
}

async function request(path, given = {}) {
  await begin();
  const headers = { "X-Deckwright-Token": keys.page, ...given.headers };
  const reply = await fetch(path, { cache: "no-store", ...given, headers }).catch((error) => {
    if (error.name !== "AbortError") proofRequest = null; // who answers next may be another
    throw error;
  });
  if (reply.status === 401 || reply.status === 403) proofRequest = null;
  if (reply.status === 401 || reply.status === 403) throw new Unknown();
  if (reply.status === 404) throw new Missing();
  if (reply.status === 429 && !given.signal?.aborted) {
    // so much is asked at once by tabs alone
    await new Promise((done) => setTimeout(done, 1000));
    return request(path, given);
  }
  if (!reply.ok)
    throw new Refused(
      reply.status,
      await reply.json().catch(() => ({ message: reply.statusText })),
    );
  return reply;
}

/** Return what tells this run of the studio from another. */
export const run = () => keys.run;

export const ask = async (path, signal) => (await request(path, { signal })).json();

export async function post(path, said, signal) {
  const headers = { "Content-Type": "application/json" };
  return (
    await request(path, { method: "POST", headers, body: JSON.stringify(said), signal })
  ).json();
}

/** Read the stream until it ends; tell each event. */
async function read(tell) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), QUIET);
  try {
    const stream = (await request("/api/events", { signal: stop.signal })).body.pipeThrough(
      new TextDecoderStream(),
    );
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
    proofRequest = null;
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
    if (data.gone || data.stale) proofRequest = null;
    if (!data.hello) hear(data);
    else if (leading && (last.gone || last.stale)) channel.postMessage(last);
  };
  channel.postMessage({ hello: true });
  navigator.locks.request(NAME, async () => {
    leading = true;
    for (let wait = 250; ; wait = Math.min(wait * 2, 4000)) {
      try {
        await read((event) => ((wait = 250), tell(event)));
        tell({ gone: true });
      } catch (error) {
        tell(error instanceof Unknown ? { stale: true } : { gone: true });
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  });
}
