"""The conditions of a question (quantities, names, circumstances, extremes), and which of them an answer meets.

Pure, by rules alone. Writer, check and correction use it so that nothing goes out that answers another question.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from core.text.answer_sentences import points_back
from core.text.compared_things import unmet_comparison, unmet_superlatives
from core.text.formulas import formulas, holds_formula
from core.text.quantities import quantities
from core.text.quantity_conditions import unmet_quantities
from core.text.rival_words import KINDS, OPPOSITES, QUALITIES, differ_by_prefix, names_alike, rival_of, rivals
from core.text.unmet import Unmet
from core.text.verifiable_facts import stands
from core.text.word_list import frequency
from core.text.words import STOPWORDS, content, words

__all__ = ["ALIKE", "Unmet", "may_replace", "mismatches", "speaks_of_another", "unmet"]

_YES_NO = re.compile(
    r"\W*(?:(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may)(?:n't)?)\b",
    re.IGNORECASE,
)
"""A question for yes or no: its answer may deny what it says, so a rival in the answer is no mismatch."""
_NAME = re.compile(r"[A-Z][\w’'-]*(?:\.(?=\s?[A-Z]))?")
_NO_NAMES = frozenset(
    """name give state list write define explain describe mention compare tell find show i mr mrs dr sir class chapter
    figure fig table activity example english""".split()
)
_ASKING = frozenset("what which how whose whom who".split())
_OPTIONS = re.compile(r"\((?:a|i|1)\)[^()]{1,200}\((?:b|ii|2)\)")
"""Where the choices of a question begin, of which an answer names one."""
_SUBJECT = re.compile(
    r"\W*(?P<lead>(?:(?:how|why|when|where)\s+(?:\w+\s+)?)?"
    r"(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|may))\s+"
    r"(?P<subject>(?:(?:the|an?)\s+)?[a-z]+)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(r"^(?:please )?(?:note|remember|recall|observe|notice|we see|it follows) that\b", re.IGNORECASE)
_LEAST_REST = 2
"""Words that an answer must repeat of a question before another subject counts as put in the place of its own."""
ALIKE = 0.6
"""Two sentences say much the same when one holds at least this share of the other's content words."""
_RARE = 1500
"""Words that are counted at most so often (core/text/word_list.py) are terms, which an answer has to name."""
_ROOT = 5
"""Letters with which two forms of one name begin alike."""
_PLACES = "in|on|at|under|during|without|through|into|inside|from|by|for|of|to|with|near|between|after|before|when"
_FRAME = re.compile(rf"\b(?P<lead>{_PLACES})\s+(?=(?P<object>(?:[^\W_][\w’'-]*\s*){{1,6}}))", re.IGNORECASE)
_CIRCUMSTANCES = frozenset("in on at under during without through into inside near after before when".split())
"""Words that open a circumstance: where, when and in what something happens."""


