"""Contexts: texts that another search found for a question, read from values of a user or another program."""

import re
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from core.case import CaseError, Context, Passage
from core.text.printed_lists import is_cut_short
from core.text.sentences import sentences
from core.text.words import visible

MOST = 50
"""Maximum number of contexts per question."""
LONGEST = 20_000
"""Maximum length of a context, in characters."""
MOST_TOGETHER = 80_000
"""Maximum total length of the contexts of one question, in characters."""
_LONGEST_NAME = 300
_METADATA_NAMES = {
    "document": ("document", "file_name", "source", "title"), "page": ("page", "page_number", "page_label"),
    "class_number": ("class_number",), "subject": ("subject",),
}  # fmt: skip
"""For each field, the names it may have in a Document's metadata, likeliest first."""


def contexts_of(items: Any) -> tuple[Context, ...]:
    """Contexts from a list of texts, mappings, or Documents of LangChain or LlamaIndex. Raises CaseError for anything
    else.

    A mapping has "text" and optionally document, page (from 1), score (-1 to 1), class_number and subject. A Document's
    source is read from its metadata; a score there is ignored, because its scale is unknown.
    """
    if isinstance(items, str) and is_cut_short(items):
        raise CaseError(f"contexts is the print of a list that is not whole, {items!r:.80}; write all of it, as JSON.")
    if isinstance(items, str | Mapping) or not isinstance(items, Sequence):
        raise CaseError(f'contexts must be a list of texts, or of objects with "text", got {items!r:.80}.')
    if len(items) > MOST:
        raise CaseError(f"A question may have {MOST} contexts, this one has {len(items):,}; give the best of them.")
    contexts = tuple(_context(number, chunk) for number, chunk in enumerate(items, 1))
    if (total := sum(len(c.text) for c in contexts)) > MOST_TOGETHER:
        raise CaseError(
            f"All contexts of a question may have {MOST_TOGETHER:,} characters, these have {total:,}; give fewer."
        )
    return contexts


def context_row(context: Context) -> str | dict[str, Any]:
    """The context in a row's format: the text alone if nothing else is known."""
    fields = {name: value for name, value in vars(context).items() if value or (name == "score" and value is not None)}
    return fields if len(fields) > 1 else context.text


def passages_of(contexts: Sequence[Context]) -> list[Passage]:
    """Each context as a passage of its own; the first is called "context 1"."""
    sentence_lists = [tuple(sentences(c.text)) for c in contexts]
    return [
        Passage(
            id=f"context {n}", sentences=sentence_tuple, pages=(c.page,) * len(sentence_tuple), document=c.document,
            class_number=c.class_number, subject=c.subject,
        )
        for n, (c, sentence_tuple) in enumerate(zip(contexts, sentence_lists, strict=True), 1)
    ]  # fmt: skip


def _context(number: int, chunk: Any) -> Context:
    fields = _fields(chunk)
    text = fields.get("text")
    if not isinstance(text, str):
        raise CaseError(f'Context {number} must be a text, or an object with "text", got {chunk!r:.80}.')
    if len(text) > LONGEST:
        raise CaseError(f"A context may have {LONGEST:,} characters, the {number}. one has {len(text):,}; shorten it.")
    if not sentences(visible_text := visible(text).strip()):
        raise CaseError(f"Context {number} has no visible text; leave it out.")
    score = fields.get("score")
    is_number = isinstance(score, Real) and not isinstance(score, bool)
    if score is not None and not (is_number and -1 - 1e-6 <= score <= 1 + 1e-6):
        raise CaseError(f"The score of context {number} must be a number from -1 to 1, got {score!r}; leave it out.")
    return Context(
        text=visible_text, document=_name(number, "document", fields), page=_number(number, "page", fields) or 0,
        score=None if score is None else float(score), class_number=_number(number, "class_number", fields),
        subject=_name(number, "subject", fields),
    )  # fmt: skip


def _fields(chunk: Any) -> Mapping[str, Any]:
    """The fields of one item of the list, named as in Context; {} if it is no text, mapping or Document."""
    if isinstance(chunk, str):
        return {"text": chunk}
    if isinstance(chunk, Mapping):
        return _of_document(chunk["page_content"], chunk.get("metadata"), 1) if "page_content" in chunk else chunk
    if hasattr(chunk, "page_content"):
        return _of_document(chunk.page_content, getattr(chunk, "metadata", None), 1)
    return _of_document(chunk.text, getattr(chunk, "metadata", None), 0) if hasattr(chunk, "text") else {}


def _of_document(text: Any, metadata: Any, first_page: int) -> Mapping[str, Any]:
    """The fields of a Document. first_page: added to "page", which LangChain's PDF readers count from 0."""
    metadata_fields = metadata if isinstance(metadata, Mapping) else {}
    fields: dict[str, Any] = {"text": text}
    for field, names in _METADATA_NAMES.items():
        kind = str if field in ("document", "subject") else int
        for name in names:
            value = metadata_fields.get(name)
            if field == "page" and isinstance(value, str) and re.fullmatch(r"[0-9]{1,5}", value):
                value = int(value)
            if type(value) is kind and (kind is str or value >= 0):
                fields[field] = value + first_page if name == "page" else value
                break
    if isinstance(fields.get("document"), str):
        fields["document"] = re.split(r"[/\\]", fields["document"])[-1][:_LONGEST_NAME]
    return fields


def _name(number: int, field: str, fields: Mapping[str, Any]) -> str:
    value = fields.get(field) or ""
    if not isinstance(value, str) or len(value) > _LONGEST_NAME:
        raise CaseError(
            f"{field} of context {number} must be a text of at most {_LONGEST_NAME} characters, got {value!r:.80}."
        )
    return visible(value).strip()


def _number(number: int, field: str, fields: Mapping[str, Any]) -> int | None:
    value = fields.get(field)
    if value is not None and (type(value) is not int or not 0 <= value < 100_000):
        raise CaseError(f"{field} of context {number} must be a whole number, got {value!r:.80}.")
    return value
