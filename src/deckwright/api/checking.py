"""What of a game is checked, and how findings count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from deckwright.api.asked import Limits, rules_of
from deckwright.api.opened import Opened
from deckwright.base.choices import ChoiceError
from deckwright.base.files import is_folder
from deckwright.base.findings import Report, known_hint, ordered
from deckwright.base.severity import FAMILIES, Grading
from deckwright.checking import sandbox, stages
from deckwright.game import load
from deckwright.game.folder import GameFolder, game_of


def inspected(
    game: Opened,
    files: Iterable[Path | str],
    changed_since: str | None,
    grading: Grading,
    limits: sandbox.Limits | None,
    rules: Limits,
) -> stages.Checked:
    """Check a game, as `Game.inspect` says."""
    folder, names = game.folder, [*files]
    held = rules_of(folder, rules)
    if names and changed_since is not None:
        raise ChoiceError("name files or use --changed-since, but not both")
    report: Report = []
    named = load.named_files(folder, names, report)
    _demand_own(folder, filter(is_folder, map(Path, names)), named)
    paths = named if names else None
    if changed_since is not None:
        affected = _affected(folder, changed_since)
        paths = None if affected is None else sorted(affected)
    checked = stages.Checked(0, (), everything=False)
    if paths is None or paths:
        with game.keeping():
            checked = stages.check(folder, paths, held, report, limits=limits)
    graded = grading._replace(severities=checked.severities).graded(report)
    return checked._replace(findings=tuple(ordered(graded)))


def grading_of(select: Iterable[str], ignore: Iterable[str], *, strict: bool) -> Grading:
    """Return how findings count, by the codes or families that alone do, and those that do not.

    Raises:
        ChoiceError: if something is neither a code nor a family.
    """
    return Grading(_codes(select), _codes(ignore), strict)


def limits_of(
    max_seconds: int | None, max_memory: int | None, *, untrusted: bool
) -> sandbox.Limits | None:
    """Return what the layout of a game may take, None for as much as it likes."""
    if not (untrusted or max_seconds or max_memory):
        return None
    usual = sandbox.STRANGERS
    return sandbox.Limits(max_seconds or usual.seconds, max_memory or usual.megabytes)


def _demand_own(folder: GameFolder, places: Iterable[Path], paths: Iterable[Path]) -> None:
    """Raise a ChoiceError if a file in one of the folders `places` is another game's."""
    for place, path in ((place, path) for place in places for path in paths):
        home = game_of(path) if path.is_relative_to(place) else None
        if home is not None and home.resolve() != folder.path.resolve():
            hint = f"name that game's folder, `{home}`"
            raise ChoiceError(f"`{place}` holds files from another game", hint)


def _affected(folder: GameFolder, revision: str) -> set[Path] | None:
    """Return the files that a change concerns, None for all.

    Raises:
        ChoiceError: if git cannot say what has changed.
    """
    from deckwright.base.git import GitError  # noqa: PLC0415
    from deckwright.diff.affected import affected_files  # noqa: PLC0415 - only with the option

    try:
        return affected_files(folder, revision)
    except GitError as error:
        raise ChoiceError(f"cannot see what has changed since `{revision}`: {error}") from None


def _codes(given: Iterable[str]) -> frozenset[str]:
    """Return codes and families, given one by one or with commas.

    Raises:
        ChoiceError: if something is neither.
    """
    codes = {part.strip().upper() for text in given for part in text.split(",") if part.strip()}
    if all(code in FAMILIES for code in codes):
        return frozenset(codes)

    from deckwright.base.discovery import load_all  # noqa: PLC0415 - imports everything
    from deckwright.base.findings import REGISTRY  # noqa: PLC0415 - complete only after load_all

    load_all()
    for code in sorted(codes):
        if code not in FAMILIES and code not in REGISTRY:
            message = f"`{code}` is neither a code nor a family of codes"
            known = REGISTRY if re.fullmatch(r"[A-Z]\w+", code) else sorted(FAMILIES)
            raise ChoiceError(message, known_hint(code, known))
    return frozenset(codes)
