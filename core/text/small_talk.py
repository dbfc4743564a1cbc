"""Small talk in a turn or around an answer: greetings, offers, questions back, announcements."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Literal

from core.text.lexicon import any_of, table
from core.text.quantities import numbers
from core.text.words import content, stem, words

Form = Literal["courtesy", "offer", "decline", "asking", "statement"]

_PERSON = frozenset("i me my we us our you your i'm i'd i'll we're you're".split())
_POLITE = _PERSON | {"please", "sorry", "let's"}
_OTHERS = frozenset("he him his she her hers they them their theirs".split())
_NEGATION = frozenset("not never cannot nor".split())
_OPENING = r"(?:(?:sure|of course|certainly|okay|ok|alright|great|sorry|i'm sorry|or|and|but|so|then)[,!.]?\s+)*"
_ACTS = rf"(?:{any_of('verbs of an offer')})\b"
_OFFER = re.compile(
    rf"^{_OPENING}(?:let (?:me|us)|(?:i|we)(?:'ll| will| can| could|'d| would|'m| am)(?: be)?(?: (?:happy|glad) to)?"
    rf"|would you like(?: me)? to|do you want(?: me)? to|shall (?:i|we)|may i|please(?: feel free to)?|feel free to)"
    rf" (?:also |just )?{_ACTS}"
)
_DECLINE = re.compile(
    rf"^{_OPENING}(?:i|we)(?: can't| cannot| can not|(?: am|'m|'re| are) (?:not able|unable) to)"
    r" (?:help|assist|advise)\b"
)
_ASKING = re.compile(
    rf"^{_OPENING}(?:how|what|which|who|where|when|would|do|does|did|is|are|can|could|may|shall|should|have)\b.*\?$"
)
_CLAUSE = re.compile(
    r"\bthat(?= (?!(?:up|in|for|with|on|now)\b)\w)"
    r"|\b(?:because|since|why|how|when|if|whether|which|who|is|are|was|were|has|have|had|does|did|not|no|never"
    r"|only|as|than|so)\b|n't\b"
)
"""The start of another clause, which may state something."""

_SEAM = re.compile(r"[,:!](?:\s+|$)|\bthat\s+|\s[–—-]\s")
"""The end of an opening clause: "Sure, ", "As a tutor, I can tell you that "."""
_STATES = frozenset("if unless when until while because although though only doubt hope wish feel need".split())
"""Words of an opening that the statement behind it needs."""
_VERBS = frozenset("is are was were".split())
"""Words of a statement of its own before a comma: "A good answer is short, as the king said"."""
_PRAISE = re.compile(r"\b(?:great|good|interesting) question\b")
"""Filler by source document C, so its check must read it."""
_LONGEST_OPENING = 120
_GREETINGS = "|".join(sorted(table("conversation")["greeting"], key=len, reverse=True))
_GREETING = re.compile(
    rf"\s*(?:(?:ok|okay|oh|great|well)[\s,]+)*(?:{_GREETINGS})(?![\w-])"
    r"(?: (?:there|again|sir|madam|teacher|everyone|all|so much|very much|a lot|tomorrow|later|soon|for the help)\b)*"
    r"[\s,.!;:-]*",
    re.IGNORECASE,
)
_PICTURES = ("So", "Sk", "Mn", "Cf", "Zs", "Po")
"""The Unicode categories of an emoji with its modifiers, of blanks and of stops."""


def stated(sentence: str) -> str:
    """What `sentence` states, without the small talk before it: "I can tell you that ice floats." states "Ice floats.";
    "Hope that helps!" and "Here is a table:" state nothing, "". A yes or no is no small talk.
    """
    if _is_courtesy(_fold(sentence)) or all(unicodedata.category(c) in _PICTURES for c in sentence):
        return ""
    for seam in reversed(list(_SEAM.finditer(sentence[:_LONGEST_OPENING]))):
        opening, rest = _fold(sentence[: seam.end()]), sentence[seam.end() :].strip()
        states = _STATES | (_VERBS if seam.group()[0] == "," else frozenset())
        if rest and not states & set(words(opening)) and _is_courtesy(opening, opening=True):
            return rest[0].upper() + rest[1:]
    return sentence


def is_said_to_reader(sentence: str) -> bool:
    """True if `sentence` speaks to the reader: a question on "you" or on what was said, or a sentence that mostly has
    words of the talk. It has no number, name, condition or denial, but may still state something: a caller must know
    what the sentences beside it are about.
    """
    text, others = _fold(sentence), sentence.split()[1:]
    first, text_words = (words(text) or ("",))[0], set(words(text))
    stems = content(" ".join(w for w in words(text) if "'" not in w))
    has_name = any(word[0].isupper() and word not in ("I", "I'm", "I'd", "I'll") for word in others)
    states = (_NEGATION | _OTHERS | _STATES) & text_words or "n't" in text or numbers(text)
    if has_name or states or affirms(text) or _PRAISE.search(text):
        return False
    if text.endswith("?"):
        return bool({"you", "your", "that", "this"} & text_words)
    talk = in_lexicon("talk") | in_lexicon("courtesy") | in_lexicon("about_talk")
    of_talk = [word for word in stems if word in talk]
    is_thanks = len(stems) == 2 and stems[0] in talk and first not in _PERSON
    is_half = is_thanks or text.startswith("that")  # "Thank you for your patience.", "That's a lovely question, dear!"
    is_addressed = bool(_POLITE & text_words) or text.endswith("!")
    return bool(of_talk) and is_addressed and 2 * len(of_talk) >= len(stems) + (not is_half)


def form_of(sentence: str) -> Form:
    """The role of a sentence in a conversation. Only a "statement" states something, or one that has a `topic_of`."""
    text = _fold(sentence)
    if _DECLINE.match(text):
        return "decline"
    if _ASKING.match(text):
        return "asking"
    if _is_courtesy(text):
        return "courtesy"
    return "offer" if _OFFER.match(text) else "statement"


def topic_of(sentence: str) -> str | None:
    """The topic of an offer, a refusal to help or a question; None if it holds a clause that could state something.

    "Let me check our return policy for you." is about "our return policy for you.".
    """
    text = _fold(sentence)
    opening = _OFFER.match(text) or _DECLINE.match(text)
    rest = text[opening.end() :] if opening else re.sub(rf"^{_OPENING}\w+", "", text)
    return None if _CLAUSE.search(rest) or numbers(rest) else rest


def greets(text: str) -> bool:
    """True if `text` begins with a greeting or thanks."""
    return bool(_GREETING.match(text))


def without_greeting(text: str) -> str:
    """`text` without the greetings and thanks at its start."""
    while match := _GREETING.match(text):
        text = text[match.end() :]
    return text


@lru_cache
def in_lexicon(kind: str) -> frozenset[str]:
    """The stems of one list of data/conversation.json, such as "courtesy" or "affirming"."""
    return frozenset(stem(word) for entry in table("conversation")[kind] for word in words(entry))


def affirms(text: str) -> bool:
    """True if `text` says yes or no, and so answers a question."""
    return bool(in_lexicon("affirming") & {stem(w) for w in words(text)})


def beyond_courtesy(text: str) -> list[str]:
    """The stems of the content words of `text` that are not words of courtesy."""
    text_words = " ".join(w for w in words(without_greeting(text)) if w not in _PERSON)
    return [w for w in content(text_words) if w not in in_lexicon("courtesy")]


def runs(stems: Iterable[str], of: frozenset[str]) -> list[list[str]]:
    """The runs of adjacent `stems` that are in `of`."""
    return [list(run) for is_of, run in groupby(stems, of.__contains__) if is_of]


def _is_courtesy(text: str, *, opening: bool = False) -> bool:
    """True for greetings, thanks, and words about the talk itself that do not affirm, deny or count anything.

    opening: whether `text` opens a statement; it must then greet or name the talk.
    """
    text_words = set(words(text))
    stems = set(content(" ".join(w for w in words(without_greeting(text)) if w not in _PERSON)))
    is_talk = greets(text) or bool(in_lexicon("talk") & stems)
    if not opening:
        is_talk |= bool((_POLITE | {"here"}) & text_words) or text.endswith((":", "!"))
    if (
        not is_talk
        or _PRAISE.search(text)
        or affirms(text)
        or (_NEGATION | _OTHERS) & text_words
        or "n't" in text
        or numbers(text)
    ):
        return False
    return stems <= in_lexicon("talk") | in_lexicon("about_talk") | in_lexicon("courtesy")


def _fold(sentence: str) -> str:
    return " ".join(sentence.lower().replace("’", "'").split())
