"""Measures rows one after the other, and stores each trace in a file at once, so that an interrupted command goes on."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.cases import LabelledCase, measure
from core.graph import Explorer
from core.platform.atomic_write import write_whole
from core.reply.serialization import dumps, loads
from core.thresholds import Preset


def measure_and_store(
    rows: Sequence[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset], folder: Path
) -> Iterator[LabelledCase]:
    """Yield every row, measured as far as one of `presets` needs it, and store its trace in `folder`. A trace that is
    stored there already only gets the rounds that it lacks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for n, row in enumerate(rows):
        path = folder / f"{row.get('id', n)}.json.gz"
        stored = loads(gzip.decompress(path.read_bytes()).decode()) if path.is_file() else None
        trace = stored or measure(row, explorer, presets)
        for preset in presets:
            trace = explorer.complete(trace, preset)
        if trace is not stored:
            write_whole(path, gzip.compress(dumps(trace).encode(), 6, mtime=0))
        yield LabelledCase(row=row, trace=trace)
