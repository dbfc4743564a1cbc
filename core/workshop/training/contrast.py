"""Contrast pairs: what a passage says, the same with one fact altered, and what only the rest of its chapter says."""

from collections.abc import Iterator, Sequence
from random import Random

from core.workshop.training.alterations import altered
from core.workshop.training.entailed_templates import converted, joined, recounted, shorter
from core.workshop.training.negated_pairs import denial
from core.workshop.training.pairs import Pair
from core.workshop.training.paraphrases import reworded, varied

_WIDEST = 3
"""Sentences of a premise, as the entailment check windows a passage."""
_REVERSED, _BOTH = 0.25, 0.3
"""Shares of pairs whose premise is the altered one, and of entailments that hold between altered forms: so that a
"not" or an odd number says nothing by itself."""
_DENIED = 0.15
"""Share of sentences of which, or of whose altered form, a denial is made."""
_ADDED = 0.5
"""Share of sentences to which a claim from elsewhere in the chapter is added."""
_SHORTEST, _LONGEST = 5, 45
"""Words of a sentence that is used."""


def contrast_pairs(document: Sequence[str], source: str, random: Random) -> Iterator[Pair]:
    """For each sentence of a document a contradiction, an entailment and a neutral pair, where they can be made."""
    usable = [n for n, s in enumerate(document) if _SHORTEST <= len(s.split()) <= _LONGEST and s.endswith(".")]
    for n in usable:
        window = _window(n, len(document), random)
        for pair in _about(n, [document[i] for i in window], document, window, source, random):
            yield pair._replace(hypothesis=varied(pair.hypothesis, random))


def _window(n: int, size: int, random: Random) -> range:
    """One to three sentences in a row that hold sentence n."""
    width = random.randint(1, _WIDEST)
    first = max(0, n - random.randint(0, width - 1))
    return range(first, min(size, first + width))


def _about(
    n: int, held: list[str], document: Sequence[str], window: range, source: str, random: Random
) -> Iterator[Pair]:
    sentence, premise = document[n], " ".join(held)
    outside = [s for i, s in enumerate(document) if i not in window and len(s.split()) >= _SHORTEST]
    change = altered(sentence, outside, random)
    if change:
        yield _contradiction(premise, sentence, change, source, random)
    if follows := _entailed(premise, sentence, held, change, random):
        yield Pair(*follows, "entailment", source)
    yield from _converted(premise, sentence, source, random)
    if random.random() < _DENIED:
        yield _denial(premise, sentence, change, source, random)
    if outside:
        yield Pair(premise, random.choice(outside), "neutral", source)
        if random.random() < _ADDED:
            yield Pair(premise, joined(sentence, random.choice(outside), random), "neutral", source)


def _contradiction(premise: str, sentence: str, change: tuple[str, str], source: str, random: Random) -> Pair:
    kind, new = change
    if random.random() < _REVERSED:
        return Pair(premise.replace(sentence, new), sentence, "contradiction", f"{source}/{kind}")
    return Pair(premise, new, "contradiction", f"{source}/{kind}")


def _entailed(
    premise: str, sentence: str, held: list[str], change: tuple[str, str] | None, random: Random
) -> tuple[str, str] | None:
    """(premise, hypothesis) where the hypothesis follows: altered alike, shorter, reworded, joined, or recounted."""
    if change and random.random() < _BOTH:
        return premise.replace(sentence, change[1]), change[1]
    ways = [*shorter(sentence), reworded(sentence, random)]
    if again := recounted(sentence):
        ways.append(again)
    if len(held) > 1 and len(held[0].split()) + len(held[1].split()) < _LONGEST:
        ways.append(joined(held[0], held[1], random))
    return premise, random.choice(ways)


def _denial(premise: str, sentence: str, change: tuple[str, str] | None, source: str, random: Random) -> Pair:
    """What is said, denied: a contradiction; what would contradict, denied: it follows."""
    if change and random.random() < 0.5:
        return Pair(premise, denial(change[1], random), "entailment", source)
    return Pair(premise, denial(sentence, random), "contradiction", f"{source}/denied")


def _converted(premise: str, sentence: str, source: str, random: Random) -> Iterator[Pair]:
    if found := converted(sentence, random):
        yield Pair(premise, found[0], "entailment", source)
        yield Pair(premise, found[1], "contradiction", f"{source}/converted")


def altered_conclusions(pairs: Sequence[Pair], source: str, random: Random) -> Iterator[Pair]:
    """Contradictions made of entailments: a hypothesis that need not repeat its premise has one fact altered."""
    true = [p for p in pairs if p.label == "entailment"]
    for n, pair in enumerate(true):
        others = [p.hypothesis for p in true[n + 1 : n + 30]]
        if change := altered(pair.hypothesis, others, random):
            yield Pair(pair.premise, change[1], "contradiction", f"{source}/{change[0]}")
