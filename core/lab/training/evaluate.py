"""Scores an NLI model.

The figures are the accuracy on each set and for each kind of change. The pairs of `template_pairs` test the minimum
that a model must be able to do. Each of 200 sentences with a number, from chapters that nothing is trained on, is
paired with four hypotheses: itself, a denial in words that no training pair has, the sentence with another number, and
a sentence of another chapter.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from core.judgements import LABELS
from core.lab.training.calibration_samples import evidence_of
from core.lab.training.contrast_pairs import held_out_contrast
from core.lab.training.nli_datasets import DEV_SETS, TWO_CLASS, Pair, dev_pairs, groups_of, rows
from core.lab.training.sentence_changes import lower_first
from core.models.cross_encoders import CrossEncoder

_OURS = Path(__file__).parents[3] / "data" / "nli"
TEXTBOOK, NEGATED = _OURS / "textbook.jsonl", _OURS / "textbook_negated.jsonl"
REPORTED = {"mnli_dev_mismatched": False, "scitail_dev": True, "anli_dev": False}
"""Sets of nli_more for reporting only, and whether they have only two classes."""
_MOST_REPORTED = 1_000
_COUNT = 200
_DENIALS = ("It is not the case that ", "One would be mistaken in saying that ", "No one may claim that ")
_PLAIN = re.compile(r"[A-Z](?!.*[A-Z]{4})[A-Za-z0-9 ,;:()%'’°-]{30,240}\.")
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,4}(?![\w.,-]|\.\d)")
_POINTING = re.compile(
    r"\b(?:Fig|Figure|Table|Activity|Chapter|Section|page|Class|Unit|Exercise|question|Reprint)\b", re.IGNORECASE
)
CHOOSING = 150
"""Pairs of each dev set on which a run is scored during training."""
_CONTRAST = 2_000
"""Maximum contrast pairs of the dev sets in the report."""


def labels(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The predicted label of each (premise, hypothesis), as named by the model."""
    names = [model.id2label[n].casefold() for n in range(len(LABELS))]
    return [names[n] for n in model.logits(list(pairs)).argmax(-1)]


def correct_flags(pairs: Sequence[Pair], predictions: Sequence[str]) -> list[bool]:
    """For each pair, True if the predicted label is right. A pair labelled TWO_CLASS is right if the prediction is not
    entailment."""
    return [
        (label != LABELS[0]) if pair.label == TWO_CLASS else label == pair.label
        for pair, label in zip(pairs, predictions, strict=True)
    ]


def accuracy(model: CrossEncoder, pairs: Sequence[Pair]) -> dict[str, float]:
    """The share of pairs whose predicted label is right, as "accuracy", and their number "n"."""
    return _share(correct_flags(pairs, labels(model, [(p.premise, p.hypothesis) for p in pairs])))


