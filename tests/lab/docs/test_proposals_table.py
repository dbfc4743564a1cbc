"""The table of what thresholds proposed by a search are worth."""

import json

from core.lab.docs import measurements, sample_bank

AIM = {
    "default_wrong": 0.05, "wrong": 0.04, "default_over_refused": 0.4, "over_refused": 0.35,
    "default_mean_cost": 0.31, "mean_cost": 0.27, "saved": 0.04, "interval": [0.02, 0.06],
    "splits_that_cost_more": 3, "splits_without_a_proposal": 8,
}  # fmt: skip
UNMOVED = {**AIM, "wrong": 0.05}
PROPOSALS = {"n": 181, "splits": 20, "cost 5": AIM, "cost 1": UNMOVED, "over-refusals under 0.1": AIM}


def test_each_aim_has_a_row_with_its_interval(tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)
    assert sample_bank.proposals_table() == "Not measured yet."
    (tmp_path / "proposals.json").write_text(json.dumps(PROPOSALS))
    head, _, *rows = sample_bank.proposals_table().splitlines()
    assert head.startswith("181 questions, 20 random splits")
    costs = "0.310 to 0.270 | 0.040 (0.020 to 0.060) | 3 |"
    assert rows[2:] == [
        f"| a wrong answer costs five over-refusals | 12 of 20 | 5 to 4 % | 40 to 35 % | {costs}",
        f"| a wrong answer costs as much as an over-refusal | 12 of 20 | 5 % | 40 to 35 % | {costs}",
        "| fewest wrong answers, at most 10 % over-refusals | 12 of 20 | 5 to 4 % | 40 to 35 % | "
        "not compared: the default breaks the limit |  |  |",
    ]
    kept = PROPOSALS | {"over-refusals under 0.1": AIM | {"default_over_refused": 0.1}}
    (tmp_path / "proposals.json").write_text(json.dumps(kept))
    assert sample_bank.proposals_table().splitlines()[-1].endswith(f"| 10 to 35 % | {costs}")
