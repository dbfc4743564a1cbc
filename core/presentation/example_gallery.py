"""The gallery of the examples that the five documents print: as a table, one in full, and how many end as printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.presentation.printed_examples import RUNS, PrintedExample, in_words, printed_outcome_count

ALL = "All"
SIGNS = {True: "✓ as printed", False: "✗ differs"}


@dataclass(frozen=True, kw_only=True)
class ExampleDetail:
    """One example under one preset, as text. passages: the texts that it is judged against, in order."""

    title: str
    question: str
    answer: str
    passages: tuple[str, ...]
    expected: str
    actual: str
    is_printed: bool
    difference: str
    reply: str
    settings: tuple[str, ...]


def documents_of(examples: Sequence[PrintedExample]) -> dict[str, str]:
    """The documents of the examples: letter -> letter and title; the first entry, ALL, means every document."""
    return {ALL: "All five"} | {e.letter: f"{e.letter}: {e.document}" for e in examples}


def select_examples(
    examples: Sequence[PrintedExample], letter: str, run: str, only_different: bool
) -> list[PrintedExample]:
    """The examples of one document or of ALL; with `only_different`, those that do not end as printed in this run."""
    own = [e for e in examples if letter in (ALL, e.letter)]
    return [e for e in own if not (only_different and e.runs[run].as_printed)]


def finding(examples: Sequence[PrintedExample], run: str) -> str:
    """How many examples end as printed in a run: the title of the gallery."""
    same, count = printed_outcome_count(examples, run), len(examples)
    rest = f"; {count - same} end{'s' * (count - same == 1)} otherwise, each with its reason" if same < count else ""
    return f"{same} of {count} printed examples end as the document says{rest}"


def example_columns(examples: Sequence[PrintedExample], run: str) -> dict[str, list[Any]]:
    """The table of these examples, column by column, a cell for each example."""
    runs = [e.runs[run] for e in examples]
    return {
        "Result": [SIGNS[one.as_printed] for one in runs], "From": [e.letter for e in examples],
        "Example": [e.name for e in examples], "Expected": [in_words(e.printed) for e in examples],
        "Actual": [in_words(one.outcome) for one in runs], "Why it differs": [one.difference or None for one in runs],
        "Question": [e.row["query"] for e in examples],
    }  # fmt: skip


def _title(example: PrintedExample) -> str:
    """The document, the number in it if there is one, and what the example is about: "A1: quantum entanglement"."""
    number, _, about = example.name.partition(" ")
    return f"{example.letter}{number}: {about}" if number[0].isdigit() else f"{example.letter}: {example.name}"


def example_detail(example: PrintedExample, run: str) -> ExampleDetail:
    """One example in full, under the preset of this run."""
    one, row = example.runs[run], example.row
    contexts = [c if isinstance(c, str) else c["text"] for c in row.get("contexts") or ()]
    return ExampleDetail(
        title=_title(example), question=row["query"], answer=row.get("answer") or "",
        passages=tuple(contexts), expected=in_words(example.printed), actual=in_words(one.outcome),
        is_printed=one.as_printed, difference=one.difference, reply=one.answer,
        settings=(RUNS[run], *example.changes),
    )  # fmt: skip
