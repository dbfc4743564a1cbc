"""What other programs call the fields of a row, and rows of ours under their names."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.banks.rows import cell_of, value_of
from core.retrieval.contexts import context_row, contexts_of


@dataclass(frozen=True, kw_only=True)
class Columns:
    """How one program calls the question, the contexts (texts), the answer to judge, and the answer that is right."""

    label: str
    query: str
    contexts: str
    answer: str
    reference: str


COLUMNS: Mapping[str, Columns] = {
    "ragas": Columns(
        label="Ragas", query="user_input", contexts="retrieved_contexts", answer="response", reference="reference"
    ),
    "deepeval": Columns(
        label="DeepEval", query="input", contexts="retrieval_context", answer="actual_output",
        reference="expected_output",
    ),
    "huggingface": Columns(
        label="Hugging Face", query="question", contexts="contexts", answer="answer", reference="ground_truth"
    ),
}  # fmt: skip
"""The programs whose columns are read and written."""
_FIELDS = ("query", "contexts", "answer", "reference")
_FIELD_OF = {getattr(c, field): field for c in COLUMNS.values() for field in _FIELDS} | {
    "context": "contexts", "ground_truths": "reference",
}  # fmt: skip
_ONLY_THEIRS = {"actual_output", "expected_output", "retrieval_context", "retrieved_contexts"}
"""No row has these for anything else, whatever its question is called, which DeepEval lets everybody choose."""
LISTED = ("documents", "facts", "false_facts", "tool_results", "pages", "history", "citations", "contexts")
"""Fields that hold lists, which a table may tell in a text."""
_PARTED = COLUMNS["deepeval"].contexts
"""The column of a CSV in which DeepEval writes contexts as texts with | between them."""
_WITHIN = "\u2758"
"""A bar that stands for a | within a text there: DeepEval's reader splits at every |, and knows no way to say it."""


def field_of(name: str, among: Iterable[str]) -> str:
    """Our name for a column; `name` itself where it stands for nothing of ours. among: all columns of the table.

    DeepEval's "context" is what should have been found, beside what was.
    """
    theirs = COLUMNS["deepeval"].query in among or _PARTED in among
    return name if name == "context" and theirs else _FIELD_OF.get(name, name)


def as_ours(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of JSON or Parquet under our names; one that names its query has them already, but for what only another
    program calls so."""
    if "query" in row:
        theirs = {name: _FIELD_OF[name] for name in _ONLY_THEIRS & set(row) if _FIELD_OF[name] not in row}
        found = {theirs.get(name, name): value for name, value in row.items()}
        return meant(found) if theirs else found
    found: dict[str, Any] = {}
    for name, value in row.items():
        field = field_of(name, row)
        if value is not None or (field == "answer" and field not in found):  # a null answer is none to judge
            found[field] = value
    return meant({name: value_of(name, v) if isinstance(v, str) and name in LISTED else v for name, v in found.items()})


def meant(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose fields have our names, with what data sets of questions say in shapes of their own as we say it.

    One context may be a text. "answers" lists what a right answer may say, and nothing where there is none.
    """
    found = dict(row)
    if found.get("contexts") is not None:
        found["contexts"] = _contexts(found["contexts"])
    if isinstance(found.get("reference"), list):
        found["reference"] = next((r for r in found["reference"] if isinstance(r, str)), None)
    answers = found.get("answers")
    texts = answers.get("text") if isinstance(answers, Mapping) else answers
    if isinstance(texts, list) and all(isinstance(t, str) for t in texts) and found.get("expected") is None:
        said = list(dict.fromkeys(t.replace("|", " ").strip() for t in texts if t.strip()))
        found |= {"expected": "answered", "facts": [" | ".join(said)]} if said else {"expected": "refused"}
    return found


def renamed(rows: Sequence[Mapping[str, Any]], program: str) -> list[dict[str, Any]]:
    """Rows of ours in the columns of a program of COLUMNS, their other fields behind those under our names.

    Its contexts are texts: from where each comes is left out.
    """
    theirs = COLUMNS[program]
    return [
        {getattr(theirs, field): _theirs(field, row.get(field)) for field in _FIELDS}
        | {field: _one_type(field, value) for field, value in row.items() if field not in _FIELDS}
        for row in rows
    ]


def joined(texts: Sequence[str]) -> str:
    """Contexts as DeepEval has them in a cell, a | within one of them as a sign that is none; as JSON where there are
    none, or where what is joined is a list itself."""
    cell = "|".join(text.replace("|", _WITHIN) for text in texts)
    again = value_of("contexts", parted(_PARTED, cell))
    return cell if again == list(texts) else json.dumps(list(texts), ensure_ascii=False)


def parted(name: str, cell: str) -> str:
    """The cell of the column called `name` with DeepEval's contexts as a list of JSON."""
    if name != _PARTED or value_of("contexts", cell) != [cell.strip()]:  # none at all, or a list already
        return cell
    return json.dumps([text.replace(_WITHIN, "|") for text in cell.split("|")], ensure_ascii=False)


def _contexts(value: Any) -> Any:
    """Contexts as a list, from one text, or from titles with the sentences under each, as HotpotQA has them."""
    if isinstance(value, Mapping) and isinstance(value.get("title"), list) and isinstance(value.get("sentences"), list):
        both = zip(value["title"], value["sentences"], strict=False)
        return [{"text": " ".join(map(str, said)), "document": title} for title, said in both if isinstance(said, list)]
    if not isinstance(value, str):
        return value
    found = value_of("contexts", value)
    return [value] if found is None else found


def _one_type(field: str, value: Any) -> Any:
    """Pages as a text: a list of pages and ranges has no type that a data set could give its column."""
    return cell_of(field, value) if field == "pages" else value


def _theirs(field: str, value: Any) -> Any:
    if field != "contexts" or value is None or (isinstance(value, list) and all(isinstance(c, str) for c in value)):
        return value
    rows = (context_row(context) for context in contexts_of(value))
    return [row if isinstance(row, str) else row["text"] for row in rows]
