/** Editing in place: a card, a rule, a faction or texts as a form, with the faces beside it. */

import { morph } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import { counted, make, sentence, word } from "../shared/words.js";
import { Draft, draftOf, drafts, forgetDraft, hearDrafts, keepDraft, keyOf } from "./draft.js";
import { choices, fetchPictures, mergeFaces, previews } from "./faces.js";
import { byPath, page } from "./form.js";
import { startPage as beginning } from "./start.js";
import { save, wireForm } from "./steps.js";
import { withTitles } from "./words.js";

const MOST = 4; // cards that show a rule or a name, beside its form
const NONE = { rules: [], cards: [], pictures: [], symbols: [] };

/** Return what an address names, null for where editing begins. */
function thingOf(params) {
  if (params.get("new")) {
    const said = ["faction", "kind", "like", "rule"].map((name) => [name, params.get(name)]);
    return {
      of: params.get("new"),
      new: true,
      ...Object.fromEntries(said.filter(([, value]) => value)),
    };
  }
  const name = ["card", "rule", "faction", "texts"].find((one) => params.get(one));
  if (!name) return null;
  const text = params.get(name);
  if (name !== "card") return { of: name, id: text };
  const [faction, id] = text.split(/:(.*)/s);
  return { of: "card", ...(faction && { faction }), id };
}

/** Return the address of a thing. */
function paramsOf(thing) {
  if (!thing) return {};
  const { of, id, faction = "", new: begun, ...said } = thing;
  if (begun) return { new: of, ...(faction && { faction }), ...said };
  return { [of]: of === "card" ? `${faction}:${id}` : id };
}

class Editor {
  constructor(root, studio) {
    this.studio = studio;
    this.body = make("div", { className: "edit" });
    this.dialogs = make("div");
    root.append(this.body, this.dialogs);
    this.thing = null;
    this.draft = null;
    this.list = null;
    this.choices = NONE;
    this.state = {
      find: "",
      group: "",
      faction: "",
      kind: "",
      side: "face",
      part: 1,
      style: "",
      look: false,
      seeking: null,
      symbols: null,
      parts: {},
      natural: {},
    };
    this.clear();
    this.previews = previews(
      () =>
        studio.post("/api/edit/preview", {
          ...(this.unsure ? this.toSave() : this.sent()),
          style: this.state.style || null,
          on: this.draft.form.users?.slice(0, MOST),
        }),
      (answer, error) => this.previewed(answer, error),
    );
    wireForm(root, this);
    hearDrafts((key, kept) => this.follow(key, kept));
  }

  clear() {
    this.answer = null;
    this.shown = [];
    this.notice = null;
    this.saving = false;
    this.tried = false;
    this.unsure = false; // whether it was sent to be saved, and nobody knows what came of it
    Object.assign(this.state, { seeking: null, symbols: null, parts: {}, part: 1 });
  }

  // What is shown.

  async show(params) {
    const thing = thingOf(params);
    if (thing && this.draft && keyOf(thing) === keyOf(this.thing)) return this.changed();
    this.keep();
    this.previews.drop();
    this.clear();
    this.thing = thing;
    this.draft = null;
    if (!thing)
      Object.assign(this.state, {
        find: params.get("find") ?? "",
        group: params.get("group") ?? "",
      });
    return thing ? this.open(thing) : this.begin();
  }

  params() {
    const { find, group } = this.state;
    return new URLSearchParams(
      this.thing ? paramsOf(this.thing) : { ...(find && { find }), ...(group && { group }) },
    );
  }

  /** Show something else; the way back leads here. */
  async go(thing) {
    history.pushState(null, "", location.href);
    await this.show(new URLSearchParams(paramsOf(thing)));
    this.studio.keep();
    scrollTo(0, 0);
    this.body.querySelector("h2")?.focus();
  }

  async begin() {
    this.draw();
    const list = await this.studio.ask("/api/edit/list");
    if (this.thing) return;
    this.list = list;
    this.draw();
  }

