"""Sentences that say that there is no answer: "I don't know.", "The passages do not say how many.", "Not mentioned."

data/abstentions.json holds their forms, in lower case: words, alternatives by the name that forms use; failures, what
programs write in place of an answer; opens_with, forms at the start of a clause; holds, forms after any subject;
beside, forms that state nothing; openers, words before a clause; signs, of which every form holds one.

A negative statement of fact ("Bacteria do not have a nucleus") is no abstention, nor is a sentence that also states
something ("I'm not sure, but sound needs a medium").
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.text.citation_marks import without_marks
from core.text.lexicon import first_word, listed, table, word_set
from core.text.small_talk import form_of

LONGEST = 1_000
"""The most characters of an abstention; a longer sentence states something."""
_LINK = re.compile(
    r"(;|:|\s[–—-]|,?\s(?:but|however|although|though|nevertheless|yet|because|since|while|whereas|only that)\b,?"
    r"|,\s(?:and|so)\b|\.)\s+"
)
"""The links between two clauses of a sentence."""
_CONDITIONS = frozenset("if when where whenever unless since because although though while as".split())
_REASONS = ("as", "since", "because")
_NOT_ONLY = re.compile(r"\bnot (?:only|just|merely|simply)\b")
_VERBS, _DEPENDING = frozenset(listed("verbs of a clause")), frozenset(listed("first words of a clause that depends"))
"""The first words of a clause that depends on the one before: "I don't know what it is, and where it grows"."""


@lru_cache(maxsize=4096)
def abstains(sentence: str) -> bool:
    """True if `sentence` says that there is no answer and states nothing else."""
    plain_text = _fold(sentence) if len(sentence) <= LONGEST else ""
    if _pattern("failures").match(plain_text) or sentence.strip() == "NA":  # "Na" is sodium
        return True
    if not _pattern("signs").search(plain_text):  # few sentences of a book hold one of these words
        return False
    text = _without_openers(plain_text)
    first, _, reason = text.partition(" ")
    if first in _REASONS and reason:
        return all(map(_is_abstention, reason.split(", ", 1))) and ", " in text
    if first_word(text) in _CONDITIONS or _NOT_ONLY.search(text):
        return False
    first, *rest = _LINK.split(text)
    clauses = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    return any(_is_abstention(clause) for _, clause in clauses) and all(_adds_nothing(*clause) for clause in clauses)


def abstention_flags(sentences: Sequence[str]) -> list[bool]:
    """For each sentence of an answer, True if it belongs to an abstention.

    A sentence belongs to an abstention if it says that there is no answer. If all other sentences of the answer state
    nothing, they belong to it too: "Please ask your teacher" after "I don't know".
    """
    is_abstention = [abstains(sentence) for sentence in sentences]
    if any(is_abstention) and all(so or states_nothing(s) for so, s in zip(is_abstention, sentences, strict=True)):
        return [True] * len(sentences)
    return is_abstention


def states_nothing(sentence: str) -> bool:
    """True for a courtesy, an offer, a clarifying question, advice where to look, or a remark on the source's topic."""
    return form_of(sentence) != "statement" or bool(_pattern("beside").match(_without_openers(_fold(sentence))))


def _fold(sentence: str) -> str:
    """`sentence` in lower case, without citation marks and surrounding quotation marks."""
    text = " ".join(without_marks(sentence).lower().replace("’", "'").split())
    if len(text) > 1 and text[0] in "\"“'‘(*" and text.rstrip(".!?")[-1:] in "\"”'’)*":
        text = text.strip("\"“”'‘’()*.")
    return text


def _without_openers(clause: str) -> str:
    """`clause` without its opening words: "Sorry, ", "Based on the provided text, "."""
    openers = _pattern("openers")
    while opener := openers.match(clause):
        clause = clause[opener.end() :]
    return clause


def _is_abstention(clause: str) -> bool:
    clause = _without_openers(clause)
    holds = first_word(clause) not in _CONDITIONS and _pattern("holds").search(clause)
    return bool(holds or _pattern("opens_with").match(clause))


def _adds_nothing(link: str, clause: str) -> bool:
    """True for a clause that abstains or states nothing, for one that depends on the clause before, for a reason that
    names the source, and for words without a verb after "and". link: the words between the clauses."""
    word = link.strip(" ,")
    if not clause.strip(" .,!?") or _is_abstention(clause) or states_nothing(clause):
        return True
    if word in ("because", "since"):
        return bool(re.match(_fill_form("of\\b|{the_book}|{in_book}|{no_book}"), clause))
    depends = word in ("", "and") and first_word(clause) in _DEPENDING
    return depends or (word == "and" and not _VERBS & word_set(clause))


@lru_cache(maxsize=8)
def _pattern(part: str) -> re.Pattern[str]:
    """One pattern for all forms under the key `part` of the file."""
    return re.compile(_fill_form("|".join(form for forms in table("abstentions")[part].values() for form in forms)))


@lru_cache(maxsize=64)
def _fill_form(form: str) -> str:
    """`form` with the alternatives of the file in place of their {names}."""
    words = table("abstentions")["words"]
    return re.sub(r"\{([a-z_]+)\}", lambda name: f"(?:{_fill_form('|'.join(words[name[1]]))})", form)
