"""A run goes on after a kill as if there had been none, stops when nothing helps, and keeps its best."""

from dataclasses import replace
from random import Random

import pytest

from core.judgements import LABELS
from core.lab.training.cross_encoder import collated, encoded, fingerprint, length, new_cross_encoder
from core.lab.training.nli_datasets import TrainingError
from core.lab.training.train_nli import masked_loss
from core.lab.training.trainer import Recipe, arguments, in_order, keep_to, plan_of, train
from tests.lab.training.tiny import tiny_base

WORDS = "iron zinc rope knot river tide lamp seed leaf stone".split()
RECIPE = Recipe(epochs=2, batch=4, tokens=24, rate=1e-3, scored=4, patience=99)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return str(tiny_base(tmp_path_factory.mktemp("base")))


def texts(count):
    random = Random(0)
    some = [" ".join(random.choices(WORDS, k=random.randint(2, 9))) for _ in range(2 * count)]
    return list(zip(some[::2], some[1::2], strict=True))


def rows(count, tokenizer):
    return encoded(texts(count), [n % 4 for n in range(count)], tokenizer, 24)


class Run:
    """A model from the tiny base, and what came of training it in `work`."""

    def __init__(self, base, work):
        self.model, self.tokenizer = new_cross_encoder(base, LABELS, seed=0)
        self.work = work

    def train(self, count, recipe=RECIPE, loss=masked_loss, scores=lambda _model: {"a": 0.0}):
        some = rows(count, self.tokenizer)
        return train(self.model, self.tokenizer, some, recipe, loss=loss, scores=scores, work=self.work)

    def loss(self, count):
        inputs = collated(rows(count, self.tokenizer), self.tokenizer)
        targets = inputs.pop("labels")
        return float(masked_loss(self.model(**inputs).logits.float(), targets))


class KilledError(Exception):
    pass


@pytest.mark.long
def test_a_killed_run_ends_with_the_weights_of_one_that_was_not(base, tmp_path):
    import torch
    from safetensors.torch import load_file

    seen = []

    def killing(logits, targets):
        seen.append(targets)
        if len(seen) == 9:
            raise KilledError
        return masked_loss(logits, targets)

    whole, broken, again = (Run(base, tmp_path / name) for name in ("whole", "broken", "broken"))
    progress = whole.train(22)
    with pytest.raises(KilledError):
        broken.train(22, loss=killing)
    resumed = again.train(22)
    assert resumed.step == progress.step == 11
    assert [s[0] for s in resumed.scores] == [s[0] for s in progress.scores] == [2, 4, 6, 8, 10, 11]
    one, other = (load_file(run.work / "checkpoint-11" / "model.safetensors") for run in (whole, again))
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


@pytest.mark.long
def test_training_lowers_the_loss_and_leaves_the_word_vectors_alone(base, tmp_path):
    import torch

    some, count = Run(base, tmp_path), iter(range(99))
    words, before = some.model.get_input_embeddings().weight.clone(), some.loss(8)
    some.train(8, replace(RECIPE, epochs=30, rate=1e-2), scores=lambda _model: {"a": float(next(count))})
    assert some.loss(8) < before - 0.3
    assert torch.equal(words, some.model.get_input_embeddings().weight)


@pytest.mark.long
def test_it_stops_when_scores_no_longer_rise_and_keeps_the_best(base, tmp_path):
    import torch

    values, kept = iter([0.3, 0.6, 0.5, 0.4, 0.9]), []

    def scores(trained):
        kept.append({k: v.clone() for k, v in trained.model.state_dict().items()})
        return {"a": next(values)}

    some = Run(base, tmp_path)
    progress = some.train(22, replace(RECIPE, scored=5, patience=2), scores=scores)
    assert [mean for _, mean, _ in progress.scores] == [0.3, 0.6, 0.5, 0.4] and progress.step == 8
    for name, value in some.model.state_dict().items():
        assert torch.equal(value, kept[1][name])


def test_another_plan_does_not_go_on_with_this_run(tmp_path):
    assert keep_to(tmp_path, {"seed": 0}) == keep_to(tmp_path, {"seed": 0}) == tmp_path
    with pytest.raises(TrainingError, match="another plan"):
        keep_to(tmp_path, {"seed": 1})
    assert plan_of(tmp_path / "checkpoint-4") == {"seed": 0} and plan_of(tmp_path / "other" / "model") is None


def test_the_masked_loss_of_a_two_class_row_is_that_of_either_label():
    import torch

    logits = torch.tensor([[1.0, 2.0, 3.0]])
    chances = torch.softmax(logits, -1)[0]
    assert float(masked_loss(logits, torch.tensor([3]))) == pytest.approx(-float(torch.log(chances[1] + chances[2])))
    assert float(masked_loss(logits, torch.tensor([0]))) == pytest.approx(-float(torch.log(chances[0])))


def test_batches_hold_each_row_once_an_epoch_and_waste_little(base):
    _, tokenizer = new_cross_encoder(base, LABELS, seed=0)
    some, once = rows(90, tokenizer), replace(RECIPE, epochs=1)
    order = in_order(some, once)
    assert sorted(map(id, order)) == sorted(map(id, some)) and len(in_order(some, RECIPE)) == 180
    assert list(map(id, order)) == list(map(id, in_order(some, once)))
    assert list(map(id, order)) != list(map(id, in_order(some, replace(once, seed=1))))
    batches = [order[n : n + 4] for n in range(0, 90, 4)]
    assert sum(len(b) * max(map(length, b)) for b in batches) <= 1.1 * sum(map(length, some))
    inputs = collated(batches[0], tokenizer)
    assert inputs["input_ids"].shape == (4, max(map(length, batches[0]))) and len(inputs["labels"]) == 4


def test_other_pairs_have_another_fingerprint():
    assert fingerprint(texts(5)) == fingerprint(texts(5)) != fingerprint(texts(5)[::-1])


def test_the_network_to_start_from_must_be_named(capsys):
    with pytest.raises(SystemExit):
        arguments("").parse_args(["--data", "data", "--out", "out"])
    assert "required: --base" in capsys.readouterr().err
