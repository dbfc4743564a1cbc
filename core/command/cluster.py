"""Rows over a Ray cluster: models loaded once a worker, blocks of rows sent out, what is measured back in order."""

import json
import logging
import os
import secrets
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from core.case import CaseError, Trace
from core.chain.serialization import dumps, loads
from core.evaluation.cases import Measuring, measured
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.library.documents import Document, LibraryError, Textbook
from core.library.ingestion import Ingestion
from core.library.passages import WORDS
from core.library.vector_store import VARIABLE as LIBRARY
from core.platform.access import operator
from core.settings import Settings
from core.thresholds import Preset

HERE = "local"
INSTALL = ".venv/bin/pip install -q --no-deps -r .ci/ray.lock"
BLOCK = 8
"""Rows that are sent together, and that models remember together. A lost worker has some seconds done again."""
_AHEAD = 4
"""Blocks a worker that are sent before the first of them is back: one that is slow does not fill the memory."""
_TRIES = 3
"""Workers that a block may take with it before it is given up."""
_MEMORY = 1.5 * 2**30
"""Bytes that a worker takes, its models among them; a cluster gets as many as it has processors and memory for."""

Asked = tuple[bytes, str, Textbook] | Document | LibraryError | OSError
"""A PDF, its name and its place; or what was known of it before, which comes back as it is."""
Preparing = Callable[[Iterable[Asked]], Iterator[Any]]
"""What is prepared of each file that is asked, in their order."""
Block = tuple[int, Any, int]
"""Its place among all, what it holds, and how many workers it has taken with it."""


class ClusterError(ValueError):
    """A Ray cluster cannot be had, or lost too much; the message is one sentence that says what to do."""


def add_option(sub: ArgumentParser) -> None:
    sub.add_argument(
        "--ray", metavar="ADDRESS", help="spread the work over this Ray cluster, HOST:PORT; local: over this machine"
    )


def measuring_of(options: Namespace) -> Measuring:
    """How rows are measured: here, or by the workers of the cluster of --ray, which is joined at once."""
    return partial(_over, _joined(options.ray)) if options.ray else _here


def preparing_of(options: Namespace) -> Preparing | None:
    """How PDFs are prepared by the workers of the cluster of --ray; None without it."""
    if not options.ray:
        return None
    ray = _joined(options.ray)
    return lambda asked: in_order(ray, _remote(ray, PdfWorker), asked)


def _joined(address: str) -> Any:
    """Ray, in this cluster; nothing of it counts what is used, and on this machine nobody else is listened to."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads all of these
    if address == HERE:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # on any system: listen to this computer only
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    try:
        import ray
    except ImportError as error:
        raise ClusterError(f"Ray is not installed; get it by: {INSTALL}") from error
    here = {"include_dashboard": False} if address == HERE else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **here)
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        why = next(iter(str(error).splitlines()), type(error).__name__)
        raise ClusterError(
            f"No Ray cluster can be joined at {address!r:.100} ({why:.200}); name HOST:PORT of one that runs, or local."
        ) from error
    return ray


def _blocks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    return iter(lambda: list(islice(rows, BLOCK)), [])


def _here(
    rows: Iterable[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """`measured` in the very blocks of a cluster, so that it comes to the same."""
    for block in _blocks(rows):
        explorer.models.forget()
        yield from measured(block, explorer, presets)


def _over(
    ray: Any, rows: Iterable[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """`measured` by workers that open the same run-time folder with the same models and settings."""
    home = str(explorer.library.home.resolve())
    sent = ([json.dumps(row, default=str) for row in block] for block in _blocks(rows))
    worker = _remote(ray, RowWorker, home, explorer.models.profile, explorer.settings, tuple(presets))
    for found in in_order(ray, worker, sent):
        yield from map(_read, found)


def _remote(ray: Any, kind: type, *told: Any) -> Callable[[], Any]:
    """Makes workers of this kind. Each reads and reckons as this process does, whose threads the numbers depend on."""
    variables = {name: os.environ.get(name, "") for name in ("OMP_NUM_THREADS", LIBRARY)}
    made = ray.remote(num_cpus=1, runtime_env={"env_vars": variables})(kind)
    return lambda: made.remote(*told)


class RowWorker:
    """What stands in each process: an explorer, opened once. Rows come as JSON, and so goes what is measured."""

    def __init__(self, home: str, profile: str, settings: Settings, presets: tuple[Preset, ...]) -> None:
        with operator():
            self.explorer, self.presets = open_explorer(Path(home), profile, settings), presets

    def work(self, block: list[str]) -> list[tuple[str, str]]:
        """Each row's trace as ("trace", JSON), or what stood in its way, as (its kind, the sentence)."""
        with operator():
            return [_told(found) for found in _here(map(json.loads, block), self.explorer, self.presets)]


class PdfWorker:
    """Reads, cuts and embeds; what is prepared is stored by who asked, in the order of the files."""

    def __init__(self) -> None:
        from core.models.embedder import bundled_embedder

        self.ingestion = Ingestion(embedder=bundled_embedder(), words=WORDS)

    def work(self, asked: Asked) -> Any:
        if not isinstance(asked, tuple):
            return asked
        try:
            return self.ingestion.prepared(*asked)
        except LibraryError as error:
            return error


def _told(found: Trace | Exception) -> tuple[str, str]:
    if isinstance(found, Exception):
        return ("refused", str(found)) if isinstance(found, ValueError) else (type(found).__name__, str(found))
    return "trace", dumps(found)


def _read(told: tuple[str, str]) -> Trace | Exception:
    kind, text = told
    if kind == "trace":
        return loads(text)
    return CaseError(text) if kind == "refused" else RuntimeError(f"{kind}: {text}")


def in_order(ray: Any, start: Callable[[], Any], blocks: Iterable[Any]) -> Iterator[Any]:
    """What the workers make of each block, in the order of the blocks; the block of one that is lost is done again.

    start: makes a worker with a method `work`. It is left when all is done, and its cluster with it.
    """
    most, numbered = _most(ray), enumerate(blocks)
    idle: list[Any] = []
    lost: deque[Block] = deque()
    running: dict[Any, tuple[Any, Block]] = {}
    done: dict[int, Any] = {}
    sent = turn = 0
    try:
        while True:
            while len(running) < most and (lost or sent - turn < _AHEAD * most):
                block = lost.popleft() if lost else next(((n, held, 0) for n, held in numbered), None)
                if block is None:
                    break
                sent = max(sent, block[0] + 1)
                worker = idle.pop() if idle else start()
                running[worker.work.remote(block[1])] = (worker, block)
            if not running:
                return
            (ready,), _ = ray.wait(list(running))
            worker, (number, held, times) = running.pop(ready)
            try:
                done[number] = ray.get(ready)
                idle.append(worker)
            except ray.exceptions.RayActorError as error:
                if times + 1 == _TRIES:
                    raise ClusterError(_gave_up(error)) from error
                lost.append((number, held, times + 1))
            while turn in done:
                yield done.pop(turn)
                turn += 1
    finally:
        ray.shutdown()


def _most(ray: Any) -> int:
    """How many workers the cluster has room for."""
    room = ray.cluster_resources()
    return max(1, min(int(room.get("CPU", 1)), int(room.get("memory", _MEMORY) // _MEMORY)))


def _gave_up(error: Exception) -> str:
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (
        f"The same rows took {_TRIES} workers of the cluster with them ({said[-1] if said else 'unknown':.300}); "
        "see that every machine has this program, the run-time folder and memory, or leave --ray out."
    )
