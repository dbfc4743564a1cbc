"""The text of an answer that somebody pasted: what a program wrapped around it is taken off."""

import ast
import html
import json
import re
import unicodedata
from contextlib import suppress
from typing import Any

from core.question import NoAnswerError
from core.text.citation_marks import without_marks
from core.text.words import visible

_PREDICATE_TYPES = ("L", "N", "S")
"""The Unicode categories that count as content: letters, numbers and symbols."""
_REASONING = r"(?:think|thinking|thoughts?|reason|reasoning|reflection|analysis|scratchpad)"
_REASONED = re.compile(rf"<({_REASONING})>.*?(?:</\1>|\Z)|\A.*</{_REASONING}>", re.IGNORECASE | re.DOTALL)
"""A block of a model's reasoning; its end, or its start, may be missing."""
_FENCE = re.compile(r"\s*```\w*\s(.*)```\s*", re.DOTALL)
_ENTITY = re.compile(r"&#?\w{2,31};")
_LINE_TAG = re.compile(r"<(?:br ?/?|/p|/li|/h\d|/div)>\s*", re.IGNORECASE)
_TAG = re.compile(r"</?(?:p|div|span|b|i|u|em|strong|ul|ol|li|h\d|answer|response|output|final)>", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"[<\[]\s*(?:n\.?/?a\.?|nan|none|null|empty|unknown|blank|todo|not (?:available|given)|answer here"
    r"|(?:no|missing) (?:answer|response|reply|data|value)(?: [\w ]{1,20})?)\s*[>\]]",
    re.IGNORECASE,
)
"""A sign for a missing answer: "<NA>", "[no response]"."""
_BEFORE_JSON = re.compile(r"[^{}\[\]]{0,80}:\s*(?=\{)")
"""Words that announce an answer in JSON: "Here is the answer: "."""
_ANSWER_KEYS = ("answer", "response", "text", "output", "result", "content", "reply", "final_answer", "sentence")
_SOURCE_KEYS = ("sources", "citations", "references", "source", "citation", "passages")


def plain_answer(text: str) -> str:
    """`text` as a person reads it: without a model's reasoning, JSON, HTML and invisible characters."""
    text = _REASONED.sub("", text)
    fenced = _FENCE.fullmatch(text)
    text = _out_of_json(fenced[1] if fenced else text)
    text = _TAG.sub("", _LINE_TAG.sub("\n", text))
    return visible(_ENTITY.sub(lambda entity: html.unescape(entity.group()), text).replace("\u00a0", " "))


def require_answer(answer: str | None) -> None:
    """Raise NoAnswerError for None, a sign for a missing answer, and a text of marks, blanks and punctuation alone."""
    text = without_marks(plain_answer(answer or ""))
    text = "" if _PLACEHOLDER.fullmatch(text) else text
    if not any(unicodedata.category(character)[0] in _PREDICATE_TYPES for character in text):
        shown_answer = "null" if answer is None else f"{answer!r:.40}"
        raise NoAnswerError(
            f"There is no answer to judge: answer is {shown_answer}; give one, or leave the field out to have the "
            "question answered."
        )


def _out_of_json(text: str) -> str:
    """The answer in a JSON object or list, one sentence or item a line, with its sources as citation marks; `text`
    itself if it is none."""
    opening = _BEFORE_JSON.match(text)
    value = text[opening.end() if opening else 0 :].strip()
    if value[:1] not in ("{", "["):
        return text
    for read in (json.loads, ast.literal_eval):  # many programs print a Python value
        with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            found = _answer_in(read(value))
            return text if found is None else found
    return text


def _answer_in(value: Any) -> str | None:
    """The answer that a JSON value holds, "" for a null answer, None if it holds none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        items = [_answer_in(item) for item in value]
        return "\n".join(items) if items and None not in items else None
    if not isinstance(value, dict):
        return None
    named = {str(key).lower(): one for key, one in value.items()}
    key = next((key for key in _ANSWER_KEYS if key in named), None)
    found = [_answer_in(named[key])] if key else [one for one in map(_answer_in, named.values()) if one]
    answer = "" if key and named[key] is None else found[0] if len(found) == 1 else None
    sources = next((named[key] for key in _SOURCE_KEYS if key in named), [])
    numbers = sources if isinstance(sources, list) else [sources]
    return answer and answer + "".join(f" [{number}]" for number in numbers if type(number) is int)
