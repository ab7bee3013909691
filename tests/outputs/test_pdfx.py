"""PDF/X-4 and PDF/X-1a: files keep our rules, those that break one are told, PDF/A is confirmed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import page as validator
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image

from conftest import Run
from deckwright.api import open_game
from deckwright.outputs.press.icc import find_condition
from deckwright.outputs.press.pdfx import RULES, find_broken_rules
from deckwright.paint.pdf.metadata import X1A, X4
from icc import press_profile
from print_shop import hide_profiles, write_poker_game

FACE = """<face>
  <rect width="63.5" height="88.9" fill="#408060"/>
  <rect x="6" y="50" width="40" height="9" fill="#f0e0a0"/>
  <g opacity="0.5"><circle cx="30" cy="52" r="12" fill="#ffee88"/></g>
  <image href="mark.png" x="40" y="66" width="14" height="14"/>
  <text x="8" y="8" width="48" height="14" fill="#000000">{{ card.name }}</text>
  <text x="8" y="30" width="48" height="14" fill="#c9a227" ink="foil">gold</text>
</face>
"""
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The PDF of a card in each part of PDF/X, stated."""
    folder = write_poker_game(tmp_path_factory.mktemp("pdfx") / "game")
    (folder / "img").mkdir()
    Image.new("RGBA", (170, 170), (200, 30, 30, 128)).save(folder / "img" / "mark.png")
    (folder / "templates" / "card.xml").write_text(FACE, encoding="utf-8")
    (folder / "press.icc").write_bytes(press_profile())
    deck = open_game(folder).deck("hill")
    made = {}
    names: list[tuple[str, Literal["x-1a", "x-4"]]] = [(X1A, "x-1a"), (X4, "x-4")]
    for part, name in names:
        out = folder / name
        deck.export_service(
            "press", out, only=["A1"], pdfx=name, state_pdfx=True, icc=folder / "press.icc"
        )
        made[part] = (out / "press_hill.pdf").read_bytes()
    return made


def saved(pdf: Pdf, **how: object) -> bytes:
    stream = io.BytesIO()
    version = str(pdf.pdf_version)
    options = {"force_version": version, "object_stream_mode": pikepdf.ObjectStreamMode.disable}
    pdf.save(stream, **{**options, "static_id": True, **how})
    return stream.getvalue()


@pytest.mark.parametrize("part", [X1A, X4])
def test_what_is_exported_keeps_every_rule(part: str, files: Files) -> None:
    with pikepdf.open(io.BytesIO(files[part])) as pdf:
        assert pdf.check_pdf_syntax() == []
    assert list(find_broken_rules(files[part], part)) == []


def test_the_parts_differ_in_version_and_in_what_is_translucent(files: Files) -> None:
    with pikepdf.open(io.BytesIO(files[X4])) as pdf:
        assert pdf.pdf_version == "1.6"
        assert pdf.pages[0].Group.CS == "/DeviceCMYK"
        images = [o for o in pdf.objects if isinstance(o, Stream) and "/SMask" in o]
        (image,) = images
        assert image.ColorSpace == "/DeviceCMYK"
        assert set(image.SMask.read_bytes()) == {128}
        said = pdf.Root.Metadata.read_bytes()
        assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in said
        assert "/GTS_PDFXVersion" not in pdf.docinfo
    with pikepdf.open(io.BytesIO(files[X1A])) as pdf:
        assert pdf.pdf_version == "1.4"
        assert pdf.docinfo["/GTS_PDFXVersion"] == X1A
        assert all("/Group" not in page for page in pdf.pages)
    assert {name for name, _ in find_broken_rules(files[X4], X1A)} == {
        "version_1_4",
        "plain_structure",
        "nothing_translucent",
    }


CONDITIONS = [
    ("FOGRA39 coated (Deckwright)", "", "FOGRA39"),
    ("Coated FOGRA39 (ISO 12647-2:2004)", "", "FOGRA39"),
    ("ISO Coated v2 300% (ECI)", "", "FOGRA39"),
    ("Coated_Fogra39L_VIGC_300", "", "FOGRA39"),
    ("PSO Coated v3", "", "FOGRA51"),
    ("PSOuncoated_v3_FOGRA52", "", "FOGRA52"),
    ("GRACoL2013_CRPC6.icc", "", "CGATS21-2-CRPC6"),
    ("GRACoL2006_Coated1v2.icc", "", "CGATS TR 006"),
    ("U.S. Web Coated (SWOP) v2", "", "CGATS TR 001"),
    ("Corner Press, matt", "ICCHDAT JC200103", "JC200103"),
    ("Corner Press, matt", "ICCHDAT FOGRA99", None),
    ("eciCMYK FOGRA59", "", None),
    ("FOGRA390", "", None),
    ("Corner Press", 'CGATS.17\nORIGINATOR "us"', None),
]


