"""Measures rows one after the other, and stores each trace in a file at once, so that an interrupted command goes on."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.platform.atomic_write import write_whole
from core.reply.serialization import dumps, loads, question_of
from core.thresholds import Preset


def traced(
    rows: Sequence[Mapping[str, Any]], explorer: Explorer, presets: Sequence[Preset], folder: Path
) -> Iterator[LabelledCase]:
    """Yield every row, measured as far as one of `presets` needs it. A trace that is stored in `folder` already only
    gets the rounds that it lacks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for n, row in enumerate(rows):
        path = folder / f"{row.get('id', n)}.json.gz"
        stored = loads(gzip.decompress(path.read_bytes()).decode()) if path.is_file() else None
        trace = stored or explorer.ask(question_of(dict(row)), presets[0])[0]
        for preset in presets:
            trace = explorer.complete(trace, preset)
        if trace is not stored:
            write_whole(path, gzip.compress(dumps(trace).encode(), 6, mtime=0))
        yield LabelledCase(row=row, trace=trace)
