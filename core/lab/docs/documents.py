"""The tables of the five source documents: their requirements, the outcomes of their printed examples, and the fields
of the row that every output gives.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.lab.figure_files import table
from core.presentation.printed_examples import RUNS, printed_examples, printed_outcome_count
from core.reply.reply import Reply

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
    cells = []
    for row in rows:
        state = f"differs: {row['difference']}" if row["difference"] else "holds"
        test = row["test"].rpartition("::")[2] or row["test"]
        cells.append((row["document"], row["lines"], row["requirement"], f"`{row['place']}`", f"`{test}`", state))
    drawn = table(("", "lines", "requirement", "place", "test", "state"), cells)
    return f"{met.total()} of {total.total()} hold ({counts}); the others say why not.\n\n{drawn}"


def printed_table() -> str:
    """The number of examples of each document that end as printed, under each preset."""
    examples = printed_examples()
    groups = {f"{e.letter}: {e.document}": [o for o in examples if o.letter == e.letter] for e in examples}
    rows = (
        [title, len(own), *(printed_outcome_count(own, run) for run in RUNS)]
        for title, own in (groups | {"all": examples}).items()
    )
    return table(["document", "examples", *RUNS.values()], rows)


def printed_differences_table() -> str:
    """A row for each example that ends otherwise in the preset of its document, with the reason."""
    runs = ((example, example.runs["own"]) for example in printed_examples())
    rows = ((f"{e.letter} {e.name}", e.printed, run.outcome, run.difference) for e, run in runs if not run.as_printed)
    return table(("example", "printed", "here", "why"), rows)


def reply_table() -> str:
    """A table row for each field, also nested, of the JSON object that `ask --json`, `judge`, service and journal
    give."""
    schema = Reply.model_json_schema(by_alias=True)
    return table(("field", "what it holds"), ((f"`{path}`", text) for path, text in _fields(schema, schema, "")))


def _fields(schema: dict[str, Any], part: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """The path and the description of each field below `part` of a JSON schema: `sentences[].nli.label`."""
    for name, field in part.get("properties", {}).items():
        yield f"{path}{name}", field.get("description", "")
        inner, suffix = _below(field)
        if inner:
            yield from _fields(schema, schema["$defs"][inner], f"{path}{name}{suffix}.")


def _below(field: dict[str, Any]) -> tuple[str, str]:
    """Return the name of the model that a field holds, and what follows in its path: [] in a list, .NAME in a mapping.

    Both are "" if the field holds no model.
    """
    for one in (field, *field.get("anyOf", ())):
        for holder, suffix in ((one, ""), (one.get("items", {}), "[]"), (one.get("additionalProperties", {}), ".NAME")):
            if isinstance(holder, dict) and "$ref" in holder:
                return holder["$ref"].rpartition("/")[2], suffix
    return "", ""
