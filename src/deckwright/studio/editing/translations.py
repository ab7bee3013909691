"""Translations: the texts of a card as a form, its faces while one types, and their saving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from deckwright.api.options import game_errors
from deckwright.base.files import read_file
from deckwright.base.findings import Diagnostic, Location, require_known
from deckwright.game.model import Game, PrintableCard
from deckwright.languages import catalog as po
from deckwright.languages.checking import TextKey, check_entry
from deckwright.languages.updating import FUZZY, PrintedText, merge_texts
from deckwright.studio.answers import FileWrite, Json, RefusedError, fingerprint_of, pick
from deckwright.studio.described import collect_labels, display_path, serialize_finding
from deckwright.studio.drafts import NO_VALUES
from deckwright.studio.editing import preview
from deckwright.studio.editing.outlines import find_users
from deckwright.studio.requests import Bounds, parse_fields
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession
from deckwright.text.richtext import strip_markup

_FLAG = "?fuzzy"
"""The end of the name of the field that says whether a translation is fuzzy."""
_PAGES = dict.fromkeys(("card", "rule", "term", "kind", "book", "template"), 2) | {"token": 3}
"""How many parts of a context name the page that its texts are on; 1 for other contexts."""


class _Draft(NamedTuple):
    """What the page sends: an id such as `fr/card/HK:HK3`, and the changed values of its form."""

    id: str
    state: str = ""
    values: Mapping[str, Annotated[str, Bounds(0, 50_000, xml=True)] | None] = NO_VALUES


class _Text(NamedTuple):
    """A text and its translation, in the catalog or in a draft.

    Attributes:
        name: of its field: its context, with a hash if other texts have the same.
        entry: its entry in the catalog, a polib.POEntry.
    """

    name: str
    of: PrintedText
    entry: Any
    words: str
    fuzzy: bool

    @property
    def state(self) -> str:
        """Whether its translation is missing, fuzzy or done."""
        return "missing" if not self.words else "fuzzy" if self.fuzzy else "done"

    @property
    def page(self) -> str:
        """The beginning of its context that it shares with the texts on its page."""
        parts = self.of.context.split("/")
        return "/".join(parts[: _PAGES.get(parts[0], 1)])


class _Catalog(NamedTuple):
    """A catalog, its file's content, and all texts of the game by page, in order."""

    path: Path
    data: bytes
    merged: Any  # a polib.POFile, brought up to date in memory
    pages: Mapping[str, list[_Text]]


def _by_key(catalog: Any) -> dict[TextKey, Any]:
    return {(entry.msgctxt or "", entry.msgid): entry for entry in po.iter_entries(catalog)}


def _find_card(game: Game, page: str) -> PrintableCard | None:
    """Return the card that shows the texts of a page, None if no card does."""
    of, _, wanted = page.partition("/")
    if of == "rule":
        return next(iter(find_users(game, wanted)), None)
    for each in game.printable_cards():
        key = each.card.id if each.rule_id else f"{each.faction_id}:{each.card.id}"
        if each.faction_id and key == wanted and of == ("token" if each.rule_id else "card"):
            return each
    return None


def _find_text(finding: Diagnostic, texts: Iterable[_Text]) -> str | None:
    """Return the name of the text that a finding on a face is about, None if it is not known."""
    quoted = [part.removesuffix("…").strip() for part in preview.QUOTED.findall(finding.message)]
    longest, name = 0.0, None
    for each in texts:
        words = each.words if each.state == "done" else each.of.text
        plain = " ".join(strip_markup(words).split())
        if plain in quoted or any(plain.startswith(part) for part in quoted if " " in part):
            return each.name
        if each.of.source.at() == finding.location and len(words) > longest * len(each.of.text):
            longest, name = len(words) / len(each.of.text), each.name
    return name


def _state_of(texts: Iterable[_Text]) -> str:
    """Return a hash that changes with texts and their translations."""
    return fingerprint_of(repr([(each.of.text, each.words, each.fuzzy) for each in texts]).encode())


