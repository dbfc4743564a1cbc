"""Words of which only one can hold in a sentence, read from data/nli/rivals.txt."""

from functools import cache
from pathlib import Path

from core.workshop.training.datasets import TrainingError

RIVALS = Path(__file__).parents[3] / "data" / "nli" / "rivals.txt"

Replacements = dict[str, tuple[str, ...]]
"""What may stand in the place of a word or phrase, all in lower case."""


@cache
def rivals(section: str) -> Replacements:
    """The replacements of one section; TrainingError when there is no such section."""
    lines = _lines().get(section)
    if lines is None:
        raise TrainingError(f"{RIVALS.name} has no section [{section}]; it has {', '.join(_lines())}.")
    found: dict[str, set[str]] = {}
    for line in lines:
        for word, other in _replaced(line):
            found.setdefault(word, set()).add(other if section == "rivals" else other.replace("-", " "))
    return {word: tuple(sorted(others)) for word, others in found.items()}


def _replaced(line: str) -> list[tuple[str, str]]:
    """Each word with each other one of its line; an arrow goes one way only."""
    if " > " in line:
        word, other = line.split(" > ")
        return [(word, other)]
    words = line.split()
    return [(word, other) for word in words for other in words if word != other]


@cache
def _lines() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for line in RIVALS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            sections[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            sections[list(sections)[-1]].append(line)
    return sections
