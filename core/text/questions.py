"""What a question asks: one of six kinds, what it is about, and how many items it wants. Pure.

Code depends on four of the kinds: a definition and a list choose their stretch, a difference needs both sides, and a
number in a year that is named must be of that year.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from core.text.lexicon import first_word, word_set
from core.text.numerals import CARDINALS, value_of_words
from core.text.small_talk import in_lexicon
from core.text.words import STOPWORDS, content, is_everyday

Kind = Literal["definition", "reason", "list", "number", "difference", "other"]
KIND_NAMES: Mapping[Kind, str] = {
    "definition": "a definition", "reason": "a reason", "list": "a list", "number": "a number",
    "difference": "a difference", "other": "something else",
}  # fmt: skip
"""What each kind asks for, in plain words."""
LONGEST = 400
"""The number of characters of a question that the rules read."""
_MOST_ITEMS = 20
"""The most items that a question asks for; a larger number belongs to its subject."""

WH = r"what|which|who|whom|whose|when|where|why|how"
ORDER = (
    r"explain|describe|discuss|define|name|list|give|state|write|mention|identify|tell|compare|distinguish|differentiate"
    r"|contrast|calculate|compute|find|solve"
)
QUESTION_WORD = re.compile(rf"\b(?:{WH})\b", re.IGNORECASE)
VERB = r"is|are|was|were|do|does|did|can|could|will|would|should|has|have|had"
PREPOSITION = r"in|at|from|to|on|by|with|of|for|during|under|through"
LISTED = r"name|list|give|state|write|mention|identify|tell"
COUNT = rf"{'|'.join(w for w in CARDINALS if w not in ('zero', 'one'))}|\d{{1,2}}"
_FILL = r"(?: (?:me|us|the|an?|any|some|at least|main|all|its|their))*"
_SPELLED = tuple(f"{WH}|define|explain|describe|difference|definition".split("|"))
_IS = re.compile(r"\b(what|who|where|when|how|why)['’]?s\b", re.IGNORECASE)
_POLITE = re.compile(r"^(?:(?:please|kindly|so|ok|and|hi|hello)[, ]+)+", re.IGNORECASE)
_ASKING = re.compile(rf"(?:(?:{PREPOSITION}) )?(?:{WH})\b|(?:{ORDER})\b", re.IGNORECASE)
_FRONT = re.compile(
    rf"^[^?]{{0,200}}?(?:[,:;.?!] |\b(?:please|(?:can|could|would) you|me|know) )(?={_ASKING.pattern})", re.I
)
"""Words before the question itself: "Please tell me, ", "If the air is cold, "."""
_DEFINES = re.compile(
    r"^(?:define|how \w+ you define|(?:what is )?(?:the )?(?:meaning|definition) of|what (?:is|are) meant by)"
    r" (?:the (?:term|word)s? )?(?P<a>.+)$"
    r"|^what (?:do|does) (?:you|we|one|people) (?:mean|understand) (?:by|when \w+ say(?: that)?) (?P<b>.+)$"
    r"|^what does (?:the (?:term|word) )?(?P<c>.+) mean$|^(?P<d>.{1,80}) (?:meaning|definition)$"
    r"|^(?:what|who) (?:is|are|was|were) (?!(?:it|this|that|these|those|they|there|its|his|her|their|our)\b)"
    r"(?P<e>(?:the )?(?:(?! (?:of|at|for|by|from|used|made|called|known)\b).)+)$",
    re.IGNORECASE,
)
_REASON = re.compile(
    rf"^(?:why|how come)\b|\bwhy\b|^(?:what|(?:{ORDER})).{{0,30}}?\b(?:reasons?|causes?|caused)\b", re.I
)
_NUMBER = re.compile(
    r"^(?:\w+ )?how (?:many|much|long|far|high|tall|deep|wide|big|large|fast|old|often|hot|cold|heavy|thick|loud)\b"
    r"|^(?:calculate|compute|find|solve)\b.*\d"
    r"|^(?:\w+ )?(?:what|which)(?: (?:is|was) the)? (?:(?!is |was )\w+ )?(?:speed|temperature|length|height|width"
    r"|depth|mass|weight|area|volume|density|distance|population|price|cost|number|value|sum|total|year|date|point)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"^(?:(?:{LISTED})|what (?:are|were)|which are|(?:which|what)(?= (?:{COUNT})\b)){_FILL}"
    rf"(?: (?P<n>{COUNT})\b)?(?P<what> .+)?$",
    re.IGNORECASE,
)
_WHICH_SEVERAL = re.compile(rf"(?:(?:{PREPOSITION}|between) )?which (?!gas\b)\w{{2,}}[^\Wsui]s (?=\w+)", re.IGNORECASE)
_HEAD = re.compile(
    rf"\s(?:that|which|who|where|when|\w+ed|given|found|made|seen|{PREPOSITION}|{VERB})\b|[,;:]", re.IGNORECASE
)
_ABOUT = re.compile(
    rf"^(?:(?:{PREPOSITION}) )?(?:(?:{WH})(?: (?!(?:{VERB})\b)[\w-]+){{0,3}}? (?:{VERB})|(?:{WH})|(?:{ORDER})|{VERB})"
    rf"(?: (?:me|us|about|how|what|why|that|the|an?|any|some))* (?P<of>.+)$",
    re.IGNORECASE,
)
_IN_ORDER = r"(?:was|were|is|are) \w+ (?:first|last)"
_SIDES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?P<a>.{1,100}?) (?:vs?\.?|versus) (?P<b>[^,;:?–—-]{1,100})",
        r"\b(?:difference|distinction|distinguish|differentiate|compare|contrast)\w*\b[^?]{0,40}?\bbetween (?P<a>.+?) "
        r"(?:and|from) (?P<b>.+)$",
        r"^(?:compare|distinguish|differentiate|contrast) (?P<a>.+?) (?:and|from|with|to) (?P<b>.+)$",
        r"^differences? (?:of |in )?(?P<a>[^,;:?]+?) and (?P<b>[^,;:?]+)$",
        r"\b(?:how (?:is|are|was|were|do|does)|what makes) (?P<a>.+?) (?:differ\w*|unlike) from (?P<b>.+)$",
        r"\bhow (?:is|are|do|does) (?P<a>.+?) and (?P<b>.+?) differ(?:ent)?\b",
        r"^(?P<a>[^,;:?]+?) and (?P<b>[^,;:?]+?)(?:,| -).{0,40}\bdiffer(?:ent|ence)?\b",
        rf"\b(?:more|less|fewer|\w{{2,}}er|{_IN_ORDER})\b[^?]*[,:-] (?P<a>[^,?]+?),? or (?P<b>[^,?]+)$",
        r"^(?:is|are|was|were|do|does|can) (?P<a>.+?) (?:more|less|\w{2,}er)\b.*? than (?P<b>\D.*)$",
        rf"^between (?P<a>.+?) and (?P<b>[^,]+), (?:which|who)\b.*\b(?:more|less|\w{{2,}}er|{_IN_ORDER})\b",
    )
)
"""Forms of a question about two things: their difference, or which of them is more."""
_COMPARATIVE = re.compile(
    r"\b(?:is|are|was|were)(?: the)? (?!bett)(\w{3,})er[?,:]|\b(?!bett|oth|rath)(\w{3,})er than\b"
)
_IN_TIME = re.compile(
    r"\b(?:which|what|who)\b.*? ?(?P<be>was|were|is|are) (?P<done>\w+) (?:first|last|earlier|later)\b", re.IGNORECASE
)
_PLACE = r"in|at|from|to|on|by|with|for|during|under|through|near|beside"
_PLACED = re.compile(rf"(?P<side>.+?) (?P<end>(?P<by>{_PLACE}) .+)$", re.IGNORECASE)
_WH_OR_VERBS = frozenset(f"{WH}|{VERB}".split("|"))
_MANNER = re.compile(r"^(?:how|the ways? in which) ", re.IGNORECASE)
_ACCOUNT = re.compile(rf"(?:how|(?!(?:{LISTED})\b)(?:{ORDER}))\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_ABOUT_IT = re.compile(r" (about|of|on) ", re.IGNORECASE)
_AT_END = re.compile(r"(?:,? (?:pl[sz]|please|(?:to|for) (?:me|us)))+$", re.IGNORECASE)
_ASPECT = re.compile(rf"(?:the )?(?:effects? of .+ on|number of|(?:{COUNT}))\b", re.IGNORECASE)
"""The beginning of a topic that is more than a thing: any sentence about salt is no account of two uses of salt."""
_TELLS = re.compile(r"what\b.* (?:say|says|tell|tells|know|learn)\b", re.IGNORECASE)
_DESCRIBES = re.compile(r"(?:describe|introduce|summari[sz]e) (?P<what>.+)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class QuestionPlan:
    """What a question asks, and what a full answer to it needs.

    things: what the question is about, in its own words: the terms to define, both sides of a difference, else the
    clause after the question words; () if it names nothing. count: how many items it asks for; 0 if it gives no number.
    wants: what a full answer holds, in plain words; () if any sentence on the topic may do.
    """

    kind: Kind
    things: tuple[str, ...] = ()
    count: int = 0
    wants: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """The plan in sentences, for people; of the things only terms, since a clause does not read as one."""
        kind, are_terms = KIND_NAMES[self.kind], self.kind in ("definition", "difference")
        things = f" Of: {'; '.join(self.things)}." if self.things and are_terms else ""
        wants = ", ".join(want for want in self.wants if want != kind)
        return f"Asked for: {kind}.{things}" + (f" A full answer needs: {wants}." if wants else "")


@lru_cache(maxsize=1024)
def plan_of(question: str) -> QuestionPlan:
    """The plan of the answer to `question`, by its wording. If it asks several things, the plan is of the first."""
    core = core_of(question)
    if sides := sides_of(question):
        return QuestionPlan(kind="difference", things=sides, wants=("both sides",))
    if first_word(core) in VERB.split("|"):
        return QuestionPlan(kind="other", things=_about(core), wants=("yes or no",))
    if _REASON.search(core):
        return QuestionPlan(kind="reason", things=_about(core), wants=("a reason",))
    if _NUMBER.search(core):
        return QuestionPlan(kind="number", things=_about(core), wants=("a number",))
    listed = _LIST.match(core)
    number = (listed and listed["n"]) or "0"
    count = int(number) if number.isdigit() else int(value_of_words(number))
    count = count if count <= _MOST_ITEMS else 0
    if match := _DEFINES.match(core):
        terms = tuple(filter(None, map(bare, re.split(r", (?:and )?| and ", next(filter(None, match.groups()))))))
        wants = tuple(f"what {term} is" for term in terms)
        return QuestionPlan(kind="definition", things=terms, count=count, wants=wants)
    if (listed and (count > 1 or is_plural((listed["what"] or "").strip()))) or _WHICH_SEVERAL.match(core):
        wants = f"{count} items" if count > 1 else "all items"
        return QuestionPlan(kind="list", things=_about(core), count=count, wants=(wants,))
    return QuestionPlan(kind="other", things=_about(core))


def asks_for_account(question: str) -> bool:
    """True if `question` asks how something happens, or for an explanation: "How is coal formed?", "Explain what made
    the bridge fall."; False for "how many", for a reason, a definition or a difference."""
    return plan_of(question).kind == "other" and _ACCOUNT.match(core_of(question)) is not None


