"""How a language model is to write, what it wrote, and how that becomes a draft."""

import math
import re
from dataclasses import dataclass, replace

from core.case import Draft
from core.models.errors import ModelError
from core.text.answer_sentences import read_answer
from core.text.words import sentences

_ENDED = re.compile(r"[.!?।][\"'”’)\]]*(?:\s*\[\d+(?:\s*[,;]\s*\d+)*\])*$")
"""The end of a sentence, with its marks."""
_MARKS = re.compile(r"((?:\[\d+(?:\s*[,;]\s*\d+)*\]\s*)+)")


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a chat is continued.

    temperature: 0 takes the likeliest word each time; any other draws, and the same `seed` draws the same again.
    pattern: the regular expression that all of it must fit, "" for free words. least: tokens before which it may not
    end, where whoever writes can be held to that.
    """

    temperature: float = 0.0
    seed: int = 0
    pattern: str = ""
    least: int = 0


_LEAST = 5
"""As many tokens as "I don't know." has. A mark such as "[3]" has fewer: asked for one behind each sentence, a model
may take the mark for the whole answer, and end where its first sentence should begin."""
LIKELIEST = Manner(least=_LEAST)
MORE = tuple(Manner(temperature=0.7, seed=n, least=_LEAST) for n in (1, 2))
"""How the drafts are sampled that a first one is held against (SelfCheckGPT; Manakul et al., 2023)."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a model wrote. whole: it came to its own end. in_time: no clock cut it off.

    logarithm: of the probability of all its words, `tokens` of them; None where the model does not say it.
    """

    text: str
    whole: bool
    in_time: bool = True
    logarithm: float | None = None
    tokens: int = 0

    @property
    def certainty(self) -> float | None:
        """How sure the model was of each word: the geometric mean of their probabilities; None where it is not known.

        (Malinin and Gales, Uncertainty Estimation in Autoregressive Structured Prediction, 2021.)
        """
        if self.logarithm is None or not self.tokens:
            return None
        return min(1.0, math.exp(self.logarithm / self.tokens))


def draft_of(written: Written, writer: str) -> Draft:
    """The draft that a model wrote, its marks read as citations; a sentence that was cut off is left out.

    ModelError when it wrote nothing, or nothing but marks: an empty answer of a model is a fault of it.
    """
    text = _marked_behind(written.text if written.whole else _ended(written.text))
    if not _MARKS.sub("", text).strip(" .,"):
        raise ModelError(f"The writer {writer} wrote nothing; put it in other words, or choose another writer.")
    return replace(read_answer(text, writer=writer), certainty=written.certainty)


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
