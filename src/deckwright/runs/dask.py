"""Workers on many machines with Dask (https://distributed.dask.org), without a shared folder.

Anyone who can connect to a scheduler can run code on its workers and clients. So without
certificates only a scheduler and workers on this machine are used.
"""

from __future__ import annotations

import faulthandler
import logging
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from distributed import Worker, WorkerPlugin

from deckwright import __version__
from deckwright.base.extras import install_command
from deckwright.base.files import write_bytes
from deckwright.base.findings import ChoiceError
from deckwright.base.processes import set_listener
from deckwright.base.units import freeze_date
from deckwright.runs.archive import unpack
from deckwright.runs.engine import LostShard, PrintedShard, Shard, WorkerSetup
from deckwright.runs.lines import parse_line
from deckwright.runs.manifest import parse_record
from deckwright.runs.plan import GAME, EngineError, belongs_to_deck
from deckwright.runs.worker import cached_printer

ShardOutput = tuple[list[str], dict[str, bytes]]
"""Lines of the manifest, and the contents of the files that they list."""


class GamePlugin(WorkerPlugin):  # type: ignore[misc] # Dask has no types
    """A plugin that sends the game to each worker, also to those that join later."""

    def __init__(self, name: str, archive: bytes, options: str, date: int) -> None:
        """Set the name by which shards refer to the game, its archive, and the run's options."""
        self.name = name
        self._archive, self._options, self._date = archive, options, date

    def setup(self, worker: Worker) -> None:
        """Extract the game to the worker's folder. It is read when the first shard arrives."""
        folder = Path(worker.local_directory) / self.name
        unpack(BytesIO(self._archive), folder / "game")
        _worker_runs[self.name] = folder, self._options, self._date

    def teardown(self, worker: Worker) -> None:
        """Remove the game from the worker."""
        _worker_runs.pop(self.name, None)
        cached_printer.cache_clear()
        shutil.rmtree(Path(worker.local_directory) / self.name, ignore_errors=True)


_worker_runs: dict[str, tuple[Path, str, int]] = {}
"""The folders, options and dates of the runs on a worker."""
_print_lock = Lock()
"""Serializes printing, as a worker may have several threads."""


def print_shard(
    name: str, version: str, seconds: float, decks: Sequence[tuple[int, str, str]]
) -> ShardOutput | str:
    """Print decks, given by number, key and line, if this worker has the game and the version.

    Args:
        seconds: the time limit, after which the process ends itself and Dask replaces it.

    Returns:
        The output, or the reason why this worker cannot print.

    Raises:
        OSError: if the worker's folder cannot be written.
    """
    if version != __version__:
        return f"a worker has Deckwright {__version__}, but the run needs {version}"
    if name not in _worker_runs:
        return "a worker did not receive the game"
    folder, options, date = _worker_runs[name]
    with _print_lock, freeze_date(date):
        # A C-level watchdog: code that hangs while it holds the GIL would block a Python timer.
        faulthandler.dump_traceback_later(seconds, exit=True)
        try:
            set_listener(None)
            printer = cached_printer(folder / "game", options, folder)
            if not printer.usable:
                return "\n".join(map(str, printer.findings))
            records = [printer.print(*deck) for deck in decks]
            files: dict[str, bytes] = {}
            for file, _, _ in (entry for record in records for entry in record.files):
                files[file] = (folder / file).read_bytes()
                (folder / file).unlink()
            return [record.to_json() for record in records], files
        finally:
            faulthandler.cancel_dump_traceback_later()


_SHARDS_PER_THREAD = 2
"""The shards per worker thread: the one being printed, and the next."""
_POLL_SECONDS = 0.2
"""How long `results` waits for a shard, in seconds."""
_CONNECT_SECONDS = 30
"""The time limit for connecting to the scheduler and its first worker, in seconds."""
_REFRESH_SECONDS = 2
"""The interval for refreshing the list of workers, in seconds."""


class Cluster(NamedTuple):
    """A scheduler at `tls://print.example:8786` or `tcp://127.0.0.1:8786`, and PEM files for it.

    Attributes:
        ca, certificate, key: the certificate authority, the own certificate and its key.
    """

    scheduler: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def encrypted(self) -> bool:
        """True if connections use TLS with certificates."""
        return self.scheduler.startswith("tls://")