@pytest.mark.parametrize(("name", "target", "condition"), CONDITIONS)
def test_profiles_say_what_they_are_for(name: str, target: str, condition: str | None) -> None:
    assert find_condition(name, target) == condition


def test_a_condition_that_is_known_is_named_with_its_registry(tmp_path: Path) -> None:
    """A profile's own word counts before that of the service; one for neither is `Custom`."""
    folder = write_poker_game(tmp_path)
    shop = folder / "xml" / "services" / "shop.xml"
    shop.parent.mkdir()
    text = '<service name="Shop" files="pdf" bleed="3" color="cmyk" pdfx="PDF/X-4"{}/>'
    for own, service, named in (
        ("FOGRA51", ' condition="FOGRA39"', ["FOGRA51", "http://www.color.org"]),
        ("Corner", ' condition="FOGRA39"', ["FOGRA39", "http://www.color.org"]),
        ("Corner", ' condition="Corner matt 150 g"', ["Corner matt 150 g", None]),
        ("Corner", "", ["Custom", None]),
    ):
        shop.write_text(text.format(service), encoding="utf-8")
        (folder / "press.icc").write_bytes(press_profile(own))
        open_game(folder).deck("hill").export_service(
            "shop", folder, only=["A1"], tokens=False, icc=folder / "press.icc"
        )
        with pikepdf.open(folder / "shop_hill.pdf") as pdf:
            (intent,) = pdf.Root.OutputIntents
            found = intent.OutputConditionIdentifier, intent.get("/RegistryName")
        assert [part and str(part) for part in found] == named


def _first_state(pdf: Pdf) -> Dictionary:
    page = pdf.pages[0]
    page.Resources.ExtGState = Dictionary(G=Dictionary())
    return page.Resources.ExtGState.G


def _set(place: Callable[[Pdf], Dictionary], key: str, value: object) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        place(pdf)[key] = value

    return change


def _delete(place: Callable[[Pdf], Dictionary], key: str) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        del place(pdf)[key]

    return change


def _xmp(old: bytes, new: bytes) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        text = pdf.Root.Metadata.read_bytes().replace(old, new)
        pdf.Root.Metadata = pdf.make_stream(text, Type=Name.Metadata, Subtype=Name.XML)

    return change


def _drawn(operators: bytes) -> Callable[[Pdf], None]:
    return lambda pdf: pdf.pages[0].contents_add(operators)


def _image(**entries: object) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        basic = {"Type": Name.XObject, "Subtype": Name.Image, "Width": 1, "Height": 1}
        space = {"ColorSpace": Name.DeviceCMYK, "BitsPerComponent": 8}
        image = pdf.make_stream(bytes(16), **{**basic, **space, **entries})
        pdf.pages[0].Resources.XObject = Dictionary(Im0=image)

    return change


def _form(**entries: object) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        form = pdf.make_stream(
            b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 1, 1], **entries
        )
        pdf.pages[0].Resources.XObject = Dictionary(Fm0=form)

    return change


def _two_looks(pdf: Pdf) -> None:
    def space(cyan: float) -> Array:
        ends = {"C0": [0, 0, 0, 0], "C1": [cyan, 0, 0, 0]}
        way = Dictionary(FunctionType=2, Domain=[0, 1], N=1, **ends)
        return Array([Name.Separation, Name.Gold, Name.DeviceCMYK, way])

    pdf.pages[0].Resources.ColorSpace = Dictionary(A=space(0.1), B=space(0.9))


def _without_font_file(pdf: Pdf) -> None:
    fonts = (o for o in pdf.objects if isinstance(o, Dictionary) and "/FontFile2" in o)
    del next(fonts)["/FontFile2"]


def _profile(old: bytes, new: bytes) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        stream = pdf.Root.OutputIntents[0].DestOutputProfile
        data = stream.read_bytes()
        stream.write(data.replace(old, new, 1))

    return change


def _old_profile(pdf: Pdf) -> None:
    stream = pdf.Root.OutputIntents[0].DestOutputProfile
    data = bytearray(stream.read_bytes())
    data[8] = 4
    stream.write(bytes(data))


