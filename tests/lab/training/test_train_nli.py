"""The training command of the NLI model and its scores, from data sets to a card, on a tiny base."""

import json

import pytest

from core.lab.training import train_nli
from core.lab.training.evaluate import correct_flags, report, textbook_rows
from core.lab.training.nli_datasets import DEV_SETS, RECIPE, counts, dev_pairs, training_pairs
from core.models.cross_encoders import cross_encoder
from core.models.entailer import Entailer
from tests.lab.training.tiny import tiny_base, write_rows
from tests.support.markdown_tables import table_rows
from tests.support.rope_chapter import CHAPTER


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    labels = ("entailment", "neutral", "contradiction")
    rows = [
        {"src": src, "premise": f"Rod {n} is made of iron. It is {n} cm long.", "hypothesis": "The rod is iron.",
         "label": "not_entailment" if src == "rte" and n % 3 else labels[n % 3]}
        for src in ("lingnli", "rte", "climate_fever") for n in range(9)
    ]  # fmt: skip
    write_rows(folder, "nli/train", rows)
    for name in DEV_SETS:
        write_rows(folder, f"nli/dev_{name}", [{k: v for k, v in r.items() if k != "src"} for r in rows[:9]])
    (folder / "chapters").mkdir()
    (folder / "chapters" / "ropes.txt").write_text(CHAPTER, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return str(tiny_base(tmp_path_factory.mktemp("base")))


@pytest.mark.long
def test_an_nli_model_is_trained_written_and_scored(data, base, tmp_path, capsys):
    out = tmp_path / "nli-tiny"
    given = ["--data", str(data), "--base", base, "--out", str(out), "--chapters", str(data / "chapters"),
             "--contrast", "0.002"]  # fmt: skip
    train_nli.main(given)
    card = (out / "CARD.md").read_text(encoding="utf-8")
    assert {("rte", "9", "none stated"), ("chapters", "16", "our own sample chapters")} <= set(
        map(tuple, table_rows(card))
    )
    assert (
        "with a new head; word vectors" in card
        and "climate_fever" not in card
        and "seed 0" in card
        and "**Weak at**" in card
    )
    told = capsys.readouterr().out
    assert "scored" in told and "'loss'" in told
    found = report(cross_encoder(out), data)
    assert found["textbook"]["all"]["n"] == len(textbook_rows())
    assert "contrast" in found["dev"] and set(found["textbook"]["label"]) == {"entailment", "neutral", "contradiction"}
    told = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    assert told["shipped"]["dev"] == found["dev"] and told["export"]["labels_kept"] > 0.5 and told["export"]["n"] > 0
    assert any(cells[0] == "export" and cells[1].startswith("labels_kept") for cells in table_rows(card))
    assert Entailer(out, "tiny").probabilities([("Iron rusts.", "Iron rusts.")]).sum() == pytest.approx(1, abs=1e-3)
    again = tmp_path / "nli-again"
    train_nli.main([*given[:2], "--base", str(out), "--out", str(again), *given[6:]])
    assert "**Start**: nli-tiny, with the head that it shipped with" in (again / "CARD.md").read_text(encoding="utf-8")


def test_only_named_sources_are_trained_on_and_each_is_cut(data):
    pairs = training_pairs(data, {"lingnli": 4, "rte": 99}, seed=0)
    assert counts(pairs) == {"lingnli": 4, "rte": 9}
    assert "climate_fever" not in RECIPE


def test_the_halves_of_a_dev_set_share_nothing(data):
    choosing, reporting = (dev_pairs(data, "rte_dev", choosing=half) for half in (True, False))
    assert len(choosing) + len(reporting) == 9 and not {p.premise for p in choosing} & {p.premise for p in reporting}
    assert dev_pairs(data, "rte_dev", choosing=True, most=1) == choosing[:1]


def test_a_two_class_pair_only_asks_whether_it_follows(data):
    pair = training_pairs(data, {"rte": 9}, seed=0)[0]._replace(label="not_entailment")
    assert correct_flags([pair] * 3, ["entailment", "neutral", "contradiction"]) == [False, True, True]
