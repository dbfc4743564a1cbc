"""Negates a sentence by rules of general English."""

import re

Change = tuple[tuple[int, int], str]
"""((start, end), new text): the part of a sentence that changes, and its replacement."""

_CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall"}
_AUXILIARY = "is|are|was|were|can|could|must|will|would|should|does|do|did|has|have|had|may|might|need"
_NEGATED = re.compile(rf"\b({_AUXILIARY}) not\b(?! only\b)", re.IGNORECASE)
_SHORT = re.compile(r"\b(?:can't|won't|shan't|[a-z]+n't)\b", re.IGNORECASE)
_WORDS = {
    "cannot": "can", "never": "always", "not all": "all", "not every": "every", "not always": "always",
    "no longer": "still", "none of": "all of", "neither": "both",
}  # fmt: skip
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_NO = re.compile(
    rf"\b(?:is|are|has|have|had|with|{'|'.join(f'{v}s?' for v in ('contain', 'give', 'hold', 'make', 'need', 'take'))})"
    r" (?P<no>no)\b(?! longer\b| more\b| less\b| other\b)"
)
_WHOLE = re.compile(r"^(?:All|Every|Each)\b")
_PARTIAL = re.compile(
    r"^(?:Some|Many|Several|Most|Few|A few|Sometimes|Often|Usually|Generally|No|Nothing|Nobody|None)\b"
)
_MAY = re.compile(r"(?<=\w )(?:may|might)\b")
_BE = re.compile(
    r"(?<=\w )(?:is|are|was|were|could|must|will|would|should"
    r"|(?:has|have|had)(?= been\b| become\b| \w+ed\b| \w+en\b))\b"
)
_CAN = re.compile(r"(?<=\w )can\b")
_SUBORDINATE = re.compile(r"\b(?:if|when|whenever|because|since|although|though|while|as|that|which|who|whose|where)\b")
_ROOTS = """
absorb act add allow appear arise attract become begin belong block break bring build burn call carry cause change
consist contain cool cost cover create cut decrease depend dissolve draw drop eat end enter exist explain expand fall
feed feel fill find flow follow form freeze get give gain go grow happen have help hold increase join keep know lead
leave let lie live look lose make mean measure meet melt mix move need obtain occur open own pass pay produce
protect provide push pull pump put reach react receive reduce reflect release rely remain remove rest rise run say see
seem send show sink sit slow spread stand start stay stop store supply support take taste tell travel turn use vary
want work write
""".split()
_IRREGULAR = {
    "have": "has", "go": "goes", "carry": "carries", "vary": "varies", "rely": "relies", "supply": "supplies",
}  # fmt: skip
_PAST = {
    "gave": "give", "took": "take", "came": "come", "became": "become", "began": "begin", "wrote": "write",
    "rose": "rise", "fell": "fall", "grew": "grow", "went": "go", "saw": "see", "knew": "know", "drew": "draw",
    "broke": "break", "chose": "choose", "spoke": "speak", "drove": "drive", "ate": "eat", "had": "have",
}  # fmt: skip


_THIRD = {
    _IRREGULAR.get(root) or root + ("es" if root.endswith(("ch", "sh", "ss", "x")) else "s"): root for root in _ROOTS
}
_VERB = re.compile(rf"(?<=\w )(?:{'|'.join([*_THIRD, *_PAST])})\b")
_PLURAL = re.compile(rf"(?<=\b[Tt]hey )(?:{'|'.join(_ROOTS)})\b|(?<=\b[Ww]e )(?:{'|'.join(_ROOTS)})\b")


def negation_of(sentence: str) -> Change | None:
    """The change that negates `sentence`, by adding or removing a negation; None for a sentence without words."""
    if not re.search(r"[^\W\d_]", sentence):
        return None
    if change := _remove_negation(sentence) or _add_negation(sentence):
        return change
    first = sentence.split()[0]  # behind "It is not true that" with a small letter, unless it is a name
    plain = first[:1] + first[1:].lower() == first and (first.lower() in _OPENERS or first.endswith("ing"))
    return (0, 1), "It is not true that " + (sentence[0].lower() if plain else sentence[0])


def _remove_negation(sentence: str) -> Change | None:
    """The change that removes the first negation; None if there is none."""
    if match := _NEGATED.search(sentence):
        return (match.end(1), match.end()), ""
    if match := _SHORT.search(sentence):
        short = match.group().lower()
        return match.span(), match_case(match.group(), _CONTRACTED.get(short, short.removesuffix("n't")))
    if match := _WORD.search(sentence):
        return match.span(), match_case(match.group(), _WORDS[match.group().lower()])
    if match := _NO.search(sentence):
        return match.span("no"), "some"
    return None


def _add_negation(sentence: str) -> Change | None:
    """The change that adds a negation where it negates the whole sentence; None if there is no such position."""
    if match := _WHOLE.search(sentence):
        return match.span(), "Not every" if match.group() == "Each" else "Not " + match.group().lower()
    if _PARTIAL.search(sentence):
        return None  # "some are not" leaves "some are" true
    matches = [m for pattern in (_MAY, _BE, _CAN, _VERB, _PLURAL) for m in pattern.finditer(sentence)]
    matches.sort(key=lambda m: m.start())
    main = [m for m in matches if not _SUBORDINATE.search(sentence[: m.start()].rpartition(",")[2].lower())]
    match = (main or matches or [None])[0]
    if match is None:
        return None
    return match.span(), match.group() + " not" if match.re is _BE else _not(match.group())


_OPENERS = frozenset(
    """a an the this that these those it its they their he she his her we our you your some many several most few no
    nothing nobody none there here in on at by for from with without after before when while if as to of among both
    each only often usually sometimes generally about""".split()
)


def _not(verb: str) -> str:
    if verb in ("may", "might", "can"):
        return "cannot"
    if verb in _THIRD:
        return "does not " + _THIRD[verb]
    if verb in _PAST:
        return "did not " + _PAST[verb]
    return "do not " + verb


def match_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
