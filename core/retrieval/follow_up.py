"""A follow-up question, said so that it stands alone: what it points at or leaves out comes from what went before."""

import re

from core.case import MAX_QUERY, Question, Turn
from core.retrieval.intent import is_asking, kind_of_turn, named, one_line
from core.retrieval.question_parts import ended, in_brackets, in_sequence, joint, meant, topic_of, whole
from core.settings.domains import Domain
from core.text.sentences import sentences
from core.text.small_talk import greets, without_greeting
from core.text.words import content

LOOKS_BACK = 12
"""Turns of the history that are looked at, the last ones."""
_OPENING = re.compile(r"^(?:(?:ok|okay|and|but|so|then|also)\b[\s,]*)+", re.IGNORECASE)
_AGREES = re.compile(r"^(?:ok|okay|fine|great|yes|no)\b")
_LINKS = re.compile(r"^(?:and|but|or|so|then)\b", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how) (?:about|of)\s+", re.IGNORECASE)
_PLACED = re.compile(r"^(?P<by>in|of|for|at|on|with|from|to|by|through|under|during)\s", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:]|\b(?:when|if|because|while|whereas|as|since|before|after|until|although|unless|that|who|and|or|but|than)\b"
)
_WH_PHRASE = re.compile(
    r"^(?:(?:in|at|from|to|on|by|with|of|for) )?(?:what|which|whose|how (?:much|many|long|far|high|fast|big|old))\b"
    r"(?: (?:is|are|was|were) (?:the )?(?:\w+ ){1,3}(?:of|for) $| ?\w*)"
)
"""What a question asks for, which no pronoun behind it stands for: "which gas", "what are the causes of"."""
_STANDS_FOR = re.compile(r"\b(?:it|they|them|he|him|she)\b")
_BELONGS_TO = re.compile(r"\b(?:its|their|theirs|his|hers|her|which ones?|the other(?: ones?)?)\b")
_SHOWS = re.compile(
    r"(?:\b(?:this|these|those)|(?:^|\b(?:is|are|was|do|does|did|of|about|with|for|to|by|in|from|like|how|why) )"
    r"that)(?: (?:one|ones|two|three|process|thing))?(?= *(?:$|[?.!,]| (?:is|are|was|were|do|does|did|has|have|can"
    r"|could|will|would|happens?|means?|works?|called|used|made|formed|caused|true|so|in|on|at|by|for|from|with|to|and"
    r"|differ\w*|affects?|helps?|causes?)\b))"
)
"""A pointing word that stands alone: not "this chapter", and not "the gas that plants take in"."""
_EXPLETIVE = re.compile(
    r"\bit (?:called|said|true|possible|necessary|important|easy|easier|hard|difficult|takes?|means?)(?: \w+)?"
    r" (?:that|to|when|if|how|why)\b|\bit (?:rains?|snows?)\b"
)
"""An "it" that stands for what follows it, or for nothing."""
_MANNER = frozenset(content("simple simply easy short brief detail word line point"))
_CHOICE = re.compile(r"\bmean (?P<names>.+)\?\s*$")
_ORDINALS = ("first", "second", "third")
_THING = re.compile(r"(?:the|an?|its|their|his|her)\s", re.IGNORECASE)


def understood(question: Question, domain: Domain) -> str:
    """What a follow-up asks, said so that it stands alone; "" where the question needs nothing of what went before.

    It does when it points at what it does not name, names nothing, leaves its verb out ("And in water?"), or answers
    a question that was asked back. In doubt nothing changes.
    """
    if not question.history or _only_tells(question.query) or kind_of_turn(question) != "question":
        return ""
    asked, back = _before(question.history[-LOOKS_BACK:], domain)
    found = _completed(question.query, asked, back, domain)
    return found if len(found) <= MAX_QUERY else ""


def _before(history: tuple[Turn, ...], domain: Domain) -> tuple[str, str]:
    """The last question of the history as it was understood, and what was asked back of it; "" where nothing was."""
    asked = back = ""
    for place, turn in enumerate(history):
        if turn.role == "assistant":
            back = turn.text[-MAX_QUERY:] if turn.text.rstrip().endswith("?") else ""
        elif turn.role != "user" or len(turn.text) > MAX_QUERY or _only_tells(turn.text):
            continue
        elif kind_of_turn(Question(query=turn.text, history=history[:place])) == "question":
            asked, back = _last(_completed(turn.text, asked, back, domain) or turn.text), ""
    return asked, back


def _last(told: str) -> str:
    """The last question of a turn that may hold several, or say things around it."""
    asking = in_sequence(told) or [s for s in sentences(told) if s.endswith("?")]
    return asking[-1] if asking else told.strip()


