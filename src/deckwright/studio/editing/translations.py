"""Translations: pages of texts as forms, previews of the faces that show them, and saving."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from deckwright.api.options import game_errors
from deckwright.base.findings import Diagnostic, Location, has_errors, require_known
from deckwright.base.parsing import Bounds, parse_fields
from deckwright.game.card_data import collect_labels
from deckwright.game.model import GENERAL_LABEL, Game, PrintableCard
from deckwright.languages import catalog as po
from deckwright.languages.checking import check_entry
from deckwright.languages.updating import PrintedText, merge_texts
from deckwright.studio.answers import FileWrite, Json, fingerprint_of, pick
from deckwright.studio.described import display_path, serialize_finding
from deckwright.studio.drafts import NO_VALUES
from deckwright.studio.editing import preview
from deckwright.studio.editing.editor import reject, report_conflict
from deckwright.studio.editing.outlines import find_users
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession
from deckwright.text.richtext import strip_markup

_FLAG = "?fuzzy"
"""The end of the name of the field that says whether a translation is fuzzy."""
_PAGES = dict.fromkeys(("card", "rule", "term", "kind", "book", "template"), 2) | {"token": 3}
"""The number of parts of a context that name its page, by the first part; 1 for others."""


class _Draft(NamedTuple):
    """A draft of the form of a page of texts.

    Attributes:
        id: the language and the page, such as `fr/card/HK:HK3`.
        values: the changed values of the form.
        anyway: whether it is saved despite errors.
    """

    id: str
    state: str = ""
    values: Mapping[str, Annotated[str, Bounds(0, 50_000, xml=True)] | None] = NO_VALUES
    anyway: bool = False


class _Text(NamedTuple):
    """A text and its translation, in the catalog or in a draft.

    Attributes:
        name: the name of its field: its context, with a hash if other texts have the same.
        of: the text.
        entry: its entry in the catalog, a polib.POEntry.
        words: the translation, "" if it is missing.
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
        """Its page: the beginning of its context that it shares with other texts."""
        parts = self.of.context.split("/")
        return "/".join(parts[: _PAGES.get(parts[0], 1)])


class _Catalog(NamedTuple):
    """A catalog, its file's content, and all texts of the game by page, in order."""

    path: Path
    data: bytes
    merged: Any  # the catalog with all texts of the game, a polib.POFile
    pages: Mapping[str, list[_Text]]


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


def _race_of(card: PrintableCard | None, game: Game) -> str:
    faction = game.factions.get(card.faction_id) if card else None
    return faction.race if faction else ""


def _find_text(finding: Diagnostic, texts: Iterable[_Text]) -> str | None:
    """Return the name of the text that a finding on a face is about, None if it is unknown."""
    quoted = preview.quoted_texts(finding.message)
    longest, name = 0.0, None
    for each in texts:
        words = each.words if each.state == "done" else each.of.text
        plain = " ".join(strip_markup(words).split())
        if plain in quoted or any(plain.startswith(part) for part in quoted if " " in part):
            return each.name
        if each.of.source.at() == finding.location and len(words) > longest * len(each.of.text):
            longest, name = len(words) / len(each.of.text), each.name
    return name


def _check_texts(texts: Iterable[_Text], path: Path) -> Iterator[tuple[str | None, Diagnostic]]:
    """Yield the findings in the finished translations, each with the name of its text."""
    for each in texts:
        if each.state == "done":
            entry = copy(each.entry)
            po.set_translation(entry, each.words)
            yield from ((each.name, found) for found in check_entry(entry, Location(path), each.of))


def _serialize_findings(found: Iterable[tuple[str | None, Diagnostic]], home: Path) -> list[Json]:
    return [
        serialize_finding(each, home)._asdict() | {"field": name, "here": name is not None}
        for name, each in found
    ]


def _state_of(texts: Iterable[_Text]) -> str:
    """Return a hash that changes with texts and their translations."""
    return fingerprint_of(repr([(each.of.text, each.words, each.fuzzy) for each in texts]).encode())


