"""A run goes on after a kill as if there had been none, stops when nothing helps, and keeps its best."""

from dataclasses import replace
from random import Random

import pytest

from core.models.weights import minilm
from core.nli import LABELS
from core.workshop.training.cross_encoder import (
    Example,
    base_folder,
    batches,
    collated,
    encoded,
    fingerprint,
    new_cross_encoder,
)
from core.workshop.training.nli_datasets import TrainingError
from core.workshop.training.train_nli import masked_loss
from core.workshop.training.training_loop import Checkpoint, Progress, Recipe, Run
from tests.workshop.training.tiny import tiny_base

WORDS = "iron zinc rope knot river tide lamp seed leaf stone".split()
RECIPE = Recipe(epochs=2, batch=4, tokens=24, rate=1e-3, scored=4, patience=99, saved_every=0.0)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return str(tiny_base(tmp_path_factory.mktemp("base")))


def examples(count):
    random = Random(0)
    texts = [" ".join(random.choices(WORDS, k=random.randint(2, 9))) for _ in range(2 * count)]
    return [
        Example(pairs=((a, b),), target=n % 4) for n, (a, b) in enumerate(zip(texts[::2], texts[1::2], strict=True))
    ]


def run(base, folder, scores=lambda _model: {"a": 0.0}, recipe=RECIPE):
    model, tokenizer = new_cross_encoder(base, LABELS, seed=0)
    checkpoint = Checkpoint(folder, {"recipe": str(recipe)})
    return Run(
        model=model, tokenizer=tokenizer, recipe=recipe, loss=masked_loss, scores=scores, checkpoint=checkpoint,
        tell=lambda line: None,
    )  # fmt: skip


class KilledError(Exception):
    pass


@pytest.mark.long
def test_a_killed_run_ends_with_the_weights_of_one_that_was_not(base, tmp_path):
    import torch

    whole, broken = run(base, tmp_path / "whole"), run(base, tmp_path / "broken")
    items = encoded(examples(22), whole.tokenizer, 24)
    last = whole.model
    progress = whole.train(items)
    step = broken._step

    def killing(some):
        if broken.progress.step == 8:
            raise KilledError
        step(some)

    broken._step = killing
    with pytest.raises(KilledError):
        broken.train(items)
    again = run(base, tmp_path / "broken")
    resumed = again.model
    assert again.train(items).step == progress.step == 12
    assert [s[0] for s in again.progress.scores] == [s[0] for s in progress.scores]
    for name, value in last.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name


@pytest.mark.long
def test_training_lowers_the_loss_and_leaves_the_word_vectors_alone(base, tmp_path):
    import torch

    some = run(base, tmp_path, recipe=replace(RECIPE, epochs=30, rate=1e-2))
    items = encoded(examples(8), some.tokenizer, 24)
    words, before = some.model.get_input_embeddings().weight.clone(), some._loss(items).item()
    model = some.model
    some.train(items)
    some.model = model
    assert some._loss(items).item() < before - 0.3
    assert torch.equal(words, model.get_input_embeddings().weight)


@pytest.mark.long
def test_it_stops_when_scores_no_longer_rise_and_keeps_the_best(base, tmp_path):
    import torch

    values = iter([0.3, 0.6, 0.5, 0.4, 0.9])
    kept = []

    def scores(model):
        kept.append({k: v.clone() for k, v in model.model.state_dict().items()})
        return {"a": next(values)}

    some = run(base, tmp_path, scores, replace(RECIPE, scored=6, patience=2))
    progress = some.train(encoded(examples(22), some.tokenizer, 24))
    assert [mean for _, mean, _ in progress.scores] == [0.3, 0.6, 0.5, 0.4] and progress.step == 8
    for name, value in some.model.state_dict().items():
        assert torch.equal(value, kept[1][name])


def test_another_plan_does_not_go_on_with_this_run(tmp_path):
    Checkpoint(tmp_path, {"seed": 0})
    Checkpoint(tmp_path, {"seed": 0})
    with pytest.raises(TrainingError, match="another plan"):
        Checkpoint(tmp_path, {"seed": 1})


def test_progress_knows_its_best():
    progress = Progress(scores=[(1, 0.5, {}), (2, 0.7, {}), (3, 0.6, {})])
    assert progress.best == 0.7 and progress.fruitless() == 1 and Progress().fruitless() == 0


def test_the_masked_loss_of_a_two_class_row_is_that_of_either_label():
    import torch

    logits = torch.tensor([[1.0, 2.0, 3.0]])
    chances = torch.softmax(logits, -1)[0]
    assert float(masked_loss(logits, torch.tensor([3]))) == pytest.approx(-float(torch.log(chances[1] + chances[2])))
    assert float(masked_loss(logits, torch.tensor([0]))) == pytest.approx(-float(torch.log(chances[0])))


def test_batches_hold_each_item_once_and_waste_little(base):
    _, tokenizer = new_cross_encoder(base, LABELS, seed=0)
    items = encoded(examples(90), tokenizer, 24)
    order = batches(items, 4, seed=0, epoch=0)
    assert sorted(n for places in order for n in places) == list(range(90))
    assert order == batches(items, 4, seed=0, epoch=0) != batches(items, 4, seed=0, epoch=1)
    padded = sum(len(b) * max(items[n].tokens for n in b) for b in order)
    assert padded <= 1.1 * sum(i.tokens for i in items)
    inputs, targets = collated([items[n] for n in order[0]], tokenizer)
    assert inputs["input_ids"].shape[0] == len(targets) == len(order[0])


def test_the_bundled_base_needs_no_folder():
    assert base_folder("minilm") == minilm()


def test_other_examples_have_another_fingerprint():
    assert fingerprint(examples(5)) == fingerprint(examples(5)) != fingerprint(examples(5)[::-1])
