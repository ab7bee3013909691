"""Check a finished PDF against the rules of PDF/X.

X-1a is PDF/X-1a:2003 (ISO 15930-4), X-4 is PDF/X-4 (ISO 15930-7). Only rules about possible
contents of card files are checked, not those on trap networks, OPI, preseparated pages and JBIG2.
Missing glyphs are left to validators.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.outputs.press.icc import REGISTERED_CONDITIONS
from deckwright.paint.pdf.metadata import REGISTRY, X1A, X4

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject


_TOKEN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)|<[0-9A-Fa-f\s]*>|%[^\r\n]*|/[^\s/\[\]<>(){}%]*"
    rb"|(?<![\w.])[A-Za-z'\"][A-Za-z0-9'\"*]*",
    re.DOTALL,
)
"""Strings, comments, names and operators of a content stream; numbers are skipped."""


class PdfParts:
    """A PDF whose objects are collected once for all rules."""

    def __init__(self, data: bytes) -> None:
        """Open a PDF."""
        from pypdf import PdfReader  # heavy

        self.reader = PdfReader(io.BytesIO(data), strict=False)

    @property
    def root(self) -> DictionaryObject:
        """The catalog."""
        return self.reader.root_object

    @cached_property
    def objects(self) -> list[DictionaryObject]:
        """All reachable dictionaries and streams, each once."""
        objects: list[Any] = []
        seen, left = set[int](), [self.reader.trailer]
        while left:
            item: Any = left.pop()
            item = item.get_object() if hasattr(item, "get_object") else item
            if not isinstance(item, dict | list) or id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, dict):
                objects.append(item)
            left += item.values() if isinstance(item, dict) else item
        return objects

    @cached_property
    def operators(self) -> set[bytes]:
        """All operators of pages and forms."""
        contents = [page.get_contents() for page in self.reader.pages]
        forms = [
            item
            for item in self.objects
            if hasattr(item, "get_data") and item.get("/Subtype") == "/Form"
        ]
        streams = (stream.get_data() for stream in (*contents, *forms) if stream is not None)
        return {
            token
            for data in streams
            for token in set(_TOKEN.findall(data))
            if token[:1] not in b"(<%/"
        }

    @cached_property
    def spaces(self) -> list[object]:
        """The color spaces of images, shadings and resources."""
        named = [
            space for item in self.objects for key, space in item.items() if "ColorSpace" in key
        ]
        return [
            space
            for one in map(resolve, named)
            for space in (one.values() if isinstance(one, dict) else [one])
        ]

    @cached_property
    def states(self) -> list[DictionaryObject]:
        """The graphics states of pages and forms."""
        holders = (resolve(item.get("/ExtGState")) for item in self.objects)
        return [
            resolve(state)
            for holder in holders
            if isinstance(holder, dict)
            for state in holder.values()
        ]

    @property
    def info(self) -> Any:
        """The document information."""
        return resolve(self.reader.trailer.get("/Info")) or {}

    @property
    def intents(self) -> list[Any]:
        """The output intents."""
        return [resolve(one) for one in resolve(self.root.get("/OutputIntents")) or ()]

    @cached_property
    def xmp(self) -> str:
        """The XMP metadata; "" if there are none."""
        stream = resolve(self.root.get("/Metadata"))
        return stream.get_data().decode("utf-8", "replace") if hasattr(stream, "get_data") else ""


def resolve(item: Any) -> Any:  # whatever a PDF can hold
    """Resolve an indirect reference; return anything else as it is."""
    return item.get_object() if hasattr(item, "get_object") else item


E080 = Code("E080", Severity.ERROR, "a PDF that breaks a rule of PDF/X")

CheckRule = Callable[[PdfParts], str | None]
"""Returns how a file breaks a rule, None if it does not."""

_VERSIONS = {X1A: "1.4", X4: "1.6"}
_NON_INK_SPACES = {"/DeviceRGB", "/CalRGB", "/CalGray", "/Lab", "/ICCBased"}
"""Color spaces other than inks."""
_BOX_TOLERANCE = 0.01
"""The tolerance for boxes in points, below the precision of readers."""
_CMYK, _PRINTER = b"CMYK", b"prtr"
_OLD_ICC_VERSION = 2
"""The ICC version that PDF 1.4 supports; PDF 1.6 supports version 4 as well."""
_XMP_FIELDS = ("dc:title", "xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate", "pdf:Trapped",
        "xmpMM:DocumentID", "xmpMM:VersionID", "xmpMM:RenditionClass")  # fmt: skip


RULES: dict[str, tuple[tuple[str, ...], CheckRule]] = {}
"""The parts of PDF/X with a rule, and its check, by its name."""


def _rule(*parts: str) -> Callable[[CheckRule], CheckRule]:
    def enter(broken: CheckRule) -> CheckRule:
        RULES[broken.__name__.strip("_")] = parts, broken
        return broken

    return enter


def find_broken_rules(data: bytes, part: str) -> Iterator[tuple[str, str]]:
    """Yield the names of the rules of `X1A` or `X4` that a PDF breaks, with explanations."""
    parts = PdfParts(data)
    for name, (ruled, check) in RULES.items():
        if part in ruled and (problem := check(parts)):
            yield name, problem


def check_pdfx(data: bytes, part: str, name: str) -> Iterator[Diagnostic]:
    """Yield the violations of a part of PDF/X by the file `name`."""
    for _, problem in find_broken_rules(data, part):
        hint = "choose another profile with `--icc`" if "ICC" in problem else None
        yield E080.at(None, f"`{name}` would not be {part}: {problem}", hint)


def _version(parts: PdfParts, newest: str) -> str | None:
    version = parts.reader.pdf_header.removeprefix("%PDF-")
    return f"it is PDF {version}, but at most {newest} is allowed" if version > newest else None


@_rule(X1A)
def version_1_4(parts: PdfParts) -> str | None:
    """ISO 15930-4, 6.1: a file of PDF 1.4 or before."""
    return _version(parts, _VERSIONS[X1A])


@_rule(X4)
def version_1_6(parts: PdfParts) -> str | None:
    """ISO 15930-7, 6.1: a file of PDF 1.6 or before."""
    return _version(parts, _VERSIONS[X4])


@_rule(X1A, X4)
def not_encrypted(parts: PdfParts) -> str | None:
    """Whoever prints it must be able to open it."""
    return "it is encrypted" if parts.reader.is_encrypted else None


@_rule(X1A, X4)
def file_id(parts: PdfParts) -> str | None:
    """The trailer has an id of two parts."""
    ids = resolve(parts.reader.trailer.get("/ID"))
    return None if isinstance(ids, list) and len(ids) == 2 else "it has no id"


@_rule(X1A, X4)
def information(parts: PdfParts) -> str | None:
    """The file says what it is, and when it was made and changed."""
    missing = [key for key in ("/Title", "/CreationDate", "/ModDate") if not parts.info.get(key)]
    return f"`{missing[0][1:]}` is missing from its metadata" if missing else None


@_rule(X1A, X4)
def trapped(parts: PdfParts) -> str | None:
    """It is known whether inks were made to overlap."""
    known = parts.info.get("/Trapped") in {"/True", "/False"}
    return None if known else "it does not say whether it is trapped"


@_rule(X4)
def metadata(parts: PdfParts) -> str | None:
    """ISO 15930-7, 6.7: XMP, not compressed, with ids of the document and its version."""
    if not parts.xmp:
        return "it has no XMP metadata"
    if "/Filter" in resolve(parts.root["/Metadata"]):
        return "its XMP metadata are compressed"
    missing = [name for name in _XMP_FIELDS if f"<{name}>" not in parts.xmp]
    return f"`{missing[0]}` is missing from its XMP metadata" if missing else None


@_rule(X1A, X4)
def output_intent(parts: PdfParts) -> str | None:
    """One printing condition, by the ICC profile of a press that prints with four inks."""
    of_print = [one for one in parts.intents if one.get("/S") == "/GTS_PDFX"]
    if len(of_print) != 1:
        return f"it names {len(of_print)} printing conditions for PDF/X, but must name one"
    intent = of_print[0]
    if not intent.get("/OutputConditionIdentifier"):
        return "its printing condition has no identifier"
    if not intent.get("/Info"):
        return "its printing condition has no name"
    profile = resolve(intent.get("/DestOutputProfile"))
    if profile is None:
        return "the ICC profile of its printing condition is not in it"
    header = profile.get_data()[:128]
    if profile.get("/N") != len(_CMYK) or header[16:20] != _CMYK or header[12:16] != _PRINTER:
        return "the ICC profile of its printing condition is not that of a press for CMYK"
    return None


@_rule(X1A, X4)
def registry(parts: PdfParts) -> str | None:
    """The ICC's registry is named for the printing conditions that it has, and for no others."""
    for intent in parts.intents:
        name, named = str(intent.get("/OutputConditionIdentifier")), intent.get("/RegistryName")
        if name in REGISTERED_CONDITIONS and named != REGISTRY:
            return f"its printing condition `{name}` is in a registry that it does not name"
        if name not in REGISTERED_CONDITIONS and named == REGISTRY:
            return f"the registry that it names has no printing condition `{name}`"
    return None


