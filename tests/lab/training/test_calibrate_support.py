"""The fit of the check `support`: what it learns from judged answers, the limit, and what it writes."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from core.lab.training import calibrate_support
from core.lab.training.calibrate_support import figures, fitted_weights, held_out_scores, limit_for
from core.lab.training.support_pairs import JudgedAnswer
from core.models.calibration import FILE
from core.models.support_hints import HINTS, SupportWeights

NEAR, UNHELD = HINTS.index("near"), HINTS.index("unheld")


def answers(name, count=40):
    """Pairs whose supported answer is near to the evidence; the altered one repeats its first sentence, and its second
    holds a number that no evidence has."""
    random, found = np.random.default_rng(len(name)), []
    for n in range(count):
        for supported in (True, False):
            hints = random.normal(0, 0.5, (2, len(HINTS)))
            hints[:, NEAR] += 2
            hints[:, UNHELD] = 0
            if not supported:
                hints[1, [NEAR, UNHELD]] = -1, 1
            counts = np.array([supported, True])
            found.append(JudgedAnswer(pair=f"{name}{n}", supported=supported, hints=hints, counts=counts))
    return found


def test_the_fit_weighs_what_tells_supported_from_altered():
    weights = fitted_weights(answers("a"))
    assert set(weights) == {*HINTS, "offset"} and weights["near"] > 0 > weights["unheld"]
    first, second = SupportWeights(**weights)(answers("b")[1].hints)
    assert first > 0.5 > second


def test_an_answer_is_judged_by_its_worst_sentence_and_by_a_fit_without_its_pair():
    found = answers("a")
    said, truth = held_out_scores(found), np.array([one.supported for one in found])
    told = figures(said, truth)
    assert told["n"] == 80 and told["area"] > 0.95 and told["passed_at_5"] > 0.9
    limit = limit_for(said, truth)
    assert (said[~truth] >= limit).mean() <= 0.035 < (said[~truth] >= limit - 0.01).mean()


def test_the_command_writes_the_weights_beside_what_else_was_fitted(monkeypatch, tmp_path, capsys):
    (tmp_path / FILE).write_text(json.dumps({"temperature": 1.5, "support": {"near": 9}}), encoding="utf-8")
    asked = []
    monkeypatch.setattr(calibrate_support, "load", lambda: SimpleNamespace(embedder=None))
    monkeypatch.setattr(calibrate_support, "Library", lambda home, _: home)
    monkeypatch.setattr(calibrate_support, "sample_explorer", lambda _: SimpleNamespace(library="sample"))
    monkeypatch.setattr(calibrate_support, "teacher_pairs", lambda data, part, _: asked.append(part) or answers("t"))
    monkeypatch.setattr(calibrate_support, "bank_pairs", lambda path, library, _: answers(str(path)))
    calibrate_support.main(["--model", str(tmp_path), "--data", "data", "--chapters", "chapters"])
    told, stored = json.loads(capsys.readouterr().out), json.loads((tmp_path / FILE).read_bytes())
    assert asked == ["choose"] and set(told["held_out"]) == {"teacher", "chapters", "sample", "together"}
    assert stored == {"temperature": 1.5, "support": told["weights"]}
    assert told["held_out"]["together"]["n"] == 240 and 0 < told["limit"] < 1
    assert SupportWeights(**stored["support"])(answers("t")[0].hints).shape == (2,)


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_few_altered_answers_pass_at_the_shares_that_are_told(share):
    good, bad = np.linspace(0.4, 1, 100), np.linspace(0, 0.6, 100)
    told = figures(np.concatenate([good, bad]), np.repeat([True, False], 100))
    limit = np.sort(bad)[::-1][round(100 * share)]
    assert told[f"passed_at_{round(100 * share)}"] == round((good > limit).mean(), 4)