class TranslationHandlers:
    """Handles the requests of the editor of translations."""

    def __init__(self, session: StudioSession) -> None:
        self._session, self._live_game = session, session.live_game
        self._open: dict[str, _Catalog] = {}
        session.after_reload.append(self._open.clear)

    def _catalog(self, language: str) -> _Catalog:
        """Read the catalog of a language."""
        folder, texts = self._session.folder, self._live_game.own.texts()
        catalogs, pages = folder.catalogs(), dict[str, list[_Text]]()
        require_known(language, catalogs, "language")
        with game_errors():
            data = po.read_catalog(catalogs[language])
            merged, _ = merge_texts(texts, catalogs[language], data, folder)
        known, names = po.map_entries(merged), set[str]()
        for text in texts:
            entry, name = known[text.context, text.text], text.context
            if name in names:
                name += f"#{fingerprint_of(text.text.encode())[:8]}"
            names.add(name)
            found = _Text(name, text, entry, po.translation_of(entry), entry.fuzzy)
            pages.setdefault(found.page, []).append(found)
        self._open[language] = _Catalog(catalogs[language], data, merged, pages)
        return self._open[language]

    def _texts_of(self, catalog: _Catalog, page: str) -> list[_Text]:
        """Return the texts of a page; those of a card include the rules that are printed on it."""
        require_known(page, catalog.pages, "page of texts")
        found = sorted(catalog.pages[page], key=lambda each: each.name != f"{page}/name")
        game = self._live_game.own.model
        card = None if page.startswith("rule/") else _find_card(game, page)
        rules = dict.fromkeys(card.card.rule_ids() if card else ())
        for rule in filter(None, map(game.rules.get, rules)):
            race = _race_of(card, game)
            label = f"/label/{race if race in rule.labels else GENERAL_LABEL}"
            found += (
                each
                for each in catalog.pages[f"rule/{rule.id}"]
                if "/label/" not in each.name or each.name.endswith(label)
            )
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
        labels, fields, race = collect_labels(game), list[Json](), _race_of(card, game)
        for each in texts:
            parts = each.of.context.removeprefix(f"{page}/").split("/")
            rule = game.rules.get(parts[1]) if card and parts[0] == "rule" else None
            fields.append(
                {
                    "name": each.name,
                    "type": "translation",
                    "value": each.words or None,
                    "fuzzy": each.fuzzy,
                    "source": "\n".join(filter(None, (each.of.text, each.of.plural))),
                    "label": labels.get(parts[-1], ""),
                    "former": each.entry.previous_msgid if each.fuzzy else None,
                    "note": each.entry.tcomment,
                    "group": rule and rule.any_label(race),
                    "options": (),
                }
            )
        path = display_path(catalog.path, self._session.folder.path)
        return {
            "thing": {"of": "translation", "id": id},
            "title": card.card.name if card else "",
            "faceless": card is None,
            "kind": language,
            "language": game.setup.language,
            "place": {"path": path, "line": texts[0].entry.linenum or 1},
            "editable": not self._session.writer.read_only,
            "state": _state_of(texts),
            "fields": fields,
            "children": (),
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
        draft, live_game = parse_fields(_Draft, body), self._live_game
        style = preview.require_style(live_game.own, body.get("style"))
        language, _, page = draft.id.partition("/")
        catalog = self._open.get(language) or self._catalog(language)
        _, texts = self._apply(draft, catalog)
        found = [*_check_texts(texts, catalog.path)]
        faces: list[preview.FaceData] = []
        if card := _find_card(live_game.own.model, page):
            printed = {
                (each.of.context, each.of.text): each.words
                if each.state == "done"
                else each.of.text
                for each in texts
            }
            shown = live_game.game if live_game.language == language else live_game.own
            game, paint = shown.in_language(language, printed), live_game.pictures.paint
            faces, _, rest = preview.preview_cards(game, [card], style, paint)
            found += ((_find_text(each, texts), each) for each in dict.fromkeys(rest))
        findings = _serialize_findings(found, live_game.own.path)
        ok = all(each.hash for each in faces)
        return {"faces": faces, "pictures": [], "ok": ok, "findings": findings}

    @post("/api/translation/save")
    async def save(self, body: Json) -> Json:
        """Save a draft; return its new form."""
        await self._session.call(self._save, parse_fields(_Draft, body))
        await self._session.reload()
        return {"form": await self._session.call(self.form, str(body["id"]))}

    def _save(self, draft: _Draft) -> None:
        """Write a draft to its catalog, unless its texts have changed since they were read."""
        catalog = self._catalog(draft.id.partition("/")[0])
        before, after = self._apply(draft, catalog)
        if draft.state != _state_of(before):
            raise report_conflict(form=self.form(draft.id))
        with game_errors():
            written = po.parse_for_writing(catalog.path, catalog.data)
        changed = {(new.of.context, new.of.text): new for new in after if new not in before}
        found = [*_check_texts(changed.values(), catalog.path)]
        if has_errors(each for _, each in found) and not draft.anyway:
            raise reject(_serialize_findings(found, self._session.folder.path), anyway=True)
        if not changed.keys() <= po.map_entries(written).keys():
            written = catalog.merged  # the file lacks texts, so it is updated
        for key, entry in po.map_entries(written).items():
            if new := changed.get(key):
                po.set_translation(entry, new.words)
                entry.flags = [flag for flag in entry.flags if flag != po.FUZZY]
                if new.state == "fuzzy":
                    entry.flags.append(po.FUZZY)
                else:
                    entry.previous_msgid = None
        if changed:
            content = FileWrite(po.format_catalog(written), fingerprint_of(catalog.data))
            self._session.writer.write({catalog.path: content})
