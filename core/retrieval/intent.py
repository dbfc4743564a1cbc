"""Determines the kind of a turn, and how clear a question is."""

import re
from collections.abc import Collection
from typing import Literal

from core.book_titles import title_of
from core.case import Case, Passage, Question
from core.settings.domains import Domain
from core.text.quantities import numbers, values
from core.text.questions import QUESTION_WORD
from core.text.small_talk import greets, in_lexicon, without_greeting
from core.text.words import STOPWORDS, content, stem, words

Kind = Literal["question", "small_talk", "about_last_turn", "tool_result"]

_REPORT_VERB = re.compile(
    r"\byou (?:just |have )?(?:said|say|mean|meant|wrote|used|told|called|mentioned)\b"
    r"|\byour (?:last |own |previous |first )*(?:answer|sentence|message|words?|reply|question)\b"
)
_REPORT_WORDS = frozenset("say said mean meant use just word answer sentence tell told call last simpler".split())
_RESULT = re.compile(r"\b(?:tools?|results?|outputs?|calculators?|search|look-?up|api)\b")
_HOW_ARE_YOU = re.compile(r"\b(?:how (?:are|do) you(?: doing| do)?|how is it going|what's up)\b")
_ARE_YOU = re.compile(r"\bare you (?:ready|there|ok|okay|well|fine|free|real|human)\b[a-z ]*")
_WANTS = re.compile(
    r"\b(?:learn|revise|confused|stuck)\b|(?<!\bno )(?<!\bany )\bdoubts?\b"
    r"|\b(?:want|need|like|trying) to (?:know|understand|study)\b"
)
"""A wish for information."""
_WHOSE = re.compile(r"\b(?:my|your|the|a) \w+")
_PERSON = re.compile(r"\b(?:i|i'm|my|me|you|your|we)\b")
_POINTS = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|he|she|one|ones|others?|same|such)\b"
    r"|^\W*(?:and |so )?which (?:ones? )?(?:is|are|was|of)\b|\bthe (?:first|second|third|last|next|previous)\b"
)
"""Words that refer to something outside the question, as "which is" refers to things to choose from."""
_POSSESSIVES = ("its", "their")
"""Words that refer to what the same question named before them, if it did."""
_ASKS = re.compile(
    r"\b(?:what|who|whom|whose|where|when|why|how|which|is|are|was|were|do|does|did|can|could|will|would|should|has|have"
    r"|explain|define|describe|name|list|give|state|find|calculate|compare|solve|write|show|draw|prove)\b"
)
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*|\([a-z0-9]{1,3}\))[.)]?\s+", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^()]*\)\W*$")
MEANINGS = 3
"""Maximum number of meanings that a clarifying question offers."""


def kind_of_turn(question: Question) -> Kind:
    """The kind of a turn, by rules on its words, the history and the tool results; "question" in doubt.

    Small talk skips the search, so anything that is not plainly small talk must be a question.
    """
    text, results, answer = one_line(question.query), tool_texts(question), last_answer(question)
    stems, together = content(text), "\n".join(results)
    # It asks for the results of tools, by name or by their content.
    if results and (_RESULT.search(text) or set(stems) & set(content(together)) or values(text) & values(together)):
        return "tool_result"
    # It has words such as "you said", and either names something that the answer names, or names nothing.
    names = {w for w in stems if w not in _REPORT_WORDS and w not in in_lexicon("pointing")}
    if answer and _REPORT_VERB.search(text) and (not names or names & set(content(answer))):
        return "about_last_turn"
    return "small_talk" if _is_small_talk(text) else "question"


def one_line(text: str) -> str:
    """`text` in lower case with single spaces, as the rules read it."""
    return " ".join(text.lower().replace("’", "'").split())


def is_asking(text: str) -> bool:
    """True if `text`, on one line, has a word that asks or orders."""
    return bool(_ASKS.search(text))


def tool_texts(question: Question) -> tuple[str, ...]:
    """Tool results for this turn: those of the question, and those in the history since the last answer."""
    texts: list[str] = []
    for turn in question.history:
        texts = [*texts, turn.text] if turn.role == "tool" else [] if turn.role == "assistant" else texts
    return tuple(dict.fromkeys((*question.tool_results, *texts)))


