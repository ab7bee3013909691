"""Parameters of requests are parsed as handlers declare them; errors are answered in one place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import Bounds, Text
from deckwright.studio.answers import ConflictError, RefusedError, pick, to_plain
from deckwright.studio.routing import EXCEPTION_HANDLERS, get, post, routes_of
from visitors import small_session

ERRORS = {
    "choice": (ChoiceError("it is wrong", "use --force"), 400),
    "conflict": (ConflictError(Path("/home/me/cards.xml"), b"<data/>"), 409),
    "refused": (RefusedError(410, {"message": "it is gone"}), 410),
    "disk": (PermissionError(13, "denied", "/home/me/cards.xml"), 500),
}


class Point(NamedTuple):
    """A place."""

    x: int
    y: tuple[int, ...]


class Handlers:
    """Handlers of all kinds of parameters."""

    @get("/copies/{name}")
    def copies(self, name: str, style: str = "plain") -> object:
        return {"name": name, "style": style, "at": [Point(1, (2, 3))]}

    @post("/all")
    async def all(
        self,
        number: Annotated[int, Bounds(1, 9)],
        text: Text,
        names: list[str],
        things: list[object],
        flag: bool = False,  # noqa: FBT001, FBT002 - as a request has it
        rest: Text | None = None,
    ) -> object:
        return [number, text, names, things, flag, rest]

    @post("/body")
    async def whole(self, body: dict[str, object]) -> object:
        return body or None

    @get("/errors/{kind}")
    def error(self, kind: str) -> object:
        raise ERRORS[kind][0]


@pytest.fixture(name="page")
def _page(tmp_path: Path) -> Iterator[TestClient]:
    session = small_session(tmp_path)
    app = Starlette(
        routes=routes_of(Handlers(), session), exception_handlers=dict(EXCEPTION_HANDLERS)
    )
    app.state.session = session
    with TestClient(app) as client:
        yield client
    session.end()


GIVEN = {"number": 1, "text": "x", "names": ["a"], "things": [1, {}]}


def test_parameters_come_from_path_query_and_body(page: TestClient) -> None:
    answer = page.get("/copies/ant", params={"style": "dark", "other": 1}).json()
    assert answer == {"name": "ant", "style": "dark", "at": [{"x": 1, "y": [2, 3]}]}
    assert page.get("/copies/ant").json()["style"] == "plain"
    assert page.post("/all", json=GIVEN).json() == [1, "x", ["a"], [1, {}], False, None]
    more = {**GIVEN, "flag": True, "rest": "y", "other": []}
    assert page.post("/all", json=more).json() == [1, "x", ["a"], [1, {}], True, "y"]
    assert page.post("/body", json=more).json() == more
    assert page.post("/body", json={}).status_code == 404  # None is nothing
    assert page.get("/all").status_code == 404


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("number", 0, "`number` is not a number from 1 to 9"),
        ("number", True, "`number` is not a number from 1 to 9"),
        ("number", 1.5, "`number` is not a number from 1 to 9"),
        ("number", None, "`number` is not a number from 1 to 9"),
        ("text", "", "`text` is not a text"),
        ("text", 7, "`text` is not a text"),
        ("names", "a", "`names` is not a list"),
        ("names", ["a", 1], "`names` is not a text"),
        ("things", {}, "`things` is not a list"),
        ("rest", 1, "`rest` is not a text"),
    ],
)
def test_a_parameter_of_another_type_is_refused(
    page: TestClient, name: str, value: object, message: str
) -> None:
    answer = page.post("/all", json={**GIVEN, name: value})
    assert (answer.status_code, answer.json()["message"]) == (400, message)


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_are_answered_in_one_place(page: TestClient, kind: str) -> None:
    answer = page.get(f"/errors/{kind}")
    assert answer.status_code == ERRORS[kind][1]
    assert answer.json()["message"]
    assert "/home/me" not in answer.text
    assert "--force" not in answer.text


def test_plain_data() -> None:
    assert to_plain({"at": Point(1, (2,))}) == {"at": {"x": 1, "y": [2]}}
    assert pick(Point(1, (2,)), "y") == {"y": [2]}
