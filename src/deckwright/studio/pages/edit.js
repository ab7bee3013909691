/** Editing in place: a card, a rule, a faction or texts as a form, with the faces beside it. */

import { save } from "./edit-acts.js";
import { Draft, keyOf } from "./edit-draft.js";
import { choices, faces, fetched, merged, previews } from "./edit-faces.js";
import { byPath, facts, form, general } from "./edit-form.js";
import { draftOf, drafts, forgetDraft, keepDraft } from "./edit-kept.js";
import { called } from "./edit-names.js";
import { start as beginning } from "./edit-start.js";
import "./edit-words.js";
import { wire } from "./edit-wire.js";
import { morph } from "./morph.js";
import { place } from "./places.js";
import { Refused } from "./session.js";
import { make, word } from "./words.js";

const MOST = 4; // cards that show a rule or a name, beside its form
const NONE = { rules: [], cards: [], pictures: [], symbols: [] };

/** Return what an address names, null for where editing begins. */
function thingOf(params) {
  const [name] = ["card", "new", "rule", "faction", "texts"].filter((one) => params.get(one));
  if (!name) return null;
  const text = params.get(name);
  const [faction, id, like] = text.split(":");
  if (name === "card") return { of: "card", faction, id };
  if (name === "new") return { of: "new", faction, kind: id, like: like || null };
  return { of: name, id: text };
}

