/** The view Print: what one sees before paper is spent, and what is made of it. */

import { Refused } from "../shared/session.js";
import { word } from "../shared/words.js";
import { calibrationDialog } from "./calibration.js";
import { spreads, step } from "./desk.js";
import { jobName, jobNews } from "./jobs.js";
import { addressOf, candidates, enteredValue, newState, sameValue, takeAddress } from "./state.js";
import { printView } from "./view.js";

const NEWS = ["wall", "files", "print"]; // after which the sheets may be others
const PATIENCE = 150; // ms after which what was entered is laid out

/** Begin the view. */
export function start(root, studio) {
  const kept = `deckwright:${document.documentElement.dataset.game}:print`;
  const stored = (name) => JSON.parse(localStorage.getItem(`${kept}:${name}`) ?? "{}");
  const state = newState(stored("look"));
  let stale = true;
  let asking = null;
  let timer = 0;

  const view = printView(root, studio, state);
  const { form, desk } = view;
  const printer = calibrationDialog(root, studio, state, { draw, begin, changed, kept, saved });

  function draw() {
    view.draw();
    printer.draw();
  }

  function drawJobs() {
    view.drawJobs();
    printer.draw();
  }

  // What is asked for.

  async function ask() {
    const [can, { jobs }] = await Promise.all([
      studio.ask("/api/print"),
      studio.ask("/api/print/jobs"),
    ]);
    state.can = can;
    state.jobs = new Map(jobs.map((job) => [job.id, job]));
    if (!state.thingOf(state.thing) || state.current().group !== "print")
      state.thing = can.things.find(({ group }) => group === "print").id;
    if (!state.of.decks && can.decks.length) state.of.decks = [can.decks[0].id];
  }

  /**
   * Ask what there is to print, and lay it out; a game that cannot be read is said like sheets that
   * cannot be.
   */
  async function renew() {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Refused)) return studio.failed(error, renew);
      state.wrong = error;
      return draw();
    }
    return lay();
  }

  /** Lay out what is chosen; what lay there stays until then, and if it cannot be. */
  async function lay() {
    clearTimeout(timer);
    asking?.abort();
    const thing = state.current();
    if (state.tab !== "paper" || !thing.preview || !state.complete(thing)) {
      state.busy = false;
      return draw();
    }
    const mine = (asking = new AbortController());
    state.busy = true;
    stale = false;
    view.drawHead();
    try {
      const preview = await studio.post("/api/print/preview", state.wanted(thing), mine.signal);
      if (
        !sameValue(
          preview.documents.map(({ file }) => file),
          state.preview?.documents.map(({ file }) => file),
        )
      ) {
        state.most = step;
        desk.scrollTo(0, 0);
      }
      state.preview = { ...preview, thing: thing.id, mended: Boolean(desk.querySelector(".lost")) };
      state.pairs = spreads(state.preview);
      state.wrong = null;
      state.changes = [];
      if (root.querySelector("#print-differences[open]")) studio.attempt(differences);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refused)) {
        stale = true;
        studio.failed(error, lay);
      } else state.wrong = error;
    }
    state.busy = false;
    draw();
    for (const picture of desk.querySelectorAll(".lost .print-ink"))
      picture.src = picture.getAttribute("src");
  }

  /** A picture that the server does not know any more is laid out once more, and once only. */
  function lost(paper) {
    paper.classList.add("lost");
    if (state.preview.mended || state.busy || state.wrong) return;
    state.preview.mended = true;
    later();
  }

  function later(call = lay, wait = PATIENCE) {
    clearTimeout(timer);
    if (state.shown) timer = setTimeout(call, wait);
    else stale = true;
  }

  function changed(wait) {
    studio.keep();
    draw();
    later(lay, wait);
  }

  async function differences() {
    const decks = Object.entries(state.preview?.changed ?? {}).filter(([, last]) => last);
    const all = await Promise.all(
      decks.map(async ([id]) => ({
        name: state.can.decks.find((deck) => deck.id === id)?.name ?? id,
        ...(await studio.ask(`/api/print/changes?deck=${encodeURIComponent(id)}`)),
      })),
    );
    state.changes = all;
    view.drawForm();
  }

  async function begin(thing, choice = state.wanted(thing)) {
    try {
      const job = await studio.post("/api/print/jobs", choice);
      hearJob(job);
      return job;
    } catch (error) {
      if (error instanceof Refused)
        [state.wrong, state.tab] = [error, thing.group === "print" ? "paper" : state.tab];
      studio.failed(error, () => begin(thing, choice));
      draw();
      return null;
    }
  }

  function hearJob(job) {
    const before = state.jobs.get(job.id);
    if (!before) state.jobs = new Map([[job.id, job], ...state.jobs]);
    else state.jobs.set(job.id, job);
    if (state.can && before?.state !== job.state) {
      const said = !before
        ? word("print-job-started", jobName(job, state.can))
        : jobNews(job, state.can);
      if (said) studio.announce(said);
    }
    drawJobs();
  }

  async function saved(name, printers) {
    state.can.printers = printers;
    state.bags.print = { ...state.bags.print, printer: name };
    await ask();
    changed(0);
  }

  // What is done.

  const acts = {
    tab: ({ value }) => ((state.tab = value), changed(0)),
    zoom: ({ value }) => look({ zoom: value }),
    look: ({ value }) => look({ [value]: !state.look[value] }),
    leaf: ({ by }) => view.leaf(state.at + Number(by)),
    open: ({ key }) => studio.openCard(key),
    make: ({ thing }) => printer.first(state.thingOf(thing), () => begin(state.thingOf(thing))),
    calibrate: () => printer.open(),
    fold: () => ((state.unfolded = !state.unfolded), view.drawForm()),
    differences,
    "of-every": ({ of }) => (
      (state.of[of] = candidates(state.can, of).map(({ id }) => id)),
      changed()
    ),
    "of-none": ({ of }) => ((state.of[of] = []), changed()),
    "more-pages": () => ((state.most += step), view.drawDesk()),
    "job-cancel": async ({ job }) =>
      hearJob(await studio.post(`/api/print/jobs/${encodeURIComponent(job)}/cancel`, {})),
    "job-forget": async ({ job }) => {
      await studio.post(`/api/print/jobs/${encodeURIComponent(job)}/forget`, {});
      state.jobs.delete(job);
      drawJobs();
      root.querySelector("#print-make")?.focus();
    },
    "job-files": ({ job }) => (state.allFiles.add(job), drawJobs()),
  };

  function look(changes) {
    Object.assign(state.look, changes);
    localStorage.setItem(`${kept}:look`, JSON.stringify(state.look));
    const at = state.at;
    draw();
    view.leaf(at, "instant");
  }

  function enter({ target }) {
    const { act, option: name, bag, of } = target.dataset;
    if (act === "thing") [state.thing, state.wrong] = [target.value, null];
    else if (act === "of")
      state.of[of] = target.checked
        ? [...(state.of[of] ?? []), target.value]
        : state.of[of].filter((id) => id !== target.value);
    else if (act === "of-all") state.of[of] = [];
    else if (act === "backs") {
      const own = state.bag(state.current());
      delete own.backs;
      delete own.backs_apart;
      if (target.value) own.backs = target.value !== "no";
      if (target.value === "apart") own.backs_apart = true;
    } else if (name) {
      const thing = bag === "print" ? state.current() : state.thingOf(bag);
      const option = thing.options.find((one) => one.name === name);
      const value = enteredValue(option, target);
      if (value === undefined) return;
      if (sameValue(value, option.default)) delete state.bag(thing)[name];
      else state.bag(thing)[name] = value;
    } else return;
    changed();
  }

  function click(event) {
    const place = event.target.closest("button.place");
    if (place)
      navigator.clipboard.writeText(place.textContent).then(() => studio.announce(word("copied")));
    const node = event.target.closest("button[data-act], details[data-act] > summary");
    const named = node?.dataset.act ?? node?.parentElement.dataset.act;
    if (!(named in acts)) return;
    const given = { ...node.dataset };
    studio.attempt(() => acts[named](given));
  }

  root.addEventListener("click", click);
  studio.bar("print").addEventListener("click", click);
  form.addEventListener("change", enter);
  desk.addEventListener("change", enter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target.dataset.act !== "find") return;
    state.find = target.value;
    view.drawForm();
  });
  desk.addEventListener("focusin", ({ target }) => {
    if (!target.matches(".print-slot")) return;
    desk.querySelector('.print-slot[tabindex="0"]')?.setAttribute("tabindex", "-1");
    target.tabIndex = 0;
    state.tabbed = target.id;
  });
  desk.addEventListener(
    "error",
    ({ target }) => target.matches(".print-ink") && lost(target.closest(".print-paper")),
    true,
  );
  desk.addEventListener(
    "load",
    ({ target }) => target.closest(".print-paper")?.classList.remove("lost"),
    true,
  );

  return {
    async show(params) {
      state.shown = true;
      takeAddress(state, params);
      draw();
      if (stale || !state.preview) await renew();
    },
    hide: () => (state.shown = false),
    params: () => addressOf(state),
    press: view.press,
    place: (key) => desk.querySelector(`.print-slot[data-key="${CSS.escape(key)}"]`),
    hear(event) {
      if (event.kind === "job") {
        if (event.job) hearJob(event.job);
        else if (state.jobs.delete(event.gone)) drawJobs();
      } else if (NEWS.includes(event.kind)) {
        stale = true;
        later(renew);
      } else if (event.kind === "settings") draw();
    },
  };
}
