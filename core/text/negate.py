"""Negates a sentence by rules of general English."""

import re

from core.text.lexicon import listed, word_set

Change = tuple[tuple[int, int], str]
"""((start, end), new text): the part of a sentence that changes, and its replacement."""

_VERBS = "can|may|might|is|are|was|were|could|must|will|would|should|does|do|did|has|have|had|need"
_NEGATION = re.compile(
    rf"\b(?:{_VERBS}) (?P<not>not )(?!only\b)"
    r"|\b(?:cannot|never|not (?:all|every|each|always)|no longer|none of|neither|[a-z]+n['’]t)\b"
    r"|\b(?:is|are|has|have|had|with|contains?|gives?|holds?|makes?|needs?|takes?) (?P<no>no)\b"
    r"(?! (?:longer|more|less|other)\b)",
    re.IGNORECASE,
)
_POSITIVE = {
    "cannot": "can", "never": "always", "not all": "all", "not every": "every", "not each": "each",
    "not always": "always", "no longer": "still", "none of": "all of", "neither": "both", "can't": "can",
    "won't": "will", "shan't": "shall",
}  # fmt: skip
"""{negation in lower case: what takes its place}. Other contractions lose "n't"."""
_WHOLE = {"All": "Not all", "Every": "Not every", "Each": "Not every"}
"""{first word: what negates the whole sentence}."""
_QUANTITY = re.compile(
    r"(?:Some|Many|Several|Most|Few|A few|Sometimes|Often|Usually|Generally|No|Nothing|Nobody|None)\b"
)
"""First words of a sentence that "not" behind its verb does not negate: "some are not" leaves "some are"."""
_AUXILIARY = re.compile(
    r"(?<=\w )(?:can|may|might|is|are|was|were|could|must|will|would|should"
    r"|(?:has|have|had)(?= been\b| become\b| \w+ed\b| \w+en\b))\b(?! not\b)"
)
_SUBORDINATE = frozenset("if when whenever because since although though while as that which who whose where".split())
_OPENERS = frozenset(listed("first words"))
"""First words that are no names."""


def negation_of(sentence: str) -> Change | None:
    """The change that negates `sentence`, by adding or removing a negation; None for a sentence without words."""
    if not re.search(r"[^\W\d_]", sentence):
        return None
    if negation := _NEGATION.search(sentence):
        if negation["not"]:
            return negation.span("not"), ""
        if negation["no"]:
            return negation.span("no"), "some"
        old = negation.group().replace("’", "'")
        return negation.span(), match_case(old, _POSITIVE.get(old.lower(), old.removesuffix("n't")))
    first = sentence.split()[0]
    if first in _WHOLE:
        return (0, len(first)), _WHOLE[first]
    verbs = [] if _QUANTITY.match(sentence) else _AUXILIARY.finditer(sentence)
    main = (v for v in verbs if not _SUBORDINATE & word_set(sentence[: v.start()].rpartition(",")[2]))
    if verb := next(main, None):
        return verb.span(), "cannot" if verb.group() in ("can", "may", "might") else f"{verb.group()} not"
    is_small = first[:1] + first[1:].lower() == first and (first.lower() in _OPENERS or first.endswith("ing"))
    return (0, 1), "It is not true that " + (sentence[0].lower() if is_small else sentence[0])


def match_case(old: str, new: str) -> str:
    """`new` with a capital first letter if `old` has one."""
    return new[:1].upper() + new[1:] if old[0].isupper() else new
