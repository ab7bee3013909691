"""What each element draws, as golden text in `tests/golden`; `--update-golden` writes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import HERE, ROOT
from deckwright.base.findings import Report, Severity
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Game
from deckwright.ops.model import DrawGlyphs, Face, Group, Op, StrokePath
from deckwright.templates.elements import ELEMENTS, container, element
from deckwright.text import paragraphs
from deckwright.text.richtext import plain_text
from deckwright.text.words import RichText
from ops_as_text import format_face
from support import compose, composer, load_all, ops_of

GOLDEN = HERE / "golden"

MARK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
  <path d="M0 0 H20 V20 Z"/>
  <g transform="translate(5 5)"><rect width="4" height="4" fill="#fff" stroke="red"/></g>
</svg>
"""

TEXT = '<text x="2" y="3" width="20" height="9" font-size="2" '
BODIES = {
    "symbol": """
        <symbol name="bar" x="1" y="2" width="10"/>
        <symbol name="dot" width="4" fill="blue"/>
        <text font-size="4" fill="red">{bar}×2 {dot}</text>""",
    "rect": """
        <rect width="10" height="5" fill="red"/>
        <rect x="1" y="2" width="10" height="5" rx="1" stroke="blue"/>
        <rect x="1" y="2" width="10" height="4" rx="9" fill="ink" stroke="lime" stroke-width="1"/>
        <rect width="10" height="5"/>
        <rect width="10" height="5" fill="linear-gradient(90deg, red, ink 80%, blue)"/>
        <rect width="10" height="5" fill="linear-gradient(red, blue)"/>
        <rect width="10" height="5" fill="radial-gradient(#ffffff, ink)"/>""",
    "code": """
        <code value="AB" kind="micro-qr" x="1" y="2" width="17"/>
        <code value="1234567" kind="ean8" width="40.5" height="9" background="none" alt="A"/>""",
    "circle": '<circle cx="5" cy="6" r="2" fill="red" stroke="black"/><circle r="1mm"/>',
    "ellipse": '<ellipse cx="5" cy="6" rx="2" ry="1" stroke="teal" stroke-width="2pt"/>',
    "line": '<line x1="1" y1="2" x2="3" y2="4"/><line x2="1cm" stroke="red" stroke-width="1"/>',
    "polygon": '<polygon points="0,0 10,0 5,8.5" fill="red" stroke="black"/>',
    "path": """
        <path d="M0 0 L10 0 l0 5 H3 v2 z" fill="red"/>
        <path d="M0,0 C1,1 2,1 3,0 Q5 5 7 0 t4 0 S 12 2 13 0" stroke="black"/>
        <path d="M0 0 A 5 5 0 0 1 10 0" stroke="black" fill-rule="evenodd"/>
        <path d="M0 0 h9 v9 h-9 z M3 3 h3 v3 h-3 z" fill="black" fill-rule="evenodd"/>
        <path d="M0 0 h5 v5 z m10 10 h5 v5 z q1 1 2 0" fill="black"/>""",
    "g": """
        <g><rect width="1" height="2" fill="red"/></g>
        <g x="10" y="20"><rect width="1" height="2" fill="red"/></g>
        <g rotate="90"><rect width="1" height="2" fill="red"/></g>
        <g rotate="180" cx="32.5" cy="45"><g x="1"><rect width="1" height="2" fill="red"/></g></g>
        <g scale="2" cx="5" cy="5"><rect width="1" height="2" fill="red"/></g>
        <g clip="M0 0 H5 V5 Z" opacity="0.5"><rect width="9" height="9" fill="red"/></g>
        <g x="1" rotate="45" cx="1" cy="1"/>""",
    "image": """
        <image href="a.png" width="10" height="20"/>
        <image href="sub/b.jpg" x="1" y="2" width="10" height="20" rx="1" fit="contain"/>
        <image href="mark.svg" x="1" y="2" width="10" height="20"/>
        <image href="mark.svg" width="10" height="20" fit="contain" fill="ink" detail="red"/>
        <image href="mark.svg" width="10" height="10" rx="2" stroke="lime" stroke-width="1"/>""",
    "icon": """
        <icon name="square" x="5" y="6" width="10"/>
        <icon name="square" width="10" fill="none"/>
        <icon name="square" width="10" fill="red" stroke="blue" stroke-width="0.5"/>""",
    "text": f"""
        <text x="1" y="2">plain</text>
        {TEXT}>wraps at the width of its box</text>
        {TEXT} text-anchor="middle" valign="middle">in the middle</text>
        {TEXT} text-anchor="end" valign="bottom" fill="red">at the end</text>
        {TEXT} font-weight="bold" font-style="italic">a <b>b</b> <i>c</i></text>
        {TEXT} line-height="1.5" paragraph-gap="1">one<br/>two<p>three</p></text>
        <text width="10" height="2" font-size="2" min-font-size="1">shrinks to fit</text>
        <text font-size="2">2 <icon name="square"/> left{{icon:square}}</text>
        <text class="loud" font-size="2">a <sc>Small Cap</sc> s</text>
        {TEXT} hyphens="auto">Der alte Feldmarschall</text>
        <text/><text> </text>""",
    "block": '<block keep="next" space-after="2"><rect width="1" height="2" fill="red"/></block>',
    "first": """
        <first>
          <text width="10" height="2" font-size="2">too long for its box</text>
          <text width="10" height="2" font-size="2">short</text>
          <text width="10" height="2" font-size="2">last</text>
        </first>
        <first/>""",
    "pattern": """
        <pattern x="1" y="2" width="5" height="2" step-x="2" step-y="2">
          <rect width="1" height="1" fill="red"/>
        </pattern>""",
    "shadow": """
        <shadow dx="1" dy="2" blur="0.5" fill="navy" opacity="0.5">
          <rect width="3" height="2" fill="red"/>
        </shadow>""",
    "box": """
        <box x="9" y="1" text-anchor="middle" fill="red" rx="1"><text font-size="2">ab</text></box>
        <box width="9" height="3" stroke="blue"><rect width="1" height="1" fill="red"/></box>""",
    "row": """
        <row x="1" y="2" gap="2"><text font-size="2">ab</text><circle r="1" fill="red"/></row>""",
    "header": '<header><rect width="1" height="2" fill="red"/></header>',
    "footer": '<footer><rect width="1" height="2" fill="red"/></footer>',
}


