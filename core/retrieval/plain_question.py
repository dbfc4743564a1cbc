"""The plain question in a text with words around it: "I'm 12 and live in Pune, how long is the Karu bridge?" asks how
long the Karu bridge is, and "Write a note on rivers" asks what rivers are.
"""

import re

from core.retrieval.follow_up import points_back
from core.retrieval.intent import one_line
from core.retrieval.question_parts import as_question, back_reference, in_brackets, topic_of
from core.text.questions import ORDER, PREPOSITION, VERB, WH, account_topic, core_of, is_plural, plan_of
from core.text.sentences import sentences
from core.text.small_talk import stated
from core.text.words import content
from core.words import joined

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


def plain_question(text: str) -> str:
    """The question in `text` without words about the person who asks, in place of an order for an account, and with
    its options joined by "or"; "" if `text` is such a question already.
    """
    line = " ".join(text.split())
    plain = _of_account(_with_options(_without_talk(line)))
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


def _of_account(text: str) -> str:
    """A question in place of an order for an account: "What are rivers?" for "Write a note on rivers."; else `text`."""
    topic = account_topic(text)
    names = content(topic)
    if not names or (len(names) == 1 and re.match("describe|say|teach|tell|what", core_of(text), re.IGNORECASE)):
        return text  # "Tell me about plants": which of the sections?
    pointer = _POINTER.match(topic)
    what = pointer["what"] if pointer else topic
    return f"What {'are' if is_plural(what) else 'is'} {what}?"


def _with_options(text: str) -> str:
    """`text` with the short options "(a) copper (b) nickel" behind it as "copper or nickel"."""
    front, *rest = _OPTION.split(text.rstrip("?. "))
    letters, options = rest[::2], [option.strip(" ,;") for option in rest[1::2]]
    is_choice = len(letters) > 1 and "".join(letters) == "abcd"[: len(letters)] and _BEGINS.match(front)
    if not is_choice or any(not 0 < len(option.split()) <= _LONGEST_OPTION for option in options):
        return text
    return f"{front.rstrip('?.')}: {joined(options, 'or')}?"
