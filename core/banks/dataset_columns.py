"""Column names of other programs, and conversion of our rows to and from them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.banks.rows import cell_of, value_of
from core.retrieval.contexts import context_row, contexts_of


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The column names of one program, such as DeepEval. label: the program's name.

    query, contexts, answer, reference: its names for the question, the texts to answer from, the answer to judge, and
    the right answer.
    """

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
"""Column names that our rows never use, even in a file with a column "query" (which DeepEval users may choose)."""
LIST_FIELDS = ("documents", "facts", "false_facts", "tool_results", "pages", "history", "citations", "contexts")
"""Fields that hold lists; a table may write them as text."""
_JOINED_COLUMN = COLUMNS["deepeval"].contexts
"""The CSV column in which DeepEval joins contexts with |."""
_ESCAPED_BAR = "\u2758"
"""A look-alike of | inside a context: DeepEval's reader splits at every | and has no escape for it."""


def field_of(name: str, among: Iterable[str]) -> str:
    """Our name for a column; `name` itself if we have none. among: all columns of the table.

    DeepEval's "context" is the ideal context, not the retrieved one, so it keeps its name.
    """
    is_deepeval = COLUMNS["deepeval"].query in among or _JOINED_COLUMN in among
    return name if name == "context" and is_deepeval else _FIELD_OF.get(name, name)


def normalize_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of JSON or Parquet with our field names. A row with "query" has them already, so that of its fields only
    those of _ONLY_THEIRS are renamed.
    """
    if "query" in row:
        field_by_name = {name: _FIELD_OF[name] for name in _ONLY_THEIRS & set(row) if _FIELD_OF[name] not in row}
        fields = {field_by_name.get(name, name): value for name, value in row.items()}
        return convert_values(fields) if field_by_name else fields
    fields: dict[str, Any] = {}
    for name, value in row.items():
        field = field_of(name, row)
        if value is not None or (field == "answer" and field not in fields):  # null: no answer to judge
            fields[field] = value
    return convert_values(
        {name: value_of(name, v) if isinstance(v, str) and name in LIST_FIELDS else v for name, v in fields.items()}
    )


def convert_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row under our names, with values in the shapes of other data sets converted to ours.

    A single context may be a text. "answers" lists the accepted answers; an empty list means that nothing can be
    answered.
    """
    fields = dict(row)
    if fields.get("contexts") is not None:
        fields["contexts"] = _contexts(fields["contexts"])
    if isinstance(fields.get("reference"), list):
        fields["reference"] = next((r for r in fields["reference"] if isinstance(r, str)), None)
    answers = fields.get("answers")
    texts = answers.get("text") if isinstance(answers, Mapping) else answers
    if isinstance(texts, list) and all(isinstance(t, str) for t in texts) and fields.get("expected") is None:
        accepted = list(dict.fromkeys(t.replace("|", " ").strip() for t in texts if t.strip()))
        fields |= {"expected": "answered", "facts": [" | ".join(accepted)]} if accepted else {"expected": "refused"}
    return fields


def to_program_columns(rows: Sequence[Mapping[str, Any]], program: str) -> list[dict[str, Any]]:
    """Our rows in the columns of a program of COLUMNS. Fields for which the program has no column follow under our
    names.

    The program's contexts are plain texts, so the sources of our contexts are left out.
    """
    columns = COLUMNS[program]
    return [
        {getattr(columns, field): _program_value(field, row.get(field)) for field in _FIELDS}
        # pages become text, because a list of pages and ranges has no single column type
        | {f: cell_of(f, value) if f == "pages" else value for f, value in row.items() if f not in _FIELDS}
        for row in rows
    ]


def join_contexts(texts: Sequence[str]) -> str:
    """Contexts as one text in the format of a DeepEval cell. It is JSON if there are no contexts, or if the joined text
    would be split differently when it is read.
    """
    cell = "|".join(text.replace("|", _ESCAPED_BAR) for text in texts)
    read_back = value_of("contexts", split_contexts(_JOINED_COLUMN, cell))
    return cell if read_back == list(texts) else json.dumps(list(texts), ensure_ascii=False)


def split_contexts(name: str, cell: str) -> str:
    """The cell of column `name`; DeepEval's joined contexts become a JSON list."""
    if name != _JOINED_COLUMN or value_of("contexts", cell) != [cell.strip()]:  # none at all, or a list already
        return cell
    return json.dumps([text.replace(_ESCAPED_BAR, "|") for text in cell.split("|")], ensure_ascii=False)


def _contexts(value: Any) -> Any:
    """Contexts as a list: from a single text, or from titles with their sentences, as in HotpotQA."""
    if isinstance(value, Mapping) and isinstance(value.get("title"), list) and isinstance(value.get("sentences"), list):
        documents = zip(value["title"], value["sentences"], strict=False)
        return [
            {"text": " ".join(map(str, sentences)), "document": title}
            for title, sentences in documents
            if isinstance(sentences, list)
        ]
    if not isinstance(value, str):
        return value
    contexts = value_of("contexts", value)
    return [value] if contexts is None else contexts


def _program_value(field: str, value: Any) -> Any:
    if field != "contexts" or value is None or (isinstance(value, list) and all(isinstance(c, str) for c in value)):
        return value
    rows = (context_row(context) for context in contexts_of(value))
    return [row if isinstance(row, str) else row["text"] for row in rows]
