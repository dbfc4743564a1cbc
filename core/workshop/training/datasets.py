"""The data sets that training reads, and the half of each that it may see."""

import gzip
import json
from pathlib import Path
from typing import Any


class TrainingError(ValueError):
    """Training data cannot be read; the message says which file and what to do."""


def rows(data: Path, name: str) -> list[dict[str, Any]]:
    """The rows of one data set, such as "ncert_qa/chapters"; TrainingError when it is not there."""
    path = data / f"{name}.jsonl.gz"
    if not path.is_file():
        raise TrainingError(f"{path} is missing; name the folder of the data sets with --data.")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
