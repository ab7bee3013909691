"""Translations: the texts of a card as a form, its faces while one types, and their saving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from deckwright.api import Game
from deckwright.api.options import game_errors
from deckwright.base.files import read_file
from deckwright.base.findings import Diagnostic, Location, require_known
from deckwright.game.model import PrintableCard
from deckwright.languages import catalog as po
from deckwright.languages.checking import TextKey, check_entry
from deckwright.languages.updating import FUZZY, PrintedText, merge_texts
from deckwright.studio.answers import FileWrite, Json, RefusedError, fingerprint_of, pick
from deckwright.studio.described import collect_labels, display_path, serialize_finding
from deckwright.studio.drafts import NO_VALUES
from deckwright.studio.editing import preview
from deckwright.studio.editing.editor import make_rejection
from deckwright.studio.editing.outlines import find_users
from deckwright.studio.requests import Bounds, parse_fields
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession
from deckwright.text.richtext import strip_markup

_FLAG = "?fuzzy"
"""The end of the name of the field that says whether a translation is fuzzy."""
_PAGES = dict.fromkeys(("card", "rule", "term", "kind", "book", "template"), 2) | {"token": 3}
"""How many parts of a context name the page that its texts are on; 1 for other contexts."""
_MAX_SHOWN = 160
"""The longest source in the list of texts, in characters."""


class _Draft(NamedTuple):
    """What the page sends: an id such as `fr/card/HK:HK3`, and the changed values of its form."""

    id: str
    state: str = ""
    values: Mapping[str, Annotated[str, Bounds(0, 50_000, xml=True)] | None] = NO_VALUES
    anyway: bool = False


class _Translation(NamedTuple):
    """A text and its translation, in the catalog or in a draft.

    Attributes:
        name: of its field: its context, with a hash if other texts have the same.
        entry: its entry in the catalog, a polib.POEntry.
    """

    name: str
    text: PrintedText
    entry: Any
    words: str
    fuzzy: bool

    @property
    def key(self) -> TextKey:
        """Its context and source."""
        return self.text.context, self.text.text

    @property
    def state(self) -> str:
        """Whether it is missing, fuzzy or done."""
        return "missing" if not self.words else "fuzzy" if self.fuzzy else "done"

    @property
    def page(self) -> str:
        """The beginning of its context that it shares with the texts on its page."""
        parts = self.text.context.split("/")
        return "/".join(parts[: _PAGES.get(parts[0], 1)])


class _Catalog(NamedTuple):
    """A catalog, brought up to date in memory.

    Attributes:
        data: the content of its file.
        merged: the catalog with all texts of the game, a polib.POFile.
        pages: its texts by page, in order.
    """

    path: Path
    data: bytes
    merged: Any
    pages: Mapping[str, list[_Translation]]


def _by_key(catalog: Any) -> dict[TextKey, Any]:
    return {(entry.msgctxt or "", entry.msgid): entry for entry in po.iter_entries(catalog)}


def _find_card(game: Game, page: str) -> PrintableCard | None:
    """Return the card that shows the texts of a page, None if no card does."""
    of, _, wanted = page.partition("/")
    if of == "rule":
        return next(iter(find_users(game.model, wanted)), None)
    for each in game.model.printable_cards():
        key = each.card.id if each.rule_id else f"{each.faction_id}:{each.card.id}"
        if each.faction_id and key == wanted and of == ("token" if each.rule_id else "card"):
            return each
    return None


def _check(texts: Iterable[_Translation], path: Path, home: Path) -> list[Json]:
    """Return the findings in translations, at their fields."""
    from polib import POEntry  # for translators alone

    findings = []
    for each in texts:
        if each.state == "done":
            context, source = each.key
            entry = POEntry(
                msgctxt=context, msgid=source, msgstr=each.words, flags=each.entry.flags
            )
            for finding in check_entry(entry, Location(path), each.text):
                data = serialize_finding(finding, home)
                findings.append(
                    preview.attach_finding(data, preview.FieldRef(each.name), here=True)
                )
    return findings


def _find_text(finding: Diagnostic, texts: Iterable[_Translation]) -> str | None:
    """Return the name of the text that a finding on a face is about, None if it is not known."""
    quoted = [part.removesuffix("…").strip() for part in preview.QUOTED.findall(finding.message)]
    longest, name = 0.0, None
    for each in texts:
        words = each.words if each.state == "done" else each.text.text
        plain = " ".join(strip_markup(words).split())
        if plain in quoted or any(plain.startswith(part) for part in quoted if " " in part):
            return each.name
        if each.text.source.at() == finding.location and len(words) > longest * len(each.text.text):
            longest, name = len(words) / len(each.text.text), each.name
    return name


class TranslationHandlers:
    """Handles the requests of translators."""

    def __init__(self, session: StudioSession) -> None:
        """Take the running studio."""
        self._session, self._live_game = session, session.live_game
        self._open: dict[str, _Catalog] = {}
        session.after_reload.append(self._open.clear)

    @property
    def _game(self) -> Game:
        return self._live_game.own

    def _catalog(self, language: str) -> _Catalog:
        """Return the catalog of a language.

        Raises:
            ChoiceError: if there is none.
            GameError: if it cannot be read.
        """
        folder, texts = self._game.folder, self._game.texts()
        catalogs = folder.catalogs()
        require_known(language, catalogs, "language")
        path = catalogs[language]
        data = read_file(path, po.MAX_BYTES)
        with game_errors():
            merged, _ = merge_texts(texts, path, data, folder)
        known, repeated = _by_key(merged), Counter(text.context for text in texts)
        pages: dict[str, list[_Translation]] = {}
        for text in texts:
            entry, name = known[text.context, text.text], text.context
            if repeated[name] > 1:
                name += f"#{fingerprint_of(text.text.encode())[:8]}"
            found = _Translation(name, text, entry, entry.msgstr, entry.fuzzy)
            pages.setdefault(found.page, []).append(found)
        self._open[language] = _Catalog(path, data, merged, pages)
        return self._open[language]

    def _list_texts(self, catalog: _Catalog, page: str) -> list[_Translation]:
        """Return the texts of a page; those of a card include the rules that are printed on it."""
        require_known(page, catalog.pages, "page of texts")
        found = sorted(catalog.pages[page], key=lambda each: each.name != f"{page}/name")
        game, card = self._game.model, _find_card(self._game, page)
        rules = card.card.rule_ids() if card and not page.startswith("rule/") else ()
        for rule in filter(None, map(game.rules.get, dict.fromkeys(rules))):
            assert card is not None
            label = rule.any_label(game.factions[card.faction_id].race)
            found += (
                each
                for each in catalog.pages.get(f"rule/{rule.id}", ())
                if "/label/" not in each.name or each.text.text == label
            )
        return found

    @get("/api/translation/list")
    def texts(self, language: str) -> list[Json]:
        """Return all texts of a catalog, with the states of their translations."""
        return [
            {**pick(each, "page", "name", "state"), "source": each.text.text[:_MAX_SHOWN]}
            for texts in self._catalog(language).pages.values()
            for each in texts
        ]

    @get("/api/translation/form")
    def form(self, id: str) -> Json:  # noqa: A002 - as sent
        """Return a page of texts as a form."""
        language, _, page = id.partition("/")
        catalog, model = self._catalog(language), self._game.model
        texts, card = self._list_texts(catalog, page), _find_card(self._game, page)
        labels, fields = collect_labels(model), list[Json]()
        race = model.factions[card.faction_id].race if card else ""
        for each in texts:
            parts = each.text.context.removeprefix(f"{page}/").split("/")
            rule = model.rules.get(parts[1]) if parts[0] == "rule" else None
            fields += (
                {
                    "name": each.name,
                    "type": "translation",
                    "label": labels.get(parts[-1], ""),
                    "value": each.words or None,
                    "source": each.text.text,
                    "former": each.entry.previous_msgid if each.fuzzy else None,
                    "note": each.entry.tcomment,
                    "group": rule.any_label(race) if rule else "",
                    "options": (),
                },
                {
                    "name": each.name + _FLAG,
                    "type": "fuzzy",
                    "value": str(each.fuzzy).lower(),
                    "options": (),
                },
            )
        line = next((each.entry.linenum for each in texts if each.entry.linenum), 1)
        return {
            "thing": {"of": "translation", "id": id},
            "title": card.card.name if card else "",
            "faceless": card is None,
            "kind": language,
            "language": model.setup.language,
            "place": {"path": display_path(catalog.path, self._game.path), "line": line},
            "editable": not self._session.writer.read_only,
            "state": _state_of(texts),
            "fields": fields,
            "children": [],
        }

    def _apply(
        self, body: Json, catalog: _Catalog | None = None
    ) -> tuple[_Draft, _Catalog, list[_Translation], list[_Translation]]:
        """Return a draft, its catalog, and its texts as they are there and as they are drafted."""
        draft = parse_fields(_Draft, body)
        language, _, page = draft.id.partition("/")
        catalog = catalog or self._catalog(language)
        before, values = self._list_texts(catalog, page), draft.values
        after = [
            each._replace(
                words=values.get(each.name, each.words) or "",
                fuzzy=values.get(each.name + _FLAG, str(each.fuzzy).lower()) == "true",
            )
            for each in before
        ]
        return draft, catalog, before, after

    @post("/api/translation/preview")
    def preview(self, body: Json) -> Json:
        """Return the faces with a draft's translations, and the findings, without writing."""
        language, _, page = str(body.get("id")).partition("/")
        style = preview.require_style(self._game, body.get("style"))
        draft, catalog, before, texts = self._apply(body, self._open.get(language))
        findings = _check(texts, catalog.path, self._game.path)
        faces: list[preview.FaceData] = []
        if (card := _find_card(self._game, page)) is not None:
            shown = self._live_game.game if self._live_game.language == language else self._game
            drafts = {each.key: each.words if each.state == "done" else None for each in texts}
            game = shown.in_language(language, drafts)
            paint = self._live_game.pictures.paint
            cards = [
                each
                for each in game.model.printable_cards()
                if (each.faction_id, each.card.id) == (card.faction_id, card.card.id)
            ]
            faces, _, on_faces = preview.preview_cards(game, cards, style, paint)
            for each in dict.fromkeys(on_faces):
                data, name = serialize_finding(each, self._game.path), _find_text(each, texts)
                mark = preview.FieldRef(name)
                findings.append(preview.attach_finding(data, mark, here=name is not None))
        current = draft.state == _state_of(before)
        ok = all(each.hash for each in faces)
        return {"faces": faces, "pictures": [], "ok": ok, "current": current, "findings": findings}

    @post("/api/translation/save")
    async def save(self, body: Json) -> Json:
        """Save a draft; return its new form."""
        findings = await self._session.call(self._save, body)
        await self._session.reload()
        form = await self._session.call(self.form, str(body["id"]))
        return {"findings": findings, "form": form}

    def _save(self, body: Json) -> list[Json]:
        """Write a draft to its catalog; return the findings.

        Raises:
            RefusedError: if a translation has errors, or texts have changed since they were read.
            OSError: if the catalog cannot be written.
        """
        self._session.writer.require_writable()
        draft, catalog, before, after = self._apply(body)
        if draft.state != _state_of(before):
            message = "this has changed since it was read"
            raise RefusedError(409, {"message": message, "form": self.form(draft.id)})
        changed = [new for old, new in zip(before, after, strict=True) if new != old]
        findings = _check(changed, catalog.path, self._game.path)
        if preview.has_error(findings) and not draft.anyway:
            raise make_rejection(findings, anyway=True)
        with game_errors():
            written = po.parse_catalog(catalog.path, catalog.data)
        po.keep_width(written, catalog.data)
        if not {each.key for each in changed} <= _by_key(written).keys():
            written = catalog.merged  # the file lacks texts: it is brought up to date
        entries = _by_key(written)
        for each in changed:
            entry = entries[each.key]
            entry.msgstr, entry.flags = each.words, [f for f in entry.flags if f != FUZZY]
            if each.state == "fuzzy":
                entry.flags.append(FUZZY)
            else:
                entry.previous_msgid = None
        data, base = po.format_catalog(written), fingerprint_of(catalog.data)
        if changed:
            self._session.writer.write({catalog.path: FileWrite(data, base)})
        return findings


def _state_of(texts: Iterable[_Translation]) -> str:
    """Return a hash that changes with texts and their translations."""
    return fingerprint_of(repr([(each.key, each.words, each.fuzzy) for each in texts]).encode())