def _info(pdf: Pdf) -> Dictionary:
    return pdf.docinfo


def _root(pdf: Pdf) -> Dictionary:
    return pdf.Root


def _intent(pdf: Pdf) -> Dictionary:
    return pdf.Root.OutputIntents[0]


def _page(pdf: Pdf) -> Dictionary:
    return pdf.pages[1].obj


BREAKS: list[tuple[str, str, Callable[[Pdf], None]]] = [
    ("information", X1A, _delete(_info, "/Title")),
    ("information", X4, _delete(_info, "/ModDate")),
    ("trapped", X1A, _set(_info, "/Trapped", Name.Unknown)),
    ("trapped", X4, _delete(_info, "/Trapped")),
    ("metadata", X4, _delete(_root, "/Metadata")),
    ("metadata", X4, _xmp(b"xmpMM:DocumentID", b"xmpMM:OtherID")),
    ("metadata", X4, _xmp(b"xmp:MetadataDate", b"xmp:OtherDate")),
    ("output_intent", X1A, _delete(_root, "/OutputIntents")),
    ("output_intent", X4, _set(_intent, "/S", Name.GTS_PDFA1)),
    ("output_intent", X4, _set(_intent, "/OutputConditionIdentifier", pikepdf.String(""))),
    ("output_intent", X1A, _delete(_intent, "/DestOutputProfile")),
    ("output_intent", X4, _profile(b"CMYK", b"RGB ")),
    ("output_intent", X1A, _profile(b"prtr", b"mntr")),
    ("registry", X1A, _set(_intent, "/OutputConditionIdentifier", pikepdf.String("FOGRA39"))),
    ("registry", X4, _set(_intent, "/RegistryName", pikepdf.String("http://www.color.org"))),
    ("old_profile", X1A, _old_profile),
    ("boxes", X1A, _delete(_page, "/TrimBox")),
    ("boxes", X4, _set(_page, "/ArtBox", [1, 1, 9, 9])),
    ("boxes", X4, _set(_page, "/TrimBox", [-9, -9, 300, 400])),
    ("inks_alone", X1A, _drawn(b"1 0 0 rg 0 0 9 9 re f")),
    ("inks_alone", X4, _drawn(b"0 0 1 RG 0 0 9 9 re S")),
    ("inks_alone", X4, _image(ColorSpace=Name.DeviceRGB)),
    ("inks_alone", X1A, _image(ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 0, b"abc"]))),
    ("one_look_of_an_ink", X4, _two_looks),
    ("nothing_translucent", X1A, _set(_first_state, "/ca", 0.5)),
    ("nothing_translucent", X1A, _set(_first_state, "/BM", Name.Multiply)),
    ("nothing_translucent", X1A, _set(_first_state, "/SMask", Dictionary())),
    ("nothing_translucent", X1A, _form(Group=Dictionary(S=Name.Transparency))),
    ("fonts_embedded", X1A, _without_font_file),
    ("fonts_embedded", X4, _without_font_file),
    ("nothing_active", X1A, _set(_root, "/OpenAction", Array([]))),
    ("nothing_active", X4, _set(_page, "/AA", Dictionary())),
    ("nothing_on_the_pages", X4, _set(_page, "/Annots", Array([Dictionary(Subtype=Name.Link)]))),
    ("no_layers", X1A, _set(_root, "/OCProperties", Dictionary())),
    ("as_it_is", X1A, _set(_first_state, "/TR", Name.Identity)),
    ("as_it_is", X4, _set(_first_state, "/HTP", Array([0, 0]))),
    ("as_it_is", X4, _image(Alternates=Array([]))),
    ("as_it_is", X4, _form(Ref=Dictionary())),
    ("as_it_is", X1A, _form(PS=Dictionary())),
    ("plain_structure", X1A, _image(BitsPerComponent=16)),
]


@pytest.mark.parametrize(("name", "part", "change"), BREAKS)
def test_a_file_that_breaks_a_rule_is_told(
    name: str, part: str, change: Callable[[Pdf], None], files: Files
) -> None:
    with pikepdf.open(io.BytesIO(files[part])) as pdf:
        change(pdf)
        data = saved(pdf)
    assert [broken for broken, _ in find_broken_rules(data, part)] == [name]


