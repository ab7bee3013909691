/** What is being made: progress, cancel, what went wrong, and the files. */

import { finding } from "../shared/page.js";
import { withKey } from "../shared/session.js";
import { counted, make, says, sentence, word } from "../shared/words.js";
import { bytes, candidates, number, wordOr } from "./state.js";

const FILES = 3; // shown of a job; the others when asked for
const ENDED = ["done", "failed", "cancelled"];

const hasEnded = (job) => ENDED.includes(job.state);

export function jobName(job, can) {
  const thing = can.things.find(({ id }) => id === job.thing);
  const named = wordOr(`print-thing-${job.thing}`, thing?.name ?? job.thing);
  const all = candidates(can, thing?.of ?? "decks-or-factions");
  const of = (job.of ?? []).map((id) => all.find((one) => one.id === id)?.name ?? id);
  if (!of.length) return named;
  const more = of.length > 2 ? ` ${word("print-and-more", of.length - 2)}` : "";
  return word("print-job-of", named, of.slice(0, 2).join(", ") + more);
}

function progress({ state, progress: now }, id) {
  const bar = make("progress", { "aria-labelledby": id });
  if (now?.total) {
    bar.max = now.total;
    bar.value = now.done;
    bar.setAttribute("max", now.total);
    bar.setAttribute("value", now.done);
  }
  const doing = now?.what ? wordOr(`print-doing-${now.what}`, now.what) : word(`print-${state}`);
  const told =
    now?.steps > 1 ? word("print-step", doing, number(now.step), number(now.steps)) : doing;
  const share = now?.total ? ` · ${Math.round((100 * now.done) / now.total)} %` : "";
  return make("div.print-progress", bar, make("small", told + share));
}

const canOpen = ({ type }) => type === "application/pdf" || type?.startsWith("image/");

function file(one) {
  const href = withKey(`/files/${encodeURIComponent(one.id)}`);
  return make("li", [
    make("span.print-file", one.name, make("small", bytes(one.bytes))),
    canOpen(one) &&
      make(
        "a",
        {
          href: `${href}&open`,
          target: "_blank",
          rel: "noopener",
          "aria-label": `${word("print-open-file")}: ${one.name}`,
        },
        [word("print-open-file")],
      ),
    make(
      "a",
      { href, download: one.name, "aria-label": `${word("print-save-file")}: ${one.name}` },
      [word("print-save-file")],
    ),
  ]);
}

function files(job, all) {
  if (!job.files.length) return [];
  const shown = all ? job.files : job.files.slice(0, FILES);
  const left = job.files.length - shown.length;
  return [
    make("ul.print-file-list", ...shown.map(file)),
    left > 0 &&
      make("button.link", { "data-act": "job-files", "data-job": job.id }, [
        word("print-all-files", number(job.files.length)),
      ]),
  ];
}

export const findings = (all, studio) =>
  make("ul.print-findings", ...all.map((one) => finding(one, studio.wall().game)));

export function jobEntry(job, state, studio) {
  const id = `print-job-name-${job.id}`;
  const over = hasEnded(job);
  const act = make(
    "button",
    {
      className: over ? "quiet" : "",
      "data-act": over ? "job-forget" : "job-cancel",
      "data-job": job.id,
      "aria-describedby": id,
      ...(over && { "aria-label": word("print-forget") }),
    },
    [over ? "✕" : word("print-cancel")],
  );
  const worst = (job.findings ?? []).some(({ severity }) => severity === "error");
  return make("li", { className: `print-job ${job.state}`, id: `print-job-${job.id}` }, [
    make("div.print-job-head", [
      make("strong", { id }, jobName(job, state.can)),
      over && make("span.print-state", word(`print-${job.state}`)),
      act,
    ]),
    !over && progress(job, id),
    job.message && !job.findings?.length && make("p.wrong", says(job)),
    job.findings?.length &&
      make("details", { id: `print-job-findings-${job.id}`, open: job.state === "failed" }, [
        make("summary", { className: worst ? "wrong" : "" }, [
          `${word("print-job-findings")}: ${job.findings.length}`,
        ]),
        findings(job.findings, studio),
      ]),
    ...files(job, state.allFiles.has(job.id)),
  ]);
}

/** Return what is said to those who do not see it when a job comes to another state. */
export function jobNews(job, can) {
  const name = jobName(job, can);
  if (job.state === "done")
    return word("print-job-done", name, counted("print-file-one", "print-files", job.files.length));
  if (job.state === "failed") return word("print-job-failed", name, sentence(job));
  if (job.state === "cancelled") return word("print-job-cancelled", name);
  return null;
}

/** Return the jobs: those at work, those that failed and the newest; the others are folded. */
export function jobList(state, studio) {
  const all = [...state.jobs.values()];
  const shown = all.filter((job, at) => !at || job.state === "failed" || !hasEnded(job));
  const earlier = all.filter((job) => !shown.includes(job));
  const entries = (jobs) =>
    make("ul.print-job-list", ...jobs.map((job) => jobEntry(job, state, studio)));
  return make("section.print-jobs", { "aria-labelledby": "print-jobs-title" }, [
    make("h3", { id: "print-jobs-title" }, word("print-jobs")),
    entries(shown),
    earlier.length &&
      make("details", { id: "print-earlier" }, [
        make("summary", word("print-earlier", number(earlier.length))),
        entries(earlier),
      ]),
  ]);
}
