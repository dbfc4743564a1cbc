"""The least that an NLI model must do: python -m core.workshop.training.templates --data DIR --model DIR.

200 sentences with a number from chapters that nothing is trained on: each against itself, denied in words that no
training pair has, with another number, and against a sentence of another chapter.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.workshop.training.datasets import rows
from core.workshop.training.pairs import Pair
from core.workshop.training.paraphrases import lowered
from core.workshop.training.retrieval_samples import evidence_of
from core.workshop.training.scoring import labels

_COUNT = 200
_DENIALS = ("It is not the case that ", "One would be mistaken in saying that ", "No one may claim that ")
_PLAIN = re.compile(r"[A-Z](?!.*[A-Z]{4})[A-Za-z0-9 ,;:()%'’°-]{30,240}\.")
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,4}(?![\w.,-]|\.\d)")
_POINTING = re.compile(
    r"\b(?:Fig|Figure|Table|Activity|Chapter|Section|page|Class|Unit|Exercise|question|Reprint)\b", re.IGNORECASE
)


def templates(data: Path, count: int = _COUNT, seed: int = 0) -> dict[str, list[Pair]]:
    """Pairs of each template, over the same sentences."""
    random, found = Random(seed), []
    for chapter in rows(data, "ncert_qa/chapters"):
        said = dict.fromkeys(s for passage in evidence_of(chapter) for s in passage.sentences)
        found += [(s, chapter["document"]) for s in said if _PLAIN.fullmatch(s) and not _POINTING.search(s)]
    found = [(s, document) for s, document in found if _NUMBER.search(s)]
    chosen = random.sample(found, min(count, len(found)))
    others = [random.choice([s for s, d in found if d != document]) for _, document in chosen]
    made = {
        "itself": [(s, s, "entailment") for s, _ in chosen],
        "denied": [(s, random.choice(_DENIALS) + lowered(s), "contradiction") for s, _ in chosen],
        "other_number": [(s, _NUMBER.sub(lambda m: _other(m, random), s, count=1), "contradiction") for s, _ in chosen],
        "unrelated": [(s, o, "neutral") for (s, _), o in zip(chosen, others, strict=True)],
    }
    return {name: [Pair(*pair, name) for pair in pairs] for name, pairs in made.items()}


def _other(number: re.Match[str], random: Random) -> str:
    """A number that is a third to two thirds larger, or one more."""
    value = int(number.group())
    return str(value + max(1, round(value * random.uniform(0.33, 0.67))))


def shares(model: CrossEncoder, made: dict[str, list[Pair]]) -> dict[str, Any]:
    """How many of each template get their label, with n."""
    found = {}
    for name, pairs in made.items():
        said = labels(model, [(p.premise, p.hypothesis) for p in pairs])
        right = sum(label == p.label for label, p in zip(said, pairs, strict=True))
        found[name] = {"right": round(right / len(pairs), 4), "n": len(pairs)}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--model", type=Path, required=True, help="the folder of an NLI model")
    options = parser.parse_args(arguments)
    print(json.dumps(shares(cross_encoder(options.model.resolve()), templates(options.data)), indent=1))


if __name__ == "__main__":
    main()
