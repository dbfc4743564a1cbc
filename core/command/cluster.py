"""Measures rows and prepares PDFs on a Ray cluster: each worker loads the models once, and results come back in
order.
"""

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
from core.evaluation.cases import MeasureRows, measure_or_error
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.library.documents import Document, LibraryError, Textbook
from core.library.index_location import VARIABLE as LIBRARY
from core.library.ingestion import Ingestion
from core.library.passages import WORDS
from core.platform.access import operator
from core.settings import Settings
from core.thresholds import Preset

LOCAL = "local"
INSTALL = ".venv/bin/pip install -q --no-deps -r .ci/ray.lock"
BLOCK = 8
"""Number of rows that a worker gets at a time; they share the cache of the models. If a worker is lost, its block is
measured again.
"""
_AHEAD = 4
"""Maximum number of blocks per worker that are sent ahead of the oldest unfinished one. It bounds the memory that
results need while one block is slow.
"""
_TRIES = 3
"""Number of workers that one block may crash before the whole run fails."""
_MEMORY = 1.5 * 2**30
"""Bytes of memory per worker with its models. A cluster gets as many workers as its processors and memory allow."""

IngestRequest = tuple[bytes, str, Textbook] | Document | LibraryError | OSError
"""A PDF to prepare: its bytes, its name, and the class, subject and chapter that it belongs to. Or a result that is
known already, which a worker returns unchanged.
"""
Preparing = Callable[[Iterable[IngestRequest]], Iterator[Any]]
"""A function that prepares files for the library and yields the results in the order of the files."""
Block = tuple[int, Any, int]
"""(index, content, number of workers that crashed on it)."""


class ClusterError(ValueError):
    """Raised if no Ray cluster is available or it lost too many workers; the message says what to do."""


def add_option(sub: ArgumentParser) -> None:
    sub.add_argument(
        "--ray", metavar="ADDRESS", help="spread the work over this Ray cluster, HOST:PORT; local: over this machine"
    )


def measuring_of(options: Namespace) -> MeasureRows:
    """The function that measures rows: in this process or, with --ray, on the workers of that cluster, which this
    process joins at once.
    """
    return partial(_on_cluster, _join_cluster(options.ray)) if options.ray else _run_locally


def preparing_of(options: Namespace) -> Preparing | None:
    """The function that prepares PDFs on the workers of the cluster of --ray, which this process joins at once; None
    without --ray.
    """
    if not options.ray:
        return None
    ray = _join_cluster(options.ray)
    return lambda requests: in_order(ray, _worker_factory(ray, PdfWorker), requests)


