"""Rules for the kind of a question, such as definition, reason or list, by its wording."""

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from core.text.numerals import CARDINALS
from core.text.quantities import quantities

LONGEST = 400
"""The number of characters of a question that the rules read."""

_SHORT = {
    "wat": "what", "wht": "what", "wot": "what", "waht": "what", "wats": "what is", "whats": "what is",
    "what's": "what is", "who's": "who is", "where's": "where is", "when's": "when is", "how's": "how is",
    "why's": "why is", "hw": "how", "hwo": "how", "wen": "when", "whn": "when", "wher": "where", "whr": "where",
    "whre": "where", "wich": "which", "whch": "which", "whic": "which", "whos": "who is", "wy": "why",
    "diff": "difference", "difrence": "difference", "eg": "example", "defn": "definition", "def": "definition",
    "xplain": "explain", "pls": "please", "plz": "please", "b/w": "between", "btw": "between", "r": "are",
}  # fmt: skip
"""{short or wrong spelling of a question word: its usual spelling}."""
_LONG = tuple(
    "difference different definition define explain describe example examples meaning between compare calculate "
    "distinguish function mention".split()
)
"""Question words that are long enough to be recognised in a wrong spelling."""
_LETTER_Y = re.compile(
    r"^(?P<frame>(?:please |so )?)y(?= (?:is|are|was|were|do|does|did|can|has|have)\b)", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’/]*")

COUNT = "|".join(("one", "two", *(word for word in CARDINALS if word not in ("zero", "one", "two")), r"\d{1,2}"))
"""A count in a question: a number word or one or two digits."""
ORDER = (
    r"(?:explain|describe|discuss|define|name|list|give|state|write|mention|enumerate|identify|cite|quote|suggest|tell"
    r"|show|outline|illustrate|elaborate|comment|compare|contrast|distinguish|differentiate|calculate|compute|find"
    r"|evaluate|solve|determine|work out|prove|classify|draw|justify)"
)
WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
VERB = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|might|must|shall)"
PREPOSITION = (
    r"(?:in|at|from|to|on|by|with|of|for|about|after|before|since|until|till|within|between|during|under|into|over"
    r"|through|near|around|against|upon|towards?)"
)
_ASKING = rf"(?:(?:{PREPOSITION} )?{WH}\b|{ORDER}\b|{VERB} )"
_FRAME = re.compile(
    r"^(?:(?:hi|hello|hey|please|kindly|sir|madam|so|ok|okay|well|and|now|also|then)[\s,]+){0,4}"
    rf"(?:(?:can|could|would|will) (?:you|u|someone|anyone) (?:please |kindly )?(?={ORDER}\b)"
    r"|(?:i|we) (?:want|would like|need|wish) to (?:know|understand) |(?:can|could|may) i (?:know|ask) "
    rf"|do you know (?={WH}\b)|i (?:do not|don't) (?:know|understand) (?={WH}\b)|let (?:me|us) know "
    rf"|(?:please )?tell (?:me |us )?(?=(?:{PREPOSITION} )?{WH}\b))?(?:please )?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"^(?:if|when|while|suppose|given|according|as|because|since|because of|besides|{PREPOSITION})\b(?! {WH}\b)"
    rf"[^?]{{1,200}}?,\s*(?={_ASKING})",
    re.IGNORECASE,
)
"""A clause before the question itself: "In the table of metals, ", "If the air is cold, "."""
_LATER = re.compile(rf"(?:\b(?:{PREPOSITION}) )?\b(?:how (?:much|many)|{WH})\b", re.IGNORECASE)
_OPENS = re.compile(rf"^{_ASKING}", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=\S)")


def opens(text: str) -> bool:
    """True if `text` begins with a question word, an order or an auxiliary verb."""
    return bool(_OPENS.match(text))


@lru_cache(maxsize=1024)
def _normalize_question(question: str) -> str:
    """The first LONGEST characters of `question` on one line, with its question words in their usual spelling."""
    text = _LETTER_Y.sub(r"\g<frame>why", " ".join(question[:LONGEST].split()))
    return _WORD.sub(lambda match: _spelling(match.group()), text)


