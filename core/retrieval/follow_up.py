"""Completes a follow-up question so that it stands alone: pronouns and gaps are filled from the turns before it."""

import re

from core.case import MAX_QUERY, Question, Turn
from core.retrieval.intent import is_asking, kind_of_turn, named_stems, one_line
from core.retrieval.question_parts import (
    as_question,
    in_brackets,
    in_sequence,
    joint,
    topic_of,
    whole,
    without_section_number,
)
from core.settings.domains import Domain
from core.text.sentences import sentences
from core.text.small_talk import greets, without_greeting
from core.text.words import content

MAX_TURNS_BACK = 12
"""Number of turns of the history that are read, from its end."""
_OPENING = re.compile(r"^(?:(?:ok|okay|and|but|so|then|also)\b[\s,]*)+", re.IGNORECASE)
_AGREES = re.compile(r"^(?:ok|okay|fine|great|yes|no)\b")
_LINKS = re.compile(r"^(?:and|but|or|so|then)\b", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how) (?:about|of)\s+", re.IGNORECASE)
_PREPOSITION_START = re.compile(r"^(?P<by>in|of|for|at|on|with|from|to|by|through|under|during)\s", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:]|\b(?:when|if|because|while|whereas|as|since|before|after|until|although|unless|that|who|and|or|but|than)\b"
)
_WH_PHRASE = re.compile(
    r"^(?:(?:in|at|from|to|on|by|with|of|for) )?(?:what|which|whose|how (?:much|many|long|far|high|fast|big|old))\b"
    r"(?: (?:is|are|was|were) (?:the )?(?:\w+ ){1,3}(?:of|for) $| ?\w*)"
)
"""What a question asks for; a later pronoun never refers to it: "which gas", "what are the causes of"."""
_PRONOUN = re.compile(r"\b(?:it|they|them|he|him|she)\b")
_POSSESSIVE = re.compile(r"\b(?:its|their|theirs|his|hers|her|which ones?|the other(?: ones?)?)\b")
_SHOWS = re.compile(
    r"(?:\b(?:this|these|those)|(?:^|\b(?:is|are|was|do|does|did|of|about|with|for|to|by|in|from|like|how|why) )"
    r"that)(?: (?:one|ones|two|three|process|thing))?(?= *(?:$|[?.!,]| (?:is|are|was|were|do|does|did|has|have|can"
    r"|could|will|would|happens?|means?|works?|called|used|made|formed|caused|true|so|in|on|at|by|for|from|with|to|and"
    r"|differ\w*|affects?|helps?|causes?)\b))"
)
"""A demonstrative on its own: not "this chapter", and not "the gas that plants take in"."""
_EXPLETIVE = re.compile(
    r"\bit (?:called|said|true|possible|necessary|important|easy|easier|hard|difficult|takes?|means?)(?: \w+)?"
    r" (?:that|to|when|if|how|why)\b|\bit (?:rains?|snows?)\b"
)
"""An "it" that refers to a later clause, or to nothing."""
_MANNER = frozenset(content("simple simply easy short brief detail word line point"))
_CHOICE = re.compile(r"\bmean (?P<names>.+)\?\s*$")
_ORDINALS = ("first", "second", "third")
_THING = re.compile(r"(?:the|an?|its|their|his|her)\s", re.IGNORECASE)


def complete_question(question: Question, domain: Domain) -> str:
    """The follow-up question, completed so that it stands alone; "" if it needs nothing from earlier turns.

    It needs earlier turns if it refers to something that it does not name, names no thing, has no verb ("And in
    water?"), or answers a clarifying question. In doubt it is treated as needing nothing.
    """
    if not question.history or _asks_nothing(question.query) or kind_of_turn(question) != "question":
        return ""
    previous, clarification = _last_question(question.history[-MAX_TURNS_BACK:], domain)
    complete = _complete(question.query, previous, clarification, domain)
    return complete if len(complete) <= MAX_QUERY else ""


def _last_question(history: tuple[Turn, ...], domain: Domain) -> tuple[str, str]:
    """The last question of the history, completed, and the clarifying question after it; "" for a missing one."""
    previous = clarification = ""
    for index, turn in enumerate(history):
        if turn.role == "assistant":
            clarification = turn.text[-MAX_QUERY:] if turn.text.rstrip().endswith("?") else ""
        elif turn.role != "user" or len(turn.text) > MAX_QUERY or _asks_nothing(turn.text):
            continue
        elif kind_of_turn(Question(query=turn.text, history=history[:index])) == "question":
            text = _complete(turn.text, previous, clarification, domain) or turn.text
            questions = in_sequence(text) or [s for s in sentences(text) if s.endswith("?")]
            previous, clarification = questions[-1] if questions else text.strip(), ""
    return previous, clarification


def _asks_nothing(text: str) -> bool:
    """True for a text that begins with thanks, a greeting or an "ok", and asks nothing."""
    line = one_line(text)
    opening = _OPENING.sub("", without_greeting(line)).partition(" ")[0]
    return (greets(line) or bool(_AGREES.match(line))) and "?" not in line and not is_asking(opening)


