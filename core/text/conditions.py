"""The conditions of a question (quantities, names, circumstances, superlatives), and which of them an answer meets.

The rules are pure functions. Writer, check and correction use them to hold back answers to another question.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from core.text.answer_sentences import has_back_reference
from core.text.compared_things import unmet_comparison, unmet_superlatives
from core.text.formulas import formulas, holds_formula
from core.text.quantities import quantities
from core.text.quantity_conditions import unmet_quantities
from core.text.rival_words import KINDS, OPPOSITES, QUALITIES, differ_by_prefix, names_alike, rival_of, rivals
from core.text.unmet import Unmet
from core.text.verifiable_facts import holds_word
from core.text.words import STOPWORDS, content, frequency, words

__all__ = ["ALIKE", "Unmet", "may_replace", "mismatches", "speaks_of_another", "unmet"]

_YES_NO = re.compile(
    r"\W*(?:(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may)(?:n't)?)\b",
    re.IGNORECASE,
)
"""A yes/no question: its answer may deny what it says, so a rival word in the answer is no mismatch."""
_NAME = re.compile(r"[A-Z][\w’'-]*(?:\.(?=\s?[A-Z]))?")
_NO_NAMES = frozenset(
    """name give state list write define explain describe mention compare tell find show i mr mrs dr sir class chapter
    figure fig table activity example english""".split()
)
_ASKING = frozenset("what which how whose whom who".split())
_OPTIONS = re.compile(r"\((?:a|i|1)\)[^()]{1,200}\((?:b|ii|2)\)")
"""The choices of a multiple-choice question; an answer names only one of them."""
_SUBJECT = re.compile(
    r"\W*(?P<lead>(?:(?:how|why|when|where)\s+(?:\w+\s+)?)?"
    r"(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may))\s+"
    r"(?P<subject>(?:(?:the|an?)\s+)?[a-z]+)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(r"^(?:please )?(?:note|remember|recall|observe|notice|we see|it follows) that\b", re.IGNORECASE)
_LEAST_REST = 2
"""The fewest words of a question that an answer must repeat before a different subject counts as a mismatch."""
ALIKE = 0.6
"""Two sentences are alike if one holds at least this share of the other's content words."""
_RARE = 1500
"""A word with at most this count in core/text/words.py is a term, which an answer must name."""
_ROOT = 5
"""Two forms of one name share at least this many first letters."""
_PREPOSITIONS = (
    "in|on|at|under|during|without|through|into|inside|from|by|for|of|to|with|near|between|after|before|when"
)
_FRAME = re.compile(rf"\b(?P<lead>{_PREPOSITIONS})\s+(?=(?P<object>(?:[^\W_][\w’'-]*\s*){{1,6}}))", re.IGNORECASE)
_CIRCUMSTANCES = frozenset("in on at under during without through into inside near after before when".split())
"""Prepositions that open a circumstance: where, when or in what something happens."""


