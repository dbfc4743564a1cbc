"""Runs every example that the source documents print with the bundled models: python -m core.lab.printed_examples.

Each example runs under three presets: that of its document, `as_printed` and `default`. For every run, its outcome, the
printed outcome and the reason for a difference are written to data/sample/printed_examples.json, which the app shows.
"""

from pathlib import Path
from typing import Any

from core.checks import all_checks
from core.lab.figure_files import store_figures
from core.lab.printed_examples.outcomes import DOCUMENTS, PRESETS, Run, run
from core.models.profile import load
from core.reply.serialization import question_row

FILE = Path(__file__).parents[3] / "data" / "sample" / "printed_examples.json"


def difference(run_result: Run) -> str:
    """The reason, as a sentence, why the outcome of a run is not the printed one; "" if it is.

    For the outcome that the example expects here, this is the sentence in the example's `difference`.
    """
    if run_result.outcome == run_result.example.printed:
        return ""
    if run_result.outcome == run_result.example.ours:
        return run_result.example.difference
    verdict = run_result.verdict
    stopped_by = [c.plain for c in all_checks() if verdict.checks[c.name].blocks]
    if stopped_by:
        return f"{verdict.explanation} Not passed: {'; '.join(stopped_by)}."
    watched = [c.plain for c in all_checks() if c.name in verdict.failed and c.source_document == run_result.letter]
    if watched:
        return f"The document's own check only monitors in this preset. Not passed: {'; '.join(watched)}."
    return verdict.explanation or "No check that blocks in this preset stops it."


def run_row(run_result: Run) -> dict[str, Any]:
    """One run as JSON: its outcome, the printed one, and a summary of the verdict."""
    verdict = run_result.verdict
    return {
        "outcome": run_result.outcome, "as_printed": run_result.outcome == run_result.example.printed,
        "difference": difference(run_result), "route": verdict.route, "answer": verdict.answer,
        "confidence": verdict.confidence, "failed": list(verdict.failed),
    }  # fmt: skip


def example_row(letter: str, name: str, models: Any) -> dict[str, Any]:
    """One example with all its runs as JSON; `input` is a row that the command `judge` reads."""
    document = DOCUMENTS[letter]
    example = document.examples[name]
    runs = {preset: run_row(run(letter, example, preset, models)) for preset in PRESETS}
    return {
        "document": letter, "name": name, "domain": document.domain, "input": question_row(example.question),
        "changes": list(example.changes), "printed": example.printed, "runs": runs,
    }  # fmt: skip


def main() -> None:
    """Run all examples, and write the file."""
    models = load()
    examples = [example_row(letter, name, models) for letter, d in DOCUMENTS.items() for name in d.examples]
    titles = {letter: document.title for letter, document in DOCUMENTS.items()}
    stored = {"documents": titles, "models": models.names, "examples": examples}
    store_figures(FILE, stored)
    for preset in PRESETS:
        same = sum(row["runs"][preset]["as_printed"] for row in examples)
        print(f"{preset}: {same} of {len(examples)} as printed")


if __name__ == "__main__":
    main()
