"""The columns of files: the names and values that other programs give the fields of a row, and cells as text."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.question import pages_text, read_pages
from core.retrieval.contexts import context_row, contexts_of
from core.text.printed_lists import is_cut_short, printed_list


class Columns(NamedTuple):
    """The column names of one program. label: the program's name. query, contexts, answer, reference: its names for the
    question, the texts to answer from, the answer to judge, and the right answer.
    """

    label: str
    query: str
    contexts: str
    answer: str
    reference: str


COLUMNS: Mapping[str, Columns] = {
    "ragas": Columns("Ragas", "user_input", "retrieved_contexts", "response", "reference"),
    "deepeval": Columns("DeepEval", "input", "retrieval_context", "actual_output", "expected_output"),
    "huggingface": Columns("Hugging Face", "question", "contexts", "answer", "ground_truth"),
}
"""The programs whose columns are read and written."""
_SHARED = Columns._fields[1:]
_LISTS = ("documents", "facts", "false_facts", "tool_results")
_PARSED = ("class_number", "attribute", "expected", "pages", "history", "citations", "contexts", *_LISTS)
"""Fields whose value is no text; a table may write it as text."""
FIRST = ("id", "query", "class_number", "subject", "documents", "pages", "answer", "expected", "kind", "facts")
"""The first columns of a table that is written, in order."""
_OURS = {name.replace("_", " "): name for name in (*FIRST, *_PARSED, "reference", "note")} | {
    "class": "class_number", "should be": "expected", "label": "expected", "correct": "expected",
    "answer to judge": "answer", "reference answer": "reference",
}  # fmt: skip
_THEIRS = {getattr(c, field).replace("_", " "): field for c in COLUMNS.values() for field in _SHARED} | {
    "context": "contexts", "ground truths": "reference",
}  # fmt: skip
_ONLY_THEIRS = {"actual output", "expected output", "retrieval context", "retrieved contexts"}
"""Names that our own rows never use, even in a file with a column "query" (which DeepEval users may choose)."""
_YES, _NO = ("1", "yes", "true", "right", "correct"), ("0", "no", "false", "wrong", "incorrect")
_LABELS = dict.fromkeys(_YES, "supported") | dict.fromkeys(_NO, "altered")
"""{label of another program: our label} for a right and for a wrong answer."""
_BOOLEANS = dict.fromkeys(_YES[:3], True) | dict.fromkeys(_NO[:3], False)
_JOINED = COLUMNS["deepeval"].contexts
_BAR = "\u2758"
"""The column in which DeepEval's tables join contexts with |, and the look-alike of a | within one of them."""


def folded(name: str) -> str:
    """A column name in the form used for comparison: "Answer_to_judge" equals "answer to judge"."""
    return " ".join(name.casefold().replace("_", " ").split())


