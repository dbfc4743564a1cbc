"""The plain question in a text with words around it: "I'm 12 and live in Pune, how long is the Karu bridge?" asks how
long the Karu bridge is, and "Write a note on rivers" asks what rivers are.
"""

import re

from core.retrieval.follow_up import points_back
from core.retrieval.intent import one_line
from core.retrieval.question_parts import as_question, back_reference, in_brackets, topic_of
from core.text.questions import ORDER, WH, is_plural, plan_of
from core.text.sentences import sentences
from core.text.words import content
from core.words import joined

_PERSON = re.compile(r"\b(?:i|my|me|we|our|us)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_WISH = re.compile(r"^.*\b(?:study|learn|know|read|write|understand)(?: more)?(?: about)? ", re.IGNORECASE)
"""The words before what a person wants to learn about."""
_BEGINS = re.compile(rf"(?:{WH}|{ORDER})\b", re.IGNORECASE)
_TALK = re.compile(rf"^.*[,:;]\s+(?=(?:{WH})\b)", re.IGNORECASE)
"""The words before the last clause that asks."""
_ACCOUNT = re.compile(
    r"^(?:please |kindly )?(?:(?P<note>write|give|prepare)(?: me)? (?:an? )?(?:(?:short|brief|small) )?(?:notes?"
    r"|accounts?|descriptions?|paragraphs?) (?:on|about|of)|(?:tell|teach)(?: me| us)? (?:something |more |all )?about"
    r"|what (?:can|could) you tell(?: me| us)? about|what do you know about)"
    r"\s+(?P<what>[^?.!]+?)(?: pl[sz]| please)?[?.!]*$",
    re.IGNORECASE,
)
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
    asking = [s for s in every if s.endswith("?") or _BEGINS.match(s)]
    beside = [s for s in every if s not in asking]
    if len(asking) != 1 or not all(map(_PERSON.search, beside)):
        return text
    talk = _TALK.match(asking[0])
    bare = asking[0][talk.end() :] if talk and _PERSON.search(talk[0]) else asking[0]
    around = text.replace(bare, "")
    if len(_NUMBER.findall(around)) > 1:
        return text
    if beside and points_back(one_line(bare)):
        return in_brackets(bare, topic_of(_WISH.sub("", beside[-1])))
    is_named = len(set(content(bare))) >= _FEWEST_NAMES or plan_of(bare).kind == "definition"
    stands_alone = is_named and not back_reference(bare)
    return bare if around and stands_alone and not _PERSON.search(bare) else text


def _of_account(text: str) -> str:
    """A question in place of an order for an account: "What are rivers?" for "Write a note on rivers."; else `text`."""
    account = _ACCOUNT.match(text)
    names = content(account["what"]) if account else []
    if not names or (len(names) == 1 and not account["note"]):  # "Tell me about plants": which of the sections?
        return text
    pointer = _POINTER.match(account["what"])
    what = pointer["what"] if pointer else account["what"]
    return f"What {'are' if is_plural(what) else 'is'} {what}?"


def _with_options(text: str) -> str:
    """`text` with the short options "(a) copper (b) nickel" behind it as "copper or nickel"."""
    front, *rest = _OPTION.split(text.rstrip("?. "))
    letters, options = rest[::2], [option.strip(" ,;") for option in rest[1::2]]
    is_choice = len(letters) > 1 and "".join(letters) == "abcd"[: len(letters)] and _BEGINS.match(front)
    if not is_choice or any(not 0 < len(option.split()) <= _LONGEST_OPTION for option in options):
        return text
    return f"{front.rstrip('?.')}: {joined(options, 'or')}?"