def check_golden(name: str, text: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "look at what it draws, then run with `--update-golden`"
    assert text == path.read_text(encoding="utf-8"), "if it is better now: `--update-golden`"


@pytest.mark.parametrize("tag", sorted(ELEMENTS))
def test_an_element_draws_what_it_did(
    tmp_path: Path, tag: str, request: pytest.FixtureRequest
) -> None:
    assert tag in BODIES, f"add an example of `{tag}` to BODIES"
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "mark.svg").write_text(MARK, encoding="utf-8")
    (tmp_path / "img" / "sub").mkdir()
    for name in ("a.png", "sub/b.jpg"):
        (tmp_path / "img" / name).touch()
    ops = ops_of(tmp_path, BODIES[tag])
    check_golden(f"element-{tag}", format_face(Face(65, 90, ops)), request)


@pytest.fixture(scope="module")
def shipped() -> Game:
    return load_all(ROOT)


FACES = {
    "level-1": ("HK", "HK1"),
    "level-2": ("ZK", "ZK6"),
    "level-3": ("HK", "HK3"),
    "neutral": ("NR", "NR1"),
    "weather": ("NW", "NW_1"),
    "token": ("EW", "ca002/1"),
}


def card_or_token(game: Game, faction: str, card_id: str) -> Card:
    tokens = {token.id: token for token in game.tokens()}
    return tokens.get(card_id) or game.cards[faction, card_id]


