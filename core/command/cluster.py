"""Measures rows on a Ray cluster: each worker opens the models once, and results come back in order of the rows."""

import logging
import os
import secrets
from argparse import Namespace
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from core.errors import UserError
from core.evaluation.cases import MeasureRows, measure_or_error
from core.graph.startup import open_explorer
from core.library.store import VARIABLE as LIBRARY
from core.platform.access import operator
from core.thresholds import Preset

BLOCK = 8
"""The number of rows that a worker gets at once."""
LOCAL, INSTALL = "local", ".venv/bin/pip install -q --no-deps -r .ci/ray.lock"
_AHEAD, _RETRIES, _MEMORY = 4, 2, 1.5 * 2**30  # blocks sent ahead and bytes, of each worker


class ClusterError(UserError):
    """Raised if no Ray cluster is available or it lost too many workers; the message says what to do."""


def measuring_of(options: Namespace) -> MeasureRows:
    """The function that measures rows: in this process or, with --ray, on that cluster, which is joined at once."""
    return partial(_measure, _joined(options.ray)) if options.ray else measure_or_error


def _joined(address: str) -> Any:
    """Join the cluster and return Ray. Usage statistics are off; a local cluster accepts no other computer."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads these variables
    if address == LOCAL:
        token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", **token}
    try:
        import ray

        own = {"include_dashboard": False} if address == LOCAL else {}
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except ImportError as error:
        raise ClusterError(f"Ray is not installed; install it with: {INSTALL}") from error
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        cause = f"No Ray cluster can be joined at {address!r:.100} ({str(error).partition(chr(10))[0]:.200})"
        raise ClusterError(f"{cause}; name a running HOST:PORT, or local.") from error
    return ray


class RowWorker:
    """A process of the cluster with an explorer over the same run-time folder, models and settings."""

    def __init__(self, presets: Sequence[Preset], *how: Any) -> None:
        with operator():
            self.presets, self.explorer = presets, open_explorer(*how)

    def work(self, block: list[Any]) -> list[Any]:
        with operator():
            return list(measure_or_error(block, self.explorer, self.presets))


def _measure(ray: Any, rows: Iterable[Any], explorer: Any, presets: Sequence[Preset]) -> Iterator[Any]:
    """`measure_or_error` by as many workers as the cluster has processors and memory for. It is left at the end."""
    resources = ray.cluster_resources()
    count = max(1, int(min(resources.get("CPU", 1), resources.get("memory", _MEMORY) // _MEMORY)))
    variables = {name: os.environ.get(name, "") for name in ("OMP_NUM_THREADS", LIBRARY)}  # threads affect last digits
    options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": _RETRIES, "runtime_env": {"env_vars": variables}}
    how = presets, explorer.library.home.resolve(), explorer.models.profile, explorer.settings
    workers = [ray.remote(**options)(RowWorker).remote(*how) for _ in range(count)]
    rows = iter(rows)
    blocks = iter(lambda: list(islice(rows, BLOCK)), [])
    results = (workers[number % count].work.remote(block) for number, block in enumerate(blocks))
    waiting = deque(islice(results, _AHEAD * count))
    try:
        while waiting:
            yield from ray.get(waiting.popleft())
            waiting.extend(islice(results, 1))
    except ray.exceptions.RayActorError as error:
        lost = f"The cluster lost too many workers ({type(error).__name__})"
        raise ClusterError(f"{lost}; see that every machine has the program, the folder and memory.") from error
    finally:
        ray.shutdown()
