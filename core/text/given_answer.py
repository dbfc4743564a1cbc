"""Whether an answer that came from outside says anything that can be judged."""

import unicodedata

from core.question import NoAnswerError
from core.text.citation_marks import without_marks
from core.text.words import visible

_SAYS = ("L", "N", "S")
"""The Unicode categories of which an answer has at least one character: letters, numbers and symbols."""


def require_answer(answer: str | None) -> None:
    """NoAnswerError for an answer that is null, or holds only white space, marks and punctuation."""
    shown = without_marks(visible(answer or ""))
    if not any(unicodedata.category(character)[0] in _SAYS for character in shown):
        what = "null" if answer is None else f"{answer!r:.40}"
        raise NoAnswerError(
            f"There is no answer to judge: answer is {what}; give one, or leave the field out to have the question "
            "answered."
        )