@pytest.mark.parametrize("name", FACES)
def test_a_shipped_card_looks_as_it_did(
    shipped: Game, name: str, request: pytest.FixtureRequest
) -> None:
    faction, card_id = FACES[name]
    report: Report = []
    # The pictures of the usual style are compared as rasters; their paths would fill books.
    factory = FaceFactory(shipped, GameFolder(ROOT), report, "classic")
    face = factory.card_face(card_or_token(shipped, faction, card_id), faction, report)
    assert report == []
    assert face is not None
    check_golden(f"card-{name}", format_face(face), request)


def test_the_golden_cards_are_of_the_kinds_that_they_stand_for(shipped: Game) -> None:
    cards = {name: card_or_token(shipped, *key) for name, key in FACES.items()}
    levels = [cards[name].fields.get("level") for name in FACES]
    assert levels == ["1", "2", "3", "0", "0", None]
    assert [row.value for row in cards["weather"].children["row"]] == ["WEATHER"]
    assert cards["token"].kind.token


def test_no_golden_file_is_left_over() -> None:
    names = {*(f"element-{tag}" for tag in BODIES), *(f"card-{name}" for name in FACES)}
    assert {path.stem for path in GOLDEN.glob("*.txt")} - names == set()
    assert BODIES.keys() - ELEMENTS.keys() == set()


def test_an_element_is_registered_once() -> None:
    with pytest.raises(ValueError, match="rect"):
        container("rect")(lambda *_: ())
    with pytest.raises(ValueError, match="g"):
        element("g")(lambda *_: ())
    assert ELEMENTS["rect"].attributes


@pytest.mark.parametrize(
    ("body", "code", "part"),
    [
        ('<icon name="sowrd" width="1"/>', "T004", "sowrd"),
        ('<text font-family="nofont">a</text>', "T004", "nofont"),
        ('<text><icon name="sowrd"/></text>', "T004", "sowrd"),
        ('<path d="M 0 banana" fill="red"/>', "T004", "banana"),
        ('<image href="../x.png" width="1" height="1"/>', "T008", "../x.png"),
        ('<image href="/etc/x.png" width="1" height="1"/>', "T008", "/etc/x.png"),
        ('<text width="3" height="3">too long</text>', "L001", "too long"),
        ('<text width="3">unbreakable</text>', "L001", "unbreakable"),
        ("<text>a\N{SNOWMAN}</text>", "L002", "U+2603"),
    ],
)
def test_what_cannot_be_drawn_is_reported(tmp_path: Path, body: str, code: str, part: str) -> None:
    face, report = compose(tmp_path, body)
    assert face is None
    (finding,) = report
    assert finding.code.id == code
    assert part in finding.message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<icon name="boat.svg" width="9"/>', "neither a picture `img/boat.svg` nor an icon"),
        ('<image href="sea/boat.png" width="9" height="9"/>', "no picture `img/sea/boat.png`"),
    ],
)
def test_a_missing_picture_is_a_placeholder_with_its_name(
    tmp_path: Path, body: str, message: str
) -> None:
    face, (finding,) = compose(tmp_path, body)
    assert face is not None
    assert {op.text for op in face.ops if isinstance(op, DrawGlyphs)} < {"boat.svg", "sea/boat.png"}
    assert (finding.code.id, finding.severity) == ("R005", Severity.WARNING)
    assert message in finding.message
    assert finding.hint == "copy it to the folder `img`"


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ('<icon name="boot.svg" width="1"/>', "did you mean `boat.svg`?"),
        ('<icon name="boat.svg" width="1"/>', 'show it with `<image href="boat.svg" …/>`'),
        ('<icon name="lighthouse.png" width="1"/>', "use one of `boat.svg`"),
        ('<rect x="18,5mm" width="1" height="1" fill="red"/>', "write `18.5mm`"),
        ('<text width="3" height="3">too long</text>', "shorten it in the template"),
        ("<text width='3' height='3'>{{ 'too long' }}</text>", "shorten the text, or enlarge"),
    ],
)
def test_a_hint_proposes_the_fix(tmp_path: Path, body: str, hint: str) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "boat.svg").write_text(MARK, encoding="utf-8")
    (finding,) = compose(tmp_path, body)[1]
    assert finding.hint is not None
    assert finding.hint.startswith(hint)