def account_topic(question: str) -> str:
    """The topic of an order for an account: "otters" in "Write a few lines on otters."; "" for any other question.

    Before the topic stand only words about the talk, so that any sentence about the topic may answer.
    """
    core = _AT_END.sub("", core_of(question))
    tells = _TELLS.match(core)
    if plan_of(question).kind in ("reason", "number", "difference") or (not tells and first_word(core) in _WH_OR_VERBS):
        return ""
    lists = ("talk", "about_talk", "request", "courtesy", "count", "account", "writing")
    about_talk = frozenset().union(*map(in_lexicon, lists))
    direct = _DESCRIBES.match(core)
    what = direct["what"] if direct else ""
    for seam in _ABOUT_IT.finditer(core):
        stems = content(core[: seam.start()])
        is_of_talk = tells or seam[1].lower() != "of" or set(stems[-1:]) & in_lexicon("account")  # "a summary of"
        if is_of_talk and set(stems) <= about_talk:
            what = core[seam.end() :]
    return "" if first_word(what) in _WH_OR_VERBS or _ASPECT.match(what) or set(content(what)) <= about_talk else what


def core_of(question: str) -> str:
    """The first question of a text from its asking words on, in their usual spelling, without end mark."""
    text = _POLITE.sub("", _IS.sub(r"\1 is", " ".join(question[:LONGEST].split()).strip(" \"'“”")))
    first, _, rest = text.partition(" ")
    near = [] if first.lower() in STOPWORDS else get_close_matches(first.lower(), _SPELLED, n=1, cutoff=0.75)
    text = f"{near[0]} {rest}" if near and rest else text
    front = None if _ASKING.match(text) else _FRONT.match(text)
    text = text[front.end() :] if front else text
    return re.split(rf"[?!](?:\s|$)|\.\s|,? and (?=(?:{WH})\b)", text, maxsplit=1)[0].strip(" ?!.,;:-–—\"'“”")


