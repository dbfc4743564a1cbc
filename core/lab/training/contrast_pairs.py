"""Contrast pairs for training the NLI model: a premise with a sentence of it, with the sentence after one fact was
altered or denied, and with another sentence of the same chapter.

They are made from the sentences of our own chapters and from the premises of the training data.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from core.lab.training.nli_datasets import Pair, TrainingError, dev_pairs
from core.lab.training.sentence_changes import (
    alter_sentence,
    convert_quantity,
    join_sentences,
    lower_first,
    respell_number,
    reword,
    shorten,
    vary,
)
from core.text.sentences import sentences

OPENINGS = (
    "It is not true that ", "It is false that ", "It is a mistake to think that ", "It would be wrong to say that ",
    "It does not hold that ", "There is no truth in the statement that ", "People err when they believe that ",
    "Nothing could be less true than that ", "It is an error to suppose that ",
)  # fmt: skip
"""Phrases before a sentence that negate it."""
_ENDINGS = (": that is false.", " - but this is not so.", ", someone says, and is wrong.")
_BEHIND = 0.2
"""Share of denials that follow the sentence instead of preceding it."""
_WIDEST = 3
"""Maximum sentences of a premise, as in the windows of the entailment check."""
_REVERSED, _BOTH = 0.25, 0.3
"""Share of pairs whose premise is the altered form, and share of entailments in which both texts are altered. Without
them, a "not" or an odd number alone would reveal the label."""
_DENIED = 0.15
"""Share of sentences that are denied, in their original or altered form."""
_ADDED = 0.5
"""Share of sentences to which a claim from elsewhere in the chapter is added."""
_SHORTEST, _LONGEST = 5, 45
"""Minimum and maximum words of a sentence."""
_BLOCK = re.compile(r"^\[(?:table|activity|example|picture|figure)\].*?^\[end\]$", re.MULTILINE | re.DOTALL)
_NO_PARAGRAPH = re.compile(r"[#=\[|-]|\d+\.|\(")
_BRACKETS = re.compile(r" ?-L[SR]B- .*?-R[SR]B-| ?\[[^\]]*\]")
_BEFORE_MARK = re.compile(r" (?=[,.;:?!')]|n't\b|'s\b)|(?<=\() ")
CONTRAST = {"chapters": 8_000, "fever_rte": 8_000, "entbank_step": 2_000, "conclusions": 5_000}
"""Maximum contrast pairs of each kind of source."""
_PREMISES = ("fever_symmetric_dev", "entbank_steps_dev", "rte_dev", "lingnli_val")
_ROUNDS = 3
"""Number of times that the sentences of the chapters are altered, each time differently."""
_CONCLUDING = ("fever_rte", "entbank_step", "lingnli", "semi_translate_wiki", "cad_nli")


def denial(sentence: str, random: Random) -> str:
    """The negation of `sentence`, with a random phrase before or behind it."""
    if random.random() < _BEHIND:
        return sentence.rstrip(".") + random.choice(_ENDINGS)
    return random.choice(OPENINGS) + lower_first(sentence)


def contrast_pairs(document: Sequence[str], source: str, random: Random) -> Iterator[Pair]:
    """Yield three pairs for each sentence of a document, if they can be made: a contradiction, an entailment and a
    neutral pair."""
    usable = [n for n, s in enumerate(document) if _SHORTEST <= len(s.split()) <= _LONGEST and s.endswith(".")]
    for n in usable:
        window = _window(n, len(document), random)
        for pair in _about(n, [document[i] for i in window], document, window, source, random):
            yield pair._replace(hypothesis=vary(pair.hypothesis, random))


def _window(n: int, size: int, random: Random) -> range:
    """A range of one to three neighbouring sentences that includes sentence `n`."""
    width = random.randint(1, _WIDEST)
    first = max(0, n - random.randint(0, width - 1))
    return range(first, min(size, first + width))


def _about(
    n: int, sentences_: list[str], document: Sequence[str], window: range, source: str, random: Random
) -> Iterator[Pair]:
    sentence, premise = document[n], " ".join(sentences_)
    outside = [s for i, s in enumerate(document) if i not in window and len(s.split()) >= _SHORTEST]
    change = alter_sentence(sentence, outside, random)
    if change:
        yield _contradiction(premise, sentence, change, source, random)
    if follows := _entailed(premise, sentence, sentences_, change, random):
        yield Pair(*follows, "entailment", source)
    yield from _converted(premise, sentence, source, random)
    if random.random() < _DENIED:
        yield _denial(premise, sentence, change, source, random)
    if outside:
        yield Pair(premise, random.choice(outside), "neutral", source)
        if random.random() < _ADDED:
            yield Pair(premise, join_sentences(sentence, random.choice(outside), random), "neutral", source)


def _contradiction(premise: str, sentence: str, change: tuple[str, str], source: str, random: Random) -> Pair:
    kind, new = change
    if random.random() < _REVERSED:
        return Pair(premise.replace(sentence, new), sentence, "contradiction", f"{source}/{kind}")
    return Pair(premise, new, "contradiction", f"{source}/{kind}")


def _entailed(
    premise: str, sentence: str, sentences_: list[str], change: tuple[str, str] | None, random: Random
) -> tuple[str, str] | None:
    """(premise, hypothesis) in which the premise entails the hypothesis; None if there is none.

    Sometimes the same fact is altered in both. Otherwise the hypothesis is a sentence of the premise, shortened,
    reworded, joined with another or with a number respelled. change: (kind, altered sentence).
    """
    if change and random.random() < _BOTH:
        return premise.replace(sentence, change[1]), change[1]
    ways = [*shorten(sentence), reword(sentence, random)]
    if again := respell_number(sentence):
        ways.append(again)
    if len(sentences_) > 1 and len(sentences_[0].split()) + len(sentences_[1].split()) < _LONGEST:
        ways.append(join_sentences(sentences_[0], sentences_[1], random))
    return premise, random.choice(ways)


def _denial(premise: str, sentence: str, change: tuple[str, str] | None, source: str, random: Random) -> Pair:
    """A pair with a denied hypothesis. If `sentence` itself is denied, it is a contradiction; if its altered form is
    denied, it is entailed. change: (kind, altered sentence)."""
    if change and random.random() < 0.5:
        return Pair(premise, denial(change[1], random), "entailment", source)
    return Pair(premise, denial(sentence, random), "contradiction", f"{source}/denied")


def _converted(premise: str, sentence: str, source: str, random: Random) -> Iterator[Pair]:
    if pair := convert_quantity(sentence, random):
        yield Pair(premise, pair[0], "entailment", source)
        yield Pair(premise, pair[1], "contradiction", f"{source}/converted")


def altered_conclusions(pairs: Sequence[Pair], source: str, random: Random) -> Iterator[Pair]:
    """Yield contradictions made from the entailments in `pairs`: one fact of the hypothesis, which need not repeat its
    premise, is altered."""
    true = [p for p in pairs if p.label == "entailment"]
    for n, pair in enumerate(true):
        others = [p.hypothesis for p in true[n + 1 : n + 30]]
        if change := alter_sentence(pair.hypothesis, others, random):
            yield Pair(pair.premise, change[1], "contradiction", f"{source}/{change[0]}")


def all_contrast_pairs(pairs: Sequence[Pair], chapters: Path, sizes: dict[str, int], seed: int) -> list[Pair]:
    """Contrast pairs from every kind of source; of each kind, a random sample of its size in `sizes`."""
    random, kinds = Random(seed), {}
    kinds["chapters"] = [
        p for _ in range(_ROUNDS) for d in chapter_documents(chapters) for p in contrast_pairs(d, "chapters", random)
    ]
    for source in ("fever_rte", "entbank_step"):
        documents = premise_documents(pairs, source)
        kinds[source] = [p for d in documents for p in contrast_pairs(d, f"{source}_contrast", random)]
    concluding = [p for p in pairs if p.source in _CONCLUDING]
    kinds["conclusions"] = list(altered_conclusions(concluding, "conclusions", random))
    return [
        p
        for kind, pairs_of_kind in kinds.items()
        for p in random.sample(pairs_of_kind, min(len(pairs_of_kind), sizes.get(kind, 0)))
    ]


def held_out_contrast(data: Path, choosing: bool, most: int) -> list[Pair]:
    """At most `most` contrast pairs made of premises in one half of the dev sets, which no model is trained on.

    choosing: True for the half by which a model is chosen, False for the half that is reported.
    """
    random, halves = Random(0), [dev_pairs(data, name, choosing) for name in _PREMISES]
    documents = [d for pairs in halves for d in premise_documents(pairs, pairs[0].source if pairs else "")]
    contrast = [p for d in documents for p in contrast_pairs(d, "contrast", random)]
    return random.sample(contrast, min(len(contrast), most))


def chapter_documents(folder: Path) -> Iterator[list[str]]:
    """The sentences of each chapter's paragraphs, without headings, tables and formulas."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no chapters (*.txt); name their folder with --chapters.")
    for file in files:
        text = re.sub(r"[~^]", "", _BLOCK.sub("", file.read_text(encoding="utf-8")))
        lines = [line for line in text.splitlines() if line and not _NO_PARAGRAPH.match(line)]
        yield [s for line in lines for s in sentences(line) if s.endswith(".")]


def premise_documents(pairs: Sequence[Pair], source: str) -> Iterator[Sequence[str]]:
    """The sentences of each distinct premise of one source."""
    for premise in dict.fromkeys(p.premise for p in pairs if p.source == source):
        yield sentences(cleaned(premise))


def cleaned(text: str) -> str:
    """`text` as it would be printed. Tokenised corpora put spaces before punctuation and write brackets as words."""
    return " ".join(_BEFORE_MARK.sub("", _BRACKETS.sub("", text)).split())
