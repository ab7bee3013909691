"""Write a comparison as a PDF. The faces of two games are in it, with the fonts and images of both.

The games may call different fonts by one id, as an old revision and a new one do: then those of the
old game get ids of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO

from deckwright.base.findings import Report, is_error
from deckwright.base.output import write_file
from deckwright.diff.comparing import Comparison, Side
from deckwright.diff.manifests.digest import Digests
from deckwright.faces.images import prepare_images
from deckwright.game.model import FaceKey
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, Op, map_ops, walk
from deckwright.outputs.comparison.highlight import Looker, differing
from deckwright.outputs.comparison.pages import between, comparison_pages, shown_keys
from deckwright.outputs.comparison.pair import Faces
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.sheet.setter import Setter
from deckwright.text.fonts import Font, load_fonts
from deckwright.text.hyphens import Hyphens


def print_comparison(comparison: Comparison, target: Path, report: Report) -> int | None:
    """Write a comparison as a PDF to `target`.

    Images that cannot be printed are reported to their sides.

    Returns:
        the number of pages; None after reporting why it could not be written.
    """
    side = comparison.new if comparison.new.setup else comparison.old
    setup = side.setup
    assert setup is not None, "without a game there is nothing to compare"
    old_fonts, new_fonts = (_fonts(each) for each in (comparison.old, comparison.new))
    fonts, renamed = merged(old_fonts, new_fonts)
    words = load_fonts(setup._replace(fonts={}), side.folder, []).items()
    family = comparison.new.factory.text_font if comparison.new.factory else None
    bundled = {style: font for (_, style), font in words}
    setter = Setter(bundled, fonts, family, Hyphens(setup.language, setup.hyphenation))

    images, keys = ImageStore(), shown_keys(comparison)
    before = _drawable(comparison.old, comparison.faces[0], keys, images)
    after = _drawable(comparison.new, comparison.faces[1], keys, images)
    sides = comparison.old, comparison.new
    lookers = [
        Looker(Digests(w.fonts, images), w.studio.metrics) for s in sides if (w := s.factory)
    ]

    def faces(key: FaceKey) -> Faces:
        old, new = before.get(key), after.get(key)
        marks = differing(old, new, (lookers[0], lookers[-1])) if old and new else ([], [])
        renewed = old._replace(ops=_renamed(old.ops, renamed)) if old and renamed else old
        return Faces(renewed, new, marks)

    pages = comparison_pages(comparison, setter, faces)
    info = info_of(f"{setup.name}: {between(comparison)}", setup, side.folder)

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, pages, info, setter.fonts, images)

    return len(pages) if write_file(target, paint, report) else None


def _fonts(side: Side) -> Mapping[str, Font]:
    return side.factory.fonts if side.factory else {}


def merged(
    old: Mapping[str, Font], new: Mapping[str, Font]
) -> tuple[dict[str, Font], dict[str, str]]:
    """Return the fonts of two games by id, and the new ids of old fonts that need others.

    A font that is the same in both is the new one, wherever its file is.
    """
    fonts, renamed = dict(new), dict[str, str]()
    for font_id, font in old.items():
        if font_id not in new:
            fonts[font_id] = font
        elif not _same(font.path, new[font_id].path):
            other = f"old-{font_id}"
            while other in old or other in new:
                other = f"old-{other}"
            fonts[other] = Font(other, font.path)
            renamed[font_id] = other
    return fonts, renamed


def _same(old: Path, new: Path) -> bool:
    return old == new or old.read_bytes() == new.read_bytes()


def _renamed(ops: Iterable[Op], ids: Mapping[str, str]) -> tuple[Op, ...]:
    """Return ops with other ids of fonts."""
    return map_ops(
        ops,
        lambda op: (
            op._replace(font=ids.get(op.font, op.font)) if isinstance(op, DrawGlyphs) else op
        ),
    )


def _drawable(
    side: Side, faces: Mapping[FaceKey, Face], keys: Iterable[FaceKey], images: ImageStore
) -> dict[FaceKey, Face]:
    """Return the faces of these keys whose images can be printed; the others are reported."""
    wanted = {key: faces[key] for key in keys if key in faces}
    if side.factory is None:
        return {}
    found: Report = []
    prepare_images(wanted.values(), images, found)
    side.report.extend(finding for finding in found if is_error(finding))
    return {key: face for key, face in wanted.items() if _is_prepared(face, images)}


def _is_prepared(face: Face, images: ImageStore) -> bool:
    try:
        for op in walk(face.ops):
            if isinstance(op, DrawImage):
                images.of(op)
    except KeyError:
        return False
    return True
