"""Find out which pictures of cards can be used.

A card whose picture is missing or unreadable is printed as if it had none: its template draws a
default picture. If the template has none, an unreadable picture is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file, stays_inside
from deckwright.base.findings import Code, Diagnostic, Report, Severity, has_errors, is_error
from deckwright.game.kinds import Field
from deckwright.game.language import find_picture
from deckwright.game.model import Card
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face, Group, walk
from deckwright.templates.compose import I006

I009 = Code("I009", Severity.WARNING, "a card's picture that cannot be used")
I010 = Code("I010", Severity.ERROR, "a card whose picture cannot be used and has no replacement")


class Picture(NamedTuple):
    """A picture of a card: the field that names it, and the file."""

    field: Field
    path: Path


class CardPictures:
    """The pictures of cards in a folder.

    Attributes:
        store: the store that prepares them for print.
    """

    def __init__(self, folder: Path) -> None:
        """Look for pictures in `folder`; they are opened on demand."""
        self._folder = folder
        self.store = ImageStore()
        self._reasons: dict[Path, Diagnostic] = {}
        self._existing: dict[Path, bool] = {}

    def excluding(self, paths: Collection[Path]) -> CardPictures:
        """Return a copy that knows nothing of these files."""
        pictures = CardPictures(self._folder)
        pictures.store = self.store.without(paths)
        pictures._reasons = {path: why for path, why in self._reasons.items() if path not in paths}
        return pictures

    def pictures_of(self, card: Card) -> list[Picture]:
        """Return the pictures that a card names."""
        return [
            Picture(field, find_picture(self._folder, str(value)))
            for field in card.kind.fields
            if field.type == "image" and (value := card.fields.get(field.name))
        ]

    def is_there(self, picture: Picture) -> bool:
        """Return whether the file of a picture exists inside the folder."""
        path = picture.path
        if path not in self._existing:
            self._existing[path] = stays_inside(path, self._folder) and is_file(path)
        return self._existing[path]

    def without_missing(self, card: Card) -> Card:
        """Return a card without the pictures that do not exist, which the checks report."""
        missing = [p for p in self.pictures_of(card) if not self.is_there(p)]
        return remove_pictures(card, missing)

    def open(self, faces: Iterable[tuple[Face, Iterable[Picture]]]) -> None:
        """Open the pictures on faces, in parallel."""
        drawings = [drawing for face, shown in faces for drawing in iter_images(face, shown)]
        findings: Report = []
        self.store.prepare(drawings, findings)
        for finding in filter(is_error, findings):
            if finding.location is not None:
                self._reasons[finding.location.path] = finding

    def can_show(self, face: Face) -> bool:
        """Return whether all pictures of a face can be used."""
        findings: Report = []
        self.store.prepare(iter_images(face), findings)
        return not has_errors(findings)

    def find_faults(
        self, face: Face | None, pictures: Iterable[Picture], findings: Report
    ) -> dict[Picture, Diagnostic]:
        """Return the unusable pictures of a face, with the reasons.

        Args:
            face: None if it could not be composed.
            findings: the findings of composing it.
        """
        if face is not None:
            self.open([(face, pictures)])
        bad_drawing = next((finding for finding in findings if finding.code is I006), None)
        reasons = {}
        for picture in pictures:
            is_drawing = picture.path.suffix.lower() == ".svg"
            if reason := self._reasons.get(picture.path) or (bad_drawing if is_drawing else None):
                reasons[picture] = reason
        return reasons


def remove_pictures(card: Card, pictures: Iterable[Picture]) -> Card:
    """Return a card with some pictures replaced by their fallbacks."""
    fields = {}
    for field, _ in pictures:
        fallback = card.fallback(field)
        fields[field.name] = None if card.fields[field.name] == fallback else fallback
    return card._replace(fields={**card.fields, **fields}) if fields else card


def draws_default(bare: Face, face: Face) -> bool:
    """Return whether a template draws anything in place of a picture.

    Args:
        bare: the face of the card without the picture.
        face: the face with it.
    """
    drawn = {op for op in walk(face.ops) if not isinstance(op, Group)}
    return any(op not in drawn for op in walk(bare.ops) if not isinstance(op, Group))


def unreadable_finding(
    card: Card, name: str, picture: Picture, reason: Diagnostic, *, default: bool
) -> Diagnostic:
    """Return the finding about a picture of a card that cannot be used.

    Args:
        name: the name of the card in the message.
        default: whether the template draws anything in its place.
    """
    href = card.fields[picture.field.name]
    lacking = "" if default else ", and its template draws nothing in its place"
    message = f"{name} has the image `{href}`, which cannot be used{lacking}: {reason.message}"
    return (I009 if default else I010).at(card.source.at(picture.field.name), message, reason.hint)


def iter_images(face: Face, pictures: Iterable[Picture] | None = None) -> Iterator[DrawImage]:
    """Yield the images on a face, of some pictures or all."""
    paths = None if pictures is None else {picture.path for picture in pictures}
    # A pattern repeats the same ops up to a million times, so each tuple is visited once.
    seen, waiting = set[int](), [face.ops]
    while waiting:
        ops = waiting.pop()
        if id(ops) in seen:
            continue
        seen.add(id(ops))
        for op in ops:
            if isinstance(op, Group):
                waiting.append(op.ops)
            elif isinstance(op, DrawImage) and (paths is None or op.path in paths):
                yield op