def test_files_that_are_stored_otherwise_are_told(files: Files) -> None:
    with pikepdf.open(io.BytesIO(files[X1A])) as pdf:
        newer = saved(pdf, force_version="1.5")
        generate = pikepdf.ObjectStreamMode.generate
        packed = saved(pdf, object_stream_mode=generate, force_version="1.5")
        key = pikepdf.Encryption(owner="x", R=3, aes=False, metadata=False)
        locked = saved(pdf, encryption=key, static_id=False)
    assert [name for name, _ in find_broken_rules(newer, X1A)] == ["version_1_4"]
    assert "plain_structure" in {name for name, _ in find_broken_rules(packed, X1A)}
    assert "not_encrypted" in {name for name, _ in find_broken_rules(locked, X1A)}
    with pikepdf.open(io.BytesIO(files[X4])) as pdf:
        newest = saved(pdf, force_version="1.7")
    assert [name for name, _ in find_broken_rules(newest, X4)] == ["version_1_6"]
    nameless = files[X4].replace(b"/ID", b"/XD")
    assert [name for name, _ in find_broken_rules(nameless, X4)] == ["file_id"]


def test_every_rule_has_a_file_that_breaks_it() -> None:
    apart = {"version_1_4", "version_1_6", "not_encrypted", "file_id"}
    assert {name for name, _, _ in BREAKS} | apart == set(RULES)


def as_pdfa(data: bytes, part: str, conformance: str) -> bytes:
    """Return a file of PDF/X as PDF/A: its intent and metadata say so, and no longer PDF/X.

    That leaves fonts, colors, images, transparency, dates and the structure of the file as they
    are, which the parts have in common.
    """
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.Root.OutputIntents[0].S = Name.GTS_PDFA1
        for key in ("/Author", "/Keywords"):
            if key in pdf.docinfo and not str(pdf.docinfo[key]):
                del pdf.docinfo[key]
        if "/GTS_PDFXVersion" in pdf.docinfo:
            del pdf.docinfo["/GTS_PDFXVersion"]
        lines = pdf.Root.Metadata.read_bytes().decode().splitlines()
        lines = [line for line in lines if not line.startswith(("<pdf:Trapped", "<pdfxid:"))]
        said = f"<pdfaid:part>{part}</pdfaid:part>"
        said += f"<pdfaid:conformance>{conformance}</pdfaid:conformance>"
        start = '<rdf:Description rdf:about=""'
        space = ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"'
        text = "\n".join(lines).replace(f"{start}>", f"{start}{space}>{said}")
        entries = {"Type": Name.Metadata, "Subtype": Name.XML}
        pdf.Root.Metadata = pdf.make_stream(text.encode(), **entries)
        return saved(pdf)


@pytest.mark.parametrize(("part", "profile"), [(X1A, "1b"), (X4, "2b")])
def test_a_validator_confirms_it_as_pdfa(part: str, profile: str, files: Files) -> None:
    made = as_pdfa(files[part], profile[0], profile[1].upper())
    report = validator.validate_pdf_bytes(made, profile=profile)
    assert [failure.message for failure in report.failures] == []
    assert report.is_compliant


def test_the_validator_sees_what_is_wrong(files: Files) -> None:
    with pikepdf.open(io.BytesIO(files[X4])) as pdf:
        _without_font_file(pdf)
        made = as_pdfa(saved(pdf), "2", "B")
    assert not validator.validate_pdf_bytes(made, profile="2b").is_compliant


def test_nothing_is_stated_unless_told_and_nothing_that_is_not_true(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_profiles(tmp_path, monkeypatch)
    monkeypatch.chdir(write_poker_game(tmp_path / "game"))
    assert run("export", "press", "hill", "--only", "A1").exit_code == 0
    data = Path("out/press_hill.pdf").read_bytes()
    assert b"GTS_PDFXVersion" not in data
    Path("out/press_hill.pdf").unlink()
    newer = bytearray(press_profile())
    newer[8] = 4
    Path("new.icc").write_bytes(newer)
    asked = ("export", "press", "hill", "--only", "A1", "--icc", "new.icc", "--pdfx", "x-1a")
    for options, code, written in (
        ((), 1, False),
        (("--anyway", "--state-pdfx"), 1, False),
        (("--anyway",), 0, True),
    ):
        result = run(*asked, *options)
        assert "E080: `press_hill.pdf` would not be PDF/X-1a:2003" in result.stderr
        assert (result.exit_code, Path("out/press_hill.pdf").exists()) == (code, written)