  named(opened) {
    return withTitles(opened, this.studio.wall()?.game.filters);
  }

  async open(thing) {
    this.draw();
    try {
      const [opened, all] = await Promise.all([
        this.studio.ask(`/api/edit/form?${new URLSearchParams(thing)}`),
        choices(thing.faction),
      ]);
      if (keyOf(thing) !== keyOf(this.thing ?? {})) return;
      this.choices = { ...NONE, ...all };
      this.draft = new Draft(this.named(opened));
      const kept = draftOf(keyOf(thing))?.kept;
      if (kept && opened.editable) this.draft.resume(kept);
      this.changed();
    } catch (error) {
      this.refused(error, () => this.open(thing));
    }
  }

  /** Go back to where one came from: the wall with the card, or where editing begins. */
  async back() {
    const { thing, studio } = this;
    if (thing.of !== "card" || thing.rule) return this.go(null);
    await studio.go("cards");
    const face = studio
      .wall()
      ?.faces.find((one) => one.faction === thing.faction && one.card === thing.id);
    if (face) studio.openCard(face.key);
    return undefined;
  }

  // What is edited.

  sent() {
    return { ...this.draft.form.thing, state: this.draft.form.state, ...this.draft.changes() };
  }

  /** What is saved: of something new also the id that is shown, so that it is not saved twice. */
  toSave() {
    const said = this.sent();
    const { id } = this.draft.values;
    return this.thing.new && id ? { ...said, values: { ...said.values, id } } : said;
  }

  /** Whether it is a card, and not what cards show. */
  get own() {
    return this.thing.of === "card";
  }

  get title() {
    return this.draft?.values.name || this.draft?.form.title || "";
  }

  /** Whether there is something to save. */
  get unsaved() {
    return Boolean(this.draft?.form.editable) && (this.draft.dirty || Boolean(this.thing.new));
  }

  /** Something was changed: keep it, show it, look at its faces. */
  changed() {
    if (!this.draft) return;
    this.keep();
    this.draw();
    this.previews.want();
  }

  /**
   * What another tab writes in the same form stands here as well: there is one draft of a thing.
   */
  follow(key, kept) {
    if (!this.draft?.form.editable || this.saving || key !== keyOf(this.thing)) return;
    this.draft.follow(kept);
    this.draw();
    this.previews.want();
  }

  /** Let the browser keep what is not saved. */
  keep() {
    if (!this.draft || !this.draft.form.editable) return;
    const { thing } = this;
    const key = keyOf(thing);
    if (this.draft.dirty)
      keepDraft(this.studio, key, { thing, title: this.title, kept: this.draft.kept() });
    else forgetDraft(this.studio, key, thing);
  }

  async previewed(answer, error) {
    if (error) {
      if (!error.answer?.findings?.length)
        return this.studio.failed(error, () => this.previews.want());
      this.answer = { ...this.answer, ok: false, findings: error.answer.findings };
      return this.draw();
    }
    if (this.thing.new && answer.id && !this.unsure && !this.saving)
      this.draft.propose("id", answer.id);
    await fetchPictures(answer.faces.map(({ hash }) => hash));
    this.answer = answer;
    this.shown = mergeFaces(this.shown, answer.faces, this.own);
    this.draw();
  }

  /**
   * Save what is edited, when it is settled whose words stay where others have changed the file.
   */
  save(anyway = false) {
    this.tried = true;
    if (!Object.keys(this.draft.clashes).length) return save(this, anyway);
    this.studio.announce(word("edit-clashes"));
    return this.body.querySelector(".edit-clash button")?.focus();
  }

