"""The tables of the five source documents: their requirements, and the outcomes of their printed examples."""

import json
from collections import Counter
from pathlib import Path

from core.presentation.printed_examples import RUNS, as_printed, printed_examples

REQUIREMENTS = Path(__file__).parents[3] / "data" / "documents" / "requirements.jsonl"
"""A row for each requirement: document, lines, requirement, place, test, and difference ("" if it holds)."""


def requirements() -> list[dict[str, str]]:
    """All requirements, document by document."""
    return [json.loads(line) for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines()]


def requirements_table() -> str:
    """The number of requirements that hold in each document, then a row for each requirement."""
    rows = requirements()
    total, met = (Counter(r["document"] for r in some) for some in (rows, [r for r in rows if not r["difference"]]))
    counts = ", ".join(f"{letter} {met[letter]} of {n}" for letter, n in total.items())
    lines = [f"{met.total()} of {total.total()} hold ({counts}); the others say why not.", ""]
    lines += ["| | lines | requirement | place | test | state |", "|---|---|---|---|---|---|"]
    return "\n".join([*lines, *(_requirement_row(row) for row in rows)])


def printed_table() -> str:
    """The number of examples of each document that end as printed, under each preset."""
    examples = printed_examples()
    lines = [f"| document | examples | {' | '.join(RUNS.values())} |", "|---|---|" + "---|" * len(RUNS)]
    for letter in dict.fromkeys(example.letter for example in examples):
        own = [example for example in examples if example.letter == letter]
        counts = " | ".join(str(as_printed(own, run)) for run in RUNS)
        lines.append(f"| {letter}: {own[0].document} | {len(own)} | {counts} |")
    counts = " | ".join(str(as_printed(examples, run)) for run in RUNS)
    return "\n".join([*lines, f"| all | {len(examples)} | {counts} |"])


def printed_differences_table() -> str:
    """A row for each example that ends otherwise in the preset of its document, with the reason."""
    lines = ["| example | printed | here | why |", "|---|---|---|---|"]
    for example in printed_examples():
        run = example.runs["own"]
        if not run.as_printed:
            cells = (f"{example.letter} {example.name}", example.printed, run.outcome, run.difference)
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines)


def _requirement_row(row: dict[str, str]) -> str:
    state = f"differs: {row['difference']}" if row["difference"] else "holds"
    test = row["test"].rpartition("::")[2] or row["test"]
    cells = (row["document"], row["lines"], row["requirement"], f"`{row['place']}`", f"`{test}`", state)
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