def _spelling(word: str) -> str:
    """A question word in its usual spelling; any other word unchanged."""
    lower = word.lower().replace("’", "'")
    if lower in _SHORT:
        return _SHORT[lower]
    if len(lower) < 6 or lower in _LONG:
        return word
    near = get_close_matches(lower, [one for one in _LONG if one[0] == lower[0]], n=1, cutoff=0.85)
    # "explained" and "functional" are other forms of a question word, not wrong spellings of it.
    return near[0] if near and not (lower.startswith(near[0].rstrip("e")) or near[0].startswith(lower)) else word


@lru_cache(maxsize=1024)
def asking_sentence(question: str) -> str:
    """The first sentence of `question` that asks, with usual spelling of question words; its first sentence if none
    asks."""
    sentences = _SENTENCE.split(_normalize_question(question))
    return next((one for one in sentences if opens(core_of(one))), sentences[0])


def core_of(sentence: str) -> str:
    """`sentence` from its asking words on, without polite words and question mark: "Please tell me, in the desert, how
    hot is it?" gives "how hot is it"."""
    bare = _FRAME.sub("", sentence.strip(" \"'“”"), count=1).strip(" ?!.,;:-–—\"'“”")
    bare = _CLAUSE.sub("", bare, count=1)
    later = None if opens(bare) else _LATER.search(bare)
    return bare[later.start() :] if later and (sentence.rstrip().endswith("?") or _asks_late(bare, later)) else bare


def _asks_late(bare: str, later: re.Match[str]) -> bool:
    """True if the word at `later` asks, in a question without a question mark; False for a relative "which" or the
    like."""
    word = later.group().split()[-1].lower()
    return word in ("what", "how", "why", "whom", "much", "many") or bare[: later.start()].rstrip().endswith(
        (",", "-", ":")
    )


Kind = Literal[
    "definition", "reason", "manner", "person", "time", "place", "number", "list", "difference", "comparison",
    "example", "use", "explanation", "yes_no", "keywords", "computation", "other",
]  # fmt: skip

_BE = r"(?:is|are|was|were)"
_NUMBERS = (
    r"(?:speed|velocity|loudness|temperature|length|height|width|depth|breadth|thickness|mass|weight|area|volume"
    r"|density|distance|population|age|cost|price|share|percentage|per ?cent|fraction|proportion|number|size"
    r"|value|sum"
    r"|amount|total|wavelength|ratio|(?:boiling|melting|freezing) point|quantity|rate|score|duration|salary"
    r"|profit|loss"
    r"|pressure|voltage|range|frequency|thickness)"
)
_TIMES = r"(?:year|date|day|month|century|decade|time|hour|season|period|era)(?! zones?\b)"
_PLACES = (
    r"(?:country|state|city|town|village|place|district|continent|region|river|ocean|capital|planet|province"
    r"|hemisphere)"
)
_PERSONS = r"(?:person|scientist|king|queen|ruler|author|poet|leader|inventor|emperor|writer|philosopher|economist)"
_ATTRIBUTES = (
    r"(?:(?:si |scientific |chemical )?(?:name|unit|symbol|formula|colou?r|shape|state|advice|result|effect"
    r"|outcome|time"
    r"|difference|relation(?:ship)?|view|opinion|position|composition|nature|name|title|aim|goal|condition"
    r"|status|order"
    r"|direction|source|basis|contribution|impact|answer|equation|structure|smell|taste|sign|rule|main idea|theme))"
)
_LAWS = r"(?:law|principle|theorem|postulate|hypothesis)"
_LISTED = (
    r"(?:types?|kinds?|causes|effects|features|characteristics|parts|steps|stages|factors|advantages|disadvantages"
    r"|merits|demerits|properties|methods|ways|sources|components|consequences|observations|conditions|names|members"
    r"|elements|differences|similarities|benefits|drawbacks|limitations|functions|examples|products|values|duties"
    r"|rights|symptoms|measures|rules|levels|categories|classes|forms|aims|objectives|results|impacts|laws|problems"
    r"|constituents|ingredients|layers|reactants|characters|contributions|payments|states|units)"
)
_MEASURES = (
    r"(?:many|much|long(?! ago)|far|high|tall|deep|wide|big|large|small|fast|slow|old|often|hot|cold|heavy|thick|thin"
    r"|loud|strong|bright|close|near|frequently)"
)
_PARTICIPLE = (
    r"\w{3,}(?:ed|en|wn)\b(?: (?:to|for|by|in|on|at|from|when|as|during|with|if|after|here|inside|out|off|up)\b|$)"
)
_REQUEST = rf"(?:{ORDER}(?: (?:me|us|out|down))?|what {_BE}|which {_BE})"
_FILL = rf"(?:(?!{VERB}\b)[\w-]+ )?"
"""At most one word, no verb, between a question word and its noun."""
_FILLER = rf"(?: (?:the|an?|any|some|at least|main|chief|only|all|its|their|other|{COUNT}))*"

