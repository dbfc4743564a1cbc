"""Measures the prepared case of the Ask page with the models that ship, in every round that a preset could need.

`python -m core.lab.sample.prepared_case` does so over the sample chapters and writes data/sample/prepared_case.json.
"""

import json
import tempfile
from pathlib import Path

from core.evaluation.prepared_case import FILE, MIXED, TRUE, current_conditions, prepared_question
from core.graph.startup import open_explorer
from core.library import load_sample
from core.platform.atomic_write import write_whole
from core.presets import preset
from core.reply.serialization import dumps


def stored_case(home: Path) -> str:
    """The content of the file of the prepared case as JSON: the conditions that its measurement depends on, and the
    trace of each prepared answer by its name."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    traces = {}
    for name in (MIXED, TRUE):
        trace, _ = explorer.ask(prepared_question(name), preset("default"))
        traces[name] = json.loads(dumps(explorer.deepen(trace)))
    return json.dumps({"conditions": current_conditions(), "traces": traces}, ensure_ascii=False)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        write_whole(FILE, stored_case(Path(home)).encode())


if __name__ == "__main__":
    main()