  /** Say why something was refused: in the form, or over it where trying `again` may help. */
  refused(error, again) {
    if (!(error instanceof Refused) || error.status >= 500) return this.studio.failed(error, again);
    const { findings = [], anyway = false } = error.answer;
    const wrong = findings.filter(({ severity }) => severity === "error");
    const below = wrong.filter(({ here, field, child }) => here && (field || child));
    const text =
      below.length && below.length === wrong.length
        ? counted("edit-mend-one", "edit-mend", below.length)
        : sentence({ ...error.answer, findings: [] });
    this.notice = {
      kind: "wrong",
      text,
      findings: findings.filter((one) => !below.includes(one)),
      anyway,
    };
    this.draw();
    this.body.querySelector(".edit-notice")?.focus();
  }

  /** What others change is laid under what is edited here. */
  async refresh() {
    if (!this.thing) return this.begin();
    if (!this.draft || this.saving || this.thing.new) return;
    const { thing, draft } = this;
    try {
      const [now, all] = await Promise.all([
        this.studio.ask(`/api/edit/form?${new URLSearchParams(thing)}`),
        choices(thing.faction),
      ]);
      if (draft !== this.draft || this.saving) return;
      this.choices = { ...NONE, ...all };
      if (now.state !== draft.form.state) {
        if (draft.dirty) draft.rebase(this.named(now));
        else this.draft = new Draft(this.named(now));
        this.studio.announce(word("edit-others"));
      }
      this.changed();
    } catch (error) {
      if (draft === this.draft) this.refused(error);
    }
  }

  hear(event) {
    if (event.kind === "wall" || event.kind === "files") this.studio.attempt(() => this.refresh());
    if (event.kind === "settings") this.draw();
  }

  // Drawing.

  /** Whether it is too early to say of something new that a field is empty. */
  early({ here, field, child, index }) {
    const { draft, tried } = this;
    if (!this.thing.new || tried || !here) return false;
    if (child)
      return (
        (index ?? null) === null &&
        draft.children[child]?.length === draft.was.children[child]?.length
      );
    return (draft.values[field] ?? null) === (draft.was.values[field] ?? null);
  }

  /** What the faces leave out for want of room, as findings. */
  get unprinted() {
    const names = this.own
      ? this.shown.flatMap(({ stale, unprinted }) => (stale ? [] : unprinted))
      : [];
    return [...new Set(names)].map((field) => ({
      here: true,
      field,
      severity: "info",
      message: word("no-room"),
    }));
  }

  get view() {
    const { draft, answer } = this;
    return {
      ...this.state,
      readOnly: !draft.form.editable,
      choices: this.choices,
      values: draft.values,
      clashes: draft.clashes,
      found: byPath(
        [...(answer?.findings ?? []).filter((one) => !this.early(one)), ...this.unprinted],
        draft,
      ),
      boxes: answer?.pictures ?? [],
      fields: new Set(draft.form.fields.map(({ name }) => name)),
      shown: this.shown,
      answered: Boolean(answer),
      stale: Boolean(answer && !answer.ok),
      styles: this.studio.wall()?.game.styles ?? [],
    };
  }

  draw() {
    const old = document.activeElement?.id;
    morph(
      this.body,
      [
        this.thing
          ? this.draft
            ? page(this)
            : this.waiting()
          : this.list
            ? beginning(this.list, this.studio.wall(), drafts(), this)
            : this.waiting(),
      ].flat(),
    );
    if (old && document.activeElement === document.body) document.getElementById(old)?.focus();
  }

  /**
   * What stands there until there is a form, or instead of one; a draft of what is gone can go as
   * well.
   */
  waiting() {
    const lost = this.notice && this.thing && draftOf(keyOf(this.thing));
    return make(
      "div",
      { className: "empty" },
      make("p", {}, this.notice?.text ?? word("pending")),
      lost ? make("button", { type: "button", "data-act": "discard" }, word("edit-revert")) : null,
    );
  }
}

/** Start the view. */
export function start(root, studio) {
  const editor = new Editor(root, studio);
  return {
    show: (params) => editor.show(params),
    hide: () => editor.keep(),
    hear: (event) => editor.hear(event),
    params: () => editor.params(),
  };
}