_RULES: tuple[tuple[Kind, str], ...] = (
    ("example", rf"^{_REQUEST}{_FILLER}(?: (?!and\b|with\b)[\w-]+){{0,3}}? examples?\b(?! of (?:the )?(?:use|uses)\b)"),
    ("example", rf"^(?:(?:an?|some|one) )?(?:[\w-]+ ){{0,2}}examples? (?:of|for|where|in|from)\b|^(?!{ORDER}\b"
        rf"|{WH}\b)[^?]{{1,80}} examples?$"),
    ("reason", r"^why\b|^how come\b|^(?:for|due to|owing to|because of) (?:what|which)(?: (?:reason|cause))?\b"),
    ("reason", rf"^{ORDER}(?: (?:me|us))? (?:the reasons? )?why\b|^{_REQUEST}{_FILLER}(?: (?!and\b"
        rf"|with\b)[\w-]+){{0,2}}? reasons?\b"),
    ("reason", rf"^what {_BE}{_FILLER}(?: (?!and\b|with\b)[\w-]+){{0,2}}? cause\b|^what (?:causes?|caused"
        rf"|makes? (?!up\b)|made)\b"),
    ("reason", r"^(?:the )?(?:reasons?|cause) (?:for|of|why|behind)\b|^what (?:is|was) the reason\b"),
    ("use", rf"^{_REQUEST}{_FILLER}(?: (?!and\b|with\b)[\w-]+){{0,2}}? (?:uses?|usage|applications?|purposes?|roles?"
        rf"|functions?) (?:of|for)\b"),
    ("use", rf"^(?:(?:the|any|{COUNT}) )?(?:uses?|applications?|functions?) of\b|^(?:for )?what\b[^?]*\b(?:used"
        rf"|useful|good) for$"),
    ("use", rf"^where {_BE} [^?]+ used$|^for what (?:purpose )?{_BE} [^?]+ used|^how {_BE} [^?]+ useful\b"
        rf"|^of what use\b"),
    ("definition", r"^(?:define|definition of|meaning of)\b|^how (?:would|do|can|could|will) (?:you|we"
        r"|one) define\b"),
    ("definition", rf"^what(?: exactly)? {_BE} (?:exactly )?(?:meant|understood|implied) by\b"),
    ("definition", r"^what (?:exactly )?(?:do|does|can|did) (?:you|we|one|people|i|they)(?: exactly)? (?:mean"
        r"|understand) (?:by|when|if)\b"),
    ("definition", r"^what (?:exactly )?(?:does|do|did) [^?]+ (?:mean|stand for|refer to|signify|denote)$"),
    ("definition", rf"^{_REQUEST}(?: (?:the|an?|exact|proper|scientific|literal|full))* (?:meaning|definition)s?\b"),
    ("definition", r"^what (?:an? )?[^?]{1,60} (?:is|are)$"),
    ("definition", r"^[^?]{1,80} (?:meaning|definition|means what|means)$"),
    ("definition", rf"^(?:state|give|write|what {_BE})(?: the)?(?: [\w'’-]+){{0,3}}? {_LAWS}\b"),
    ("definition", rf"^who {_BE} (?:an? |(?:the )?\w+s$)"),
    ("explanation", r"^(?:explain|describe|discuss|elaborate|illustrate|outline|justify)\b|^tell (?:me "
        r"|us )?(?:something )?about\b"),
    ("explanation", r"^(?:write|give|add) (?:an? )?(?:(?:short|brief) )?(?:notes?|account|explanation"
        r"|description|paragraph)\b"),
    ("explanation", r"^(?:comment|throw light|shed light) on\b|^what do you know (?:about|of)\b|^show (?:how"
        r"|that)\b"),
    ("other", r"^what (?:happens?|happened|will happen|would happen|becomes?|became)\b"),
    ("list", rf"^{ORDER}(?: me)?{_FILLER} {_LISTED}\b"),
    ("list", rf"^what are(?: the)?{_FILLER}(?: (?!and\b|with\b)[\w-]+){{0,2}}? {_LISTED}\b"
        rf"|^(?:the )?(?:[\w-]+ )?{_LISTED} of\b"),
    ("number", rf"^(?:{PREPOSITION} )?how {_MEASURES}\b"),
    ("number", rf"^(?:{PREPOSITION} )?(?:what|which) {_FILL}{_NUMBERS}\b"
        rf"|^what {_BE} (?:the )?(?:[\w'’-]+ ){{0,3}}?{_NUMBERS} (?:of|for|in|at|that)\b"),
    ("time", rf"^(?:{PREPOSITION} )?when\b|^how long ago\b|^(?:{PREPOSITION} )?(?:what|which) {_FILL}{_TIMES}\b"),
    ("time", rf"^what {_BE} the (?:[\w-]+ ){{0,2}}?(?:year|date|time|day) (?:of|when|in|for)\b"),
    ("place", rf"^(?:{PREPOSITION} )?where\b|^{PREPOSITION} (?:what|which) {_FILL}(?:{_PLACES}s?|cities"
        rf"|countries)\b"),
    ("place", rf"^(?:what|which) {_FILL}{_PLACES}\b|^what {_BE} the (?:[\w-]+ ){{0,2}}?(?:capital|location) of\b"),
    ("person", rf"^(?:{PREPOSITION} )?(?:who|whom|whose)\b|^(?:{PREPOSITION} )?(?:what|which) {_FILL}{_PERSONS}\b"),
    ("person", r"^what (?:is|was) the name of the (?:\w+ )?(?:person|scientist|man|woman|author|king|queen|poet)\b"),
    ("manner", r"^(?:in what|in which|what) (?:way|manner)s?\b|^by (?:what|which) (?:means|method|process)\b"),
    ("other", rf"^how {_BE} [^?]+ related\b"),
    ("manner", rf"^how\b|^(?:{ORDER}(?: me)? )?(?:ways? to|how to)\b"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _RULES)
_CALCULATES = re.compile(r"^(?:calculate|compute|find|work out|evaluate|solve|determine)\b", re.IGNORECASE)
_SUM = re.compile(r"\d\s*[-+×x*/÷^=]\s*\d")
_DATA = re.compile(
    r"\b(?:in|after|for|during|within|of|at|by|with|weighs|is|if|moving|under)\s+(?:\w+\s+){0,3}$", re.IGNORECASE
)
_NO_VALUE = frozenset(("percent", "degree", "rupee", "celsius"))
"""Units whose number more often identifies a thing than gives a value to compute with."""
_WHAT_IS = re.compile(rf"^what (?:exactly )?(?P<be>{_BE}) (?:exactly )?(?P<what>.+)$", re.IGNORECASE)
_POINTS = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|there|your|you|happening|going"
    r"|wrong)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(r"\b(?:called|known as|named|termed|like)$|^(?:called|known|termed)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rf"^(?:(?:the|its|his|their|our) |[\w’']+['’]s )(?:[\w-]+ ){{0,2}}?{_ATTRIBUTES}s?\b", re.IGNORECASE
)
_OWNED = re.compile(r"^[\w-]+(?: [\w-]+)?['’]s? ", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"^the (?:[\w-]+est|most \w+|least \w+|first|last|second|third|only|main|chief|best|worst)\b", re.I
)
_COMPLEMENT = re.compile(r"\b(?:of|that|which|for|to|in|from|between|given)\b", re.IGNORECASE)
_ORDER_START = re.compile(rf"^{ORDER}\b(?: (?:me|us|out|down))?\s*", re.IGNORECASE)
_SINGLE = re.compile(r"^(?:an?|one|any one)\s", re.IGNORECASE)
_WHICH = re.compile(
    rf"^(?:{PREPOSITION} )?(?:which|what) (?P<many>(?:{COUNT}) )?(?P<one>[\w-]+)(?: (?P<two>[\w-]+))?"
    r"(?: (?P<three>[\w-]+))?",
    re.I,
)
_SUBORDINATE = re.compile(
    rf"\s(?:that|which|who|whose|where|when|given|along|used|found|made|seen|{PREPOSITION}|{VERB})\b|[,;:]",
    re.IGNORECASE,
)
_AFTER = rf"^(?:{VERB}|{PREPOSITION})$"
"""The word after the noun of a "what" question that asks for things, as in "what methods are".

Without it the noun may be a verb that looks like a plural, as in "what happens".
"""
_COUNTED = re.compile(rf"^(?:(?:the|any|some|at least|main|all|only) ){{0,3}}(?P<n>{COUNT})\b", re.IGNORECASE)
_PLURALS = frozenset("children people men women phenomena criteria data media bacteria fungi feet teeth mice".split())