def last_answer(question: Question) -> str:
    """The last turn of the assistant; "" if there is none."""
    return next((t.text for t in reversed(question.history) if t.role == "assistant"), "")


def _is_small_talk(text: str) -> bool:
    """True for a greeting or thanks that asks for nothing, alone or with a remark about oneself."""
    bare = text.rstrip("?!. ")
    if not greets(text) and not _HOW_ARE_YOU.fullmatch(bare) and not _ARE_YOU.fullmatch(bare):
        return False
    rest = _HOW_ARE_YOU.sub("", without_greeting(text))
    if QUESTION_WORD.search(rest) or _WANTS.search(rest) or in_lexicon("request") & set(content(_WHOSE.sub("", rest))):
        return False
    rest = _ARE_YOU.sub("", rest)
    return not content(rest) or ("?" not in rest.lstrip("?") and bool(_PERSON.search(rest)))


def clarity(case: Case, domain: Domain) -> float:
    """How clear a question is, in [0, 1]: the number of words that name something over the number needed; 1 is clear.

    One such word is enough for a question about it. Two are needed if the question is a single name ("salts") or refers
    back ("how is it made?"); a single word is also clear if all passages with it are in one section. A completed
    follow-up counts as a question about earlier turns.
    """
    question, text = case.question, one_line(case.question.standalone)
    # Words of earlier turns, or those in brackets, say what it refers to. A question that only lost the words around it
    # may still be vague.
    is_in_brackets = question.understood.rstrip("?!. ").endswith(")")
    is_completed = bool(question.understood) and (bool(question.history) or is_in_brackets)
    asks = is_completed or is_asking(text)
    # "their" in "bats and their way" refers to a named thing.
    pointing_words = [] if is_completed else _POINTS.finditer(text)
    points = any(w[0] not in _POSSESSIVES or not named_stems(text[: w.start()], domain) for w in pointing_words)
    names = set(named_stems(text, domain))
    share = min(1.0, len(names) / (1 if asks and not points else 2))
    if points or not names:
        return share
    sections = {p.section or p.document for p in _holding(case, names) if p.section or p.document}
    return max(share, 1 / max(1, len(sections)))


def meanings(case: Case, domain: Domain) -> tuple[str, ...]:
    """Possible meanings of the question in the library: sections of the evidence, those that name it first.

    At most MEANINGS; () if nothing was found.
    """
    matching = _holding(case, named_stems(case.question.standalone.lower(), domain)) or case.passages
    return tuple(dict.fromkeys(title for p in matching if (title := _title(p, domain))))[:MEANINGS]


def named_stems(text: str, domain: Domain) -> list[str]:
    """The stems in `text` that name something: no pointing words, requests or counts ("two"). A number in digits such
    as "2.1" may name a table and remains."""
    uninformative = (
        in_lexicon("pointing") | in_lexicon("request") | in_lexicon("courtesy") | {stem(w) for w in domain.pointing}
    )
    counts = {stem(n) for n in numbers(text) if n.isalpha()}
    return [w for w in content(text) if w not in uninformative | counts and (len(w) > 1 or w.isdigit())]


def _holding(case: Case, words: Collection[str]) -> tuple[Passage, ...]:
    return tuple(p for p in case.passages if set(words) & set(content(f"{p.section} {p.text}")))


def _title(passage: Passage, domain: Domain) -> str:
    """The subject of a passage: its heading, without its number and without a remark in brackets, or its chapter if the
    heading is like "Example 1" or "Summary".

    Never the code or the number of a book; "" if nothing else is known.
    """
    numbered = {stem(word) for kinds in domain.numbered for word in kinds.split("|")}
    heading = _REMARK.sub("", _NUMBERED.sub("", passage.section.strip()))
    if STOPWORDS.intersection(words(heading)[-1:]):  # the start of a sentence that continues in a formula
        heading = ""
    heading = heading.capitalize() if heading.isupper() and " " in heading else heading
    titles = (heading, passage.chapter, title_of(passage.document))
    return next(
        (t for t in titles if any(w.isalpha() and w not in numbered for w in named_stems(t.lower(), domain))), ""
    )
