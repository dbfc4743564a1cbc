"""Decides which brackets of a text are citation marks, by their content and the text around them."""

import re
from dataclasses import dataclass
from typing import Literal

_DASH = r"[-–—‑‐−]"
_LABEL = (
    r"(?:sources?|passages?|docs?|documents?|refs?|references?|citations?|cites?|ids?|notes?|footnotes?|fn|contexts?|ctx"
    r"|chunks?|excerpts?|snippets?|extracts?|texts?|evidence|paragraphs?)"
)
_PLACE = (
    r"(?:pp?\.?|pages?|pg\.?|lines?|paras?\.?|paragraphs?|sections?|sec\.?|§|chapters?|ch\.?|figs?\.?|figures?|tables?"
    r"|sentences?|vol\.?|class)"
)
_LOCATOR = rf"{_PLACE}\s?\d+(?:\.\d+)*(?:\s?{_DASH}\s?\d+)?"
_ITEM = re.compile(
    rf"(?P<label>{_LABEL}\b\.?[\s:#=_-]{{0,3}}(?:(?:no\.?|number|id)[\s:#=]{{0,2}})?|{_LABEL}(?=\d)|{_LABEL}_)?[#^]?\s?"
    rf"(?P<first>\d{{1,3}})(?!\d|\.\d)"
    rf"(?:\s?(?:{_DASH}|to\b|\.{{2,3}}|…)\s?(?:{_LABEL}\s?)?[#^]?(?P<last>\d{{1,3}})(?!\d|\.\d))?"
    rf"(?:†[^,;]{{0,40}}|(?:\s?[,:;]\s?|\s)?\(?{_LOCATOR}(?:\s?,\s?{_LOCATOR})*\)?)?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s?(?:[;,&|]|,?\s?and\b)\s?", re.IGNORECASE)
_TITLE = re.compile(rf"\s?(?:[:,|(]|{_DASH}\s)\s?\S", re.IGNORECASE)
_ENDS_WITH_PAGE = re.compile(rf"(?:pp?\.|pages?|pg\.?)\s?\d+(?:\s?{_DASH}\s?\d+)?\W?$", re.IGNORECASE)
_LONGEST_RANGE = 50
"""The most passages of a range: "[1-300]" exceeds any list of passages."""

_CITES = r"(?:sources?|refs?|references?|citations?|docs?|documents?|passages?|chunks?|contexts?|ids?)"
_NOT_READABLE = re.compile(
    rf"{_CITES}\.?\s?[:#=].*|(?:citations?|sources?|refs?|references?)\s(?:needed|required|missing|unknown|not found)"
    rf"|{_CITES}\s[A-Z]|(?:see\s)?(?:pp?\.|pages?|pg\.)\s?\d+(?:\s?{_DASH}\s?\d+)?"
    r"|[A-Z][\w.'’-]+(?:\s(?:and|&)\s[A-Z][\w.'’-]+)?\set\sal\.?,?\s?\(?\d{4}[a-z]?\)?(?:,.*)?"
    r"|(?!(?:fig|table|activity|example|exercise|chapter|see fig)\b)\D.{1,80}[\s,](?:pp?\.|pages?|pg\.)\s?\d+"
    rf"(?:\s?{_DASH}\s?\d+)?",
    re.IGNORECASE,
)
"""In any brackets: a label without a number, a page without a passage, names with "et al.", a title with a page."""
_NOT_READABLE_IN_SQUARE = re.compile(
    r"(?:citations?|sources?|refs?|references?|cite|links?|footnotes?|page)\.?|\?+|#|\*{1,3}|[†‡]|\^\w*"
    r"|\^?\d{1,3}\s?[,;:]\s?(?=.*[^\W\d_]{2}).*|\d+:\d+(?:†.*)?|\d*\?|\S+\.(?:pdf|docx?|txt|md|html?|epub)\b.*"
    r"|(?:https?://|www\.)\S+",
    re.IGNORECASE,
)
_AUTHOR_AND_YEAR = re.compile(
    r"(?!(?:In|On|Since|By|From|Until|About|Around|Before|After|During)\b)[A-Z][\w.'’-]+(?:(?:,|,?\s(?:and|&))?\s[A-Z]"
    r"[\w.'’-]*){0,4},?\s\(?(?:1[5-9]|20)\d\d[a-z]?\)?(?:\s?[,:].*)?"
)
_MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)", re.IGNORECASE)


