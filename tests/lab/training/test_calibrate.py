"""What a search brings back is weighed as declared, and the calibration that ships keeps its order."""

import gzip
import json

import pytest

from core.banks.project import for_fitting
from core.lab.training.calibrate import KNOTS, WEIGHTS, embedder_calibration, table_of
from core.lab.training.calibration_samples import Retrieved, Shelf, other_population, textbook_populations
from core.lab.training.nli_datasets import TrainingError, rows
from core.models.calibration import calibration_of
from core.models.embedder import bundled_embedder
from core.models.weights import MINILM_SHA256

CHAPTERS = {
    "iesc101.pdf": "Sound needs a medium. It cannot travel through empty space. Particles of the medium vibrate in turn.",
    "iesc102.pdf": "A pendulum swings to and fro. Its time period depends on its length alone.",
}


def some(count, fitting, cosine, about, answers):
    row = Retrieved(fitting=fitting, cosine=cosine, share=cosine, about=about, answers=answers)
    return [row] * count


@pytest.fixture
def populations():
    found = {}
    for name, lift in zip(WEIGHTS, (0.3, 0.1, -0.1), strict=True):
        found[name] = [
            row
            for fitting in (True, False)
            for cosine in (0.2, 0.4, 0.6)
            for row in (*some(3, fitting, cosine + lift, 1.0, 1.0), *some(4, fitting, cosine + lift - 0.2, 0.0, 0.0))
        ]
    return found


def test_each_population_weighs_as_declared_whatever_its_size(populations):
    populations["off topic"] *= 5
    table = table_of(populations, WEIGHTS)
    for name, weight in WEIGHTS.items():
        assert table.weight[table.population == name].sum() == pytest.approx(weight)


def test_a_calibration_is_fitted_on_one_half_and_told_on_both(populations):
    other = {"other": some(4, False, 0.5, float("nan"), 1.0)}
    found = embedder_calibration(populations, other)
    assert 0 <= found["dense_weight"] <= 1
    for score in ("related", "hybrid"):
        chances = found["maps"][score]["probabilities"]
        assert found["maps"][score]["scores"] == KNOTS.tolist()
        assert chances == sorted(chances) and 0 < chances[0] < chances[-1] < 1
        told = found["fitted_on"]["reliability"][score]
        assert told["fitting"]["n"] == told["held_out"]["n"] == 63
        assert set(told["held_out_by_population"]) == set(WEIGHTS)
    assert found["fitted_on"]["reliability"]["related"]["other_data"]["other"] is None
    assert found["fitted_on"]["reliability"]["hybrid"]["other_data"]["other"]["n"] == 4


def test_the_held_out_half_moves_nothing(populations):
    before = embedder_calibration(populations, {})["maps"]
    moved = {n: [r for r in some_ if r.fitting] + some(21, False, 0.9, 0.0, 0.0) for n, some_ in populations.items()}
    after = embedder_calibration(moved, {})["maps"]
    for score in ("related", "hybrid"):
        assert after[score]["probabilities"] == pytest.approx(before[score]["probabilities"], abs=1e-4)


def test_a_search_leaves_out_documents_that_the_library_lacks(models):
    shelf = Shelf(list(CHAPTERS.values()), list(CHAPTERS), models.embedder)
    question = "Can sound travel through empty space?"
    vector = models.embedder.encode([question])[0]
    assert [n for n, _, _ in shelf.top(question, vector)] == [0, 1]
    assert [n for n, _, _ in shelf.top(question, vector, frozenset({"iesc101.pdf"}))] == [1]


def test_populations_are_read_from_the_data_sets(tmp_path, models):
    def write(name, found):
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in found)

    write("ncert_qa/chapters", [{"document": d, "text": t} for d, t in CHAPTERS.items()])
    asked = {
        "question": "Why can sound not travel through empty space?",
        "ground_truth": "It needs a medium whose particles vibrate.",
        "context": CHAPTERS["iesc101.pdf"],
    }
    write("ncert_qa/questions_dev", [asked])
    tale = {
        "q": "Where did the fox sleep?",
        "pos": "The fox slept under a hedge.",
        "negs": ["The king sang."],
        "group": "fox",
    }
    write("rerank/dev_fairytaleqa", [tale])
    found = textbook_populations(tmp_path, models.embedder)
    assert found["held"][0].answers == 1.0 and found["held"][0].about == 1.0
    assert all(r.answers == 0.0 for r in found["not held"])
    assert all(r.about == 0.0 for r in found["off topic"])
    best, second = other_population(tmp_path, "dev_fairytaleqa", models.embedder)
    assert (best.answers, second.answers) == (1.0, 0.0) and second.about == 1.0


def test_data_that_are_not_there_are_named(tmp_path):
    with pytest.raises(TrainingError, match=r"chapters\.jsonl\.gz is missing"):
        rows(tmp_path, "ncert_qa/chapters")


def test_a_question_stays_in_its_half_whatever_surrounds_it():
    assert for_fitting(" What is sound?\n") == for_fitting("What is sound?")
    halves = [for_fitting(f"question {n}") for n in range(200)]
    assert 70 < sum(halves) < 130


def test_the_calibration_that_ships_tells_textbook_questions_from_small_talk():
    found, embedder = calibration_of(MINILM_SHA256), bundled_embedder()
    assert found.calibrated
    book = "Photosynthesis is the process by which green plants make food from carbon dioxide and water in sunlight."
    questions = ["What is photosynthesis?", "How do I bake chocolate cookies?", "Will it rain in Paris tomorrow?"]
    cosines = embedder.encode(questions) @ embedder.encode([book])[0]
    about = found.related(cosines)
    assert about[0] > 0.8 and about[1:].max() < 0.2
    assert found.hybrid(found.dense_weight * cosines[1:]).max() < 0.1
