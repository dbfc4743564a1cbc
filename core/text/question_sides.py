"""The two sides of a difference or comparison in a question."""

import re

from core.text.question_kinds import ORDER, PREPOSITION, VERB, WH

_ARTICLE = re.compile(r"^(?:the|an?|any)\s+", re.IGNORECASE)
_DIFFERENCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?P<a>.{1,120}?)\s+(?:vs?\.?|versus)\s+(?P<b>[^,;:?–—]{1,120}?)(?:\s*[,;:–—]|\s-\s|[.?!]|$)",
        r"\b(?:differences?|distinction|distinguish|differentiate|contrast)\b[^?]{0,60}?\bbetween (?P<a>.{1,120}?)"
        r"\s+(?:and|&|or|from)\s+(?P<b>.{1,120})$",
        r"\b(?:distinguish|differentiate|contrast) (?P<a>.{1,120}?) (?:from|and|with) (?P<b>.{1,120})$",
        r"^differences? (?:of |in )?(?P<a>.{1,80}?)\s+(?:and|&)\s+(?P<b>.{1,80})$",
        r"\b(?:how|what) (?:is|are|was|were|do|does|did|makes?|made) (?P<a>.{1,120}?) (?:differ\w*|not the same"
        r"|unlike) (?:from|to|than|as) (?P<b>.{1,120})$",
        r"\bhow (?:is|are|was|were|do|does|did) (?P<a>.{1,120}?) and (?P<b>.{1,120}?) differ(?:ent)?\b",
        r"^(?P<a>[^,;:?]{1,80}?)\s+(?:and|&)\s+(?P<b>[^,;:?]{1,80}?)\s*(?:[,;:–—?.]|\s-)[^?]{0,40}"
        r"\b(?:differences?|differ|different)$",
    )
)
_COMMON = re.compile(r"\b(?:common|potential) difference\b", re.IGNORECASE)
_TAIL = re.compile(r"(?:\s*[,;]|\s+(?:with|giving|and give|by giving)\b).*$|\s+(?:in terms of|on the basis of)\b.*$")
_NO_COMPARATIVE = frozenset(
    "water number order power paper river letter matter layer fibre center finger flower shower tower sister brother "
    "mother father daughter teacher farmer worker member chapter offer answer ever never over under after other "
    "either neither rather together whether per her consumer producer user copper silver timber rubber amber polymer "
    "monomer summer winter october september november december butter feather leather weather super computer "
    "leader ruler reader writer speaker buyer seller owner player singer painter officer soldier danger hunger "
    "anger ladder border corner master character parameter diameter meter liter thermometer laser cancer cover "
    "discover consider remember differ refer prefer transfer suffer enter deliver gather appear clear near dear "
    "proper former latter inner outer upper multiplier carrier barrier mirror glacier dispenser cylinder powder".split()
)
_ER = re.compile(r"\b(?:more|less|fewer|better|worse|farther|further|[a-z]{3,12}er)\b", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\b(?:between|of|among|out of) (?P<a>.{{1,100}}?) (?:and"
    rf"|or) (?P<b>[^,?]{{1,100}}?),\s*(?={WH}\b)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"(?:^|[,:;]|\s[-–—])\s*(?:is it )?(?P<a>[^,:;?]{1,120}?),? or (?P<b>[^,;?]{1,120})$", re.IGNORECASE
)
_FRONT = re.compile(rf"^(?:{WH}|{VERB}|{ORDER}|{PREPOSITION} {WH})\b", re.IGNORECASE)
_SUBJECTS = re.compile(
    rf"^{VERB} (?P<a>(?:\S+ ){{1,5}}?)or (?P<b>(?:\S+ ){{1,4}}?)(?:more|less|\S+er)\b", re.IGNORECASE
)
_THAN = re.compile(
    rf"^{VERB} (?P<a>.{{1,100}}?) (?P<er>more \S+|less \S+|\S+er)\b.{{0,80}}? than (?P<b>.{{1,100}})$", re.I
)
_COMPARE = (
    re.compile(r"^compare (?:the |their )?(?P<of>.{1,80}) (?:of|in|for|between) (?P<a>.{1,80}?) (?:and|with"
        r"|to) (?P<b>.{1,80})$", re.I),
    re.compile(r"^compare (?P<a>.{1,120}?) (?:and|with|to) (?P<b>.{1,120})$", re.I),
)  # fmt: skip


def bare(phrase: str) -> str:
    """`phrase` without its article and surrounding punctuation."""
    return _ARTICLE.sub("", phrase.strip(" ,;:.?!-–—\"'“”()"), count=1)


def sides_of_difference(sentence: str) -> tuple[str, ...]:
    """The two things whose difference `sentence` asks for; () if it asks for none."""
    text = sentence.strip(" ?!.")
    if re.match(rf"^{VERB}\b", text, re.IGNORECASE) or not re.search(r"differ|disting|contrast|unlike|\bv", text, re.I):
        return ()
    match = next((one for pattern in _DIFFERENCES if (one := pattern.search(text))), None)
    if not match or (_COMMON.search(match.group()) and " between " not in match.group()):
        return ()
    return _pair(
        re.sub(r"^the differences? between |^how (?:is|are|do|does) ", "", match["a"]), _TAIL.sub("", match["b"])
    )


def sides_of_comparison(sentence: str) -> tuple[str, ...]:
    """The two things that `sentence` compares; () if it compares none."""
    text = sentence.strip(" ?!.")
    if match := next((one for pattern in _COMPARE if (one := pattern.search(text))), None):
        return _pair(match["a"], match["b"])
    if not compares(text):
        return ()
    if match := _BETWEEN.search(text) or _SUBJECTS.search(text):
        return _pair(match["a"], match["b"])
    if match := _THAN.search(text):
        return _pair(
            _same_opening(match["a"] + " " + text[match.end("er") : match.start("b") - 6], match["b"]), match["b"]
        )
    return alternatives(text)


def compares(sentence: str) -> bool:
    """True if `sentence` has a comparative, such as "longer" or "more"."""
    return any(match.group().lower() not in _NO_COMPARATIVE for match in _ER.finditer(sentence))


def alternatives(sentence: str) -> tuple[str, ...]:
    """The two alternatives of a question that ends in "A or B"; () if it ends otherwise."""
    match = _CHOICE.search(sentence.strip(" ?!."))
    if not match:
        return ()
    left = match["a"]
    return _pair(_same_opening(left, match["b"]) if _FRONT.match(left) else left, match["b"])


def _same_opening(left: str, right: str) -> str:
    """The end of `left` that is parallel to `right`.

    It begins at the last occurrence of the first word of `right`; else it is all of `left` if `right` begins with a
    preposition; else it has as many words as `right`.
    """
    words, first = left.split(), right.split()[0].lower()
    same = ("a", "an") if first in ("a", "an") else (first,)
    indices = [n for n, word in enumerate(words) if word.lower() in same]
    if indices:
        return " ".join(words[indices[-1] :])
    if words and re.match(rf"^{PREPOSITION}$", first):
        return " ".join(words)
    return " ".join(words[-len(right.split()) :])


def _pair(left: str, right: str) -> tuple[str, ...]:
    pair = (bare(left), bare(right))
    return pair if all(pair) else ()