def _complete(query: str, previous: str, clarification: str, domain: Domain) -> str:
    """Return `query` with the words that it takes from the previous question; "" if it takes none."""
    without_hello = without_greeting(" ".join(query.split()))
    bare = _OPENING.sub("", without_hello).strip(" ?!.")
    if not previous or not bare:
        return ""
    if clarification and (answer := _chosen_meaning(bare, previous, clarification, domain)):
        return as_question(in_brackets(previous, answer))
    rest, text = _ABOUT.sub("", bare), one_line(bare)
    if rest != bare or (_LINKS.match(without_hello) and not is_asking(text)):
        return as_question(_substitute(rest, previous, domain))
    if not named_stems(text, domain) or not set(named_stems(text, domain)) - _MANNER or _has_back_reference(text):
        first = joint(bare)
        return as_question(in_brackets(bare[:first], _antecedent(previous, domain)) + bare[first:])
    return ""


def _antecedent(previous: str, domain: Domain) -> str:
    """The words that "it" in a follow-up refers to, which are taken from the previous question.

    previous: a question that may end in brackets with the words that completed it; these are used too, or alone, if the
    question itself names too little.
    """
    main, _, before = previous.rstrip("?!. )").rpartition(" (")
    if not main or not previous.rstrip("?!. ").endswith(")"):
        return topic_of(previous)
    if is_asking(one_line(main)) or _has_back_reference(one_line(main)):
        own_topic = topic_of(main)
        return (
            f"{own_topic}, {before}"
            if _THING.match(own_topic) and own_topic != whole(main) and _named_things(own_topic)
            else before
        )
    new_names = set(named_stems(main.lower(), domain)) - set(content(before))
    return whole(main) if new_names and not _PREPOSITION_START.match(before) else before


def _chosen_meaning(bare: str, previous: str, clarification: str, domain: Domain) -> str:
    """The answer in `bare` to a clarifying question: one of its choices, or further words; "" if it is no answer."""
    choice = _CHOICE.search(clarification)
    names = (
        [without_section_number(name) for name in re.split(r", | or ", choice["names"])[: len(_ORDINALS)]]
        if choice
        else []
    )
    for name, ordinal in zip(names, _ORDINALS, strict=False):
        if re.search(rf"\b{ordinal}\b", bare, re.IGNORECASE):
            return name
    if is_asking(one_line(bare)):
        return ""
    named_words = set(named_stems(bare.lower(), domain))
    shared = [len(named_words & set(named_stems(name.lower(), domain))) for name in names]
    if shared and shared.count(max(shared)) == 1:
        return names[shared.index(max(shared))]
    return (
        bare
        if _PREPOSITION_START.match(bare)
        or named_words & set(named_stems(f"{previous} {clarification}".lower(), domain))
        else ""
    )


def _substitute(rest: str, previous: str, domain: Domain) -> str:
    """The previous question, in which `rest` replaces what it asked about: "in water" for "in air".

    In doubt, `rest` followed in brackets by the previous question; if `rest` names nothing, by the topic of that
    question.
    """
    if _has_back_reference(one_line(rest)) or not named_stems(rest.lower(), domain):
        return in_brackets(rest, topic_of(previous))
    bare = previous.rstrip("?!. ")
    if preposition := _PREPOSITION_START.match(rest):
        before = [m.start() for m in re.finditer(rf"\b{preposition['by']}\b", bare, re.IGNORECASE)]
        return f"{bare[: before[-1]] if before and not bare.endswith(')') else f'{bare} '}{rest}?"
    topic = topic_of(previous)
    one_thing = len(topic.split()) <= 3 and topic in bare and topic != bare and not _CLAUSE.search(topic.lower())
    if not one_thing:
        return in_brackets(rest, whole(previous))
    if re.search(rf"\bis (?:an?) {re.escape(topic.partition(' ')[2])}$", bare) and re.search(r"[^sui]s$", rest):
        return f"{re.sub(r'is an? .*$', 'are', bare)} {rest}?"
    return f"{rest.join(bare.rsplit(topic, 1))}?"


def _has_back_reference(text: str) -> bool:
    """True if a question in lower case has a pronoun or demonstrative that refers to something outside the question."""
    if _SHOWS.search(text):
        return True
    if (pronoun := _PRONOUN.search(text)) and not _EXPLETIVE.match(text, pronoun.start()):
        clauses = _CLAUSE.split(text[: pronoun.start()])[:-1]
        return not any(_named_things(clause) for clause in clauses)
    possessive = _POSSESSIVE.search(text)
    return bool(possessive) and not _named_things(text[: possessive.start()])


def _named_things(text: str) -> list[str]:
    """The content words of a clause that name things, without its question phrase, such as "which gas"."""
    return [w for w in content(_WH_PHRASE.sub("", text.lstrip())) if w not in ("happen", "tell", "explain")]