/** Return the address of a thing. */
export function paramsOf(thing) {
  if (!thing) return {};
  if (thing.of === "card") return { card: `${thing.faction}:${thing.id}` };
  if (thing.of === "new") return { new: [thing.faction, thing.kind, thing.like].filter(Boolean).join(":") };
  return { [thing.of]: thing.id };
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
    this.state = { find: "", group: "", faction: "", kind: "", side: "face", part: 1, style: "", look: false, seeking: null, symbols: null, parts: {}, natural: {} };
    this.clear();
    this.previews = previews(() => studio.post("/api/edit/preview", { ...this.sent(), style: this.state.style || null, on: this.draft.form.users?.slice(0, MOST) }), (answer, error) => this.previewed(answer, error));
    wire(root, this);
  }

  clear() {
    this.answer = null;
    this.shown = [];
    this.notice = null;
    this.saving = false;
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
    if (!thing) Object.assign(this.state, { find: params.get("find") ?? "", group: params.get("group") ?? "" });
    return thing ? this.open(thing) : this.begin();
  }

  params() {
    const { find, group } = this.state;
    return new URLSearchParams(this.thing ? paramsOf(this.thing) : { ...(find && { find }), ...(group && { group }) });
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
    return called(opened, this.studio.wall()?.game.filters);
  }

  async open(thing) {
    this.draw();
    try {
      const [opened, all] = await Promise.all([this.studio.ask(`/api/edit/form?${new URLSearchParams(Object.entries(thing).filter(([, value]) => value !== null))}`), choices(thing.faction)]);
      if (keyOf(thing) !== keyOf(this.thing ?? {})) return;
      this.choices = { ...NONE, ...all };
      this.draft = new Draft(this.named(opened));
      const kept = draftOf(keyOf(thing))?.kept;
      if (kept && opened.editable) this.draft.resume(kept);
      this.changed();
    } catch (error) {
      this.refused(error);
    }
  }

  /** Go back to where one came from: the wall with the card, or where editing begins. */
  async back() {
    const { thing, studio } = this;
    if (thing.of !== "card" && thing.of !== "new") return this.go(null);
    await studio.go("cards");
    const face = studio.wall()?.faces.find((one) => one.faction === thing.faction && one.card === thing.id);
    if (face) studio.openCard(face.key);
    return undefined;
  }

  // What is edited.

  sent() {
    return { ...this.draft.form.thing, state: this.draft.form.state, ...this.draft.changes() };
  }

  /** Whether it is a card, and not what cards show. */
  get own() {
    return this.thing.of === "card" || this.thing.of === "new";
  }

  get title() {
    return this.draft?.values.name || this.draft?.form.title || "";
  }

  /** Whether there is something to save. */
  get unsaved() {
    return Boolean(this.draft?.form.editable) && (this.draft.dirty || this.thing.of === "new");
  }

  /** Something was changed: keep it, show it, look at its faces. */
  changed() {
    if (!this.draft) return;
    this.keep();
    this.draw();
    this.previews.want();
  }

  /** Let the browser keep what is not saved. */
  keep() {
    if (!this.draft || !this.draft.form.editable) return;
    const { thing } = this;
    const key = keyOf(thing);
    if (this.draft.dirty) keepDraft(this.studio, key, { thing, title: this.title, kept: this.draft.kept() });
    else forgetDraft(this.studio, key, thing);
  }

  async previewed(answer, error) {
    if (error) {
      if (!(error instanceof Refused)) return this.studio.failed(error);
      this.answer = { ...this.answer, ok: false, findings: error.answer.findings ?? [], said: error.message };
      return this.draw();
    }
    await fetched(answer.faces.map(({ hash }) => hash));
    this.answer = answer;
    this.shown = merged(this.shown, answer.faces, this.own);
    this.draw();
  }

  save(anyway = false) {
    return save(this, anyway);
  }

  refused(error) {
    if (!(error instanceof Refused)) return this.studio.failed(error);
    const { findings = [], anyway = false, hint } = error.answer;
    this.notice = { kind: "wrong", text: error.answer.message, hint, findings, anyway };
    this.draw();
    this.body.querySelector(".edit-notice")?.focus();
  }

  /** What others change is laid under what is edited here. */
  async refresh() {
    if (!this.thing) return this.begin();
    if (!this.draft || this.saving || this.thing.of === "new") return;
    const { thing, draft } = this;
    try {
      const [now, all] = await Promise.all([this.studio.ask(`/api/edit/form?${new URLSearchParams(thing)}`), choices(thing.faction)]);
      if (draft !== this.draft || this.saving) return;
      this.choices = { ...NONE, ...all };
      if (now.state !== draft.form.state) {
        if (draft.dirty) draft.rebase(this.named(now));
        else this.draft = new Draft(this.named(now));
        this.studio.announce(word("edit-others"));
      }
      this.changed();
    } catch (error) {
      if (draft === this.draft && error instanceof Refused) this.refused(error);
    }
  }

  hear(event) {
    if (event.kind === "wall" || event.kind === "files") this.refresh().catch(this.studio.failed);
    if (event.kind === "settings") this.draw();
  }

  // Drawing.

  get view() {
    const { draft, answer } = this;
    return {
      ...this.state,
      readOnly: !draft.form.editable,
      choices: this.choices,
      values: draft.values,
      clashes: draft.clashes,
      found: byPath(answer?.findings ?? [], draft),
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
    morph(this.body, this.thing ? (this.draft ? this.page() : [make("p", { className: "empty" }, this.notice?.text ?? word("pending"))]) : [this.list ? beginning(this.list, this.studio.wall(), drafts(), this.state) : make("p", { className: "empty" }, word("pending"))]);
    if (old && document.activeElement === document.body) document.getElementById(old)?.focus();
  }

  page() {
    const { draft, view } = this;
    const whole = view.found[""] ?? [];
    const game = this.studio.wall()?.game ?? {};
    return [
      this.head(),
      this.told(game),
      make("div", { className: "edit-body" },
        faces(view, draft),
        make("form", { className: "edit-form", autocomplete: "off", noValidate: true, "aria-label": this.title },
          general(whole, game),
          make("fieldset", { className: "edit-all", disabled: view.readOnly, "aria-label": word("edit-fields") }, ...form(draft, view)),
          facts(draft, this.answer?.worked),
          this.foot())),
    ].filter(Boolean);
  }

  head() {
    const { draft, unsaved } = this;
    const { form: now } = draft;
    const button = (which, text, disabled, className = "") => make("button", { type: "button", "data-act": which, disabled, className, id: `edit-${which}` }, text);
    const buttons = now.editable ? [
      button("undo", word("edit-undo"), !draft.canUndo), button("redo", word("edit-redo"), !draft.canRedo),
      button("save", word(this.saving ? "edit-saving" : "edit-save"), !unsaved || this.saving, "main"),
    ] : [];
    return make("div", { className: "edit-top" },
      make("button", { type: "button", className: "quiet edit-back", "data-act": "back", "aria-label": word("edit-back") }, "‹"),
      make("div", { className: "edit-name" },
        make("h2", { tabIndex: -1 }, this.title || word("edit-nameless")),
        make("p", { className: "under" }, [now.thing.id ?? word("edit-is-new"), now.kind].filter(Boolean).join(" · "), " ",
          make("span", { className: `edit-state${unsaved ? " open" : ""}`, role: "status" }, now.editable ? word(unsaved ? "edit-unsaved" : "edit-saved") : word("edit-only-look")))),
      make("div", { className: "edit-row edit-buttons" }, ...buttons));
  }

  told(game) {
    const { draft, notice } = this;
    const clashes = Object.keys(draft.clashes).length;
    const parts = [];
    if (!draft.form.editable && draft.form.why) parts.push(make("p", { className: "edit-notice" }, draft.form.why));
    if (clashes) parts.push(make("p", { className: "edit-notice wrong", role: "alert" }, word("edit-clashes")));
    if (notice) {
      parts.push(make("div", { className: `edit-notice ${notice.kind}`, role: "alert", tabIndex: -1 }, make("p", {}, notice.text, notice.hint ? make("span", { className: "hint" }, notice.hint) : null),
        general(notice.findings ?? [], game),
        make("p", { className: "edit-row" }, notice.anyway ? make("button", { type: "button", "data-act": "anyway" }, word("edit-anyway")) : null,
          make("button", { type: "button", className: "quiet", "data-act": "unnotice" }, word("close")))));
    }
    return parts.length ? make("div", { className: "edit-notices" }, ...parts) : null;
  }

  foot() {
    const { draft } = this;
    const { thing, links = [], place: spot, editable } = draft.form;
    const own = thing.of === "card" && editable && !String(thing.id).includes("/");
    const button = (which, className = "") => make("button", { type: "button", "data-act": which, className }, word(`edit-${which}`));
    return make("div", { className: "edit-foot" },
      links.length ? make("p", { className: "edit-row" }, make("span", { className: "soft" }, word("edit-beside")), ...links.map((one) => make("button", { type: "button", className: "link", "data-act": "open", "data-thing": JSON.stringify(one.thing) }, one.title))) : null,
      make("p", { className: "edit-row" },
        draft.dirty ? button("revert") : null,
        own ? button("copy") : null, own ? button("delete", "danger") : null),
      spot ? make("p", { className: "source" }, `${word("edit-stands")} `, place(spot, this.studio.wall()?.game ?? {})) : null);
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