def mismatches(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """What `answer` says in the place of something that `question` asks about: sure signs of another question."""
    return tuple(found for found in unmet(question, answer, context) if found.is_mismatch)


def may_replace(question: str, judged: str, statement: str, context: str = "") -> bool:
    """True where `statement` of a book may stand in the place of `judged` as an answer to `question`.

    It must say nothing in the place of what is asked about, and meet each name, comparison and superlative of the
    question that `judged` meets. It must meet each quantity of the question too where `judged` states a number: that
    one may be computed from them. A statement that points back names nobody. context: what stands around `statement`.
    """
    lost = unmet(question, statement, context)
    kinds = {"comparison", "superlative"} | (set() if points_back(statement) else {"name"})
    excused = set(unmet(question, judged))
    computed = bool(quantities(judged))
    return not any(
        one.is_mismatch or (one.kind == "quantity" and computed) or (one.kind in kinds and one not in excused)
        for one in lost
    )


def speaks_of_another(question: str, judged: str, statement: str, context: str = "") -> bool:
    """True where `statement` says of another thing what `judged` says of the thing that `question` asks about.

    To "Light can travel through a vacuum", "Sound cannot travel through a vacuum" is no correction: it shares most
    words, but begins with another thing than the one that question and judged text name.
    """
    said, its, other = set(content(judged)), content(subject_of(judged)), content(subject_of(statement))
    held = set(content(f"{context}\n{statement}"))
    alike = len(said & set(content(statement))) >= ALIKE * len(said)
    lost = set(its) & set(content(question)) - held
    return alike and bool(lost) and not set(other) <= set(content(question)) | said


@lru_cache(maxsize=2048)
def unmet(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """What `question` asks about that `answer` does not meet, in the order of the kinds.

    context: what stands around the answer and counts as named: the headings over it, and the sentence before one that
    points back.
    """
    question = _without_options(question)
    said = f"{context}\n{answer}"
    found = [*unmet_quantities(question, answer, context), *_unmet_names(question, answer, said)]
    found += unmet_comparison(question, answer, said)
    found += unmet_superlatives(question, answer, said)
    found += _unmet_opposites(question, answer, said)
    found += _unmet_qualities(question, said)
    found += _other_subject(question, answer, said)
    named = {stem for one in found for stem in content(one.asked)}
    found += [
        one
        for one in _unmet_circumstances(question, answer, said)
        if one.is_mismatch or not set(content(one.asked)) <= named
    ]
    return tuple(dict.fromkeys(found))


def _unmet_names(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The names and formulas of the question that nothing around the answer holds."""
    for name in names(question):
        parts = [w for w in name.split() if w != "of"]
        if not any(_begins_alike(part, said) for part in parts) and not _abbreviates(name, said):
            yield Unmet(kind="name", asked=name, said=_other_name(name, question, answer))
    small = {w for w in words(question) if w.isalpha() and len(w) >= _ROOT}
    for word in sorted(small - {w for name in names(question) for w in words(name)}):
        if 0 < frequency(word) <= _RARE and not _begins_alike(word, said):
            yield Unmet(kind="term", asked=word)
    for formula in sorted(formulas(question)):
        if not holds_formula(said, formula):
            yield Unmet(kind="name", asked=formula)


@lru_cache(maxsize=256)
def names(text: str) -> tuple[str, ...]:
    """The proper names of `text`: runs of words with a capital letter that do not open a sentence."""
    tokens = text.split()
    if sum(t[:1].isupper() for t in tokens) > max(2, 0.6 * len(tokens)):
        return ()  # a title, or a text in capitals
    found: list[list[str]] = []
    in_run = False
    for place, token in enumerate(tokens):
        bare = re.sub(r"^\W+|(?:['’]s)?\W*$", "", token)
        opens = place == 0 or tokens[place - 1][-1] in ".?!:)"
        if in_run and token == "of" and tokens[place + 1 : place + 2] and tokens[place + 1][:1].isupper():
            found[-1].append(token)
            continue
        is_name = bool(_NAME.match(bare)) and len(bare) > 1 and bare.lower() not in _NO_NAMES | STOPWORDS and not opens
        is_name = is_name and not re.fullmatch("[IVXLC]+", bare)
        if is_name and in_run:
            found[-1].append(bare)
        elif is_name:
            found.append([bare])
        in_run = is_name and token[-1] not in ",;:?!"
    return tuple(" ".join(run) for run in found if not formulas(" ".join(run)))


def _abbreviates(name: str, said: str) -> bool:
    """True where the letters of a name are the initials of words of `said`, or its initials a word of it."""
    letters = "".join(w[0] for w in words(said) if w[0].isalpha())
    initials = "".join(w[0] for w in name.split() if w != "of").lower()
    short = re.sub(r"s$", "", name).lower()
    return (name.isupper() and short in letters) or (len(initials) > 1 and initials in words(said))


def _other_name(name: str, question: str, answer: str) -> str:
    """The name in the answer behind the words that lead to `name` in the question ("the capital of India")."""
    asked = {w for one in names(question) for w in content(one)}
    places = rf"(?P<lead>\b[A-Za-z]+\s+of|\bin)\s+(?:the\s+)?(?P<name>{re.escape(name)}|[A-Z][a-z]+)\b"
    leads = {m["lead"].lower() for m in re.finditer(places, question) if m["name"] == name}
    others = (m for m in re.finditer(places, answer) if m["lead"].lower() in leads)
    return next((m["name"] for m in others if not asked & set(content(m["name"]))), "")


def _begins_alike(word: str, said: str) -> bool:
    """True where `said` holds `word`, another form of it, or a word with the same long beginning ("Quebecois")."""
    root = word.lower()[: max(_ROOT, len(word) - 2)]
    return stands(word, said) or (len(word) >= _ROOT and any(w.startswith(root) for w in words(said)))


def _unmet_opposites(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The words of the question of which the answer says the opposite only."""
    if _YES_NO.match(question):
        return
    asked, around = words(question), set(content(said))
    others = [w for w in words(answer) if w not in asked]
    for word in dict.fromkeys(w for w in asked if not around & set(content(w))):
        prefixed = (w for w in others if differ_by_prefix(word, w))
        rival = rival_of(word, others, OPPOSITES) or next(prefixed, "")
        if rival and not names_alike(word, words(said), OPPOSITES):
            yield Unmet(kind="opposite", asked=word, said=rival)


def _unmet_qualities(question: str, said: str) -> Iterator[Unmet]:
    """The kinds of a thing that the question asks about, where the answer or its heading names only another kind of it,
    be it by its initials: an "AP" is no geometric progression."""
    asked, around = words(question), words(said)
    pairs = [(one, other) for one, other in pairwise(around) if one not in asked]
    abbreviations = [w for w in re.findall(r"\b[A-Z]{2}(?=s?\b)", said) if w.lower() not in asked]
    for quality, thing in pairwise(asked):
        if quality not in QUALITIES or thing in STOPWORDS or names_alike(quality, around, QUALITIES):
            continue
        beside = [one for one, other in pairs if set(content(other)) & set(content(thing))]
        others = {f"{other[0]}{thing[0]}".upper(): other for other in rivals(quality, QUALITIES)}
        by_initials = [others[w] for w in abbreviations if w in others and w[0].lower() != quality[0]]
        if rival := rival_of(quality, beside, QUALITIES) or next(iter(by_initials), ""):
            yield Unmet(kind="opposite", asked=f"{quality} {thing}", said=f"{rival} {thing}")


def _other_subject(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The subject of the question where the answer says all the rest of it of another thing.

    To "Can light travel through a vacuum?", "Sound cannot travel through a vacuum" says it of sound.
    """
    found = _SUBJECT.match(question)
    subject = _object(found["subject"]) if found else ""
    about, rest = set(content(subject)), list(dict.fromkeys(content(question[found.end("lead") :]))) if found else []
    rest = [w for w in rest if w not in about]
    its = subject_of(answer)
    says_the_rest = len(rest) >= _LEAST_REST and set(rest) <= set(content(answer))
    if about and says_the_rest and its and not about & set(content(said)) and its not in words(question):
        yield Unmet(kind="subject", asked=subject, said=its)


def _unmet_circumstances(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The places, times, media and other circumstances of the question that the answer does not name."""
    asked = set(words(question))
    in_answer = list(_frames(answer))
    for lead, thing in _frames(question):
        if not content(thing) or any(_begins_alike(w, said) for w in thing.split()):
            continue
        others = [w for other, object_ in in_answer if other == lead for w in words(object_) if w not in asked]
        rival = next((r for w in words(thing) if (r := rival_of(w, others, KINDS))), "")
        if rival or lead in _CIRCUMSTANCES:
            yield Unmet(kind="circumstance", asked=f"{lead} {thing}", said=f"{lead} {rival}" if rival else "")


def subject_of(sentence: str) -> str:
    """The first word of a sentence that carries content, in lower case: what it speaks of, mostly; "" without one."""
    return next((w for w in words(_NOTE.sub("", sentence)) if w not in STOPWORDS), "")


def _without_options(question: str) -> str:
    found = _OPTIONS.search(question)
    return question[: found.start()] if found and found.start() else question


@lru_cache(maxsize=2048)
def _frames(text: str) -> tuple[tuple[str, str], ...]:
    """(lead, object) of each phrase behind a preposition: ("in", "water"). Numbers open none."""
    return tuple((m["lead"].lower(), thing) for m in _FRAME.finditer(text) if (thing := _object(m["object"])))


def _object(run: str) -> str:
    """The content words at the beginning of `run`, behind its articles, up to the next small word."""
    kept: list[str] = []
    for token in run.split():
        if token.lower() in _ASKING:
            break
        if token.lower() in STOPWORDS:
            if kept:
                break
        elif token[0].isdigit():
            break
        else:
            kept.append(token)
    return " ".join(kept[:3])