@_rule(X1A)
def old_profile(parts: PdfParts) -> str | None:
    """PDF 1.4 knows ICC profiles of version 2 alone."""
    for intent in parts.intents:
        profile = resolve(intent.get("/DestOutputProfile"))
        version = profile.get_data()[8] if profile is not None else _OLD_ICC_VERSION
        if version > _OLD_ICC_VERSION:
            return (
                f"its ICC profile has version {version}, but PDF 1.4 supports only version "
                f"{_OLD_ICC_VERSION}"
            )
    return None


@_rule(X1A, X4)
def boxes(parts: PdfParts) -> str | None:
    """Each page has a trim box or an art box, not both, inside of its bleed box and media box."""
    for number, page in enumerate(parts.reader.pages, 1):
        own = [key for key in ("/TrimBox", "/ArtBox") if key in page]
        if len(own) != 1:
            return f"page {number} has {'both a' if own else 'neither a'} trim box and an art box"
        inner, media = _box(page, own[0]), _box(page, "/MediaBox")
        bleed = _box(page, "/BleedBox") if "/BleedBox" in page else media
        if not (_lies_within(inner, bleed) and _lies_within(bleed, media)):
            return f"the boxes of page {number} are not nested"
    return None


def _box(page: DictionaryObject, key: str) -> list[float]:
    return [float(number) for number in resolve(page[key])]


