"""What stands between the brackets of a citation mark: the numbers of passages, or no number that can be read."""

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
"""Most passages of one range: "[1-300]" names no passages that anybody was given."""

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
    """The passages that `content` names, each once; () where it names a range that cannot be; None for anything else.

    "1, 2", "1-3", "Source 1", "1, p. 3; 2", "1†source", "Source 2: Science, page 3".
    """
    content = " ".join(content.split())
    found: list[int] = []
    place = 0
    while item := _ITEM.match(content, place):
        first, last = int(item["first"]), int(item["last"] or item["first"])
        if not first <= last <= first + _LONGEST_RANGE:
            return ()
        found += range(first, last + 1)
        place = item.end()
        if place == len(content):
            return tuple(dict.fromkeys(found))
        separator = _SEPARATOR.match(content, place)
        if separator and _ITEM.match(content, separator.end()):
            place = separator.end()
            continue
        titled = _TITLE.match(content, place) and (item["label"] or _ENDS_WITH_PAGE.search(content, place))
        return tuple(dict.fromkeys(found)) if titled else None
    return None


def is_citation(content: str, *, square: bool) -> bool:
    """True where `content` has the look of a citation, though it names no passage: "citation needed", "Smith 2020"."""
    content = " ".join(content.split())
    if _NOT_READABLE.fullmatch(content):
        return True
    if not square:
        return False
    by_author = _AUTHOR_AND_YEAR.fullmatch(content) and not _MONTH.match(content)
    return bool(_NOT_READABLE_IN_SQUARE.fullmatch(content) or by_author)