def mismatches(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """The conditions of `question` for which `answer` states something else, so that it answers another question."""
    return tuple(one for one in unmet(question, answer, context) if one.is_mismatch)


def may_replace(question: str, sentence: str, statement: str, context: str = "") -> bool:
    """True if `statement` from a book may replace `sentence` as an answer to `question`.

    `statement` must have no mismatch with the question, and must meet each name, comparison and superlative of the
    question that `sentence` meets. If `sentence` has a number, `statement` must meet each quantity of the question too,
    because the number may be computed from them. A statement that refers back need not meet names.
    context: the text around `statement`.
    """
    missing = unmet(question, statement, context)
    kinds = {"comparison", "superlative"} | (set() if has_back_reference(statement) else {"name"})
    unmet_words = set(unmet(question, sentence))
    has_quantities = bool(quantities(sentence))
    return not any(
        one.is_mismatch or (one.kind == "quantity" and has_quantities) or (one.kind in kinds and one not in unmet_words)
        for one in missing
    )


def speaks_of_another(question: str, sentence: str, statement: str, context: str = "") -> bool:
    """True if `statement` and `sentence` say much the same, but of two different subjects.

    "Sound cannot travel through a vacuum" does not correct "Light can travel through a vacuum": the two share most
    words, but the statement has another subject than question and judged text.
    """
    stems, subject, other = set(content(sentence)), content(subject_of(sentence)), content(subject_of(statement))
    context_stems = set(content(f"{context}\n{statement}"))
    is_similar = len(stems & set(content(statement))) >= ALIKE * len(stems)
    lacks_subject = bool(set(subject) & set(content(question)) - context_stems)
    return is_similar and lacks_subject and not set(other) <= set(content(question)) | stems


@lru_cache(maxsize=2048)
def unmet(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """The conditions of `question` that `answer` does not meet, in the order of the kinds.

    context: text around the answer whose names count as named: the headings above it, and the sentence before an
    answer that refers back.
    """
    options = _OPTIONS.search(question)  # they are no conditions
    question = question[: options.start()] if options and options.start() else question
    text = f"{context}\n{answer}"
    missing = [*unmet_quantities(question, answer, context), *_unmet_names(question, answer, text)]
    missing += unmet_comparison(question, answer, text)
    missing += unmet_superlatives(question, answer, text)
    missing += _unmet_opposites(question, answer, text)
    missing += _unmet_qualities(question, text)
    missing += _other_subject(question, answer, text)
    stems = {stem for one in missing for stem in content(one.condition)}
    missing += [
        one
        for one in _unmet_circumstances(question, answer, text)
        if one.is_mismatch or not set(content(one.condition)) <= stems
    ]
    return tuple(dict.fromkeys(missing))


def _unmet_names(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The names, terms and formulas of the question that `text` (answer and context) does not hold."""
    for name in names(question):
        parts = [w for w in name.split() if w != "of"]
        if not any(_begins_alike(part, text) for part in parts) and not _abbreviates(name, text):
            # A rival follows the same words in the answer ("the capital of"), and the question does not name it.
            own_stems = {w for one in names(question) for w in content(one)}
            pattern = rf"(?P<lead>\b[A-Za-z]+\s+of|\bin)\s+(?:the\s+)?(?P<name>{re.escape(name)}|[A-Z][a-z]+)\b"
            leads = {m["lead"].lower() for m in re.finditer(pattern, question) if m["name"] == name}
            others = (m for m in re.finditer(pattern, answer) if m["lead"].lower() in leads)
            other_name = next((m["name"] for m in others if not own_stems & set(content(m["name"]))), "")
            yield Unmet(kind="name", condition=name, rival=other_name)
    small = {w for w in words(question) if w.isalpha() and len(w) >= _ROOT}
    for word in sorted(small - {w for name in names(question) for w in words(name)}):
        if 0 < frequency(word) <= _RARE and not _begins_alike(word, text):
            yield Unmet(kind="term", condition=word)
    for formula in sorted(formulas(question)):
        if not holds_formula(text, formula):
            yield Unmet(kind="name", condition=formula)


@lru_cache(maxsize=256)
def names(text: str) -> tuple[str, ...]:
    """The proper names of `text`: runs of capitalised words that do not open a sentence. () for a title."""
    tokens = text.split()
    if sum(t[:1].isupper() for t in tokens) > max(2, 0.6 * len(tokens)):
        return ()  # a title, or a text in capitals
    runs: list[list[str]] = []
    is_in_run = False
    for index, token in enumerate(tokens):
        bare = re.sub(r"^\W+|(?:['’]s)?\W*$", "", token)
        opens = index == 0 or tokens[index - 1][-1] in ".?!:)"
        if is_in_run and token == "of" and tokens[index + 1 : index + 2] and tokens[index + 1][:1].isupper():
            runs[-1].append(token)
            continue
        is_name = bool(_NAME.match(bare)) and len(bare) > 1 and bare.lower() not in _NO_NAMES | STOPWORDS and not opens
        is_name = is_name and not re.fullmatch("[IVXLC]+", bare)
        if is_name and is_in_run:
            runs[-1].append(bare)
        elif is_name:
            runs.append([bare])
        is_in_run = is_name and token[-1] not in ",;:?!"
    return tuple(" ".join(run) for run in runs if not formulas(" ".join(run)))


def _abbreviates(name: str, text: str) -> bool:
    """True if `name` is an abbreviation of words of `text`, or if an abbreviation of `name` is in `text`."""
    letters = "".join(w[0] for w in words(text) if w[0].isalpha())
    initials = "".join(w[0] for w in name.split() if w != "of").lower()
    short = re.sub(r"s$", "", name).lower()
    return (name.isupper() and short in letters) or (len(initials) > 1 and initials in words(text))


def _begins_alike(word: str, text: str) -> bool:
    """True if `text` holds `word`, another form of it, or a word with the same long beginning ("Quebecois")."""
    root = word.lower()[: max(_ROOT, len(word) - 2)]
    return holds_word(word, text) or (len(word) >= _ROOT and any(w.startswith(root) for w in words(text)))


def _unmet_opposites(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The words of the question whose opposite the answer has instead. Yes/no questions have none."""
    if _YES_NO.match(question):
        return
    question_words, around = words(question), set(content(text))
    others = [w for w in words(answer) if w not in question_words]
    for word in dict.fromkeys(w for w in question_words if not around & set(content(w))):
        prefixed = (w for w in others if differ_by_prefix(word, w))
        rival = rival_of(word, others, OPPOSITES) or next(prefixed, "")
        if rival and not names_alike(word, words(text), OPPOSITES):
            yield Unmet(kind="opposite", condition=word, rival=rival)


def _unmet_qualities(question: str, text: str) -> Iterator[Unmet]:
    """The kinds of a thing in the question, if the answer or its heading names only another kind of that thing, by
    word or by initials: an "AP" is no geometric progression."""
    question_words, around = words(question), words(text)
    pairs = [(one, other) for one, other in pairwise(around) if one not in question_words]
    abbreviations = [w for w in re.findall(r"\b[A-Z]{2}(?=s?\b)", text) if w.lower() not in question_words]
    for quality, thing in pairwise(question_words):
        if quality not in QUALITIES or thing in STOPWORDS or names_alike(quality, around, QUALITIES):
            continue
        beside = [one for one, other in pairs if set(content(other)) & set(content(thing))]
        others = {f"{other[0]}{thing[0]}".upper(): other for other in rivals(quality, QUALITIES)}
        by_initials = [others[w] for w in abbreviations if w in others and w[0].lower() != quality[0]]
        if rival := rival_of(quality, beside, QUALITIES) or next(iter(by_initials), ""):
            yield Unmet(kind="opposite", condition=f"{quality} {thing}", rival=f"{rival} {thing}")


def _other_subject(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The subject of the question, if the answer repeats the rest of the question with another subject.

    "Can light travel through a vacuum?" and "Sound cannot travel through a vacuum" differ in their subject.
    """
    match = _SUBJECT.match(question)
    if not match or not (subject := _object(match["subject"])):
        return
    about = set(content(subject))
    rest = {w for w in content(question[match.end("lead") :]) if w not in about}
    other = subject_of(answer)
    repeats_rest = len(rest) >= _LEAST_REST and rest <= set(content(answer))
    if about and repeats_rest and other and not about & set(content(text)) and other not in words(question):
        yield Unmet(kind="subject", condition=subject, rival=other)


def _unmet_circumstances(question: str, answer: str, text: str) -> Iterator[Unmet]:
    """The places, times, media and other circumstances that the question names and the answer does not."""
    question_words = set(words(question))
    in_answer = list(_frames(answer))
    for lead, thing in _frames(question):
        if not content(thing) or any(_begins_alike(w, text) for w in thing.split()):
            continue
        others = [w for other, object_ in in_answer if other == lead for w in words(object_) if w not in question_words]
        rival = next((r for w in words(thing) if (r := rival_of(w, others, KINDS))), "")
        if rival or lead in _CIRCUMSTANCES:
            yield Unmet(kind="circumstance", condition=f"{lead} {thing}", rival=f"{lead} {rival}" if rival else "")


def subject_of(sentence: str) -> str:
    """The first content word of a sentence in lower case, which is mostly its subject; "" if it has none."""
    return next((w for w in words(_NOTE.sub("", sentence)) if w not in STOPWORDS), "")


@lru_cache(maxsize=2048)
def _frames(text: str) -> tuple[tuple[str, str], ...]:
    """(preposition, object) of each prepositional phrase: ("in", "water"). An object that begins with a number is left
    out."""
    return tuple((m["lead"].lower(), thing) for m in _FRAME.finditer(text) if (thing := _object(m["object"])))


def _object(run: str) -> str:
    """The first content words of `run` (at most 3), after its articles and up to the next stopword or number."""
    tokens: list[str] = []
    for token in run.split():
        if token.lower() in _ASKING:
            break
        if token.lower() in STOPWORDS:
            if tokens:
                break
        elif token[0].isdigit():
            break
        else:
            tokens.append(token)
    return " ".join(tokens[:3])
