"""The plan of an answer: what kind of question is asked, of what, and what a full answer to it needs. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.text.numerals import value_of_words
from core.text.question_kinds import (
    COUNT,
    ORDER,
    PREPOSITION,
    VERB,
    WH,
    Kind,
    asking_sentence,
    core_of,
    kind_by_wording,
)
from core.text.question_sides import alternatives, bare, sides_of_comparison, sides_of_difference

__all__ = ["KIND_NAMES", "Kind", "QuestionPlan", "plan_of", "side_questions"]

KIND_NAMES: Mapping[Kind, str] = {
    "definition": "a definition", "reason": "a reason", "manner": "how something happens or is done",
    "person": "a person", "time": "a time", "place": "a place", "number": "a number", "list": "a list",
    "difference": "a difference", "comparison": "a comparison", "example": "an example", "use": "a use",
    "explanation": "an explanation", "yes_no": "yes or no", "keywords": "keywords without a question",
    "computation": "a value to compute", "other": "something else",
}  # fmt: skip
"""What each kind asks for, in plain words."""

_NEEDS: Mapping[Kind, str] = {
    "definition": "what it is", "reason": "a reason", "manner": "how it happens or is done", "person": "a name",
    "time": "a time", "place": "a place", "number": "a number", "list": "all items", "difference": "both sides",
    "comparison": "both sides", "example": "an example", "use": "a use", "explanation": "an explanation",
    "yes_no": "yes or no", "computation": "a value computed from the given numbers",
}  # fmt: skip
_MOST_ITEMS = 20
"""The most items that a question asks for; a larger number belongs to the subject of the question."""
_COUNT = re.compile(
    rf"(?:\b{ORDER}(?: (?:me|us|down|out))?|\bwhat (?:are|were)|\bwhich(?: are)?|\bwhat|^)"
    rf"(?: (?:the|any|some|at least|main|chief|only|all|its|their|other))* ?\b(?P<n>{COUNT})\b"
    r"(?! (?:of|is|has|are|does|noon|o'clock)\b)(?= [a-z])",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:one|an) (?:[\w-]+ )?(?:example|use|reason|property) each\b|\beach\b.{0,40}\bexample", re.IGNORECASE
)
_UNIT = re.compile(
    rf"\bhow many (?:(?!{VERB}\b)[\w-]+ ){{0,2}}?(?P<many>(?!{VERB}\b)[\w-]+)(?= (?:{VERB}|{PREPOSITION}|that"
    rf"|who)\b|$)"
    r"|\bin (?P<in>dB|[A-Za-z/°]{1,4}|\w+s)$",
    re.IGNORECASE,
)
_ALSO: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("an example", re.compile(r"\b(?:with|giv\w+|cit\w+|and|by) (?:the help of )?(?:an?|one|some|two|three"
        r"|suitable)\b[^?]{0,30}\bexamples?\b", re.I)),
    ("a reason", re.compile(r"\b(?:and|but|also|,) why\b|\bgiv\w+ (?:a )?reasons?\b|\bwith reasons?\b"
        r"|\bjustify\b|\bgive reason", re.I)),
    ("the name", re.compile(r"\b(?:and|also) (?:name|identify)\b", re.I)),
)  # fmt: skip
_OPENINGS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^what (?:exactly )?(?:is|are|was|were)(?: exactly)? (?:meant|understood|implied) by (?:the )?(?:word "
        r"|term )?(?P<of>.+)$",
        r"^what (?:exactly )?(?:do|does|can|did) (?:you|we|one|people|i|they)(?: exactly)? (?:mean|understand)"
        r" (?:when (?:we|you|they|people) say (?:that )?|by |if )(?:the )?(?:word |term )?(?P<of>.+)$",
        r"^what (?:exactly )?(?:does|do|did) (?:the )?(?:word |term )?(?P<of>.+?) (?:mean|stand for|refer to"
        r"|signify|denote)$",
        r"^what (?P<of>(?:an? )?.{1,60}?) (?:is|are)$",
        r"^how (?:would|do|can|could|will) (?:you|we|one) define (?P<of>.+)$",
        r"^(?P<of>.{1,80}?) (?:meaning|definition|means what|means|examples?)$",
        rf"^(?:{ORDER}(?: me| us)?|what (?:is|are|was|were))?\s*(?:(?:the|an?|any|some|main|two|three|four|five"
        rf"|one|\d+) ){{0,3}}"
        r"(?:[\w-]+ )?(?:meaning|definition|examples?|uses?|applications?|functions?|roles?|purpose|reasons?|causes?)"
        r" (?:of|for|behind) (?P<of>.+)$",
        rf"^(?:explain|describe|discuss|tell me)? ?why (?:{VERB} )?(?P<of>.+)$",
        r"^(?:explain|describe|discuss|illustrate|outline)(?: (?:how|what|about|briefly|in brief|that"
        r"|the term))* (?P<of>.+)$",
        rf"^{ORDER}(?: (?:me|us|down|out))?(?: (?:any|the|some|at least|main|all))* (?:(?:{COUNT}|an?) )?(?P<of>.+)$",
        rf"^(?:{PREPOSITION} )?(?:how many|how much|whose) (?P<of>(?!{VERB}\b)[\w'’ -]+?)(?= (?:{VERB}"
        rf"|{PREPOSITION}|that)\b|$).*$",
        r"^what (?:happens?|happened|will happen|would happen|becomes?)(?: (?:to|when|if|of|on))? (?P<of>.+)$",
        rf"^(?:{PREPOSITION} )?{WH} {VERB} (?P<of>.+)$",
        r"^(?:by|to|for|with|from) whom (?P<of>.+)$",
        rf"^(?:{PREPOSITION} )?{WH} (?P<of>.+)$",
        rf"^{VERB} (?P<of>.+)$",
    )
)
"""The words before the thing that a question asks about; the most specific pattern comes first."""
_GENERAL = _OPENINGS[-5:]
_WHAT_IS = re.compile(r"^what (?:exactly )?(?:is|are|was|were) (?:exactly )?(?P<of>.+)$", re.IGNORECASE)
_NOUN = re.compile(rf"^(?:{PREPOSITION} )?{WH}(?: (?!{VERB}\b)[\w-]+){{1,3}} {VERB} (?P<of>.+)$", re.IGNORECASE)
"""In "In which year did the war end" the thing ("the war") follows the noun that gives the kind ("year")."""
_TAIL = re.compile(
    r",? (?:with|giving|and give|by giving) (?:an? |one |some |two |suitable )*(?:[\w-]+ )?(?:examples?|reasons?"
    r"|diagram)\b.*$"
    rf"| in (?:simple|your own|one|short|brief|a few|detail) ?(?:words?|sentences?)?$"
    rf"|,? and (?:{PREPOSITION} )?(?:{WH}|{ORDER})\b.*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,?\s+and\s+", re.IGNORECASE)
_COMMA_OR_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_ROW = re.compile(r"^[^,]+(?:, [^,]+)+,? and [^,]+$", re.IGNORECASE)
_BOTH = re.compile(rf"\b(?P<by>{PREPOSITION}) (?P<a>[^,;?]{{1,60}}?) and (?P=by) (?P<b>[^,;?]{{1,80}})$", re.IGNORECASE)
_ALIKE = re.compile(r"(?P<a>\b[\w-]+['’]s (?P<head>[\w-]+)) and (?P<b>[\w-]+['’]s (?P=head))\b", re.IGNORECASE)
_BACK = re.compile(rf"^(?:{PREPOSITION} )?{WH}(?: [\w-]+)? {VERB} (?:each|they|it|both|these|this)\b", re.IGNORECASE)
_IN_A_PAIR = re.compile(r"\b(?:between|both|of|that|which|from|when|in)\b", re.IGNORECASE)
_LONGEST_FRONT = 8
"""The most words before the question itself that may name its thing: "tides - when do they rise"."""
_LONGEST_TERM = 3
"""The most words of a term in a row of terms: "acids and bases" are two terms, "the work of nurses and doctors at
night" is one."""