def _lies_within(inner: list[float], outer: list[float]) -> bool:
    low = all(a >= b - _BOX_TOLERANCE for a, b in zip(inner[:2], outer[:2], strict=True))
    return low and all(a <= b + _BOX_TOLERANCE for a, b in zip(inner[2:], outer[2:], strict=True))


@_rule(X1A, X4)
def inks_alone(parts: PdfParts) -> str | None:
    """All colors are gray, CMYK or separations; RGB is undefined for a press."""
    if {b"rg", b"RG"} & parts.operators:
        return "it has colors in RGB"
    for space in parts.spaces:
        several = space if isinstance(space, list) else [space]
        outside = _NON_INK_SPACES.intersection(str(resolve(one)) for one in several)
        if outside:
            return f"it has colors in `{min(outside)[1:]}`"
    return None


@_rule(X1A, X4)
def one_look_of_an_ink(parts: PdfParts) -> str | None:
    """Separations of one name are shown by the same colors."""
    known: dict[str, str] = {}
    for space in parts.spaces:
        if isinstance(space, list) and resolve(space[0]) == "/Separation":
            name, shown = str(space[1]), str([resolve(one) for one in space[2:]])
            if known.setdefault(name, shown) != shown:
                return f"the ink `{name[1:]}` is shown by different colors"
    return None


@_rule(X1A)
def nothing_translucent(parts: PdfParts) -> str | None:
    """ISO 15930-4, 6.20: no soft masks, opacities below 1, blend modes or transparency groups."""
    for state in parts.states:
        if any(float(state.get(key, 1)) < 1 for key in ("/ca", "/CA")):
            return "something in it is translucent"
        if state.get("/SMask", "/None") != "/None":
            return "something in it has a soft mask"
        if str(state.get("/BM", "/Normal")) not in {"/Normal", "/Compatible"}:
            return "something in it is blended with what is below it"
    for item in parts.objects:
        if "/SMask" in item and item.get("/Subtype") == "/Image":
            return "an image in it has a soft mask"
        if resolve(item.get("/Group", {})).get("/S") == "/Transparency":
            return "it has a transparency group"
    return None


@_rule(X1A, X4)
def fonts_embedded(parts: PdfParts) -> str | None:
    """Every font is in the file."""
    for font in parts.objects:
        if font.get("/Type") != "/Font" or font.get("/Subtype") in {"/Type0", "/Type3"}:
            continue
        descriptor = resolve(font.get("/FontDescriptor")) or {}
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor):
            return f"the font `{str(font.get('/BaseFont'))[1:]}` is not embedded"
    return None


@_rule(X1A, X4)
def nothing_active(parts: PdfParts) -> str | None:
    """No actions, scripts or forms."""
    for item in parts.objects:
        for key in ("/AA", "/OpenAction", "/AcroForm", "/JavaScript", "/JS"):
            if key in item:
                return f"it has `{key[1:]}`, which is an action"
    return None


@_rule(X1A, X4)
def nothing_on_the_pages(parts: PdfParts) -> str | None:
    """No annotations, such as links and notes, on what is printed."""
    for number, page in enumerate(parts.reader.pages, 1):
        if resolve(page.get("/Annots")):
            return f"page {number} has annotations"
    return None


@_rule(X1A)
def no_layers(parts: PdfParts) -> str | None:
    """PDF 1.4 has no optional content."""
    return "it has layers" if "/OCProperties" in parts.root else None


@_rule(X1A, X4)
def as_it_is(parts: PdfParts) -> str | None:
    """No transfer curves, halftones, PostScript, other versions of images, or parts elsewhere."""
    for state in parts.states:
        if "/TR" in state or state.get("/TR2", "/Default") != "/Default" or "/HTP" in state:
            return "it has a transfer curve or a halftone"
    for item in parts.objects:
        if item.get("/Subtype") == "/PS" or (item.get("/Subtype") == "/Form" and "/PS" in item):
            return "it contains PostScript"
        if "/Alternates" in item:
            return "an image in it has alternate versions"
        if item.get("/Subtype") == "/Form" and "/Ref" in item:
            return "parts of it are in other files"
        if "/LZWDecode" in str(item.get("/Filter", "")):
            return "it uses LZW compression"
    return None


@_rule(X1A)
def plain_structure(parts: PdfParts) -> str | None:
    """PDF 1.4 has no streams of objects, and no images of 16 bits."""
    if parts.reader.xref_objStm:
        return "it has object streams, which PDF 1.4 does not support"
    for item in parts.objects:
        if item.get("/Subtype") == "/Image" and int(item.get("/BitsPerComponent", 8)) > 8:
            return "an image in it has more than 8 bits"
    return None
