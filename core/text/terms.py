"""The names and terms that a text brings, and which terms a sentence says the meaning of."""

import re

from core.text.words import STOPWORDS

_CALLED = re.compile(
    r"\b(is|are) (?:called|known as|termed) (?:the )?((?:an? )?[a-z][a-z\- ]{3,40}?)"
    r"(?=[.,;(]| and | or | because | when |$)"
)
_IS_A = re.compile(r"^((?:An? |The )?[A-Za-z][a-z\-]+(?: [a-z\-]+){0,3}?) (is|are) (?:an? |the |those |that )")
_DEFINES_NOTHING = re.compile(
    r"^(?:it|this|that|these|those|there|here|he|she|they|we|you|one|what|such|each|all|some|most|both|another|other"
    r"|answer|example)\b"
    r"|\b(?:it|this|that|which|by|in|of|to|and|for|on)$"
)
_WORD = r"(?:[A-Z]\. ?)*[A-Z][a-zÀ-ɏ]{2,}(?:[-’][A-Za-z]+)*"
_RUN = re.compile(rf"(?P<opens>^|[.!?:]\s+)?(?P<name>{_WORD}(?: (?:of )?{_WORD})*)")
_FIRST = re.compile(r"(?:^|(?<=[.!?:] ))[A-Z][a-z]*")
_NO_NAME = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday table fig figure activity example section chapter exercise equation formula part
    page yes no a an the it its he she they this that these those we you in on at for and or but if when what why
    how""".split()
)
_NAMED = re.compile(
    r"\b(?:called|known as|termed|named) (?:an? |the |its |their )?([a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
    r"(?=[.,;:)(]| and | or |$)"
)
_NO_TERM = frozenset(
    "after also and another before both each for from other such that this together which with".split()
)


def defined(sentence: str) -> list[tuple[str, str]]:
    """(is or are, term) for every term that a sentence says the meaning of."""
    found = _CALLED.findall(sentence)
    if match := _IS_A.match(sentence):
        term = match.group(1)
        found.append((match.group(2), term[0].lower() + term[1:]))
    return [(verb, term.strip()) for verb, term in found if _is_term(term)]


def _is_term(term: str) -> bool:
    return len(term.split()) <= 4 and not _DEFINES_NOTHING.search(term.strip().lower())


def proper_names(text: str) -> set[str]:
    """Words with capital letters inside sentences, runs of them as one name; no months, days or captions.

    What `text` also writes small, such as the first word of a title, is no name; nor is a run of names, as the cells
    of a table give them.
    """
    small = set(re.findall(r"\b[a-z]+\b", text))
    text = _FIRST.sub(lambda m: m.group().lower() if m.group().lower() in small | STOPWORDS else m.group(), text)
    found = {m["name"] for m in _RUN.finditer(text) if _stands_inside(text, m)}
    found = {name for name in found if not (small | _NO_NAME) & _parts(name)}
    single = {name for name in found if " " not in name}
    return {name for name in found if name in single or not single & set(name.split()[1:])}


def _stands_inside(text: str, name: re.Match[str]) -> bool:
    """True where a capital letter is the name's own: behind a small word, or in a run that opens a sentence."""
    before = text[max(0, name.start("name") - 2) : name.start("name")]
    return bool(re.fullmatch(r"[a-z,] ", before)) or (name["opens"] is not None and " " in name["name"])


def named_terms(text: str) -> set[str]:
    """What `text` says that things are called, in lower case, of one or two words."""
    return {term for term in _NAMED.findall(text) if not _NO_TERM & set(term.split())}


def _parts(name: str) -> set[str]:
    """The words of a name, small, those joined by a hyphen apart."""
    return {word.strip(".'’").lower() for word in re.split(r"[ -]", name)} - {"of"}
