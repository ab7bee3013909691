"""What earlier layouts of a game found, so that a check lays out only what has changed since.

A card is *sound* if nothing was found on its faces and backs, in any style. Sound cards whose data
and pictures are the same as before are not laid out again; all others are, so that their findings
name the right places. Other parts, such as the rulebook, are remembered with their findings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.cache import Cache
from deckwright.base.findings import (
    Diagnostic,
    Report,
    decode_findings,
    encode_findings,
    has_errors,
)
from deckwright.faces.keys import FileState, digest_texts, state_of
from deckwright.game.context import Context
from deckwright.game.language import current_language


class SoundCard(NamedTuple):
    """A card on whose faces nothing was found.

    Attributes:
        pictures: the states of the pictures that it shows or names, by path.
        unprinted: the fields that none of its faces prints for want of room.
        is_truncated: whether its face omits the texts of its rules.
    """

    pictures: Mapping[str, FileState]
    unprinted: tuple[str, ...]
    is_truncated: bool


class CardContexts(dict[str, Context]):
    """The contexts of all cards by id; `shown` collects the ids of those that templates use."""

    def __init__(self, contexts: Mapping[str, Context]) -> None:
        """Use no card yet."""
        super().__init__(contexts)
        self.shown: set[str] = set()

    def __getitem__(self, name: str) -> Context:
        """Return the context of a card."""
        self.shown.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        """Return whether there is a card of this id."""
        self.shown.add(str(name))
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over all ids."""
        self.shown.update(super().keys())
        return super().__iter__()

    def __len__(self) -> int:
        """Return the number of cards."""
        self.shown.update(super().keys())
        return super().__len__()

    def __getattribute__(self, name: str) -> Any:  # as of dict
        """Return a method; those of dict, such as `items`, use all cards."""
        if name in _DICT_METHODS:
            self.shown.update(super().keys())
        return super().__getattribute__(name)


_DICT_METHODS = frozenset(name for name in dir(dict) if not name.startswith("_"))


class _Part(NamedTuple):
    """A part of a game that was laid out.

    Attributes:
        key: the digest of what it depends on, including the cards.
        cards: the ids of the cards that it shows.
    """

    key: str
    cards: tuple[str, ...]
    findings: Report


class LayoutMemory:
    """What is known of one game in one state of its templates, fonts and `game.xml`.

    Attributes:
        images: a digest of all pictures.
        unused_names: the values of cards that no template uses.
    """

    def __init__(
        self,
        folder: Path,
        state: str | None,
        images: str,
        unused_names: Collection[str],
        card_files: Collection[Path],
    ) -> None:
        """Read what is known.

        Args:
            state: a digest of everything that all faces depend on; None to remember nothing.
            card_files: the files of the cards.
        """
        self.images, self.unused_names = images, unused_names
        self._cache, self._state, self._card_files = Cache("layouts"), state, card_files
        # Findings name files as the folder is named.
        language = current_language()
        code = language.code if language else ""
        self._key = digest_texts(str(folder), str(folder.absolute()), code)
        self._cards: dict[str, SoundCard] = {}
        self._parts: dict[str, _Part] = {}
        self._templates: dict[str, Report] = {}
        self._compiled: dict[str, Report] = {}
        self._of_templates = set[Diagnostic]()
        self._current: dict[str, SoundCard] = {}
        if state is not None:
            self._cache.read_decoded(self._key, self._decode)

    def _decode(self, content: bytes) -> None:
        state, cards, parts, templates = json.loads(content)
        if state != self._state:
            return
        sound = {
            key: SoundCard(
                {path: file and (file[0], file[1]) for path, file in pictures.items()},
                (*unprinted,),
                is_truncated,
            )
            for key, (pictures, unprinted, is_truncated) in cards.items()
        }
        known = {
            name: _Part(str(key), (*shown,), decode_findings(findings))
            for name, (key, shown, findings) in parts.items()
        }
        self._templates = {name: decode_findings(found) for name, found in templates.items()}
        self._cards, self._parts = sound, known

    def save(self) -> None:
        """Remember this layout."""
        if self._state is None:
            return
        parts = {
            name: [key, cards, encode_findings(findings)]
            for name, (key, cards, findings) in self._parts.items()
        }
        templates = {
            name: encode_findings(findings)
            for name, findings in {**self._templates, **self._compiled}.items()
            if not has_errors(findings)
        }
        data = json.dumps([self._state, self._current, parts, templates])
        self._cache.write(self._key, data.encode())

    def find_card(self, key: str | None) -> SoundCard | None:
        """Return what is known of a card, None if it must be laid out."""
        card = self._cards.get(key or "")
        if card is None or any(state_of(Path(p)) != state for p, state in card.pictures.items()):
            return None
        self._current[key or ""] = card
        return card

    def add_card(self, key: str | None, card: SoundCard) -> None:
        """Remember a sound card."""
        if key is not None:
            self._current[key] = card

    def add_template(self, name: str, findings: Report) -> None:
        """Remember what was found when a template was compiled."""
        self._compiled[name] = findings
        self._of_templates.update(findings)

    def template_findings(self) -> Iterator[Diagnostic]:
        """Yield what is known of the templates that need not be compiled this time."""
        for name, findings in self._templates.items():
            if name not in self._compiled:
                yield from findings

    def recall_part(
        self, name: str, key: Callable[[Iterable[str]], str | None], report: Report
    ) -> bool:
        """Report what is known of a part of the game; return whether it is known.

        Args:
            key: returns the digest of what it depends on, given the ids of the cards that it shows;
                None if that is unclear.
        """
        known = self._parts.get(name)
        if known is None or key(known.cards) != known.key:
            return False
        report.extend(known.findings)
        return True

    def add_part(self, name: str, key: str | None, shown: Iterable[str], findings: Report) -> None:
        """Remember a part of the game.

        Findings in files of cards are not remembered, since the key does not cover their places.
        """
        self._parts.pop(name, None)
        own = [finding for finding in findings if finding not in self._of_templates]
        moved = any(each.location and each.location.path in self._card_files for each in findings)
        if key is not None and not moved and not has_errors(findings):
            self._parts[name] = _Part(key, (*sorted(shown),), own)
