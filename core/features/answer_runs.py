"""The runs of an answer: its sentences in the groups in which they answer a question together."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.case import Passage
from core.models.stretches import Place, Stretch
from core.text.answer_sentences import points_back
from core.text.lists import list_openers
from core.text.small_talk import in_lexicon
from core.text.words import content, words


@dataclass(frozen=True, kw_only=True)
class AnswerRun:
    """Sentences of an answer that are read together. places: of the sentences in the answer. stretches: where the
    passages hold them: as they are, or, for one sentence, each sentence of a passage that it is a part of."""

    places: tuple[int, ...]
    text: str
    stretches: tuple[Stretch, ...] = ()


def answer_runs(texts: Sequence[str], passages: Sequence[Passage]) -> list[AnswerRun]:
    """Every run of an answer: each sentence with those that it points back to, sentences quoted from one passage one
    after the other, and the whole answer."""
    book = [((p, n), text) for p, passage in enumerate(passages) for n, text in enumerate(passage.sentences)]
    held = {text: place for place, text in book}
    groups = [_with_antecedent(n, texts) for n in range(len(texts))]
    groups += [*_quotations(texts, held), tuple(range(len(texts)))]
    return [_run(places, texts, book, held) for places in dict.fromkeys(groups) if places]


def _with_antecedent(n: int, texts: Sequence[str]) -> tuple[int, ...]:
    """Sentence `n` behind the one that it points back to, or that opens its list."""
    if n and points_back(texts[n]):
        return n - 1, n
    opener = list_openers(texts)[n]
    return (n,) if opener is None else (opener, n)


def _quotations(texts: Sequence[str], held: dict[str, Place]) -> list[tuple[int, ...]]:
    """Sentences of the answer, one after the other, that stand in one passage in this order."""
    runs: list[tuple[int, ...]] = []
    for n, text in enumerate(texts):
        last = held.get(texts[runs[-1][-1]]) if runs else None
        here = held.get(text)
        if last and here and runs[-1][-1] == n - 1 and here[0] == last[0] and here[1] > last[1]:
            runs[-1] = (*runs[-1], n)
        elif here:
            runs.append((n,))
    return runs


def _run(
    places: tuple[int, ...], texts: Sequence[str], book: Sequence[tuple[Place, str]], held: dict[str, Place]
) -> AnswerRun:
    said = " ".join(texts[n] for n in places)
    quoted = [held.get(texts[n]) for n in places]
    if all(quoted):
        stretches = tuple(Stretch(places=tuple(quoted), core=core, text=said) for core in quoted)
    elif len(places) == 1 and set(content(said)) - in_lexicon("affirming"):  # a bare yes or no is a part of nothing
        part = f" {' '.join(words(said))} "
        whole = [(place, text) for place, text in book if part in f" {' '.join(words(text))} "]
        stretches = tuple(Stretch(places=(place,), core=place, text=text) for place, text in whole)
    else:
        stretches = ()
    return AnswerRun(places=places, text=said, stretches=stretches)
