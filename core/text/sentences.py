"""Splits text into sentences with the library sentencex; this module adds rules for school books."""

import re
from functools import lru_cache, partial
from itertools import pairwise

import sentencex

from core.text.lexicon import any_of, listed

LIST_MARKER = r"(?:[•▪●○■□➢✓*–—-]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])"
"""The marker of a list item: a bullet, or a number or letter with a full stop or bracket."""


_LOWER_CASE = re.compile(r"[\"'“‘(\[]?[a-z](?![A-Z])")
_TITLES, _NUMBERED = listed("titles of names"), listed("abbreviations before a number")
_IN_A_PHRASE = listed("abbreviations in a phrase")
_NUMBER = re.compile(r"[(\[]?\d|No\b")
_ITEM = re.compile(r"[•▪●○■□➢✓]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})\)|(?:\d{1,3}|[a-z]|[ivx]{1,4})\.\s")
_MARKER_ALONE = re.compile(rf"{LIST_MARKER}+")
_ENDS_IN_MARKER = re.compile(r"(?:[:;]|[:;] ?[-–—])\s+(?=\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s*$)")
_INSIDE = re.compile(
    r"(?:"
    r"(?<=\d)\s?[a-zµΩ]{1,2}\.\s+(?=[A-Z][A-Za-z])"  # "5 m. Water": a unit has no full stop of its own
    rf"|(?<=\d)\s?[A-Z][a-z]?\.\s+(?=(?:{any_of('sentence openers')})\b)"  # "3 A. The"; "1928 F. Went" is a name
    rf"|(?<=\s)[a-z]\.\s+(?=(?:{any_of('sentence openers')})\b)"  # "called g. It"
    r"|(?<=\d)(?<!\b[12]\d{3})\s?[A-Z]\.\s+(?=[A-Z][a-z]+ (?:is|are|was|were|has|have|can|will)\b)"  # "5 V. Power is"
    r"|[=+–/×]\s?[A-Za-z]\.\s+(?=[A-Z][A-Za-z])"  # "C + I. Adding": the end of a formula
    r"|[?!]\)\s+(?=[A-Z])"  # "= 9 (Why?) So"
    r"|\b[Nn]o\.\s+(?=[A-Z][a-z])"  # "is no. Plants": a number would follow the abbreviation
    r"|\s\.\s+(?=[A-Z][a-z])"  # "25 km h . The": no abbreviation has a space before its stop
    rf"|\b(?i:{any_of('named by a letter')})\s[A-Z]\.\s+(?=[A-Z][a-z])"  # "vitamin C. Oranges"
    r")"
)
_MISREAD = re.compile(
    r"(?<![\w.])(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})(?=\))|[•▪●○■□➢✓\ud800-\udfff]"
    r"|\.{2,}(?!\s+[\"'“‘(\[]?[A-Z])|…(?!\s+[A-Z])"
)
"""Signs that the library misreads: "(a)", "1)" and bullets, after which it stops splitting; the dots of "1, 2, ..., n";
and surrogates, which it cannot read."""
_MARKS = re.compile(r"([.!?।][\"”’)]?)((?:\s?\[\d[\d,;\s–-]{0,20}\]){1,10})(?!\w)")
"""Citation marks after a full stop belong to the sentence before them."""
_NO_SPACE = re.compile(r"(?:[a-z\d)\]]{2}[.!?]+[\"”’)\]]*|।)$")
_STARTS = re.compile(r"[\"“‘(\[]?(?:[A-Z][a-z]|[^\x00-\x7f])")
_CLOSES = {"(": ")", "[": "]"}
_PAIRED = str.maketrans(dict.fromkeys('"“”‘’()[]', "\x00"))
_LONG = 60
"""A segment with at least this many words is also split inside its quotation marks and brackets."""
_NEAR = 20
"""The number of characters before a cut that decide whether a sentence ends there."""


@lru_cache(maxsize=1024)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`. White space is folded to single spaces, and each sentence is a substring of the folded
    text. Quotations and brackets stay whole, and the number of a list item stays with its item."""
    line = " ".join(text.split())
    starts: list[int] = []
    for start, end in pairwise([*_cuts(line), len(line)]):
        if not starts or not _continues(line[starts[-1] : start].strip(), line[start:end].strip()):
            starts.append(start)
    return tuple(filter(None, (line[start:end].strip() for start, end in pairwise([*starts, len(line)]))))


def _cuts(line: str) -> list[int]:
    """The positions in `line`, sorted, where a sentence may begin, with 0: by the library and by this module."""
    cuts, blank = {0}, partial(_MISREAD.sub, lambda sign: "_" * len(sign[0]))  # the splitter ignores underscores
    mask = _MARKS.sub(lambda match: "_" * len(match[2]) + match[1], blank(line))
    for boundary in sentencex.get_sentence_boundaries("en", mask):
        start, segment = boundary["start_index"], line[boundary["start_index"] : boundary["end_index"]]
        inner = {match.end() for match in (*_INSIDE.finditer(segment), *_ENDS_IN_MARKER.finditer(segment))}
        inner |= {_end_of_bracket(segment)}
        if segment.count(" ") >= _LONG:  # its quotation marks and brackets may not be pairs
            unpaired = blank(segment).translate(_PAIRED)
            ends = [boundary["end_index"] for boundary in sentencex.get_sentence_boundaries("en", unpaired)]
            inner |= {end for end in ends[:-1] if segment[end - 1 : end] == " "}
        cuts |= {start + cut for cut in inner | {0} if cut < len(segment.rstrip())}
    return sorted(  # without a space, a sentence ends in "years.These", but not in "c.Y" and "FeSO4.7H2O"
        cut for cut in cuts if not cut or line[cut - 1] == " "
        or (_NO_SPACE.search(line, max(0, cut - _NEAR), cut) and _STARTS.match(line, cut))
    )  # fmt: skip


def _end_of_bracket(segment: str) -> int:
    """The start of the sentence after a bracketed sentence that opens `segment`; 0 if there is none."""
    closing = _CLOSES.get(segment[:1])
    end = segment.find(closing) if closing else -1
    follows = end > 1 and segment[end - 1] in ".!?" and segment[end + 1 : end + 2] == " "
    return end + 2 if follows and segment[end + 2 : end + 3].isupper() and segment.count(" ", 0, end) > 1 else 0


def _continues(before: str, after: str) -> bool:
    """True if `before` is not a whole sentence and `after` continues it."""
    if _MARKER_ALONE.fullmatch(before):
        return True
    word = re.split(r"[\s(\[“\"]", before[:-1])[-1] if before.endswith(".") else ""  # perhaps an abbreviation
    if word in _TITLES or (word in _NUMBERED and _NUMBER.match(after)):
        return True
    if not _LOWER_CASE.match(after) or _ITEM.match(after):
        return False
    pauses = before.rstrip("\"'”’)]").endswith(("!", "?", ".."))
    return pauses or word in _IN_A_PHRASE or re.fullmatch(r"[A-Za-z\d]{1,3}", word) is not None
