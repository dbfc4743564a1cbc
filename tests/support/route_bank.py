"""The bank of routes and its stored traces. `python -m tests.support.route_bank` measures and stores them anew."""

import gzip
import json
from pathlib import Path

from core.banks import BANKS, read_bank
from core.decide import verdict
from core.graph import Explorer
from core.library import Library, load_sample
from core.models.profile import load
from core.presets import preset, with_settings
from core.reply.serialization import dumps, loads, question_of

ROWS = read_bank(BANKS / "routes.jsonl")
STORED = Path(__file__).parents[1] / "banks" / "traces"


def preset_for(row):
    """The preset that the row names, with what it sets."""
    return with_settings(preset(row["preset"]), row.get("set", []))


def stored_trace(row):
    """The trace of a row as it was measured when it was stored."""
    return loads(gzip.decompress((STORED / f"{row['id']}.json.gz").read_bytes()).decode())


def sample_explorer(home, models=None):
    """An explorer over the sample chapters, by default with the bundled models."""
    models = models or load("bundled")
    library = Library(home, models.embedder)
    load_sample(library)
    return Explorer(library, models)


def store(home):
    """Measure every row and keep its trace; what takes another way than its row says is named."""
    STORED.mkdir(exist_ok=True)
    explorer = sample_explorer(home)
    for row in ROWS:
        trace, _ = explorer.ask(question_of(row), preset_for(row))
        (STORED / f"{row['id']}.json.gz").write_bytes(gzip.compress(dumps(trace).encode(), mtime=0))
        steps = list(verdict(trace, preset_for(row)).steps)
        print(row["id"], "as said" if steps == row["steps"] else json.dumps(steps))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        store(Path(folder))
