"""Which terms a sentence says the meaning of."""

import re

_CALLED = re.compile(
    r"\b(is|are) (?:called|known as|termed) (?:the )?((?:an? )?[a-z][a-z\- ]{3,40}?)"
    r"(?=[.,;(]| and | or | because | when |$)"
)
_IS_A = re.compile(r"^((?:An? |The )?[A-Za-z][a-z\-]+(?: [a-z\-]+){0,3}?) (is|are) (?:an? |the |those |that )")
_NO_TERM = re.compile(
    r"^(?:it|this|that|these|those|there|here|he|she|they|we|you|one|what|such|each|all|some|most|both|another|other"
    r"|answer|example)\b"
    r"|\b(?:it|this|that|which|by|in|of|to|and|for|on)$"
)


def defined(sentence: str) -> list[tuple[str, str]]:
    """(is or are, term) for every term that a sentence says the meaning of."""
    found = _CALLED.findall(sentence)
    if match := _IS_A.match(sentence):
        term = match.group(1)
        found.append((match.group(2), term[0].lower() + term[1:]))
    return [(verb, term.strip()) for verb, term in found if _is_term(term)]


def _is_term(term: str) -> bool:
    return len(term.split()) <= 4 and not _NO_TERM.search(term.strip().lower())
