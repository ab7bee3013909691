"""Checks of a game."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path
from types import MappingProxyType

from deckwright.api.options import Limits, resolve_limits
from deckwright.api.session import GameSession
from deckwright.base.files import files_below, is_folder
from deckwright.base.findings import (
    FAMILIES,
    REGISTRY,
    ChoiceError,
    Grading,
    Report,
    Severity,
    decode_findings,
    encode_findings,
    has_errors,
    known_hint,
    register_all_codes,
    sort_findings,
)
from deckwright.base.output import report_failure
from deckwright.checking import sandbox, stages
from deckwright.checking.layout_check import Stamp
from deckwright.checks.loading import LimitOptions
from deckwright.game import load
from deckwright.game.folder import PACKAGE, GameFolder, find_game_folder
from deckwright.game.read import use_file_cache
from deckwright.images.drawings import is_rasterizing
from deckwright.xmlio.load import overridden_paths


def inspect_game(
    game: GameSession,
    files: Iterable[Path | str],
    changed_since: str | None,
    grading: Grading,
    limits: sandbox.Limits | None,
    rules: Limits,
    languages: Collection[str] = (),
) -> stages.CheckResult:
    """Implement `Game.inspect`; all languages are checked if none is named."""
    folder, names = game.folder, [*files]
    deck_limits = resolve_limits(folder, rules)
    if names and changed_since is not None:
        raise ChoiceError("name files or use --changed-since, but not both")
    report: Report = []
    resolved = load.resolve_files(folder, names, report)
    for place, path in ((p, path) for p in map(Path, names) if is_folder(p) for path in resolved):
        home = find_game_folder(path) if path.is_relative_to(place) else None
        if home is not None and home.resolve() != folder.path.resolve():
            hint = f"name that game's folder, `{home}`"
            raise ChoiceError(f"`{place}` holds files from another game", hint)
    paths = resolved if names else None
    if changed_since is not None:
        from deckwright.base.git import GitError
        from deckwright.diff.comparing import find_affected_files  # only with the option

        try:
            affected = find_affected_files(folder, changed_since)
        except GitError as error:
            message = f"cannot see what has changed since `{changed_since}`: {error}"
            raise ChoiceError(message) from None
        paths = None if affected is None else sorted(affected)
    codes = [*(languages or folder.catalogs())] if paths is None else []
    memory = None
    if paths is None and not overridden_paths():  # the contents of these are not in the files
        memory = _stamp_everything(folder, repr((codes, deck_limits, limits)))
    checked = memory.read(partial(_decode_result, folder)) if memory else None
    if checked is None:
        checked = stages.CheckResult(0, (), everything=False)
        # Files that are kept were read without the limits for strangers.
        with game.use_cache() if limits is None else use_file_cache({}):
            if paths is None or paths:
                checked = stages.check_files(folder, paths, deck_limits, report, limits=limits)
            # Cards with errors are not read, and their translations would be for nothing.
            if codes and (languages or not has_errors(report)):
                report += _check_languages(folder, codes, report, deck_limits, limits)
        checked = checked._replace(findings=tuple(report))
        if memory and (content := _encode_result(checked)):
            memory.set(content)
    graded = grading._replace(severities=checked.severities).apply(checked.findings)
    return checked._replace(findings=tuple(sort_findings(graded)))


def _stamp_everything(folder: GameFolder, options: str) -> Stamp:
    """Return the stamp of all that a check of the whole game depends on.

    That is more than it reads: fonts and the solver are somewhere in the folders of packages.
    """
    code = (path for path in files_below(PACKAGE) if path.suffix != ".pyc")
    files = {str(path) for path in (*folder.inputs(), *files_below(folder.xml), *code)}
    texts = (str(folder.path), str(folder.path.absolute()), options, str(is_rasterizing()))
    packages = {place for place in sys.path if place.endswith("-packages")}
    return Stamp(["everything", *texts], files | packages)


def _encode_result(checked: stages.CheckResult) -> str | None:
    """Return the result of a whole check as text; None if it is not to be remembered."""
    found = checked.findings
    if has_errors(found) or checked.unchecked or any(each.translation for each in found):
        return None
    severities = {code: level and level.value for code, level in checked.severities.items()}
    return json.dumps([checked.number, checked.margin, severities, encode_findings(found)])


def _decode_result(folder: GameFolder, content: bytes) -> stages.CheckResult:
    number, margin, severities, found = json.loads(content)
    graded = {code: level and Severity(level) for code, level in severities.items()}
    findings, files = tuple(decode_findings(found)), tuple(folder.files())
    return stages.CheckResult(
        number, (), files, MappingProxyType(graded), margin=margin, findings=findings
    )


def _check_languages(
    folder: GameFolder,
    codes: list[str],
    own: Report,
    rules: LimitOptions,
    limits: sandbox.Limits | None,
) -> Report:
    """Return the findings in languages of a game, given its own."""
    from deckwright.languages.checking import check_languages  # imports a parser

    def check_again() -> Report:
        found: Report = []
        stages.check_files(folder, None, rules, found, limits=limits)
        return found

    report: Report = []
    with report_failure(report):
        report += check_languages(folder, codes, own, check_again)
    return report


def resolve_sandbox_limits(
    max_seconds: int | None, max_memory: int | None, *, untrusted: bool
) -> sandbox.Limits | None:
    """Return the time and memory that layout may use, None for no limit."""
    if not (untrusted or max_seconds or max_memory):
        return None
    defaults = sandbox.UNTRUSTED_LIMITS
    return sandbox.Limits(max_seconds or defaults.seconds, max_memory or defaults.megabytes)


def parse_codes(texts: Iterable[str]) -> frozenset[str]:
    """Split comma-separated codes and families of codes; raise a ChoiceError for anything else."""
    codes = {part.strip().upper() for text in texts for part in text.split(",") if part.strip()}
    if all(code in FAMILIES for code in codes):
        return frozenset(codes)

    register_all_codes()
    for code in sorted(codes):
        if code not in FAMILIES and code not in REGISTRY:
            message = f"`{code}` is neither a code nor a family of codes"
            known = REGISTRY if re.fullmatch(r"[A-Z]\w+", code) else sorted(FAMILIES)
            raise ChoiceError(message, known_hint(code, known))
    return frozenset(codes)