class TranslationHandlers:
    """Handles the requests of translators."""

    def __init__(self, session: StudioSession) -> None:
        """Take the running studio."""
        self._session, self._live_game = session, session.live_game
        self._open: dict[str, _Catalog] = {}
        session.after_reload.append(self._open.clear)

    def _catalog(self, language: str) -> _Catalog:
        """Return the catalog of a language, as it is in its file."""
        folder, texts = self._session.folder, self._live_game.own.texts()
        catalogs, pages = folder.catalogs(), dict[str, list[_Text]]()
        require_known(language, catalogs, "language")
        path = catalogs[language]
        data = read_file(path, po.MAX_BYTES)
        with game_errors():
            merged, _ = merge_texts(texts, path, data, folder)
        known, repeated = _by_key(merged), Counter(text.context for text in texts)
        for text in texts:
            entry, name = known[text.context, text.text], text.context
            if repeated[name] > 1:
                name += f"#{fingerprint_of(text.text.encode())[:8]}"
            found = _Text(name, text, entry, entry.msgstr, entry.fuzzy)
            pages.setdefault(found.page, []).append(found)
        self._open[language] = _Catalog(path, data, merged, pages)
        return self._open[language]

    def _texts_of(self, catalog: _Catalog, page: str) -> list[_Text]:
        """Return the texts of a page; those of a card include the rules that are printed on it."""
        require_known(page, catalog.pages, "page of texts")
        found = sorted(catalog.pages[page], key=lambda each: each.name != f"{page}/name")
        game = self._live_game.own.model
        card = None if page.startswith("rule/") else _find_card(game, page)
        for rule in dict.fromkeys(card.card.rule_ids() if card else ()):
            assert card is not None
            label = game.rules[rule].any_label(game.factions[card.faction_id].race)
            on_card = catalog.pages.get(f"rule/{rule}", ())
            found += (t for t in on_card if "/label/" not in t.name or t.of.text == label)
        return found

    @get("/api/translation/list")
    def texts(self, language: str) -> list[Json]:
        """Return all texts of a catalog, with the states of their translations."""
        return [
            {**pick(each, "page", "name", "state"), "source": each.of.text[:160]}
            for texts in self._catalog(language).pages.values()
            for each in texts
        ]

    @get("/api/translation/form")
    def form(self, id: str) -> Json:  # noqa: A002 - as sent
        """Return a page of texts as a form."""
        language, _, page = id.partition("/")
        catalog, game = self._catalog(language), self._live_game.own.model
        texts, card = self._texts_of(catalog, page), _find_card(game, page)
        labels, fields = collect_labels(game), list[Json]()
        for each in texts:
            parts = each.of.context.removeprefix(f"{page}/").split("/")
            rule = game.rules.get(parts[1]) if card and parts[0] == "rule" else None
            field = {"name": each.name, "type": "translation", "options": []}
            fields += (
                {
                    **field,
                    "value": each.words or None,
                    "source": each.of.text,
                    "label": labels.get(parts[-1], ""),
                    "former": each.entry.previous_msgid if each.fuzzy else None,
                    "note": each.entry.tcomment,
                    "group": rule and card and rule.any_label(game.factions[card.faction_id].race),
                },
                {
                    **field,
                    "name": each.name + _FLAG,
                    "type": "fuzzy",
                    "value": str(each.fuzzy).lower(),
                },
            )
        line = next((each.entry.linenum for each in texts if each.entry.linenum), 1)
        return {
            "thing": {"of": "translation", "id": id},
            "title": card.card.name if card else "",
            "faceless": card is None,
            "kind": language,
            "language": game.setup.language,
            "place": {"path": display_path(catalog.path, self._session.folder.path), "line": line},
            "editable": not self._session.writer.read_only,
            "state": _state_of(texts),
            "fields": fields,
            "children": [],
        }

    def _apply(self, draft: _Draft, catalog: _Catalog) -> tuple[list[_Text], list[_Text]]:
        """Return the texts of a draft as they are in the catalog and as they are drafted."""
        before = self._texts_of(catalog, draft.id.partition("/")[2])
        given = {each.name: each.words for each in before}
        given |= {each.name + _FLAG: str(each.fuzzy).lower() for each in before}
        given |= {name: value or "" for name, value in draft.values.items()}
        return before, [
            each._replace(words=given[each.name], fuzzy=given[each.name + _FLAG] == "true")
            for each in before
        ]

    @post("/api/translation/preview")
    def preview(self, body: Json) -> Json:
        """Return the faces with a draft's translations, and the findings, without writing."""
        from polib import POEntry  # for translators alone

        draft, live_game, home = (
            parse_fields(_Draft, body),
            self._live_game,
            self._session.folder.path,
        )
        style = preview.require_style(live_game.own, body.get("style"))
        language, _, page = draft.id.partition("/")
        catalog = self._open.get(language) or self._catalog(language)
        _, texts = self._apply(draft, catalog)
        found: list[tuple[str | None, Diagnostic]] = []
        for each in texts:
            if each.state == "done":
                known = {"msgctxt": each.of.context, "msgid": each.of.text, "msgstr": each.words}
                entry = POEntry(**known, flags=each.entry.flags)
                found += (
                    (each.name, f) for f in check_entry(entry, Location(catalog.path), each.of)
                )
        faces: list[preview.FaceData] = []
        if _find_card(live_game.own.model, page) is not None:
            drafts = {
                (t.of.context, t.of.text): t.words if t.state == "done" else None for t in texts
            }
            game = live_game.in_language(language, drafts)
            cards = [card] if (card := _find_card(game.model, page)) else []
            faces, _, rest = preview.preview_cards(game, cards, style, live_game.pictures.paint)
            found += ((_find_text(each, texts), each) for each in dict.fromkeys(rest))
        return {
            "faces": faces,
            "pictures": [],
            "ok": all(each.hash for each in faces),
            "findings": [
                preview.attach_finding(
                    serialize_finding(each, home), preview.FieldRef(name), here=name is not None
                )
                for name, each in found
            ],
        }

    @post("/api/translation/save")
    async def save(self, body: Json) -> Json:
        """Save a draft; return its new form."""
        await self._session.call(self._save, parse_fields(_Draft, body))
        await self._session.reload()
        return {"form": await self._session.call(self.form, str(body["id"]))}

    def _save(self, draft: _Draft) -> None:
        """Write a draft to its catalog.

        Raises:
            RefusedError: if its texts have changed since they were read.
            OSError: if the catalog cannot be written.
        """
        self._session.writer.require_writable()
        catalog = self._catalog(draft.id.partition("/")[0])
        before, after = self._apply(draft, catalog)
        if draft.state != _state_of(before):
            message = "this has changed since it was read"
            raise RefusedError(409, {"message": message, "form": self.form(draft.id)})
        with game_errors():
            written = po.parse_catalog(catalog.path, catalog.data)
        po.keep_width(written, catalog.data)
        changed = {(new.of.context, new.of.text): new for new in after if new not in before}
        if not changed.keys() <= _by_key(written).keys():
            written = catalog.merged  # the file lacks texts: it is brought up to date
        for key, entry in _by_key(written).items():
            if new := changed.get(key):
                entry.msgstr, entry.flags = new.words, [f for f in entry.flags if f != FUZZY]
                if new.state == "fuzzy":
                    entry.flags.append(FUZZY)
                else:
                    entry.previous_msgid = None
        if changed:
            content = FileWrite(po.format_catalog(written), fingerprint_of(catalog.data))
            self._session.writer.write({catalog.path: content})