@pytest.mark.parametrize(
    "body",
    [
        '<text width="10" font-size="0">a</text>',
        '<text width="10" font-size="-3">a</text>',
        '<text width="1" height="1" min-font-size="-9pt">aaaaaa bbbbbb</text>',
        '<text width="10" line-height="nan">a b c d e f</text>',
        '<text width="10" line-height="inf">a b c d e f</text>',
        '<g rotate="inf"><rect width="1" height="1" fill="red"/></g>',
        '<g rotate="nan"><rect width="1" height="1" fill="red"/></g>',
        '<polygon points="nan,1 2,2 3,3" fill="red"/>',
        '<polygon points="1e999,1 2,2 3,3" fill="red"/>',
        f'<rect width="{"9" * 400}" height="1" fill="red"/>',
        '<path d="Q 1 1 2 2" fill="red"/>',
        '<path d="M 1e999 0 L 1 1" fill="red"/>',
    ],
)
def test_numbers_that_no_drawing_can_have_are_reported(tmp_path: Path, body: str) -> None:
    face, report = compose(tmp_path, body)
    assert face is None
    assert [finding.code.id for finding in report] == ["T004"]


@pytest.mark.parametrize(
    "body",
    [
        '<line x2="5" stroke="none"/>',
        '<line x2="5" stroke-width="0"/>',
        '<rect width="5" height="5" fill="none" stroke="none"/>',
        '<rect width="5" height="5" stroke="red" stroke-width="0"/>',
        '<text fill="none">invisible</text>',
    ],
)
def test_what_has_no_color_or_width_is_not_drawn(tmp_path: Path, body: str) -> None:
    assert ops_of(tmp_path, body) == ()


def test_equal_elements_of_two_cards_give_the_same_op(tmp_path: Path) -> None:
    body = '<line each="x in [1, 2, 1]" x1="{{ x }}" x2="5"/>'
    first, second, third = ops_of(tmp_path, body)
    assert first is third
    assert first is not second


def test_ops_inside_of_groups_are_indented() -> None:
    inner: tuple[Op, ...] = (StrokePath((("M", 0, -0.0001), ("L", 1, 2.5)), "#000000", 0.25),)
    glyphs = DrawGlyphs("text-bold", 3, 1, 2, "AV", (-50, 0), "#ff0000")
    face = Face(65, 90.5, (Group(inner, (1, 0, 0, 1, 2, 3)), glyphs))
    assert format_face(face).splitlines() == [
        "face 65 x 90.5",
        "  group matrix 1,0,0,1,2,3",
        "    stroke #000000 0.25 M0,0 L1,2.5",
        "  text text-bold 3 #ff0000 at 1,2 kerned -50 'AV'",
    ]


def test_what_reaches_over_a_tile_goes_on_at_the_edges_of_the_pattern(tmp_path: Path) -> None:
    body = '<pattern x="1" width="6" height="4" step-x="2" step-y="2">TILE</pattern>'

    def tiles(tile: str) -> set[tuple[float, float]]:
        (around,) = ops_of(tmp_path, body.replace("TILE", tile))
        assert isinstance(around, Group)
        assert all(isinstance(op, Group) for op in around.ops)
        return {op.matrix[4:] for op in around.ops if isinstance(op, Group) and op.matrix}

    inside = {(x, y) for x in (1, 3, 5) for y in (0, 2)}
    assert tiles('<rect width="2" height="2" fill="red"/>') == inside
    assert tiles('<circle r="0.5" fill="red"/>') == {
        (x, y) for x in (1, 3, 5, 7) for y in (0, 2, 4)
    }
    assert tiles('<rect x="1" width="2" height="1" fill="red"/>') == inside | {(-1, 0), (-1, 2)}
    above = {(x, y) for x in (1, 3, 5) for y in (-4, -2)}
    assert tiles('<path d="M0 0V5" stroke="red"/>') == inside | above
    assert tiles("<text>a</text>") == inside


