"""Trains the reader: python -m core.lab.training.train_reader --data DIR --base DIR --out DIR --own.

Training starts from the float weights read from an int8 ONNX file: that of the reranker, or of a shipped reader.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from core.lab.training.cross_encoder import Row, fingerprint, forward_passes, length
from core.lab.training.export import as_floats, export_int8
from core.lab.training.fitting import area
from core.lab.training.qa_datasets import OWN, PUBLIC, QuestionExample, own, part_of, public, training, unanswered
from core.lab.training.school_pages import PAGES, examples, school_pages
from core.lab.training.trainer import Recipe, arguments, keep_to, recipe_of, tell, train
from core.models.profile import BUNDLED
from core.models.reader import OUTPUTS

if TYPE_CHECKING:
    import torch

_CHOOSING = 240
"""Questions of each set for choosing the best step."""
_PASSES = 2
"""Number of passes over the questions on our own pages, each with other sentences around the answer."""
_ANSWERED = 1.0
"""The weight of the loss of "answered" relative to those of start and end."""


def new_reader(base: str | Path, seed: int, frozen: int) -> tuple[Any, Any]:
    """(model, tokenizer) of the network in a folder, with a new head unless it has one. Word vectors are frozen, and
    the `frozen` lowest layers."""
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    torch.manual_seed(seed)
    logging.getLogger("transformers").setLevel(logging.ERROR)  # no warning of the new head, which is intended
    model = AutoModelForTokenClassification.from_pretrained(
        base, num_labels=len(OUTPUTS), id2label=dict(enumerate(OUTPUTS)), dtype=torch.float32,
        attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, classifier_dropout=0.0, ignore_mismatched_sizes=True,
    )  # fmt: skip
    model.base_model.embeddings.requires_grad_(False)
    for layer in model.base_model.encoder.layer[:frozen]:
        layer.requires_grad_(False)
    return model, AutoTokenizer.from_pretrained(base)


def encoded_questions(questions: Sequence[QuestionExample], tokenizer: Any, tokens: int) -> list[Row]:
    """The tokens and the target of each question: (first token of the answer, last token of the answer, 1), or (0, 0,
    0) without an answer.

    A text longer than `tokens` is cut at the end. If the answer would be cut off, text before the answer is removed
    instead. A question whose answer still does not fit is left out.
    """
    return [e for a in questions if (e := _encoded(a, tokenizer, tokens)) is not None]


def _encoded(question: QuestionExample, tokenizer: Any, tokens: int) -> Row | None:
    table = tokenizer(
        question.question, question.text, truncation="only_second", max_length=tokens, return_offsets_mapping=True
    )
    offsets, kinds = table.pop("offset_mapping"), table.sequence_ids()
    target = (0, 0, 0)
    if question.span:
        first, last = question.span
        inside = [n for n, (a, b) in enumerate(offsets) if kinds[n] == 1 and a < last and b > first]
        if not inside or offsets[inside[-1]][1] < last:
            if first == 0:
                return None
            start = max(1, first // 2)  # half of the text before the answer is left out
            shifted = replace(question, text=question.text[start:], span=(first - start, last - start))
            return _encoded(shifted, tokenizer, tokens)
        target = (inside[0], inside[-1], 1)
    return {k: list(v) for k, v in table.items()} | {"labels": target}


def span_loss(logits: "torch.Tensor", targets: "torch.Tensor") -> "torch.Tensor":
    """Mean cross-entropy of start, end and "answered"; shapes (items, tokens, 3) and (items, 3).

    A missing answer starts and ends at the first token (Devlin et al., 2019, on SQuAD 2.0).
    """
    import torch

    first = torch.nn.functional.cross_entropy(logits[..., 0], targets[:, 0])
    last = torch.nn.functional.cross_entropy(logits[..., 1], targets[:, 1])
    answered = torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0, 2], targets[:, 2].float())
    return (first + last) / 2 + _ANSWERED * answered


def reader_scores(model: Any, tokenizer: Any, questions: Sequence[QuestionExample]) -> dict[str, float]:
    """Two scores, higher is better. "area": how well the logit "answered" separates texts with an answer from texts
    without one (area under the curve). "span": the share of answers whose predicted start or end is at most one token
    off."""
    import torch

    rows = encoded_questions(questions, tokenizer, 320)
    answered_logits, hits = np.zeros(len(rows)), []
    for places, inputs, logits in forward_passes(model, tokenizer, rows):
        answered_logits[places] = logits[:, 0, 2].numpy()
        blank = torch.where(inputs["token_type_ids"].unsqueeze(-1) == 1, logits, -1e9)
        best = blank[..., :2].argmax(1)
        hits += [
            bool(abs(b[0] - t[0]) <= 1 or abs(b[1] - t[1]) <= 1)
            for b, t in zip(best, inputs["labels"], strict=True) if t[2] == 1
        ]  # fmt: skip
    truth = np.array([row["labels"][2] for row in rows], dtype=bool)
    return {"area": area(answered_logits[truth], answered_logits[~truth]), "span": float(np.mean(hits))}


def choosing_questions(
    data: Path, folder: Path | None, pages: Path | None, random: Random
) -> dict[str, list[QuestionExample]]:
    """The questions, by set, on which the best step of a run is chosen; no training and no reported figure uses them.

    folder: of our own questions. pages: of our own school pages. None leaves a set out.
    """
    squad_questions = [a for a in public(data, "squad2_dev_rest") if part_of(a.text) == "choose"]
    questions_by_set = {"squad2": random.sample(squad_questions, min(_CHOOSING, len(squad_questions)))}
    if folder:
        blocks = [b for b in own(folder) if b.group.held_out]
        questions_by_set["own"] = list(_examples(blocks, random))[:_CHOOSING]
    if pages:
        questions_by_set["pages"] = examples(school_pages("choose", pages), random)[: 2 * _CHOOSING]
    return questions_by_set


def _examples(blocks: Sequence[Any], random: Random) -> list[QuestionExample]:
    others = [b.group.passage for b in blocks]
    examples_ = [example for b in blocks for example in b.examples(others, random)]
    random.shuffle(examples_)
    return examples_


def main(argv: Sequence[str] | None = None) -> None:
    from transformers import AutoModelForSequenceClassification, AutoModelForTokenClassification

    parser = arguments(__doc__ or "")
    parser.add_argument("--own", type=Path, nargs="?", const=OWN, help="a folder of our own questions")
    parser.add_argument("--pages", type=Path, nargs="?", const=PAGES, help="a folder of our own school pages")
    parser.add_argument("--own-most", type=int, default=100_000, help="most examples made of our own questions")
    parser.add_argument("--sets", nargs="+", choices=PUBLIC, default=list(PUBLIC), help="public sets (default: all)")
    parser.add_argument("--frozen", type=int, default=3, help="so many of the lowest layers learn nothing")
    parser.add_argument("--tokens", type=int, default=176)
    options = parser.parse_args(argv)
    recipe = replace(recipe_of(options, Recipe(batch=16, rate=8e-5, scored=5, warm_up=0.08)), tokens=options.tokens)
    random = Random(options.seed)
    most = {name: max(1, round(PUBLIC[name] * options.share)) for name in options.sets}
    questions = training(options.data, random, most) if options.share else []
    if options.share:
        questions += unanswered(options.data, random, options.share)
    if options.own:
        questions += _examples([b for b in own(options.own) if not b.group.held_out], random)[: options.own_most]
    if options.pages:
        pages = school_pages("train", options.pages)
        questions += [one for _ in range(_PASSES) for one in examples(pages, random)]
    random.shuffle(questions)
    halves = choosing_questions(options.data, options.own, options.pages, random)
    source = Path(options.base)
    kind = AutoModelForSequenceClassification if source.name == BUNDLED.reranker else AutoModelForTokenClassification
    base = as_floats(source, options.out / "base", kind)
    model, tokenizer = new_reader(base, options.seed, options.frozen)
    sizes = {source: sum(a.source == source for a in questions) for source in sorted({a.source for a in questions})}
    tell(f"{len(questions)} questions: {sizes}")
    plan = {"base": options.base, "examples": fingerprint(questions), "sizes": sizes, **asdict(recipe)}
    work = keep_to(options.work or options.out / "work", plan)

    def scores(trained_model: Any) -> dict[str, float]:
        each = {n: reader_scores(trained_model.model, tokenizer, some) for n, some in halves.items()}
        return {f"{n}_{what}": value for n, some in each.items() for what, value in some.items()}

    rows = encoded_questions(questions, tokenizer, recipe.tokens)
    tell(f"{np.mean([length(row) for row in rows]):.0f} tokens a question on average")
    train(model, tokenizer, rows, recipe, loss=span_loss, scores=scores, work=work)
    model.save_pretrained(options.out / "trained")
    tokenizer.save_pretrained(options.out / "trained")
    export_int8(model, tokenizer, options.out)


if __name__ == "__main__":
    main()
