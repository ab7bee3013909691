"""`deckwright diff`: the changes between two states of a game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import click

from deckwright.api.options import resolve_style
from deckwright.base.files import is_file, is_folder
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.output import report_failure
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.terminal import echo, echo_data
from deckwright.diff.manifest import read_manifest
from deckwright.diff.manifest_changes import changed_since, changes_as_json, current_manifest
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup


@common.command("diff main", "diff v1.0 v1.1 --out changes.pdf", "diff out/deck_army_HK_1.pdf")
@click.argument("old")
@click.argument("new", required=False)
@common.game_option
@common.out_option("diff.pdf")
@click.option(
    "--pdf/--no-pdf", default=None, help="Print old and new faces side by side, or do not."
)
@common.style_option
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text",
              help="List the changes as text or JSON.")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit with code 1 if anything has changed.")
@common.quiet_option
def diff(
    old: str,
    new: str | None,
    game: Path,
    out: str | None,
    pdf: bool | None,
    style: str | None,
    output: str,
    exit_code: bool,
    quiet: bool,
) -> None:
    """Show what has changed in a game, as text and side by side.

    OLD and NEW are folders, or revisions of the git repository that holds the game, such as v1.0 or
    HEAD~3. Without NEW, OLD is compared with the game as it is now.

    OLD may also be a deck you have printed, out/deck_NAME.pdf with its manifest beside it: you are
    then told which cards would print differently now.
    """
    folder = GameFolder(game)
    if is_file(Path(old)):
        if pdf:
            message = "a print cannot be shown side by side because its manifest holds no faces"
            raise click.UsageError(message + "\nLeave out --pdf, or name a revision or a folder.")
        findings, changed = _compare_prints(Path(old), new, folder, style, output, quiet=quiet)
        common.exit_with_findings(findings, failed=exit_code and changed)
    if new is None and output == "text" and _is_unchanged(old, folder):
        _print_changes((), "nothing has changed", quiet=quiet)
        common.exit_with_findings(())
    from deckwright.diff.comparing import compare_states, load_state  # not with --help
    from deckwright.outputs.comparison import print_comparison

    with ExitStack() as stack:
        before, after = (_open_state(name, folder, stack) for name in (old, new))
        style = resolve_style(GameFolder(after.path), style)
        comparison = compare_states(
            load_state(before.path, before.label, style), load_state(after.path, after.label, style)
        )
        findings = []
        written = None
        if comparison.lines and pdf is not False:
            home = GameFolder(after.path) if after.permanent else folder
            target = common.output_path("diff.pdf", home, out)
            with report_failure(findings):
                print_comparison(comparison, target)
                written = target
        for place, side in ((before, comparison.old), (after, comparison.new)):
            if side.report:
                echo(f"in {side.label}:", err=True)
                common.show(side.report, Path.cwd() if place.permanent else place.path)
        common.show(findings)
    for left_out in comparison.left_out:
        echo(left_out, err=True)
    if output == "json":
        labels, changes = (before.label, after.label), (comparison.cards, comparison.things)
        echo_data(changes_as_json(labels, *changes, comparison.left_out, written))
    else:
        _print_changes(comparison.lines, comparison.summary, quiet=quiet)
        if written is not None and not quiet:
            echo(str(written))
    findings += [*comparison.old.report, *comparison.new.report]
    common.exit_with_findings(findings, failed=exit_code and bool(comparison.lines))


class _StateFolder(NamedTuple):
    """The folder that holds a state of a game; a temporary one for a git revision."""

    path: Path
    label: str
    permanent: bool


def _is_unchanged(name: str, game: GameFolder) -> bool:
    """Return whether git sees no change of a game's files since a revision."""
    from deckwright.base.git import GitError, changed_files, find_revision  # only with revisions

    try:
        return not is_folder(Path(name)) and not changed_files(find_revision(game.path, name))
    except GitError:
        return False


def _open_state(name: str | None, game: GameFolder, stack: ExitStack) -> _StateFolder:
    """Return the folder of a state. A revision is checked out until the stack is closed."""
    if name is None:
        return _StateFolder(common.open_folder(game.path).path, "working tree", permanent=True)

    from deckwright.base.git import GitError, find_revision, temporary_checkout

    folder = Path(name)
    is_there = bool(name) and is_folder(folder)
    if is_there and (name.startswith(".") or folder.is_absolute()):
        return _StateFolder(common.open_folder(folder).path, name, permanent=True)
    try:
        revision = find_revision(game.path, name)
    except GitError as error:
        if is_there:
            return _StateFolder(common.open_folder(folder).path, name, permanent=True)
        message = f"`{name}` is neither a folder nor a revision of the game: {error}"
        raise click.UsageError(message) from None
    if is_there:
        message = f"`{name}` is both a folder and a revision"
        hint = f"write `./{name}` for the folder, or `{revision.commit[:12]}` for the revision"
        raise ChoiceError(message, hint)
    try:
        return _StateFolder(
            stack.enter_context(temporary_checkout(revision)), revision.label, permanent=False
        )
    except GitError as error:
        raise click.UsageError(str(error)) from None


def _print_changes(lines: Sequence[str], summary: str, *, quiet: bool) -> None:
    echo(*lines)
    if not quiet:
        echo(summary)


def _compare_prints(
    path: Path, new: str | None, folder: GameFolder, style: str | None, output: str, *, quiet: bool
) -> tuple[Report, bool]:
    """Compare a print with the current state or another print; return if anything has changed."""
    from deckwright.diff.comparing import summarize_changes  # only with manifests

    report: Report = []
    before = after = None
    if new is None:
        folder = common.open_folder(folder.path)
        style = resolve_style(folder, style)
        setup = load_setup(folder, report)
        with report_failure(report):
            before = read_manifest(path, setup.name) if setup else None
            after = current_manifest(folder, before, style, report) if before else None
    elif is_file(Path(new)):
        with report_failure(report):
            before = read_manifest(path)
        with report_failure(report):
            after = read_manifest(Path(new), before.game if before else None)
    else:
        message = f"`{path}` is a print, which can only be compared with another print"
        raise click.UsageError(message + "\nLeave out NEW to compare it with the current game.")
    common.show(report)
    if before is None or after is None:
        echo(common.describe_totals(report), err=True)
        return report, False
    changes = changed_since(before, after)
    if output == "json":
        echo_data(changes_as_json((str(path), new or "working tree"), changes.cards))
    else:
        number = sum(changes.to_print.values())
        to_print = f"; {pluralize(number, 'face')} to print" if number else ""
        _print_changes(changes.lines, summarize_changes(changes.cards) + to_print, quiet=quiet)
    return report, bool(changes.cards)