def require_safe(cluster: Cluster) -> None:
    """Require a cluster that strangers can neither read nor join.

    Raises:
        ChoiceError: if it is open to others, or Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise ChoiceError("Dask is not installed", install_command("dask"))
    files = (cluster.ca, cluster.certificate, cluster.key)
    if cluster.encrypted:
        if None in files:
            hint = "give them with --tls-ca, --tls-cert and --tls-key"
            raise ChoiceError("a scheduler with TLS needs certificates", hint)
    elif not _is_loopback(cluster.scheduler):
        message = f"`{cluster.scheduler}` is neither encrypted nor on this machine"
        raise ChoiceError(message, "use a scheduler with TLS, such as tls://print.example:8786")
    elif any(files):
        hint = "write tls://… as its address, or leave out the certificates"
        raise ChoiceError(f"`{cluster.scheduler}` does not use certificates", hint)


def _is_loopback(address: str) -> bool:
    """Return whether an address is a loopback address."""
    parts = urlsplit(address)
    if parts.scheme != "tcp" or parts.hostname is None:
        return False
    with suppress(ValueError):
        return ip_address(parts.hostname).is_loopback
    return parts.hostname == "localhost"


class DaskEngine:
    """The workers of a scheduler, which may come and go."""

    def __init__(self, cluster: Cluster, setup: WorkerSetup, seconds: float) -> None:
        """Prepare to connect.

        Args:
            setup: the setup of workers; the game is read from the archive in the run's folder.
            seconds: the time limit of a shard, after which it is split in halves, down to one deck.
        """
        self._cluster, self._seconds = cluster, seconds
        _, self._options, target, self._date = setup
        self._target = Path(target)
        self._name = ""
        self._client: Any = None
        self._threads, self._last_refresh = 0, 0.0
        self._in_flight: dict[str, tuple[Shard, Any]] = {}
        self._finished: SimpleQueue[Any] = SimpleQueue()

    def __enter__(self) -> Self:
        """Connect and send the game to the workers; raise an EngineError if there are none."""
        from distributed import Client  # heavy, and in an extra
        from distributed.security import Security

        for logger in ("distributed", "distributed.client"):  # errors are reported here
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        cluster, security = self._cluster, None
        if cluster.encrypted:
            security = Security(
                require_encryption=True,
                tls_ca_file=str(cluster.ca),
                tls_client_cert=str(cluster.certificate),
                tls_client_key=str(cluster.key),
            )
        try:
            self._client = Client(
                cluster.scheduler, timeout=_CONNECT_SECONDS, security=security, set_as_default=False
            )
        except Exception as error:  # noqa: BLE001 - any other program may answer
            message = f"no scheduler answers at `{cluster.scheduler}`: {error}"
            raise EngineError(message) from None
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
            self._refresh_workers()
            archive = (self._target / GAME).read_bytes()
            self._name = f"deckwright-{sha256(archive).hexdigest()[:16]}-{token_hex(4)}"
            self._client.register_plugin(GamePlugin(self._name, archive, self._options, self._date))
        except EngineError:
            self.__exit__()
            raise
        except Exception as error:  # noqa: BLE001 - workers pass on any error
            self.__exit__()
            raise EngineError(f"workers cannot start: {error}") from None
        return self

    def __exit__(self, *error: object) -> None:
        """Cancel shards and remove the game from the workers."""
        with suppress(Exception):
            self._client.cancel([future for _, future in self._in_flight.values()], force=True)
        with suppress(Exception):
            self._client.unregister_worker_plugin(self._name)
        with suppress(Exception):
            self._client.close(timeout=5)

    def _refresh_workers(self) -> None:
        """Refresh the number of worker threads.

        Raises:
            EngineError: if a worker is on another machine and the connection is not encrypted.
        """
        if self._last_refresh and time.monotonic() - self._last_refresh < _REFRESH_SECONDS:
            return
        self._last_refresh = time.monotonic()
        with _lost_scheduler_errors(self._cluster.scheduler):
            workers: dict[str, int] = self._client.nthreads()
        for address in workers:
            if not (
                address.startswith("tls://") if self._cluster.encrypted else _is_loopback(address)
            ):
                raise EngineError(
                    f"the worker at `{address}` is neither encrypted nor on this machine"
                )
        self._threads = sum(workers.values())

    def has_room(self) -> bool:
        """Return whether to submit another shard; without workers, one waits for the next."""
        return len(self._in_flight) < max(self._threads * _SHARDS_PER_THREAD, 1)

    def submit(self, shard: Shard) -> None:
        """Submit a shard to any free worker."""
        with _lost_scheduler_errors(self._cluster.scheduler):
            future = self._client.submit(
                print_shard, self._name, __version__, self._seconds, shard.decks, pure=False
            )
        self._in_flight[future.key] = shard, future
        future.add_done_callback(self._finished.put)

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Wait briefly, and yield finished shards after writing their files.

        Raises:
            EngineError: if the scheduler is lost, workers cannot print, or writing a file fails.
        """
        with suppress(Empty):
            future = self._finished.get(timeout=_POLL_SECONDS)
            while True:
                shard, _ = self._in_flight.pop(future.key)
                yield self._result(shard, future)
                future = self._finished.get_nowait()
        self._refresh_workers()

    def _result(self, shard: Shard, future: Any) -> PrintedShard | LostShard:  # Dask has no types
        from distributed.scheduler import KilledWorker

        try:
            printed: ShardOutput | str = future.result(timeout=_CONNECT_SECONDS)
        except (KilledWorker, MemoryError):
            return LostShard(shard, "its worker died")
        except TimeoutError:
            # Its worker has left, and no other worker has taken it over.
            return LostShard(shard, "its worker did not return it")
        except Exception as error:  # noqa: BLE001 - workers pass on any error
            raise EngineError(f"workers cannot print: {error or type(error).__name__}") from None
        finally:
            future.release()
        if isinstance(printed, str):
            raise EngineError(printed)
        lines, files = printed
        if not _is_intact(shard, lines, files):
            return LostShard(shard, "its worker returned damaged data")
        try:
            for name, data in files.items():
                write_bytes(self._target / name, data)
        except OSError as error:
            raise EngineError(f"decks cannot be written: {error.strerror or error}") from error
        return PrintedShard(shard, lines)


@contextmanager
def _lost_scheduler_errors(scheduler: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - of the network, the system, Tornado or Dask
        raise EngineError(f"the scheduler at `{scheduler}` is gone: {error}") from None


def _is_intact(shard: Shard, lines: list[str], files: dict[str, bytes]) -> bool:
    """Return whether lines and files belong to a shard and are intact."""
    try:
        records = [parse_record(line) for line in lines]
    except ValueError:
        return False
    if [(record.number, record.key) for record in records] != [deck[:2] for deck in shard.decks]:
        return False
    ids = [parse_line(text).id for _, _, text in shard.decks]
    listed = {
        name: (checksum, of)
        for of, record in zip(ids, records, strict=True)
        for name, _, checksum in record.files
    }
    return files.keys() == listed.keys() and all(
        belongs_to_deck(of, name) and sha256(files[name]).hexdigest() == checksum
        for name, (checksum, of) in listed.items()
    )
