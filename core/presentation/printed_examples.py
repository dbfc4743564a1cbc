"""The examples that the five source documents print: what they print, and what came out here."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

FILE = Path(__file__).parents[2] / "data" / "sample" / "printed_examples.json"
"""Written by `python -m core.lab.printed_examples`."""
RUNS: Mapping[str, str] = {
    "own": "Its own preset",
    "as_printed": "The limits that the documents print",
    "default": "Default",
}
"""The runs of every example, each under another preset, with their titles. "own": the preset of its source document."""
_WORDS: Mapping[str, str] = {
    "accepted": "Accepted", "low_confidence": "Rejected (low retrieval confidence)",
    "insufficient_context": "Rejected (not enough context)", "off_topic": "Rejected (off topic)",
    "missing_citations": "Rejected (a sentence without a citation)",
    "invalid_citations": "Rejected (a citation that leads nowhere)", "low_grounding": "Rejected (not grounded enough)",
    "hallucination_detected": "Rejected (something that the passages do not hold)",
    "multiple_issues": "Rejected (several triggers failed)", "beside_question": "Rejected (answers another question)",
    "hedging": "Rejected (hedging)", "abstained": "Rejected (says that there is no answer)",
    "unclear": "Asks back (unclear)", "interest": "Rejected (out of scope)",
    "synthesizer": "An answer is written", "refine_retrieve": "Searches again", "refuse": "Refuses",
    "proceed": "The answer goes out", "low_retrieval_score": "Abstains (low retrieval score)",
    "no_score_gap": "Abstains (no score gap)", "not_grounded": "Abstains (not grounded)",
    "hedging_detected": "Abstains (hedging)", "the filler is left out": "The filler is left out",
    "pass": "In scope", "skipped": "no fact check", "high": "high confidence", "medium": "medium confidence",
    "low": "low confidence", "delivered": "delivered", "escalated": "handed over", "refused": "refused",
    "deliver_corrected": "corrected", "deliver_part": "delivered in part",
    "block off_topic": "Blocked (off topic)", "block competitor_info": "Blocked (about competitors)",
    "block fabricated_product": "Blocked (invented product)", "block fabricated_policy": "Blocked (invented policy)",
    "clarify": "asks back", "not asked": "Scope not checked",
}  # fmt: skip
"""Outcomes as the source documents call them -> in plain English; without the steps in the graph of document E."""


@dataclass(frozen=True, kw_only=True)
class ExampleRun:
    """One example under one preset. outcome: in the words of its document.

    difference: why the outcome is not the printed one, "" if it is. answer: the text that the user gets. confidence: 0
    to 100, None if it was not measured. failed: names of the checks that did not pass.
    """

    outcome: str
    as_printed: bool
    difference: str
    route: str
    answer: str
    confidence: float | None
    failed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PrintedExample:
    """One example. row: the question with its answer, history and passages, as the command `judge` reads it.

    changes: thresholds that the example sets, as `check.threshold=value`. runs: by the keys of RUNS.
    """

    letter: str
    document: str
    name: str
    domain: str
    row: Mapping[str, Any]
    changes: tuple[str, ...]
    printed: str
    runs: Mapping[str, ExampleRun]

    @property
    def preset(self) -> str:
        """Name of the preset under which all checks but those of this document only monitor."""
        return f"seed_{self.letter.lower()}"


@cache
def printed_examples() -> tuple[PrintedExample, ...]:
    """All examples, in the order of the documents."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(_example(row, content["documents"]) for row in content["examples"])


def printed_outcome_count(examples: Sequence[PrintedExample], run: str) -> int:
    """Number of examples whose outcome under one of RUNS is the printed one."""
    return sum(example.runs[run].as_printed for example in examples)


def in_words(outcome: str) -> str:
    """An outcome in plain English; a message, or a path through the graph of document E, is returned unchanged."""
    if outcome in _WORDS:
        return _WORDS[outcome]
    parts = outcome.split(", ")
    return ", ".join(_WORDS[part] for part in parts) if all(part in _WORDS for part in parts) else outcome


def _example(row: Mapping[str, Any], titles: Mapping[str, str]) -> PrintedExample:
    runs = {name: ExampleRun(**{**run, "failed": tuple(run["failed"])}) for name, run in row["runs"].items()}
    return PrintedExample(
        letter=row["document"], document=titles[row["document"]], name=row["name"], domain=row["domain"],
        row=MappingProxyType(row["input"]), changes=tuple(row["changes"]), printed=row["printed"],
        runs=MappingProxyType(runs),
    )  # fmt: skip
