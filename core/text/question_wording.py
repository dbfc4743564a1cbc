"""Prepares the wording of a question for its rules: the usual spelling of question words, and the words that ask."""

import re
from difflib import get_close_matches
from functools import lru_cache

from core.text.numerals import CARDINALS

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
def spelt_out(question: str) -> str:
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
    return near[0] if near and not _is_form(lower, near[0]) else word


def _is_form(word: str, question_word: str) -> bool:
    """True if `word` is another form of `question_word` ("explained", "functional") and so no wrong spelling of it."""
    return word.startswith(question_word.rstrip("e")) or question_word.startswith(word)


@lru_cache(maxsize=1024)
def asking_sentence(question: str) -> str:
    """The first sentence of `question` that asks, with usual spelling of question words; its first sentence if none
    asks."""
    sentences = _SENTENCE.split(spelt_out(question))
    return next((one for one in sentences if opens(core_of(one))), sentences[0])


def core_of(sentence: str) -> str:
    """`sentence` from its asking words on, without polite words and question mark: "Please tell me, in the desert, how
    hot is it?" gives "how hot is it"."""
    bare = _FRAME.sub("", sentence.strip(" \"'“”"), count=1).strip(" ?!.,;:-–—\"'“”")
    bare = _CLAUSE.sub("", bare, count=1)
    later = None if opens(bare) else _LATER.search(bare)
    return bare[later.start() :] if later and (sentence.rstrip().endswith("?") or _asks_late(bare, later)) else bare


def _asks_late(bare: str, later: re.Match[str]) -> bool:
    """True for a question word inside a question without a question mark; False for a relative "which" or "where"."""
    word = later.group().split()[-1].lower()
    return word in ("what", "how", "why", "whom", "much", "many") or bare[: later.start()].rstrip().endswith(
        (",", "-", ":")
    )