@dataclass(frozen=True, kw_only=True)
class QuestionPlan:
    """What a question asks, and what a full answer to it needs.

    things: what the question is about, in its own words: the term to define, both sides of a difference or comparison,
    the alternatives of "A or B", else the clause after the question words; () if the question names nothing.
    count: how many items it asks for; 0 if it gives no number. unit: what a number counts, or the unit that the answer
    must use; "" if the question gives neither. wants: what a full answer holds, in plain words; () if any sentence on
    the topic may do.
    """

    kind: Kind
    things: tuple[str, ...] = ()
    count: int = 0
    unit: str = ""
    wants: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """The plan in sentences, for people."""
        kind = f"Asked for: {KIND_NAMES[self.kind]}."
        things = f" Of: {'; '.join(self.things)}." if self.things else ""
        return f"{kind}{things}" + (f" A full answer needs: {', '.join(self.wants)}." if self.wants else "")


@lru_cache(maxsize=1024)
def plan_of(question: str) -> QuestionPlan:
    """The plan of the answer to `question`, by its wording. If it asks several things, the plan is of the first."""
    sentence = asking_sentence(question)
    core = core_of(sentence)
    kind, things = _kind_and_things(sentence, core)
    count = _count(core) if kind in ("list", "example", "use", "reason", "definition", "difference", "other") else 0
    unit = _UNIT.search(core) if kind in ("number", "computation") else None
    wants = tuple(dict.fromkeys(_wants(kind, things, count, question)))
    return QuestionPlan(
        kind=kind, things=things, count=count, unit=(unit["many"] or unit["in"]) if unit else "", wants=wants
    )