MOTTO = '<text width="20" height="90">{{ card.motto }}</text>'
RULES = '<text width="20" height="90">{{ card.rules }}</text>'
NO_MOTTO, NO_RULES = MOTTO.replace("90", "1"), RULES.replace("90", "1")


@pytest.mark.parametrize(
    ("body", "unprinted"),
    [
        (f"<first>{MOTTO}<g/></first>", set()),
        (f"<first>{NO_MOTTO}{MOTTO}</first>", set()),
        (f"<first>{NO_MOTTO}<g/></first>", {"motto"}),
        (f"<g><first>{NO_MOTTO}<text>short</text></first></g>", {"motto"}),
        (
            f"<first><first>{NO_RULES}<g/></first>{NO_MOTTO}</first>",
            {"rules"},
        ),
        (  # the rules have no room beside the motto
            f"<first><g>{NO_RULES}{MOTTO}</g>{RULES}</first>",
            {"motto"},
        ),
        (f"<first>{NO_MOTTO}<g/></first>{MOTTO}", set()),
        ("<first><text font-family='no'>{{ card.motto }}</text><g/></first>", set()),
    ],
)
def test_what_first_leaves_out_for_want_of_room_is_known(
    tmp_path: Path, body: str, unprinted: set[str]
) -> None:
    report: Report = []
    made = composer(tmp_path, f"<face>{body}</face>", report)
    assert made is not None
    context = {"card": {"motto": "They *may* wait.", "rules": "Nobody has to.", "id": "X1"}}
    for _ in range(2):  # what was drawn before is drawn again
        face = made.compose(context, 65, 90)
        assert report == []
        assert face is not None
        assert face.unprinted == unprinted


def test_why_an_alternative_cannot_be_drawn_is_said_of_the_last_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out, lay_out = list[str](), paragraphs.lay_out

    def counted(rich: RichText, *args: object, **options: object) -> object:
        laid_out.append(plain_text(rich))
        return lay_out(rich, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(paragraphs, "lay_out", counted)
    report: Report = []
    texts = "".join(f"<text width='9' height='3'>{said} text</text>" for said in ("long", "short"))
    made = composer(tmp_path, f"<face><first>{texts}</first></face>", report)
    assert made is not None
    assert made.compose({}, 65, 90) is None
    assert laid_out == ["short text"]
    assert [finding.code.id for finding in report] == ["L001"]
    assert "`short text` needs" in report[0].message


SIZES = (8.5, 7.5)


@pytest.mark.parametrize(
    ("height", "size", "text"),
    [(20, 8.5, "word"), (12.1, 8.5, "word"), (11, 7.5, "word"), (10, 8.5, "b"), (5.5, 7.5, "b")],
)
def test_the_first_of_several_texts_at_two_sizes(
    tmp_path: Path, height: float, size: float, text: str
) -> None:
    """The rules of a card in full at two sizes, and then what they say in brief."""
    full = '<p each="rule in rules"><b>{{ rule }}.</b> word word word</p>'
    brief = '<p each="rule in rules">b</p>'
    tries = "".join(
        f'<text width="18" height="{height}" font-size="{pt}pt" line-height="1">{content}</text>'
        for content in (full, brief)
        for pt in SIZES
    )
    ops = ops_of(tmp_path, f"<first>{tries}</first>", rules=["Aa", "Bb"])
    found = [op for op in ops if isinstance(op, DrawGlyphs)]
    assert {round(op.size / 25.4 * 72, 1) for op in found} == {size}
    assert text in found[-1].text
