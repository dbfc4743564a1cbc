"""Splits a question about coordinated things into one question about each: "What are osmosis and diffusion?"."""

import re

from core.text import questions
from core.text.questions import core_of, is_plural, plan_of

COUNT, ORDER, PREPOSITION, VERB, WH = (
    f"(?:{words})" for words in (questions.COUNT, questions.ORDER, questions.PREPOSITION, questions.VERB, questions.WH)
)
_ONE_THING = re.compile(
    r"\b(?:trial and error|hit and (?:trial|miss)|checks and balances|law and order|slash and burn|supply and demand"
    r"|demand and supply|cause and effect|profit and loss|research and development|push and pull|divide and rule"
    r"|pros and cons|weights and measures|arts and crafts|goods and services)\b",
    re.IGNORECASE,
)
"""Word pairs that name one thing."""
_MOST = 4
"""The most questions that one question splits into."""
_EXPLAINS = re.compile(r"(?:explain|describe|discuss|how|why)\b", re.IGNORECASE)
"""The start of a question whose answer holds all things together."""
_WORDS = r"(?:(?!of |and )[\w-]+ ){1,4}"
_AND = r"(?:\s*,)?\s+and\s+"
_TERM = rf"(?!(?:{ORDER}|{WH})\b)(?:(?!and |or )[^\s,;?]+ ?){{1,4}}?"
_TERMS = re.compile(
    rf"^(?P<open>what (?P<be>are|were) |define (?:the terms? )?|what (?:is|are) meant by (?:the terms? )?)"
    rf"(?P<row>(?:{_TERM}, ){{0,3}}{_TERM}),? and (?P<last>{_TERM})$",
    re.IGNORECASE,
)
_OWNERS = re.compile(
    r"^(?P<front>.{1,120}?) (?P<verb>do|are|were|did|can|will|have) (?P<a>(?:the )?[\w-]+['’]s (?P<head>[\w-]+)) and "
    r"(?P<b>(?:the )?[\w-]+['’]s (?P=head)) (?P<rest>.{1,120})$",
    re.IGNORECASE,
)
_PLACE_PAIR = re.compile(
    rf"^(?P<front>.{{1,200}}) (?P<by>{PREPOSITION}) (?P<a>(?:(?!(?P=by) )[^,;? ]+ ){{1,6}})"
    rf"and (?P=by) (?P<b>[^,;?]{{1,80}})$",
    re.IGNORECASE,
)
_ATTRIBUTES = re.compile(
    r"^(?P<open>what are|what were|(?:give|state|write|list|name|mention|find)(?: me)?)(?: the)?"
    rf" (?P<a>{_WORDS})and (?:the )?(?!(?:{COUNT}) )(?P<b>{_WORDS})of (?P<whole>.{{1,160}})$",
    re.IGNORECASE,
)
_PHRASES = re.compile(
    r"^(?P<open>what are|(?:give|state|write|find)(?: me)?)"
    r" (?P<a>the (?:[\w-]+ ){1,3}of (?:the |an? )?(?:(?!and )[\w-]+ ?){1,3}?)"
    r" and (?P<b>the (?:[\w-]+ ){1,3}(?:of|in|per|at|for) .{1,80})$",
    re.IGNORECASE,
)
_EACH = re.compile(
    rf"^(?!{PREPOSITION} )(?P<a>[^,;:?]{{1,60}}?){_AND}(?P<b>[^,;:?]{{1,60}}?)\s*(?:[,;:–—]|\s-)\s*"
    rf"(?P<asks>(?:{PREPOSITION} )?{WH}\b.{{0,60}}?\b(?:{VERB} |(?=\w+ each$)\w+ ))each(?: of (?:them|these))?\b"
    r"(?P<rest>.{0,80})$",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"(?:ed|al|ic|ble|ive|ous|ary|ful|less|ent|ant|an|ern)$|^(?:un|non|in)-?\w{5,}$", re.IGNORECASE)
_SAYS_MORE = re.compile(
    rf" (?:\w+ed|made|found|known|like|alike|similar|different|important|useful|necessary|{PREPOSITION})$",
    re.IGNORECASE,
)
"""An ending that shows more than a term: "What are acids and bases used for" asks for no definition."""
_ORDINAL = re.compile(r"(?:first|second|third|th|\w+(?:ed|al|ic|ous))\s*$", re.IGNORECASE)
_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has"}
_NOUN_BEHIND_WHICH = re.compile(r"(?P<which>\b(?:which|what) )(?P<noun>[\w-]+)$", re.IGNORECASE)