def textbook_rows(path: Path = TEXTBOOK) -> list[dict[str, Any]]:
    """The textbook test: premise, hypothesis, label, change, subject, class_number."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def textbook_figures(model: CrossEncoder, path: Path = TEXTBOOK) -> dict[str, Any]:
    """Accuracy and number of pairs of a textbook test: over all, by label and by kind of change."""
    rows = textbook_rows(path)
    predictions = labels(model, [(r["premise"], r["hypothesis"]) for r in rows])
    hits = [label == r["label"] for r, label in zip(rows, predictions, strict=True)]
    by_key = {
        key: {kind: _share([h for r, h in zip(rows, hits, strict=True) if r[key] == kind])
              for kind in sorted({r[key] for r in rows})}
        for key in ("label", "change")
    }  # fmt: skip
    return {"all": _share(hits), **by_key}


def _share(hits: Sequence[bool]) -> dict[str, float]:
    return {"accuracy": round(sum(hits) / len(hits), 4), "n": len(hits)}


def template_pairs(data: Path, count: int = _COUNT, seed: int = 0) -> dict[str, list[Pair]]:
    """Pairs by the name of their template ("itself", "denied", "other_number", "unrelated"), all made of the same
    sentences.

    Each sentence is from a textbook chapter and has a number. count: number of sentences.
    """
    random, numbered_sentences = Random(seed), []
    for chapter in rows(data, "ncert_qa/chapters"):
        chapter_sentences = dict.fromkeys(s for passage in evidence_of(chapter) for s in passage.sentences)
        numbered_sentences += [
            (s, chapter["document"]) for s in chapter_sentences if _PLAIN.fullmatch(s) and not _POINTING.search(s)
        ]
    numbered_sentences = [(s, document) for s, document in numbered_sentences if _NUMBER.search(s)]
    sampled_sentences = random.sample(numbered_sentences, min(count, len(numbered_sentences)))
    others = [random.choice([s for s, d in numbered_sentences if d != document]) for _, document in sampled_sentences]
    triples_by_template = {
        "itself": [(s, s, "entailment") for s, _ in sampled_sentences],
        "denied": [(s, random.choice(_DENIALS) + lower_first(s), "contradiction") for s, _ in sampled_sentences],
        "other_number": [
            (s, _NUMBER.sub(lambda m: _other(m, random), s, count=1), "contradiction") for s, _ in sampled_sentences
        ],
        "unrelated": [(s, o, "neutral") for (s, _), o in zip(sampled_sentences, others, strict=True)],
    }
    return {name: [Pair(*pair, name) for pair in pairs] for name, pairs in triples_by_template.items()}


def _other(number: re.Match[str], random: Random) -> str:
    """A number that is larger by a third to two thirds, or by one."""
    value = int(number.group())
    return str(value + max(1, round(value * random.uniform(0.33, 0.67))))


def group_pairs(folder: Path, held_out: bool) -> list[Pair]:
    """The pairs of our own groups. held_out: True for the few groups that are held out for choosing a model, False for
    those to train on."""
    return [pair for group in groups_of(folder) if group.held_out == held_out for pair in group.pairs()]


def halves(data: Path, choosing: bool, most: int | None = None) -> dict[str, list[Pair]]:
    """One half of every dev set, and contrast pairs made of its premises, by name; at most the first `most` pairs of
    each. choosing: as in `dev_pairs`."""
    pairs_by_set = {name: dev_pairs(data, name, choosing, most) for name in DEV_SETS}
    pairs_by_set["contrast"] = held_out_contrast(data, choosing, min(most or _CONTRAST, _CONTRAST))
    return {name: pairs for name, pairs in pairs_by_set.items() if pairs}


def report(model: CrossEncoder, data: Path) -> dict[str, Any]:
    """Figures of an NLI model for reporting: the accuracy and number of pairs of the reporting half of each dev set and
    of each set in REPORTED, and those of both textbook tests."""
    sets = halves(data, choosing=False) | report_only_pairs(data)
    return {
        "textbook": textbook_figures(model), "textbook_negated": textbook_figures(model, NEGATED),
        "dev": {name: accuracy(model, pairs) for name, pairs in sets.items()},
    }  # fmt: skip


def report_only_pairs(data: Path) -> dict[str, list[Pair]]:
    """At most _MOST_REPORTED random pairs of each set in REPORTED whose file is there."""
    pairs_by_set = {}
    for name, two_class in REPORTED.items():
        if (data / "nli_more" / f"{name}.jsonl.gz").is_file():
            some = rows(data, f"nli_more/{name}")
            some = Random(0).sample(some, min(_MOST_REPORTED, len(some)))
            labels_ = [TWO_CLASS if two_class and r["label"] != LABELS[0] else r["label"] for r in some]
            pairs_by_set[name] = [
                Pair(r["premise"], r["hypothesis"], label, name) for r, label in zip(some, labels_, strict=True)
            ]
    return pairs_by_set


def weaknesses(figures: dict[str, Any]) -> str:
    """The three kinds of change of the textbook test with the lowest accuracy."""
    kinds = sorted(figures["textbook"]["change"].items(), key=lambda item: item[1]["accuracy"])[:3]
    return ", ".join(f"{k.replace('_', ' ')} ({v['accuracy']:.0%} of {v['n']})" for k, v in kinds)