@lru_cache(maxsize=1000)
def fields_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Our field for each column of a table or row; the name itself for a column that no program is known to have.

    A table with a column "query" has our names, so that it may use those of other programs for something else.
    DeepEval's "context" is the ideal context, not the retrieved one, so it keeps its name.
    """
    keys = {folded(name) for name in names}
    theirs = set(_THEIRS) - ({"context"} if keys & {"input", "retrieval context"} else set())
    allowed = _ONLY_THEIRS if "query" in keys else theirs
    return tuple(
        _OURS.get(key) or (_THEIRS[key] if key in allowed else name) for name in names for key in [folded(name)]
    )


def own_row(raw: Mapping[str, Any], *, is_table: bool = False) -> dict[str, Any]:
    """A row of JSON or of a table under our names, with our values.

    is_table: True if any value may be written as text, and null means an empty cell. Empty cells are left out, except
    an empty answer, which becomes null: another program gave no answer there.
    """
    row: dict[str, Any] = {}
    is_foreign = is_table or "query" not in raw
    for name, field in zip(raw, fields_of(tuple(raw)), strict=True):
        value, is_taken = raw[name], field != name and raw.get(field) is not None
        if is_table and isinstance(value, str) and folded(name) == folded(_JOINED):
            value = split_contexts(value)
        elif is_foreign and isinstance(value, str) and field in _PARSED:
            value = value_of(field, value)
        if value is not None or not is_foreign or (field == "answer" and field not in row):
            row[name if is_taken else field] = value
    return _converted(row)


def _converted(row: dict[str, Any]) -> dict[str, Any]:
    """A row under our names, with values in the shapes of other data sets converted to ours.

    A single context may be a text. "answers" lists the accepted answers; an empty list means that nothing can be
    answered.
    """
    if isinstance(row.get("contexts"), str | Mapping):
        row["contexts"] = _contexts(row["contexts"])
    if isinstance(row.get("reference"), list):
        row["reference"] = next((r for r in row["reference"] if isinstance(r, str)), None)
    if isinstance(label := row.get("expected"), bool | int | float | str):
        row["expected"] = value_of("expected", label if isinstance(label, str) else f"{label:g}")
    if isinstance(row.get("class_number"), float) and row["class_number"].is_integer():
        row["class_number"] = int(row["class_number"])
    answers = row.get("answers")
    texts = answers.get("text") if isinstance(answers, Mapping) else answers
    if isinstance(texts, list) and all(isinstance(t, str) for t in texts) and row.get("expected") is None:
        accepted = list(dict.fromkeys(t.replace("|", " ").strip() for t in texts if t.strip()))
        row |= {"expected": "answered", "facts": [" | ".join(accepted)]} if accepted else {"expected": "refused"}
    return row


def _contexts(value: Any) -> Any:
    """Contexts as a list: from a single text, or from titles with their sentences, as in HotpotQA."""
    if isinstance(value, str):
        return value_of("contexts", value) or [value]
    if not isinstance(value.get("title"), list) or not isinstance(value.get("sentences"), list):
        return value
    documents = zip(value["title"], value["sentences"], strict=False)
    return [
        {"text": " ".join(map(str, sentences)), "document": title}
        for title, sentences in documents
        if isinstance(sentences, list)
    ]


def to_program_columns(row: Mapping[str, Any], program: str) -> dict[str, Any]:
    """Our row in the columns of a program of COLUMNS. Fields for which it has no column follow under our names.

    The program's contexts are plain texts, so the sources of our contexts are left out.
    """
    columns, contexts = COLUMNS[program], row.get("contexts")
    if contexts is not None:
        rows = map(context_row, contexts_of(contexts)) if any(not isinstance(c, str) for c in contexts) else contexts
        contexts = [c if isinstance(c, str) else c["text"] for c in rows]
    # pages become text, because a list of pages and ranges has no single column type
    others = {f: cell_of(f, value) if f == "pages" else value for f, value in row.items() if f not in _SHARED}
    shared = {getattr(columns, f): contexts if f == "contexts" else row.get(f) for f in _SHARED}
    return shared | others


def value_of(field: str, cell: str) -> Any:
    """Parse a table cell of `field`; None if it is empty. A cell that cannot be parsed is returned as text, which
    `validate_row` rejects.
    """
    text = cell if field == "answer" else cell.strip()
    if not text.strip():
        return None
    if field == "class_number":
        return int(text.removesuffix(".0")) if re.fullmatch(r"[0-9]{1,9}(\.0)?", text) else text
    if field == "expected":
        return _LABELS.get(text.casefold().removesuffix(".0"), text.casefold())
    if field == "attribute":
        return _BOOLEANS.get(text.casefold(), text)
    if field == "pages":
        return read_pages(text)
    if field == "contexts":  # in the notation of JSON, Python or NumPy (as Ragas and pandas write it), or a single text
        value = _json(text) if text.startswith("[") else text
        value = value if isinstance(value, list) else printed_list(text)
        # a truncated list stays text, so that `contexts_of` rejects it
        return value if value is not None else text if is_cut_short(text) else [text]
    if field in ("history", "citations") or (field in _LISTS and text.startswith("[")):
        return _json(text)
    return [part.strip() for part in text.split(";") if part.strip()] if field in _LISTS else text


def cell_of(field: str, value: Any) -> str:
    """Format a value as a cell, so that `value_of` reads the same value back."""
    if value is None or (value == [] and field != "contexts") or (value is False and field != "attribute"):
        return ""  # an empty search result differs from no contexts
    if isinstance(value, str):
        return value
    if field == "pages" and isinstance(value, list):
        return pages_text(value)
    if field in _LISTS and isinstance(value, list) and all(isinstance(part, str) for part in value):
        joined = "; ".join(value)
        if value_of(field, joined) == value:
            return joined
    return json.dumps(value, ensure_ascii=False)


def joined_contexts(texts: Sequence[str]) -> str:
    """Contexts as one cell in DeepEval's format; as JSON if DeepEval's reader would split the texts differently."""
    cell = "|".join(text.replace("|", _BAR) for text in texts)
    return cell if texts and split_contexts(cell) == list(texts) else json.dumps(list(texts), ensure_ascii=False)


def split_contexts(cell: str) -> Any:
    """The contexts in a cell of DeepEval: a printed list, or texts with | between them."""
    value = value_of("contexts", cell)
    return [text.replace(_BAR, "|") for text in cell.split("|")] if value == [cell.strip()] else value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