@lru_cache(maxsize=1024)
def kind_by_wording(core: str, is_marked: bool) -> Kind:
    """The kind of a question that names no two sides of a difference or comparison.

    core: the question from its question word or order on. is_marked: True if it ends in a question mark.
    """
    if re.match(rf"^{VERB}\b", core, re.IGNORECASE) and len(core.split()) > 2:
        return "yes_no"
    if (_CALCULATES.match(core) and re.search(r"\d", core)) or (_SUM.search(core) and is_marked):
        return "computation"
    kind = next((kind for kind, pattern in _COMPILED if pattern.search(core)), None)
    if kind in ("number", "manner") and _has_given_quantity(core) and not core.lower().startswith("how old"):
        return "computation" if kind == "number" else kind
    asks = re.search(rf"^(?:{WH}|{VERB})\b", core, re.IGNORECASE)
    otherwise = "other" if asks or (is_marked and len(core.split()) > 5) or len(core.split()) > 10 else "keywords"
    return kind or _order_kind(core) or _which_kind(core) or _what_kind(core) or otherwise


def _has_given_quantity(core: str) -> bool:
    """True if `core` gives a quantity in digits to compute with, such as "in 2 s"."""
    if not re.search(r"\d", core):
        return False
    return any(
        one.unit and one.unit.name not in _NO_VALUE and one.text[:1].isdigit() and _DATA.search(core, 0, one.start)
        for one in quantities(core)
    )


