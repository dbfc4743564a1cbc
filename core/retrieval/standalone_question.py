"""The question that is asked in place of what a user typed, so that it stands alone.

A follow-up is completed: what it is about stands in brackets behind it, taken from the question before. Words around a
question are taken away: "I'm 12 and live in Pune, how long is the Karu bridge?" asks how long the Karu bridge is, and
"Write a note on rivers" asks what rivers are.
"""

import re

from core.case import MAX_QUERY, Question, Turn
from core.retrieval.intent import is_asking, kind_of_turn, named_stems, one_line
from core.retrieval.question_parts import (
    as_question,
    back_reference,
    in_brackets,
    joint,
    split_question,
    topic_of,
    whole,
    without_section_number,
)
from core.settings.domains import Domain
from core.text.questions import ORDER, PREPOSITION, VERB, WH, account_topic, core_of, is_plural, plan_of
from core.text.sentences import sentences
from core.text.small_talk import greets, in_lexicon, stated, without_greeting
from core.text.words import content
from core.words import joined

MAX_TURNS_BACK = 12
"""Number of turns of the history that are read, from its end."""
_OPENING = re.compile(r"^(?:(?:ok|okay|and|but|so|then|also)\b[\s,]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how) (?:about|of)\s+", re.IGNORECASE)
_PLACE = re.compile(rf"(?P<by>{PREPOSITION}) ", re.IGNORECASE)
_WH_PHRASE = re.compile(r"^(?:which|what|how (?:many|much))(?: (?!is\b|are\b|was\b|does\b|do\b)\w+)?")
"""What a question asks for; a later pronoun never refers to it: "which gas"."""
_FORWARD = re.compile(
    r"it (?:is )?\w+ (?:that|to|when|if|how|why)\b|that (?!is\b|are\b|was\b|happens?\b|made\b|called\b)\w+"
)
"""A pronoun that refers to a later clause: "What is it called when a liquid turns to gas"."""
_MANNER = frozenset(content("simple simply easy short brief detail word line point"))
_CHOICE = re.compile(r"\bmean (?P<names>.+)\?\s*$")
_ORDINALS = ("first", "second", "third")
_PERSON = re.compile(r"\b(?:i|my|me|we|our|us)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_WISH = re.compile(r"^.*\b(?:study|learn|know|read|write|understand)(?: more)?(?: about)? ", re.IGNORECASE)
"""The words before what a person wants to learn about."""
_BEGINS = re.compile(rf"(?:{WH}|{ORDER})\b", re.IGNORECASE)
_ASKS_AT_ONCE = re.compile(rf"(?:(?:please|kindly) )?(?:{WH}|{ORDER}|{VERB})\b", re.IGNORECASE)
_TALK = re.compile(
    rf"^.*(?:[,:;]|\b(?:ask|find out|know|say|tell|understand|wonder(?:ing)?)(?: (?:me|us|you))?)"
    rf"\s+(?=(?:(?:{PREPOSITION}) )?(?:{WH})\b)"
    rf"|^.*\b(?:(?:can|could|would) you|you (?:can|could|would))(?: please)?\s+(?=(?:{ORDER})\b)",
    re.IGNORECASE,
)
"""The words before the last clause that asks."""
_TO_ME = re.compile(r" (?:to|for) (?:me|us)\b(?=[.?! ]*$)", re.IGNORECASE)
_POINTER = re.compile(r"^\w+ \((?P<what>.+)\)$")
_OPTION = re.compile(r"[\s:,]*\(?\b(?P<letter>[a-d])\)\s*")
_LONGEST_OPTION = 4
"""The most words of an option to choose from; longer items are questions of their own."""
_FEWEST_NAMES = 2
"""The fewest words of a question that name something, if it stands without the sentences around it. A definition needs
one."""


def standalone_question(question: Question, domain: Domain) -> str:
    """The question that is asked in place of `question`: a follow-up with the words that it leaves out, or a question
    without the words around it. "" if none is, or if the turn asks nothing of the library.

    A follow-up needs earlier turns if it refers to something that it does not name, names no thing, has no verb ("And
    in water?"), or answers a clarifying question. In doubt it needs nothing.
    """
    if kind_of_turn(question) != "question":
        return ""
    complete = ""
    if question.history and not _asks_nothing(question.query):
        complete = _complete(question.query, *_last_question(question.history[-MAX_TURNS_BACK:], domain), domain)
    text = complete if 0 < len(complete) <= MAX_QUERY else plain_question(question.query)
    return text if len(text) <= MAX_QUERY else ""


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
            questions = split_question(text) or [s for s in sentences(text) if s.endswith("?")]
            previous, clarification = questions[-1] if questions else text.strip(), ""
    return previous, clarification


def _asks_nothing(text: str) -> bool:
    """True for a text that begins with thanks, a greeting or an "ok", and asks nothing."""
    line = one_line(text)
    opening = _OPENING.sub("", without_greeting(line)).partition(" ")[0]
    polite = greets(line) or re.match(r"(?:ok|okay|fine|great|yes|no)\b", line)
    return bool(polite) and "?" not in line and not is_asking(opening)


def _complete(query: str, previous: str, clarification: str, domain: Domain) -> str:
    """Return `query` with the words that it takes from the previous question; "" if it takes none."""
    without_hello = without_greeting(" ".join(query.split()))
    bare = _OPENING.sub("", without_hello).strip(" ?!.")
    if not previous or not bare:
        return ""
    if clarification and (answer := _chosen_meaning(bare, clarification)):
        return as_question(in_brackets(previous, answer))
    rest, text = _ABOUT.sub("", bare), one_line(bare)
    if rest != bare or (_OPENING.match(without_hello) and not is_asking(text)):
        return as_question(_in_place(rest, previous, domain))
    if set(named_stems(text, domain)) - _MANNER and not points_back(text):
        return ""
    # "it" refers to the topic of the question before, or to what that question names beside the words in its brackets:
    # "What are the causes of it (hypermetropia)?" is about the causes of it, and of what; "Light (how fast does sound
    # travel)?" is about light.
    main, _, inside = previous.rstrip("?!. )").partition(" (")
    if not inside or not previous.rstrip("?!. ").endswith(")"):
        topic = topic_of(previous)
    elif not is_asking(one_line(main)):
        topic = main if is_asking(one_line(inside)) else inside
    else:
        own = topic_of(main)
        topic = f"{own}, {inside}" if re.match(r"(?:the|an?|its|their) ", own) and own != whole(main) else inside
    first = joint(bare)
    return as_question(in_brackets(bare[:first], topic) + bare[first:])


def points_back(text: str) -> bool:
    """True if a question in lower case refers to something that it does not name before."""
    pronoun = back_reference(text)
    if pronoun is None or _FORWARD.match(text, pronoun.start()):
        return False
    before = _WH_PHRASE.sub("", text[: pronoun.start()])
    return before.endswith(" of ") or not set(content(before)) - in_lexicon("pointing") - in_lexicon("request")


def _chosen_meaning(bare: str, clarification: str) -> str:
    """The answer in `bare` to a clarifying question: one of its choices, or further words; "" if it asks anew."""
    choice = _CHOICE.search(clarification)
    names = re.split(r", | or ", choice["names"])[: len(_ORDINALS)] if choice else []
    for name, ordinal in zip(names, _ORDINALS, strict=False):
        alike = set(content(bare)) & set(content(name)) and sum(
            bool(set(content(bare)) & set(content(n))) for n in names
        )
        if alike == 1 or re.search(rf"\b{ordinal}\b", bare, re.IGNORECASE):
            return without_section_number(name)
    return "" if is_asking(one_line(bare)) or not _PLACE.match(bare) else bare


def _in_place(rest: str, previous: str, domain: Domain) -> str:
    """The previous question with `rest` in place of its last phrase with the same preposition ("in water" for "in
    air"), or of the one thing that it asks about; else `rest` with that question in brackets.
    """
    bare, topic = previous.rstrip("?!. "), topic_of(previous)
    place = _PLACE.match(rest)
    before = [m.start() for m in re.finditer(rf"\b{place['by']}\b", bare, re.IGNORECASE)] if place else []
    if before and not bare.endswith(")"):
        return f"{bare[: before[-1]]}{rest}?"
    if not named_stems(rest.lower(), domain) or points_back(one_line(rest)):
        return in_brackets(rest, topic)
    if topic != whole(previous) and len(topic.split()) <= 3 and bare.endswith(topic):
        front = bare.removesuffix(topic)
        return f"{re.sub('is (?:an? )?$', 'are ', front) if is_plural(rest) else front}{rest}?"
    return in_brackets(rest, whole(previous))


def plain_question(text: str) -> str:
    """The question in `text` without words about the person who asks, in place of an order for an account, and with
    its options joined by "or"; "" if `text` is such a question already.
    """
    line = " ".join(text.split())
    plain = _without_talk(line)
    front, *rest = _OPTION.split(plain.rstrip("?. "))
    letters, options = rest[::2], [option.strip(" ,;") for option in rest[1::2]]
    is_choice = len(letters) > 1 and "".join(letters) == "abcd"[: len(letters)] and _BEGINS.match(front)
    if is_choice and all(0 < len(option.split()) <= _LONGEST_OPTION for option in options):
        plain = f"{front.rstrip('?.')}: {joined(options, 'or')}?"  # "(a) copper (b) nickel": "copper or nickel"
    topic = account_topic(plain)
    names = content(topic)
    # "Tell me about plants": which of the sections?
    is_vague = len(names) == 1 and re.match("describe|say|teach|tell|what", core_of(plain), re.IGNORECASE)
    if names and not is_vague:  # "Write a note on rivers.": "What are rivers?"
        pointer = _POINTER.match(topic)
        what = pointer["what"] if pointer else topic
        plain = f"What {'are' if is_plural(what) else 'is'} {what}?"
    return "" if plain == line else as_question(plain)


def _without_talk(text: str) -> str:
    """The one question in `text`, if all around it is about the person who asks; else `text`. Two numbers around it are
    the givens of a sum, which belong to the question.
    """
    every = sentences(text)
    talk = {s: m for s in every if not _ASKS_AT_ONCE.match(s) and (m := _TALK.match(s)) and _PERSON.search(m[0])}
    asks = any(s.endswith("?") for s in every)  # then "I wonder what to write down" asks nothing
    asking = [s for s in every if s.endswith("?") or _BEGINS.match(s) or (s in talk and not asks)]
    beside = [s for s in every if s not in asking]
    if len(asking) != 1 or not all(_PERSON.search(s) or not stated(s) for s in beside):
        return text
    bare = asking[0][talk[asking[0]].end() :] if asking[0] in talk else asking[0]
    around, bare = text.replace(bare, ""), _TO_ME.sub("", bare)
    if len(_NUMBER.findall(around)) > 1:
        return text
    if beside and points_back(one_line(bare)):
        return in_brackets(bare, topic_of(_WISH.sub("", beside[-1])))
    is_named = len(set(content(bare))) >= _FEWEST_NAMES or plan_of(bare).kind == "definition"
    stands_alone = is_named and not back_reference(bare)
    return bare if around and stands_alone and not _PERSON.search(bare) else text
