"""The conditions of a question (quantities, names, circumstances, extremes), and which of them an answer meets.

Pure, by rules alone. Writer, check and correction use it so that nothing goes out that answers another question.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.text.compared_things import unmet_comparison, unmet_superlatives
from core.text.formulas import formulas, holds_formula
from core.text.quantity_conditions import unmet_quantities
from core.text.rival_words import KINDS, OPPOSITES, differ_by_prefix, names_alike, rival_of
from core.text.unmet import Unmet
from core.text.words import STOPWORDS, content, words

__all__ = ["Unmet", "mismatches", "unmet"]

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
_PLACES = "in|on|at|under|during|without|through|into|inside|from|by|for|of|to|with|near|between|after|before|when"
_FRAME = re.compile(rf"\b(?P<lead>{_PLACES})\s+(?=(?P<object>(?:[^\W_][\w’'-]*\s*){{1,6}}))", re.IGNORECASE)
_CIRCUMSTANCES = frozenset("in on at under during without through into inside near after before when".split())
"""Words that open a circumstance: where, when and in what something happens."""


def mismatches(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """What `answer` says in the place of something that `question` asks about: sure signs of another question."""
    return tuple(found for found in unmet(question, answer, context) if found.is_mismatch)


@lru_cache(maxsize=2048)
def unmet(question: str, answer: str, context: str = "") -> tuple[Unmet, ...]:
    """What `question` asks about that `answer` does not meet, in the order of the kinds.

    context: what stands around the answer and counts as named: the headings over it, and the sentence before one that
    points back.
    """
    said = f"{context}\n{answer}"
    found = [*unmet_quantities(question, answer, context), *_unmet_names(question, answer, said)]
    found += unmet_comparison(question, answer, said)
    found += unmet_superlatives(question, answer, said)
    found += _unmet_opposites(question, answer, said)
    named = {stem for one in found for stem in content(one.asked)}
    found += [one for one in _unmet_circumstances(question, answer, said) if not set(content(one.asked)) <= named]
    return tuple(dict.fromkeys(found))


def _unmet_names(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The names and formulas of the question that nothing around the answer holds."""
    held = set(content(said))
    for name in names(question):
        if not held & set(content(name)) and not _abbreviates(name, said):
            yield Unmet(kind="name", asked=name, said=_other_name(name, question, answer))
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
        opens = place == 0 or tokens[place - 1][-1] in ".?!:"
        is_name = bool(_NAME.match(bare)) and len(bare) > 1 and bare.lower() not in _NO_NAMES | STOPWORDS and not opens
        if is_name and in_run:
            found[-1].append(bare)
        elif is_name:
            found.append([bare])
        in_run = is_name and token[-1] not in ",;:?!"
    return tuple(" ".join(run) for run in found if not formulas(" ".join(run)))


def _abbreviates(name: str, said: str) -> bool:
    """True where the letters of a name are the initials of words of `said`, or its initials a word of it."""
    letters = "".join(w[0] for w in words(said) if w[0].isalpha())
    initials = "".join(w[0] for w in name.split()).lower()
    short = re.sub(r"s$", "", name).lower()
    return (name.isupper() and short in letters) or (len(initials) > 1 and initials in words(said))


def _other_name(name: str, question: str, answer: str) -> str:
    """The name that stands in the answer behind the word that leads to `name` in the question ("of India")."""
    asked = {w for one in names(question) for w in content(one)}
    leads = {m["lead"].lower() for m in re.finditer(rf"\b(?P<lead>of|in)\s+(?:the\s+)?{re.escape(name)}\b", question)}
    others = re.finditer(r"\b(?P<lead>of|in)\s+(?:the\s+)?(?P<name>[A-Z][a-z]+)", answer)
    return next((m["name"] for m in others if m["lead"] in leads and not asked & set(content(m["name"]))), "")


def _unmet_opposites(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The words of the question of which the answer says the opposite only."""
    if _YES_NO.match(question):
        return
    asked, around = words(question), set(content(said))
    others = [w for w in words(answer) if w not in asked]
    for word in dict.fromkeys(w for w in asked if not around & set(content(w))):
        if names_alike(word, words(said), OPPOSITES):
            continue
        prefixed = (w for w in others if differ_by_prefix(word, w))
        if rival := rival_of(word, others, OPPOSITES) or next(prefixed, ""):
            yield Unmet(kind="opposite", asked=word, said=rival)


def _unmet_circumstances(question: str, answer: str, said: str) -> Iterator[Unmet]:
    """The places, times, media and other circumstances of the question that the answer does not name."""
    held, asked = set(content(said)), set(words(question))
    in_answer = list(_frames(answer))
    for lead, thing in _frames(question):
        if not content(thing) or held & set(content(thing)):
            continue
        others = [w for other, object_ in in_answer if other == lead for w in words(object_) if w not in asked]
        rival = next((r for w in words(thing) if (r := rival_of(w, others, KINDS))), "")
        if rival or lead in _CIRCUMSTANCES:
            yield Unmet(kind="circumstance", asked=f"{lead} {thing}", said=f"{lead} {rival}" if rival else "")


@lru_cache(maxsize=2048)
def _frames(text: str) -> tuple[tuple[str, str], ...]:
    """(lead, object) of each phrase behind a preposition: ("in", "water"). Numbers open none."""
    return tuple((m["lead"].lower(), thing) for m in _FRAME.finditer(text) if (thing := _object(m["object"])))


def _object(run: str) -> str:
    """The content words at the beginning of `run`, behind its articles, up to the next small word."""
    kept: list[str] = []
    for token in run.split():
        if token.lower() in STOPWORDS:
            if kept:
                break
        elif token[0].isdigit():
            break
        else:
            kept.append(token)
    return " ".join(kept[:3])