def sides_of(question: str) -> tuple[str, ...]:
    """The two things whose difference, or whose comparison, `question` asks for; () for another question."""
    return _comparison(question)[1:3]


def _comparison(question: str) -> tuple[str, ...]:
    """("how" or "", one side, other side, end) of a question that compares two things; () for another question.

    "Compare how lions and tigers hunt" compares lions and tigers: both sides have as many words, and the end belongs to
    both. "Compare how lions hunt and sleep" compares no two things.
    """
    texts = (core_of(question), _POLITE.sub("", " ".join(question[:LONGEST].split())).strip(" ?!."))
    found = (match for text in texts for pattern in _SIDES if (match := pattern.search(text)))
    match = next(found, None)
    if not match or "potential difference" in question.lower():
        return ()
    manner = "how" if _MANNER.match(match["a"]) else ""
    sides = (match["a"], re.split(r"[,;?.]| (?:with|giving) ", match["b"])[0])
    one, other = (bare(_MANNER.sub("", side.strip())) for side in sides)
    end, placed = "", _PLACED.match(other)
    if manner:
        words, size = other.split(), len(one.split())
        if len(words) < size or first_word(other) in _PLACE.split("|"):
            return ()
        other, end = " ".join(words[:size]), " ".join(words[size:])
    elif (
        placed
        and placed["by"] not in one.split()
        and any(word.startswith(("compar", "differ")) for word in word_set(question))
    ):
        other, end = placed["side"], placed["end"]
    return (manner, one, other, end) if one and other else ()


