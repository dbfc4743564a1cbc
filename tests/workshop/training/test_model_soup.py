"""The mean of two runs: between their weights, and shipped like any other model."""

import torch

from core.models.cross_encoders import cross_encoder
from core.nli import LABELS
from core.workshop.training import model_soup as averaging
from core.workshop.training.cross_encoder import new_cross_encoder
from core.workshop.training.datasets import DEV_SETS
from core.workshop.training.model_soup import mean_of
from tests.workshop.training.tiny import tiny_base, write_rows


def test_a_mean_lies_between_the_two(tmp_path):
    first, second = (new_cross_encoder(str(tiny_base(tmp_path / str(n))), LABELS, seed=n)[0] for n in (1, 2))
    name = "classifier.out_proj.weight" if "classifier.out_proj.weight" in first.state_dict() else "classifier.weight"
    one, other = (m.state_dict()[name] for m in (first, second))
    assert not torch.equal(one, other)
    assert torch.equal(mean_of(first, second, 0.0)[name], one)
    assert torch.allclose(mean_of(first, second, 1.0)[name], other)
    assert torch.allclose(mean_of(first, second, 0.25)[name], 0.75 * one + 0.25 * other)


def test_the_best_share_is_shipped(tmp_path, capsys):
    rows = [
        {"premise": f"Rod {n} is {n} cm long.", "hypothesis": "The rod is long.", "label": LABELS[n % 3]}
        for n in range(6)
    ]
    for name in DEV_SETS:
        write_rows(tmp_path, f"nli/dev_{name}", rows)
    folders = []
    for seed in (1, 2):
        model, tokenizer = new_cross_encoder(str(tiny_base(tmp_path / f"base {seed}")), LABELS, seed)
        folders.append(tmp_path / f"run {seed}")
        model.save_pretrained(folders[-1])
        tokenizer.save_pretrained(folders[-1])
    out = tmp_path / "mean"
    given = ["--first", str(folders[0]), "--second", str(folders[1]), "--data", str(tmp_path), "--out", str(out)]
    averaging.main(given)
    told = capsys.readouterr().out
    assert all(f"{share}: 0." in told for share in averaging.SHARES) and "the mean with" in told
    assert cross_encoder(out).logits([("A rod.", "A rod.")]).shape == (1, 3)
