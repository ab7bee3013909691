"""`deckwright run start`: print what of a run is not yet printed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from deckwright.base.choices import ChoiceError
from deckwright.base.parallel import cores
from deckwright.cli import common
from deckwright.cli.exits import ExitCode
from deckwright.cli.group import command
from deckwright.cli.run.opened import folder_argument, open_run, told_aside
from deckwright.cli.terminal import echo
from deckwright.runs.run import TIMEOUT

if TYPE_CHECKING:
    from deckwright.runs.running import Engines


class _Asked(TypedDict):
    """Who prints."""

    engine: str
    scheduler: str | None
    tls_ca: Path | None
    tls_cert: Path | None
    tls_key: Path | None


def _pem(name: str, about: str) -> Callable[[Any], Any]:
    kind = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option(name, metavar="FILE", type=kind, help=about)


@command(
    "run start out/run",
    "run start out/run --workers 8",
    "run start out/run --engine dask --scheduler tcp://127.0.0.1:8786",
)
@folder_argument
@click.option("--workers", type=click.IntRange(1, 256), metavar="N",
              help="How many decks are printed here at a time; by default one a core.")  # fmt: skip
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="How long a deck may take before it is set aside.",
)
@click.option("--retry", is_flag=True, help="Try decks again that were set aside.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
              help="Who prints: this machine, or workers of Dask on many.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Where Dask's scheduler is, such as tls://print.example:8786.")  # fmt: skip
@_pem("--tls-ca", "Who signs the certificates of scheduler and workers, as PEM.")
@_pem("--tls-cert", "The own certificate, as PEM.")
@_pem("--tls-key", "Its key, as PEM.")
@common.quiet_option
def start(
    folder: Path,
    workers: int | None,
    timeout: float,
    retry: bool,
    quiet: bool,
    **asked: Unpack[_Asked],
) -> None:
    """Print the decks of a run that are not yet printed.

    However it was ended, `run start` goes on where it was: each deck is printed once. Decks that
    cannot be printed are set aside, and the others printed.
    """
    run = open_run(folder)
    begun = time.monotonic()
    engines = _engines(workers, timeout, **asked)
    ran, report = common.attempt(partial(run.start, engines=engines, retry=retry, warn=_warn))
    common.show(report)
    if ran is None:
        common.leave(report)
    echo(*told_aside(ran.aside), err=True)
    if not quiet:
        seconds = max(time.monotonic() - begun, 0.001)
        rate = f", {ran.pages / seconds * 60:,.0f} pages a minute" if ran.printed else ""
        pages = common.counted(ran.pages, "page")
        echo(f"{common.counted(ran.printed, 'deck')} with {pages} printed{rate}")
        if ran.before:
            echo(f"{common.counted(ran.before, 'deck')} printed before")
    if ran.aside:
        echo(f"{common.counted(len(ran.aside), 'deck')} set aside", err=True)
        raise click.exceptions.Exit(ExitCode.FINDINGS)


def _warn(text: str) -> None:
    echo(f"take care: {text}", err=True)


def _engines(workers: int | None, seconds: float, **asked: Unpack[_Asked]) -> Engines:
    scheduler, pems = asked["scheduler"], (asked["tls_ca"], asked["tls_cert"], asked["tls_key"])
    if asked["engine"] == "local":
        from deckwright.runs.local import LocalEngine  # noqa: PLC0415 - only runs need it

        if scheduler or any(pems):
            raise ChoiceError("a scheduler and certificates are for --engine dask")
        return partial(LocalEngine, workers or cores(), seconds=seconds)
    from deckwright.runs.dask_engine import Cluster, DaskEngine, demand_safe  # noqa: PLC0415

    if scheduler is None:
        raise ChoiceError(
            "--engine dask needs --scheduler", "as in --scheduler tcp://127.0.0.1:8786"
        )
    if workers:
        raise ChoiceError("--workers is for this machine: of Dask, all workers print")
    cluster = Cluster(scheduler, *pems)
    demand_safe(cluster)
    return partial(DaskEngine, cluster, seconds=seconds)
