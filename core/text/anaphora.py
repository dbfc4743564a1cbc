"""Can a sentence stand without the one before it?"""

import re

from core.text.words import words

_LINKS = (
    r"(?:however|but|and|or|so|then|thus|therefore|hence|also|besides|moreover|similarly|likewise|instead|otherwise)\b"
)
_POINTERS = (
    r"(?:it|its|this|that|these|those|they|them|their|he|his|she|her|such|both|another|other|the (?:former|latter|same"
    r"|other|first|second|third))\b"
)
_LEANS = re.compile(rf"[\"'“‘(]*(?:{_LINKS}|{_POINTERS})", re.IGNORECASE)
_POINTS = re.compile(rf"[\"'“‘(]*(?:{_LINKS},?\s+)?{_POINTERS}", re.IGNORECASE)
_SOON = re.compile(r"\W*(?:[\w'’-]+\W+){0,3}(?:it|they|them|he|she|this|these|those)\b", re.IGNORECASE)
"""Among its first words a pronoun has nothing before it in the sentence to stand for."""
_STARTS = re.compile(r"[\"'“‘]?[A-Z0-9]")
_FEWEST, _MOST = 4, 60


def leans(sentence: str) -> bool:
    """True when the sentence begins by pointing back, as "It is green" and "However, ..." do."""
    return _LEANS.match(sentence) is not None


def points_back(sentence: str) -> bool:
    """True when a reader has to know the sentence before to know what this one is about: "Thus, it is green" does
    that, "Thus, a leaf is green" only follows from what was said.
    """
    return _POINTS.match(sentence) is not None


def stands_alone(sentence: str) -> bool:
    """True for a whole statement that needs no other sentence: no question, no fragment, nothing that points back."""
    whole = bool(_STARTS.match(sentence)) and sentence.rstrip("\"'”’)")[-1:] in (".", "!")
    points = leans(sentence) or _SOON.match(sentence) is not None
    return whole and _FEWEST <= len(words(sentence)) <= _MOST and not points
