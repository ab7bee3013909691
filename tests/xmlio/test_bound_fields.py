"""Models that say how files write them: their shapes and readers."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from deckwright.base.findings import Report
from deckwright.xmlio.binding import (
    SOURCE,
    Choice,
    Holder,
    attr,
    bound,
    elements,
    model_shape,
    read_model,
    rest,
    same_element,
)
from deckwright.xmlio.load import FileError, load_document
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import ID, NAME, Occurs, element, key, one_of, optional, required
from deckwright.xmlio.validate import validate_and_prune


class Mood(Choice):
    CALM = "calm", "it sleeps"
    WILD = "wild"


@bound
class Home(NamedTuple):
    land: str | None = attr("where it lives", ID)


@bound
class Animal(NamedTuple):
    """An animal of the zoo."""

    source: Source = SOURCE
    id: str = attr("its id", ID, unique=True)
    mood: Mood = attr("its mood", default=Mood.CALM)
    legs: int = attr("how many it has", default=4)
    tame: bool = attr("whether it bites", default=False)
    likes: tuple[str, ...] = attr("what it eats", name="food", default=())
    home: Home = same_element(default=Home())
    data: dict[str, str] = rest(convert=str.upper)


CAGE = Holder("cage", "where it is at night", prunable=True)


@bound
class Zoo(NamedTuple):
    visitors: int
    name: str = attr("its name", NAME)
    key_holder: str = attr("who has the key", NAME, default="", required=True, holder=CAGE)
    animals: dict[str, Animal] = elements("animal", 1, 9, prunable=True)
    guards: tuple[Animal, ...] = elements("guard", meaning="a dog", holder=CAGE)
    star: Animal | None = elements("star", 0, 1, "what all come to see")
    label: str = ""

    def complete(self) -> "Zoo":
        return self._replace(label=f"{self.name}: {len(self.animals)}")


def read(text: str, folder: Path) -> tuple[Zoo | None, Report]:
    path, report = folder / "zoo.xml", Report()
    path.write_text(text, encoding="utf-8")
    root = load_document(path, report)
    assert root is not None
    try:
        validate_and_prune(root, model_shape(Zoo, "zoo"), report)
    except FileError:
        return None, report
    return read_model(Zoo, root, visitors=7), report


def test_a_model_is_read_with_its_parts(tmp_path: Path) -> None:
    zoo, report = read(
        """<zoo name="Z"><animal id="ox" mood="wild" legs="3" tame="true" food="hay, , oats"
        land="moor" horns="two"/><animal id="cat"/><cage key-holder="me"><guard id="rex"/></cage>
        <star id="owl"/></zoo>""",
        tmp_path,
    )
    assert report == []
    assert zoo is not None
    ox, cat = zoo.animals.values()
    assert ox[1:] == ("ox", Mood.WILD, 3, True, ("hay", "oats"), Home("moor"), {"horns": "TWO"})
    assert cat[1:] == ("cat", Mood.CALM, 4, False, (), Home(), {})
    assert (ox.source.at().line, list(zoo.animals)) == (1, ["ox", "cat"])
    assert (zoo.key_holder, [guard.id for guard in zoo.guards]) == ("me", ["rex"])
    assert zoo.star is not None
    assert (zoo.star.id, zoo.visitors, zoo.label) == ("owl", 7, "Z: 2")


def test_what_is_missing_has_its_default(tmp_path: Path) -> None:
    zoo, report = read('<zoo name="Z"><animal id="ox"/></zoo>', tmp_path)
    assert report == []
    assert zoo is not None
    assert (zoo.key_holder, zoo.guards, zoo.star) == ("", (), None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<zoo><animal id="ox"/></zoo>', "S003"),
        ('<zoo name="Z"/>', "S005"),
        ('<zoo name="Z"><animal id="ox"/><cage/></zoo>', "S003"),
        ('<zoo name="Z"><animal id="ox"/><star id="a"/><star id="b"/></zoo>', "S006"),
        ('<zoo name="Z"><animal id="ox"/><animal id="ox"/></zoo>', "R007"),
        ('<zoo name="Z"><animal id="ox" mood="sad"/><animal id="cat"/></zoo>', "S004"),
    ],
)
def test_the_shape_follows_from_the_model(text: str, code: str, tmp_path: Path) -> None:
    _, report = read(text, tmp_path)
    assert [finding.code.id for finding in report] == [code]


def test_a_faulty_part_is_left_out_where_the_model_allows_it(tmp_path: Path) -> None:
    zoo, report = read('<zoo name="Z"><animal id="ox" legs="x"/><cage/></zoo>', tmp_path)
    assert len(report) == 2
    assert zoo is not None
    assert (zoo.animals, zoo.key_holder) == ({}, "")


def test_the_shape_says_what_the_model_says() -> None:
    animal = element(
        "animal",
        "an animal of the zoo",
        key("id", ID, "its id"),
        optional("mood", one_of(("calm", "it sleeps"), "wild"), "its mood"),
        *(part for part in model_shape(Animal, "").attributes[2:]),
        free=model_shape(Animal, "").free,
    )
    shape = model_shape(Zoo, "zoo", "a zoo")
    assert shape.child("animal") == Occurs(animal, 1, 9)
    assert [a.name for a in animal.attributes] == ["id", "mood", "legs", "tame", "food", "land"]
    assert [a.required for a in animal.attributes] == [True, *[False] * 5]
    assert (shape.attributes, shape.meaning) == ((required("name", NAME, "its name"),), "a zoo")
    assert [child.shape.tag for child in shape.children] == ["cage", "animal", "star"]
    assert shape.prunable == ("cage", "animal")
    assert shape.unique == (("animal", "id"), ("star", "id"))


def test_models_are_made_with_their_defaults() -> None:
    size = Size(2)
    assert size == (2, 5, None)
    assert Size(2, z=7)._replace(y=4) == (2, 4, 7)
    with pytest.raises(TypeError, match="'x'"):
        Size()


@bound
class Size(NamedTuple):
    x: int = attr("how wide")
    y: int = attr("how high", default=5)
    z: int | None = attr("how deep")


@bound
class Notice(NamedTuple):
    text: str = attr(
        "what it says",
        NAME,
        default="",
        required=True,
        element=True,
        alias="words",
        convert=str.upper,
    )


@pytest.mark.parametrize(
    ("content", "text", "codes"),
    [
        ('<notice text="Do not feed"/>', "DO NOT FEED", []),
        ('<notice words="Do not feed"/>', "DO NOT FEED", []),
        ("<notice><text>Do <b>not</b> feed</text></notice>", "DO **NOT** FEED", []),
        ("<notice><words>Do not feed</words></notice>", "DO NOT FEED", []),
        ("<notice><text/><words>Do not feed</words></notice>", "DO NOT FEED", []),
        ("<notice/>", "", ["S003"]),
    ],
)
def test_a_text_may_be_an_element_and_have_another_name(
    content: str, text: str, codes: list[str], tmp_path: Path
) -> None:
    path, report = tmp_path / "notice.xml", Report()
    path.write_text(content, encoding="utf-8")
    root = load_document(path, report)
    assert root is not None
    with suppress(FileError):
        validate_and_prune(root, model_shape(Notice, "notice"), report)
    assert (read_model(Notice, root).text, [each.code.id for each in report]) == (text, codes)
