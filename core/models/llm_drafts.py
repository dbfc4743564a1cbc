"""What a language model wrote, and how it becomes a draft."""

import re
from dataclasses import dataclass

from core.case import Draft
from core.models.errors import ModelError
from core.text.answer_sentences import read_answer
from core.text.words import sentences

_ENDED = re.compile(r"[.!?।][\"'”’)\]]*(?:\s*\[\d+(?:\s*[,;]\s*\d+)*\])*$")
"""The end of a sentence, with its marks."""
_MARKS = re.compile(r"((?:\[\d+(?:\s*[,;]\s*\d+)*\]\s*)+)")


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a model wrote. whole: it came to its own end. in_time: no clock cut it off."""

    text: str
    whole: bool
    in_time: bool = True


def draft_of(written: Written, writer: str) -> Draft:
    """The draft that a model wrote, its marks read as citations; a sentence that was cut off is left out.

    ModelError when it wrote nothing: an empty answer of a model is a fault of it.
    """
    text = _marked_behind(written.text if written.whole else _ended(written.text))
    if not text.strip():
        raise ModelError(f"The writer {writer} wrote nothing; ask again, or choose another writer.")
    return read_answer(text, writer=writer)


def _marked_behind(text: str) -> str:
    """`text` with the marks that a model put before its sentences behind the first one that follows each.

    Read as they stand they would cite the sentence before. A text that does not begin with one is left as it is.
    """
    before, *rest = _MARKS.split(text)
    if before.strip() or not rest:
        return text
    found: list[str] = []
    for marks, said in zip(rest[::2], rest[1::2], strict=True):
        first, *others = sentences(said) or [""]
        found += [f"{first} {marks.strip()}".strip(), *others]
    return " ".join(found)


def _ended(text: str) -> str:
    """`text` without a last sentence that has no end, unless it is all there is."""
    found = sentences(text)
    if len(found) < 2 or _ENDED.search(found[-1]):
        return text
    return " ".join(found[:-1])