def _only_tells(text: str) -> bool:
    """True for thanks, a greeting or an "ok" with something behind it that asks nothing."""
    said = one_line(text)
    opening = _OPENING.sub("", without_greeting(said)).partition(" ")[0]
    return (greets(said) or bool(_AGREES.match(said))) and "?" not in said and not is_asking(opening)


def _completed(query: str, asked: str, back: str, domain: Domain) -> str:
    """`query` with what it takes from the question before it; "" when it takes nothing."""
    said = without_greeting(" ".join(query.split()))
    bare = _OPENING.sub("", said).strip(" ?!.")
    if not asked or not bare:
        return ""
    if back and (answer := _answer(bare, asked, back, domain)):
        return ended(in_brackets(asked, answer))
    rest, text = _ABOUT.sub("", bare), one_line(bare)
    if rest != bare or (_LINKS.match(said) and not is_asking(text)):
        return ended(_in_place(rest, asked, domain))
    if not named(text, domain) or not set(named(text, domain)) - _MANNER or _points_back(text):
        first = joint(bare)
        return ended(in_brackets(bare[:first], _pointed_at(asked, domain)) + bare[first:])
    return ""


def _pointed_at(asked: str, domain: Domain) -> str:
    """What "it" is after a question: what that one named itself, with what it took from the question before it."""
    front, _, before = asked.rstrip("?!. )").rpartition(" (")
    if not front or not asked.rstrip("?!. ").endswith(")"):
        return topic_of(asked)
    if is_asking(one_line(front)) or _points_back(one_line(front)):
        own = topic_of(front)
        return f"{own}, {before}" if _THING.match(own) and own != whole(front) and _things(own) else before
    other = set(named(front.lower(), domain)) - set(content(before))
    return whole(front) if other and not _PLACED.match(before) else before


def _answer(bare: str, asked: str, back: str, domain: Domain) -> str:
    """What `bare` says to a question asked back: one of what it names, or more words; "" for something else."""
    choice = _CHOICE.search(back)
    names = [meant(name) for name in re.split(r", | or ", choice["names"])[: len(_ORDINALS)]] if choice else []
    for name, ordinal in zip(names, _ORDINALS, strict=False):
        if re.search(rf"\b{ordinal}\b", bare, re.IGNORECASE):
            return name
    if is_asking(one_line(bare)):
        return ""
    told = set(named(bare.lower(), domain))
    shared = [len(told & set(named(name.lower(), domain))) for name in names]
    if shared and shared.count(max(shared)) == 1:
        return names[shared.index(max(shared))]
    return bare if _PLACED.match(bare) or told & set(named(f"{asked} {back}".lower(), domain)) else ""


def _in_place(rest: str, asked: str, domain: Domain) -> str:
    """The question before with `rest` in the place of what it asked about: "in water" for "in air".

    In doubt `rest` with the question before in brackets; where it names nothing, with what that one was about.
    """
    if _points_back(one_line(rest)) or not named(rest.lower(), domain):
        return in_brackets(rest, topic_of(asked))
    bare = asked.rstrip("?!. ")
    if placed := _PLACED.match(rest):
        before = [m.start() for m in re.finditer(rf"\b{placed['by']}\b", bare, re.IGNORECASE)]
        return f"{bare[: before[-1]] if before and not bare.endswith(')') else f'{bare} '}{rest}?"
    topic = topic_of(asked)
    one_thing = len(topic.split()) <= 3 and topic in bare and topic != bare and not _CLAUSE.search(topic.lower())
    if not one_thing:
        return in_brackets(rest, whole(asked))
    if re.search(rf"\bis (?:an?) {re.escape(topic.partition(' ')[2])}$", bare) and re.search(r"[^sui]s$", rest):
        return f"{re.sub(r'is an? .*$', 'are', bare)} {rest}?"
    return f"{rest.join(bare.rsplit(topic, 1))}?"


def _points_back(text: str) -> bool:
    """True when a question, in small letters, points at something that it does not name itself."""
    if _SHOWS.search(text):
        return True
    if (found := _STANDS_FOR.search(text)) and not _EXPLETIVE.match(text, found.start()):
        clauses = _CLAUSE.split(text[: found.start()])[:-1]
        return not any(_things(clause) for clause in clauses)
    owned = _BELONGS_TO.search(text)
    return bool(owned) and not _things(text[: owned.start()])


def _things(text: str) -> list[str]:
    """What a piece of a question names beyond what it asks for."""
    return [w for w in content(_WH_PHRASE.sub("", text.lstrip())) if w not in ("happen", "tell", "explain")]
