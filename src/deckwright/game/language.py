"""The language in which games are loaded and printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

from deckwright.base.files import find_existing, is_file


class Language(Protocol):
    """A language to print in."""

    @property
    def code(self) -> str:
        """Its code, such as "fr"."""

    @property
    def digest(self) -> str:
        """What changes with its translations."""

    @property
    def plurals(self) -> str:
        """Which form of a noun goes with which number, as gettext writes it."""

    def translate(self, context: str, text: str) -> str | None:
        """Return the translation of a text, None if there is none."""

    def translate_forms(self, context: str, forms: tuple[str, ...]) -> tuple[str, ...]:
        """Return the forms of a word that is printed with numbers, () if it is not translated."""


_language: ContextVar[Language | None] = ContextVar("_language", default=None)


@contextmanager
def use_language(language: Language | None) -> Iterator[None]:
    """Within the block, games are loaded with their texts in a language; None for their own."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def current_language() -> Language | None:
    """Return the language in which games are loaded, None for their own."""
    return _language.get()


def language_state() -> str:
    """Return what changes with the current language and its translations; "" for the game's own."""
    language = current_language()
    return "" if language is None else f"{language.code} {language.digest}"


def picture_folders(images: Path) -> tuple[Path, ...]:
    """Return the folders of pictures; that of the current language comes first."""
    language = current_language()
    return (images,) if language is None else (images / language.code, images)


def find_picture(images: Path, name: str) -> Path:
    """Return the path of a picture, which need not exist: of the language, else of all."""
    *own, common = (find_existing(folder / name) for folder in picture_folders(images))
    return next(filter(is_file, own), common)
