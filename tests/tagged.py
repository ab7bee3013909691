"""Reads the structure of tagged PDFs from their pages and structure trees.

As a program it validates the files given as arguments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import page
import pikepdf

Node = Any
"""A PDF object; pikepdf has no static types for them."""
PAINTING = frozenset(
    ("f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "sh", "Do", "Tj", "TJ", "'", '"', "BI")
)
"""The operators that paint on a page."""


class TaggedElement(NamedTuple):
    """A structure element.

    Attributes:
        said: its alternative text, or its actual text.
        text: its own text, without that of its parts.
        places: its own marked content, as page indexes from 0 and MCIDs.
        links: its annotations, as text.
        attributes: its attributes by name.
    """

    role: str
    said: str
    text: str
    parts: tuple[TaggedElement, ...]
    places: tuple[tuple[int, int], ...]
    links: tuple[dict[str, str], ...]
    attributes: dict[str, Any]

    def within(self) -> Iterator[TaggedElement]:
        """Yield the element and all its descendants."""
        yield self
        for part in self.parts:
            yield from part.within()

    def all(self, *roles: str) -> list[TaggedElement]:
        """Return the descendants with these roles, itself included."""
        return [part for part in self.within() if part.role in roles]

    def __str__(self) -> str:
        """Return the roles as an outline: "Table(TR(TH TH))"."""
        inside = " ".join(map(str, self.parts))
        return f"{self.role}({inside})" if inside else self.role


def find_faults(path: Path) -> list[str]:
    """Return the failures that page-validation finds for PDF/A-2a and PDF/UA-1."""
    profiles = page.ValidationProfile.PDF_A_2A, page.ValidationProfile.PDF_UA_1
    reports = [page.validate_pdf(path, profile=profile) for profile in profiles]
    return [failure.message for report in reports for failure in report.failures]


def main(paths: list[str]) -> int:
    """Print the failures of files; return whether there are any."""
    failures = [f"{path}: {fault}" for path in paths for fault in find_faults(Path(path))]
    text = "\n".join(failures) or f"{len(paths)} files are PDF/A-2a and PDF/UA-1"
    sys.stdout.write(f"{text}\n")
    return bool(failures)


def read_structure(path: Path) -> TaggedElement:
    """Return the structure of a file; assert that it covers all content exactly once.

    All painting must be within marked content of one element, or an artifact, and the parent tree
    must name that element.
    """
    with pikepdf.open(path) as pdf:
        contents = {
            (number, mark): text
            for number, sheet in enumerate(pdf.pages)
            for mark, text in _contents(sheet).items()
        }
        root = pdf.Root.StructTreeRoot
        parents = _numbers(root.ParentTree)
        pages = {sheet.obj.objgen: number for number, sheet in enumerate(pdf.pages)}
        root_element = _read_element(root.K, contents, parents, pages)
        places = [place for part in root_element.within() for place in part.places]
        assert sorted(places) == sorted(contents), "content that is no element's, or of several"
        tags = [link["/StructParent"] for part in root_element.within() for link in part.links]
        annotations = (each for sheet in pdf.pages for each in sheet.obj.get("/Annots", []))
        assert sorted(tags) == sorted(str(each.StructParent) for each in annotations)
        assert all(sheet.obj.Tabs == "/S" for sheet in pdf.pages)
        return root_element


def _numbers(tree: Node) -> dict[int, Any]:
    numbers = list(tree.Nums)
    return dict(zip(map(int, numbers[::2]), numbers[1::2], strict=True))


def _read_element(
    node: Node,
    contents: dict[tuple[int, int], str],
    parents: dict[int, Node],
    pages: dict[tuple[int, int], int],
) -> TaggedElement:
    kids = node.get("/K", pikepdf.Array())
    parts, places, links = [], [], []
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int):
            places.append((pages[node.Pg.objgen], kid))
        elif kid.get("/Type") == "/MCR":
            places.append((pages[kid.Pg.objgen], int(kid.MCID)))
        elif kid.get("/Type") == "/OBJR":
            links.append({str(name): str(value) for name, value in kid.Obj.items()})
            assert parents[int(kid.Obj.StructParent)].objgen == node.objgen
            assert str(kid.Obj.Contents)
        else:
            assert kid.P.objgen == node.objgen
            parts.append(_read_element(kid, contents, parents, pages))
    for number, mark in places:
        assert parents[number][mark].objgen == node.objgen, "the tree of parents names another"
    text = " ".join(contents[place] for place in places)
    alt = str(node.get("/Alt", node.get("/ActualText", "")))
    attributes = {str(name): value for name, value in node.get("/A", {}).items()}
    return TaggedElement(
        str(node.S)[1:], alt, " ".join(text.split()), tuple(parts), tuple(places), tuple(links),
        attributes,
    )  # fmt: skip


def _contents(sheet: pikepdf.Page) -> dict[int, str]:
    """Return the texts of a page's marked content by MCID."""
    fonts = {name: _letters(font) for name, font in sheet.obj.Resources.get("/Font", {}).items()}
    contents: dict[int, str] = {}
    letters: dict[int, str] = {}
    line = 0.0
    for operands, name, mark in _walk_marked(sheet):
        assert name != "BDC" or mark is None or mark not in contents, "a number that is used again"
        if name == "BDC" and mark is not None:
            contents[mark] = ""
        elif name == "Tf":
            letters = fonts[str(operands[0])]
        elif name == "Tm" and mark is not None:
            before, line = line, float(operands[5])
            contents[mark] += " " if line != before else ""  # lines do not end with a space
        elif name in {"Tj", "TJ"} and mark is not None:
            strings_data = operands[0] if name == "TJ" else operands
            strings = (bytes(each) for each in strings_data if isinstance(each, pikepdf.String))
            contents[mark] += "".join(
                letters[int.from_bytes(code)] for string in strings for code in batched(string)
            )
    return contents


def batched(string: bytes) -> Iterator[bytes]:
    """Yield the codes of a string, of two bytes each."""
    return (string[at : at + 2] for at in range(0, len(string), 2))


def _walk_marked(sheet: pikepdf.Page) -> Iterator[tuple[Node, str, int | None]]:
    """Yield the operands and operators of a page with their MCID, None outside marked content."""
    marks: list[int | None] = []
    artifact = -1
    for operands, operator in pikepdf.parse_content_stream(sheet):
        name = str(operator)
        around = next((mark for mark in marks if mark is not None), None)
        if name == "BDC" and "/MCID" in operands[1]:
            assert around is None, "content within content"
            marks.append(int(operands[1].MCID))
            yield operands, name, marks[-1]
        elif name in {"BDC", "BMC"}:
            assert name == "BDC" or (str(operands[0]), around) == ("/Artifact", None)
            marks.append(artifact if name == "BMC" else None)
        elif name == "EMC":
            marks.pop()
        else:
            assert name not in PAINTING or around is not None, f"`{name}` is nothing"
            yield operands, name, None if around == artifact else around
    assert not marks


def _letters(font: Node) -> dict[int, str]:
    """Return the characters of a font by code."""
    written = font.ToUnicode.read_bytes().decode("ascii") if "/ToUnicode" in font else ""
    return {
        int(code, 16): bytes.fromhex(letter).decode("utf-16-be")
        for code, letter in re.findall("<([0-9A-F]{4})> <([0-9A-F]{4,})>", written)
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
