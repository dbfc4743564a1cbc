"""The content of the brackets of a citation mark: the numbers of passages, or no readable number."""

import re

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
        titled = _TITLE.match(content, position) and (item["label"] or _ENDS_WITH_PAGE.search(content, position))
        return tuple(dict.fromkeys(numbers)) if titled else None
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
