"""Rejects an external answer that has no content to judge."""

import unicodedata

from core.question import NoAnswerError
from core.text.citation_marks import without_marks
from core.text.words import visible

_PREDICATE_TYPES = ("L", "N", "S")
"""The Unicode categories that count as content: letters, numbers and symbols."""


def require_answer(answer: str | None) -> None:
    """Raises NoAnswerError for an answer that is None, or holds only white space, citation marks and punctuation."""
    text = without_marks(visible(answer or ""))
    if not any(unicodedata.category(character)[0] in _PREDICATE_TYPES for character in text):
        shown_answer = "null" if answer is None else f"{answer!r:.40}"
        raise NoAnswerError(
            f"There is no answer to judge: answer is {shown_answer}; give one, or leave the field out to have the "
            "question answered."
        )