def is_plural(phrase: str) -> bool:
    """True if the head of a noun phrase (the word before its first preposition or verb) is a plural."""
    head = _SUBORDINATE.split(f"{phrase} ", maxsplit=1)[0].split()
    word = head[-1].lower().strip("'’\"") if head else ""
    return word in _PLURALS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))
    )


def _order_kind(core: str) -> Kind | None:
    """The kind of an order: "Give one animal that …" asks for an example, "Name the planets" for a list, "Name the
    process" for one thing. None if `core` is no order."""
    match = _ORDER_START.match(core)
    if not match:
        return None
    what = core[match.end() :]
    if _SINGLE.match(what):
        return "example"
    return "list" if _COUNTED.match(what) or is_plural(what) else "other"


def _which_kind(core: str) -> Kind | None:
    """The kind of a "which" question: "Which metals …" asks for a list, "Which metal …" for one thing. None for
    others."""
    match = _WHICH.match(core)
    if not match or re.match(rf"^(?:{VERB}|\w*self)$", match["one"], re.IGNORECASE):
        return None
    if (
        not match["many"]
        and re.search(r"^(?:\w+ )?what ", core, re.I)
        and not re.match(_AFTER, match["two"] or "", re.I)
    ):
        return "other"
    several = match["many"] or is_plural(match["one"])
    by_adjective = is_plural(match["two"] or "") and re.match(rf"^{VERB}$", match["three"] or "", re.IGNORECASE)
    return "list" if several or by_adjective else "other"


def _what_kind(core: str) -> Kind | None:
    """The kind of "What is X": a definition if X is a term, another kind if the words of X show it. None for others."""
    match = _WHAT_IS.match(core)
    if not match:
        return None
    what, be = match["what"], match["be"].lower()
    if re.search(r"\b(?:if|when)\b.*\d", what):
        return "computation"
    if _POINTS.match(what) or _NAMING.search(what) or _ATTRIBUTE.match(what) or re.match(_PARTICIPLE, what, re.I):
        return "other"
    if be in ("are", "were") and re.match(r"^(?:the|some|any|its|their)\b", what, re.I) and _COMPLEMENT.search(what):
        return "list" if is_plural(re.sub(r"^(?:the|some|any) ", "", what)) and " and the " not in what else "other"
    if _SUPERLATIVE.match(what) or _OWNED.match(what) or (be in ("was", "were") and " of " in what):
        return "other"
    return "definition"