def spread(question: str) -> tuple[str, ...]:
    """One question about each coordinated thing of `question`; () if there is only one thing, or in doubt.

    Differences, comparisons, reasons, explanations and yes/no questions concern all things together and never split.
    """
    bare = " ".join(question.split()).rstrip("?!. ")
    plan, core = plan_of(question), core_of(question.rstrip("?!. "))
    together = plan.kind == "difference" or plan.wants == ("yes or no",) or _EXPLAINS.match(core)
    if together or " and " not in bare or _ONE_THING.search(bare):
        return ()
    front = bare[: bare.rfind(core)] if core and core in bare else ""
    core = core if core in bare else bare
    questions = _each_question(bare) or tuple(front + one for one in _of_core(core))
    return questions if 2 <= len(questions) <= _MOST else ()


def _of_core(core: str) -> tuple[str, ...]:
    """`core`, the question without the words before it, once for each of its things; () if no pattern matches."""
    if match := _OWNERS.match(core):
        front = _NOUN_BEHIND_WHICH.sub(lambda m: m["which"] + _singular(m["noun"]), match["front"])
        verb = _SINGULAR.get(match["verb"].lower(), match["verb"])
        return tuple(f"{front} {verb} {match[side]} {match['rest']}" for side in "ab")
    if match := _ATTRIBUTES.match(core):
        things = _with_head(match["a"].strip(), match["b"].strip())
        return tuple(f"{_number(match['open'], one)} the {one} of {match['whole']}" for one in things)
    if match := _TERMS.match(core):
        return _definitions(match)
    if match := _PHRASES.match(core):
        return tuple(f"{_number(match['open'], match[side][4:])} {match[side]}" for side in "ab")
    match = _PLACE_PAIR.match(core)
    if not match or _ORDINAL.search(match["a"]):
        return ()
    return tuple(f"{match['front']} {match['by']} {match[side].strip()}" for side in "ab")


def _each_question(bare: str) -> tuple[str, ...]:
    """Two questions for one that ends in "each", such as "spring and neap tides - when does each come"; else ()."""
    match = _EACH.match(bare)
    if not match:
        return ()
    *start, verb = match["asks"].split()
    plural = next((many for many, one in _SINGULAR.items() if one == verb.lower()), verb)
    of_many = f"{' '.join((*start, plural))} "  # "When does " as "When do "
    return tuple(
        f"{of_many if is_plural(one) else match['asks']}{one}{match['rest']}"
        for one in _with_head(match["a"], match["b"])
    )


def _definitions(match: re.Match[str]) -> tuple[str, ...]:
    """One question for each term of a definition question, in its own words; () if it asks for more."""
    terms = [*match["row"].split(", "), match["last"]]
    if _SAYS_MORE.search(terms[-1]) or any(re.match(r"(?:the|its|their|some|any) ", t, re.IGNORECASE) for t in terms):
        return ()
    terms = [*terms[:-2], *_with_head(terms[-2].strip(), terms[-1].strip())]
    opening = match["open"].strip()
    return tuple(f"{_number(opening, term) if match['be'] else opening} {term.strip()}" for term in terms)


def _with_head(left: str, right: str) -> tuple[str, str]:
    """Both terms; `left` gets the noun of `right` if it shares it, as in "planned and unplanned spending"."""
    first, _, head = right.partition(" ")
    alone = " " not in left and bool(head)
    shares = alone and (
        (is_plural(right) and not is_plural(left)) or first.lower().endswith(left.lower()) or _ADJECTIVE.search(left)
    )
    return (f"{left} {head}", right) if shares else (left, right)


def _number(opening: str, term: str) -> str:
    """`opening` with "is" for "are" if `term` is singular."""
    if is_plural(term):
        return opening
    return re.sub(
        r"\b(?P<w>what )(?P<be>are|were)$", lambda m: m["w"] + _SINGULAR[m["be"].lower()], opening, flags=re.I
    )


def _singular(noun: str) -> str:
    """The singular of a plural noun; any other noun unchanged."""
    if not is_plural(noun):
        return noun
    return noun[:-3] + "y" if noun.endswith("ies") else noun[:-1]