def numbers_of(content: str) -> tuple[int, ...] | None:
    """The numbers of the passages that `content` names, each once; () for an impossible range; None for other contents.

    Forms: "1, 2", "1-3", "Source 1", "1, p. 3; 2", "1†source", "Source 2: Science, page 3".
    """
    content = " ".join(content.split())
    numbers: list[int] = []
    position = 0
    while item := _ITEM.match(content, position):
        first, last = int(item["first"]), int(item["last"] or item["first"])
        if not first <= last <= first + _LONGEST_RANGE:
            return ()
        numbers += range(first, last + 1)
        position = item.end()
        if position == len(content):
            return tuple(dict.fromkeys(numbers))
        separator = _SEPARATOR.match(content, position)
        if separator and _ITEM.match(content, separator.end()):
            position = separator.end()
            continue
        has_title = _TITLE.match(content, position) and (item["label"] or _ENDS_WITH_PAGE.search(content, position))
        return tuple(dict.fromkeys(numbers)) if has_title else None
    return None


def is_citation(content: str, *, square: bool) -> bool:
    """True if `content` looks like a citation but names no passage: "citation needed", "Smith 2020". square: whether
    its brackets are square, which allows more forms."""
    content = " ".join(content.split())
    if _NOT_READABLE.fullmatch(content):
        return True
    if not square:
        return False
    by_author = _AUTHOR_AND_YEAR.fullmatch(content) and not _MONTH.match(content)
    return bool(_NOT_READABLE_IN_SQUARE.fullmatch(content) or by_author)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Adjacent marks at text[start:end]. shape: their notation, which limits the positions where they are marks."""

    start: int
    end: int
    numbers: tuple[int, ...]
    shape: Literal["square", "round", "labelled", "raised"]
    readable: bool = True


_WORD_BEFORE = re.compile(r"([^\W\d_]{3,})$")
_POWERS = frozenset(
    """mol rad bar atm cal ppm min sec inch inches foot feet yard mile metre metres meter meters sin cos tan cot cosec
    log exp side edge radius diameter length breadth width height base hypotenuse perpendicular speed velocity
    distance time current voltage""".split()
)
"""Words that may precede an exponent: units, functions, and quantities that a formula in words squares."""
_STOP = ".!?।"
_CLOSING = _STOP + ",;:\"'”’»)"
_ENDS_CLAUSE = re.compile(
    r"[ \t]*(?:$|\n|[.,;:!?।)\]\"”’»<*_|]|[–—](?!\d))|[ \t]*(?:and|but|or|which|while|because|so)\b"
)
_ENDS_CLAUSE_AT_ONCE = re.compile(r"$|[.,;!?।\n]")
_FUNCTION_WORD = re.compile(
    r"[ \t]*(?:a|an|the|to|of|in|on|at|by|for|from|with|as|into|through|is|are|was|were|be|has|have|had|can|cannot"
    r"|could|will|would|may|might|must|should|do|does|did|not|it|its|they|their|this|that|these|those|who|when|where|if|than"
    r"|then|also|both|between|during|after|before|until|since|unlike|like|only|there|we|he|she|whose)\b",
    re.IGNORECASE,
)
_AWAITS_NUMBER = re.compile(
    r"(?:\b(?:a|an|the|is|are|was|were|be|been|has|have|had|of|in|at|by|to|from|with|than|about|only|over|under|around"
    r"|nearly|these|those|all|and|or|between|contains?|equals?|years?)|[=+×÷*/<>≤≥≈-])$",
    re.IGNORECASE,
)
"""Ends of the text before a bracket that show that a number in it belongs to the sentence."""
_HOLDS_NUMBERS = re.compile(
    r"(?:\b(?:intervals?|ranges?|arrays?|vectors?|matrix|matrices|domain|points?|coordinates|vertex|vertices|pair|at|in"
    r"|lies in)|[=∈])$",
    re.IGNORECASE,
)
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+•–>]|#{1,6}|\(?\d{1,2}[.)])[ \t]*){0,3}(?:\*\*)?")
"""The signs that may precede the first word of a line."""
_EMPHASIS_ENDS = re.compile(r"(?<=\S)[*_`]+$")
_BEFORE_ITEM = re.compile(r"(?:^|[\n.!?।:,;]|\b(?:and|or))$")
_NUMBERED_THING = re.compile(
    r"(?:\b(?:figs?|figures?|eqs?|eqns?|equations?|parts?|steps?|sections?|sec|tables?|chapters?|ch|questions?|items?|no"
    r"|nos|number|reactions?|examples?|activity|activities|statements?|exercises?|problems?|options?|pages?|columns?"
    r"|rows?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|is|are|was|were|equals?)\.?|[\d=+×÷*/<>-])$",
    re.IGNORECASE,
)
_MOST_ROUND = 20
"""The highest number in parentheses that is a mark; a higher one is more often a value than a passage."""
NEAR = 40
"""The number of characters before and after a bracket that decide what it is."""


def is_power(text: str, match: re.Match[str]) -> bool:
    """True for an exponent or a charge: a superscript after a number, a symbol, a unit or a quantity."""
    before = _EMPHASIS_ENDS.sub("", text[max(0, match.start() - NEAR) : match.start()].rstrip(" "))
    if at_line_start(before):
        return False
    if not before or before[-1] == "\n" or before[-1] in _CLOSING.replace(")", ""):
        return False
    word = _WORD_BEFORE.search(before)
    if not word or word[1].isupper():
        return True
    latin = word[1].isascii()
    return latin and (word[1].lower() in _POWERS or not re.search("[aeiouy]", word[1], re.IGNORECASE))


def is_mark(text: str, group: Group) -> bool:
    """True if `group` is a citation at its position in `text`."""
    before, after = _around(text, group)
    if group.shape in ("labelled", "raised"):
        return True
    touches = group.start > 0 and text[group.start - 1].isalnum()
    if touches and _is_index(before, group.shape):
        return False
    if len(group.numbers) > 1 and _HOLDS_NUMBERS.search(before):
        return False
    if group.shape == "round":
        return _is_round_mark(before, after, group, touches)
    if not before or before[-1] in _CLOSING + "\n" or _ENDS_CLAUSE.match(after):
        return True
    return not _AWAITS_NUMBER.search(before) or bool(_FUNCTION_WORD.match(after))


def _is_round_mark(before: str, after: str, group: Group, touches: bool) -> bool:
    """True if a number in parentheses is a citation: it ends a clause, or a function word follows it."""
    if touches and not _ENDS_CLAUSE_AT_ONCE.match(after):
        return False
    if max(group.numbers) > _MOST_ROUND or min(group.numbers) < 1 or _NUMBERED_THING.search(before):
        return False
    return not before or before[-1] in _CLOSING + "\n" or bool(_ENDS_CLAUSE.match(after) or _FUNCTION_WORD.match(after))


def _is_index(before: str, shape: str) -> bool:
    """True for "x[1]", "f(1)" and "sin(1)", whose bracket belongs to the symbol before it."""
    word = re.split(r"[^\w]", before)[-1]
    if shape == "round":
        return len(word) < 3 or word.lower() in _POWERS or any(c.isdigit() for c in word)
    return (len(word) == 1 and word.islower()) or "_" in word


def without_items(text: str, groups: list[Group]) -> list[Group]:
    """`groups` without the numbers of list items: "(1) Heat it. (2) Stir it." has no citation.

    Numbers in parentheses that count from 1 and precede their items are list numbers, unless one of them ends a clause.
    """
    rounds = [g for g in groups if g.shape == "round"]
    sides = {g: _around(text, g) for g in rounds}
    front = [g for g in rounds if _BEFORE_ITEM.search(sides[g][0]) and not _ENDS_CLAUSE.match(sides[g][1])]
    lines = {g for g in front if sides[g][0][-1:] in ("", "\n")}
    counts = [g.numbers for g in front] == [(n,) for n in range(1, len(front) + 1)]
    items = set(front) if counts and len(front) == len(rounds) else lines if len(front) < len(rounds) else set()
    return [g for g in groups if g not in items]


def _around(text: str, group: Group) -> tuple[str, str]:
    """(before, after): up to NEAR characters on either side of a group. `before` has no trailing blanks and Markdown
    signs; it is a line break if only the marker of a list item precedes the group on its line."""
    before = text[max(0, group.start - NEAR) : group.start].rstrip(" \t")
    if at_line_start(before):
        before = "\n"
    return _EMPHASIS_ENDS.sub("", before), text[group.end : group.end + NEAR]


def at_line_start(before: str) -> bool:
    """True if the line before the position holds only the marker of a list item. before: up to NEAR characters."""
    _, line_break, line = before.rpartition("\n")
    return (bool(line_break) or len(before) < NEAR) and _MARKER.fullmatch(line) is not None