def side_questions(question: str) -> tuple[str, ...]:
    """A question for each side of a difference: "How long is A?" where the longer one is asked for, "When was A built?"
    for what was built first, "How do lions hunt?" for how lions and tigers hunt, else "What is A?" or "What is A in
    water?". Both answers together give the difference. () for every other kind of question.
    """
    if plan_of(question).kind != "difference":
        return ()
    manner, *things, end = _comparison(question)
    comparative, in_time = _COMPARATIVE.search(question.lower()), _IN_TIME.search(question)
    if in_time:
        start, end = f"When {in_time['be']}", f"{end} {in_time['done']}"
    elif comparative:  # "heavi" becomes "heavy", and "bigg" becomes "big"
        stem = comparative[1] or comparative[2]
        forms = (f"{stem}e", stem, f"{stem[:-1]}y", stem[:-1])
        start, end = f"How {next(filter(is_everyday, forms), stem)} {{be}}", ""
    else:
        start = "How {do}" if manner else "What is"
    several = [thing.islower() and is_plural(thing) for thing in things]
    verbs = [start.format(be="are" if are else "is", do="do" if are else "does") for are in several]
    return tuple(" ".join((verb, thing, *end.split())) + "?" for verb, thing in zip(verbs, things, strict=True))


def bare(phrase: str) -> str:
    """A phrase without its article and surrounding punctuation."""
    return _ARTICLE.sub("", phrase.strip(" ,;:.?!-–—\"'“”()"))


def is_plural(phrase: str) -> bool:
    """True if the head of a noun phrase (the word before its first preposition or verb) is a plural."""
    head = _HEAD.split(f"{phrase} ", maxsplit=1)[0].split()
    word = head[-1].lower().strip("'’\"") if head else ""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))


def _about(core: str) -> tuple[str, ...]:
    """What a question of no special form is about; () if it names nothing."""
    match = _ABOUT.match(core)
    phrase = bare(match["of"] if match else core)
    return (phrase,) if phrase else ()
