"""The questions, orders and exercise items of a book. They answer nothing."""

import re
from collections.abc import Sequence

_STATEMENT = re.compile(r"\b(?:do|did|have) you (?:know|noticed) that\b", re.IGNORECASE)
"""A statement in the form of a question: "Do you know that a kite needs no motor?"."""
_ORDERS = re.compile(
    r"\W*(?:\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]\s*)?(?:Calculate|Choose|Classify|Compare|Complete|Convert|Define|Describe"
    r"|Differentiate|Discuss|Distinguish|Explain|Fill|Find|Give|Identify|List|Match|Mention|Name|Outline|Select|Show"
    r"|State|Suggest|Tick|Write) (?:the|an?|any|at|between|down|how|in|one|some|two|three|what|which|why|with|your)\b"
    r"|\W*(?:\d{1,2}\.\s?)?(?:(?:For|In) (?:each of )?the following [a-z ]{3,30}, )?(?:[Mm]ark|[Ww]rite|[Pp]ut) "
    r"[\"'“‘(]?T\b"
)
"""An order to a pupil with its object; an item number may precede it."""
_CHOICES = re.compile(r"\((?:a|i)\)[^()]{1,80}\((?:b|ii)\)|will be\W*$")
"""The choices behind a sentence that is left open: "The height will be (a) 3 m (b) 4 m"."""
ITEM_NUMBER = re.compile(r"\W*\d{1,2}\.(?!\d)")
_LONGEST_ITEM = 5
"""The most sentences of an exercise item up to its question: "A book lies on a desk. It begins to slide. Why?"."""


def only_asks(sentence: str) -> bool:
    """True if `sentence` is a question, and no statement in the form of one."""
    return "?" in sentence and not _STATEMENT.search(sentence)


def without_questions(passage_sentences: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a passage, with "" in place of those that only ask: exercise items and open questions.

    Such sentences repeat a pupil's question, so every model ranks them nearest to it, but they answer nothing.
    A question that a statement follows stays: it says what the statement is about, as a heading does.
    """
    silent: set[int] = set()
    for i in reversed(range(len(passage_sentences))):
        is_order, is_open = _ORDERS.match(passage_sentences[i]), i + 1 in silent or i + 1 == len(passage_sentences)
        starts = [n for n in range(max(0, i - _LONGEST_ITEM + 1), i + 1) if ITEM_NUMBER.match(passage_sentences[n])]
        asks = only_asks(passage_sentences[i]) or _CHOICES.search(passage_sentences[i]) is not None
        if is_order or (asks and (starts or is_open)):
            silent |= set(range(starts[-1] if starts else i, i + 1))
    return tuple("" if i in silent else sentence for i, sentence in enumerate(passage_sentences))