def _join_cluster(address: str) -> Any:
    """Join the cluster and return Ray. Usage statistics are off; a local cluster accepts no other computer."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads these variables
    if address == LOCAL:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # on any system: listen to this computer only
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    try:
        import ray
    except ImportError as error:
        raise ClusterError(f"Ray is not installed; get it by: {INSTALL}") from error
    options = {"include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        cause = next(iter(str(error).splitlines()), type(error).__name__)
        raise ClusterError(
            f"No Ray cluster can be joined at {address!r:.100} ({cause:.200}); name a running HOST:PORT, or local."
        ) from error
    return ray


def _blocks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    return iter(lambda: list(islice(rows, BLOCK)), [])


def _run_locally(
    rows: Iterable[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """Run `measure_or_error` in this process. The rows are cut into the same blocks as on a cluster, and the cache of
    the models is emptied before each block, so that the results are identical.
    """
    for block in _blocks(rows):
        explorer.models.forget()
        yield from measure_or_error(block, explorer, presets)


def _on_cluster(
    ray: Any, rows: Iterable[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """`measure_or_error` by workers that open the same run-time folder with the same models and settings."""
    home = str(explorer.library.home.resolve())
    encoded_blocks = ([json.dumps(row, default=str) for row in block] for block in _blocks(rows))
    worker = _worker_factory(ray, RowWorker, home, explorer.models.profile, explorer.settings, tuple(presets))
    for results in in_order(ray, worker, encoded_blocks):
        yield from map(_decode, results)


def _worker_factory(ray: Any, kind: type, *arguments: Any) -> Callable[[], Any]:
    """Return a function that starts a worker of class `kind`. Workers get this process's number of threads, which
    affects the last digits of results.
    """
    variables = {name: os.environ.get(name, "") for name in ("OMP_NUM_THREADS", LIBRARY)}
    remote_class = ray.remote(num_cpus=1, runtime_env={"env_vars": variables})(kind)
    return lambda: remote_class.remote(*arguments)


class RowWorker:
    """A worker process with an explorer, opened once. Rows and results are exchanged as JSON."""

    def __init__(self, home: str, profile: str, settings: Settings, presets: tuple[Preset, ...]) -> None:
        with operator():
            self.explorer, self.presets = open_explorer(Path(home), profile, settings), presets

    def work(self, block: list[str]) -> list[tuple[str, str]]:
        """For each row of `block`, ("trace", the trace as JSON), or (name of an error class, message of the error)."""
        with operator():
            return [_encode(result) for result in _run_locally(map(json.loads, block), self.explorer, self.presets)]


class PdfWorker:
    """Reads, splits and embeds PDFs; the caller stores the results, in the order of the files."""

    def __init__(self) -> None:
        from core.models.embedder import bundled_embedder

        self.ingestion = Ingestion(embedder=bundled_embedder(), words=WORDS)

    def work(self, request: IngestRequest) -> Any:
        if not isinstance(request, tuple):
            return request
        try:
            return self.ingestion.prepare(*request)
        except LibraryError as error:
            return error


def _encode(result: Trace | Exception) -> tuple[str, str]:
    if isinstance(result, Exception):
        return ("refused", str(result)) if isinstance(result, ValueError) else (type(result).__name__, str(result))
    return "trace", dumps(result)


def _decode(code: tuple[str, str]) -> Trace | Exception:
    kind, text = code
    if kind == "trace":
        return loads(text)
    return CaseError(text) if kind == "refused" else RuntimeError(f"{kind}: {text}")


def in_order(ray: Any, start: Callable[[], Any], blocks: Iterable[Any]) -> Iterator[Any]:
    """Yield the result of each block, in the order of `blocks`; the block of a lost worker is repeated.

    start: starts a worker with a method `work`. This process leaves the cluster at the end.
    """
    worker_count, numbered = _worker_count(ray), enumerate(blocks)
    idle: list[Any] = []
    retries: deque[Block] = deque()
    running: dict[Any, tuple[Any, Block]] = {}
    results: dict[int, Any] = {}
    sent_count = next_index = 0
    try:
        while True:
            while len(running) < worker_count and (retries or sent_count - next_index < _AHEAD * worker_count):
                block = retries.popleft() if retries else next(((n, content, 0) for n, content in numbered), None)
                if block is None:
                    break
                sent_count = max(sent_count, block[0] + 1)
                worker = idle.pop() if idle else start()
                running[worker.work.remote(block[1])] = (worker, block)
            if not running:
                return
            (ready,), _ = ray.wait(list(running))
            worker, (number, content, crashes) = running.pop(ready)
            try:
                results[number] = ray.get(ready)
                idle.append(worker)
            except ray.exceptions.RayActorError as error:
                if crashes + 1 == _TRIES:
                    raise ClusterError(_crash_sentence(error)) from error
                retries.append((number, content, crashes + 1))
            while next_index in results:
                yield results.pop(next_index)
                next_index += 1
    finally:
        ray.shutdown()


def _worker_count(ray: Any) -> int:
    """The number of workers that fit into the cluster, by its processors and its memory; at least one."""
    resources = ray.cluster_resources()
    return max(1, min(int(resources.get("CPU", 1)), int(resources.get("memory", _MEMORY) // _MEMORY)))


def _crash_sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (
        f"The same rows took {_TRIES} workers of the cluster with them ({lines[-1] if lines else 'unknown':.300}); "
        "see that every machine has this program, the run-time folder and memory, or leave --ray out."
    )