def side_questions(question: str) -> tuple[str, ...]:
    """A question "What is A?" for each side of a difference; both answers together give the difference. () for every
    other kind of question."""
    plan = plan_of(question)
    return tuple(f"What is {thing}?" for thing in plan.things) if plan.kind == "difference" else ()


def _kind_and_things(sentence: str, core: str) -> tuple[Kind, tuple[str, ...]]:
    """The kind of a question and the things it is about. Two sides decide the kind before any other wording does."""
    text = core if core and core in sentence else sentence
    if sides := sides_of_difference(text) or sides_of_difference(sentence):
        return "difference", sides
    if sides := sides_of_comparison(text) or sides_of_comparison(sentence):
        return "comparison", sides
    kind = kind_by_wording(core, sentence.rstrip().endswith("?"))
    if kind in ("yes_no", "other") and (choice := alternatives(core)):
        return kind, choice
    front = sentence[: sentence.find(core)].strip(" ,:;-–—") if core in sentence else ""
    things = () if front and len(front.split()) <= _LONGEST_FRONT and _BACK.match(core) else _things(kind, core)
    return kind, things or ((bare(front),) if bare(front) else ())


def _things(kind: Kind, core: str) -> tuple[str, ...]:
    """The things that a question is about; "What are A and B" gives each term."""
    if kind == "keywords":
        return (core,) if core else ()
    match = next((one for pattern in _OPENINGS if (one := pattern.match(core))), None)
    if match and match.re in _GENERAL:
        better = _WHAT_IS if kind in ("definition", "other", "list") else _NOUN
        match = better.match(core) or match
    phrase = _TAIL.sub("", match["of"]) if match else ""
    if kind != "reason" and (both := _BOTH.search(phrase)):
        return bare(both["a"]), bare(both["b"])
    if alike_match := _ALIKE.search(phrase):
        return alike_match["a"], alike_match["b"]
    terms = tuple(filter(None, map(bare, (_COMMA_OR_AND if _ROW.match(phrase) else _AND).split(phrase))))
    several = kind in ("definition", "other") and len(terms) > 1 and not _IN_A_PAIR.search(phrase.partition(" of ")[0])
    if several and all(len(term.split()) <= _LONGEST_TERM for term in terms[:-1]):
        return terms
    return (bare(phrase),) if bare(phrase) else ()


def _count(core: str) -> int:
    """How many items a question asks for; 0 if it gives no number, or one above `_MOST_ITEMS`."""
    match = _COUNT.search(core)
    if not match:
        return 0
    count = int(match["n"]) if match["n"].isdigit() else int(value_of_words(match["n"]))
    return count if count <= _MOST_ITEMS else 0


def _wants(kind: Kind, things: tuple[str, ...], count: int, question: str) -> Iterator[str]:
    """What a full answer holds, in plain words."""
    items = {"list": "items", "example": "examples", "use": "uses", "reason": "reasons", "difference": "differences"}
    if kind == "definition" and len(things) > 1:
        yield from (f"what {thing} is" for thing in things)
    elif count > 1 and kind in items:
        yield f"{count} {items[kind]}"
    elif kind == "other" and re.match(r"what (?:happen|become)", question, re.IGNORECASE):
        yield "what happens"
    elif kind in _NEEDS:
        yield _NEEDS[kind]
    if kind == "difference" and count > 1:
        yield _NEEDS[kind]
    if len(things) > 1 and kind not in ("difference", "comparison", "definition"):
        yield (
            "one of the alternatives"
            if kind in ("yes_no", "other") and " or " in question
            else "each of the things asked"
        )
    yield from (what for what, pattern in _ALSO if pattern.search(question[:400]))
