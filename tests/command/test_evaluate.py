"""python -m core evaluate, on a real library with models that count words."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from core.__main__ import main
from core.checks import all_checks
from core.presets import preset
from core.presets.saved import SavedPresets
from tests.support.command_line import run_on

ROWS = [
    {"id": "a", "query": "What is the green substance in the leaves called?", "kind": "answerable", "expected": "answered",
     "facts": ["chlorophyll"], "document": "plants.pdf"},
    {"id": "b", "query": "How do I bake cookies?", "kind": "off_topic", "expected": "refused", "facts": []},
    {"id": "c", "query": "What is given out?", "kind": "pair", "alteration": "name", "expected": "altered",
     "answer": "Helium is given out during <b>photosynthesis</b>.", "facts": ["helium"], "document": "plants.pdf"},
    {"id": "d", "query": "Why?", "kind": "uncited", "expected": "refused", "answer": "Iron rusts. Milk is white.", "citations": [[1]]},
]  # fmt: skip


def evaluated(home, capsys, *arguments, rows=ROWS):
    return run_on("evaluate", rows, home, capsys, *arguments)


def test_it_counts_every_row(home, capsys):
    code, said = evaluated(home, capsys, "--json")
    found = json.loads(said.out)
    asked, judged = found["questions"]["kinds"], found["answers"]["kinds"]
    assert code == 0 and (found["bank"], found["preset"], found["missing_documents"]) == ("bank.jsonl", "default", [])
    assert asked["off_topic"]["refused"]["all"]["right_refusal"]["count"] == 1
    assert asked["answerable"]["answered"]["all"]["n"] == 1
    assert judged["pair"]["altered"]["name"]["refused"] == judged["pair"]["altered"]["all"]["refused"]
    assert judged["pair"]["altered"]["all"]["falsehood"]["count"] == 0
    assert judged["uncited"]["refused"]["all"]["unreadable"]["count"] == 1


def test_a_preset_moves_what_it_counts(home, capsys):
    _, said = evaluated(home, capsys, "--json", *OFF)
    found = json.loads(said.out)
    assert found["answers"]["kinds"]["pair"]["altered"]["all"]["falsehood"]["count"] == 1
    assert found["questions"]["kinds"]["answerable"]["answered"]["all"]["right_answer"]["count"] == 1
    assert found["moved"] == [c.removeprefix("--set=") for c in OFF]


def test_progress_with_the_time_left_goes_to_stderr(home, capsys):
    _, said = evaluated(home, capsys)
    assert "4 of 4 rows, 0 s left" in said.err and "rows" not in said.out.splitlines()[1]
    assert "off_topic, refused: n 1; refused where the library holds no answer 1 (100 %, 21-100)" in said.out


def test_it_writes_a_report(home, capsys):
    report = home / "out.html"
    evaluated(home, capsys, "--report", str(report))
    text = report.read_text(encoding="utf-8")
    assert "&lt;b&gt;photosynthesis&lt;/b&gt;" in text and "<b>" not in text
    assert "one list for each sentence" in text


def test_a_library_without_the_documents_is_said_in_one_sentence(home, capsys):
    code, said = evaluated(home, capsys, "--json", rows=[ROWS[0] | {"document": "sound.pdf"}])
    assert code == 0 and json.loads(said.out)["missing_documents"] == ["sound.pdf"]
    assert "does not hold sound.pdf, which the bank asks about" in said.err


@pytest.mark.parametrize(
    ("row", "said"), [({"query": 7}, "line 1 of bank.jsonl"), ({"query": "Q?", "expected": 3}, "expected")]
)
def test_a_bank_that_cannot_be_read_is_one_sentence(home, capsys, row, said):
    code, out = evaluated(home, capsys, rows=[row])
    assert code == 1 and said in out.err and out.out == ""


def test_a_report_that_cannot_be_written_is_said_before_the_run(home, capsys):
    code, out = evaluated(home, capsys, "--report", str(home / "none" / "out.html"))
    assert code == 1 and "cannot be written" in out.err and "rows" not in out.err


OFF = [f"--set={name}.mode=off" for name in sorted(c.name for c in all_checks())]
"""Nothing is checked: every answer goes out, a right one and two wrong ones; one row cannot be asked."""


def test_a_build_ends_where_a_limit_does_not_hold(home, capsys):
    limits = ["--fail-under=right=0.5", "--fail-over=wrong=0.05", "--fail-over=over_refused=0"]
    code, said = evaluated(home, capsys, "--json", *OFF, *limits)
    found = json.loads(said.out)
    assert code == 1 and [gate["passed"] for gate in found["gates"]] == [False, False, True]
    assert "right is 33.3 % (1 of n 3), under the limit of 50 %." in said.err
    assert "wrong is 66.7 % (2 of n 3), over the limit of 5 %." in said.err
    assert "over_refused is 0.0 % (0 of n 1), within the limit of 0 %." in said.err
    kinds = found["metrics"]["kind"]
    assert {name: (some["n"], some["right"]["count"], some["unsaid"]) for name, some in kinds.items()} == {
        "answerable": (1, 1, 0), "off_topic": (1, 0, 0), "pair": (1, 0, 0), "uncited": (0, 0, 1)
    }  # fmt: skip
    assert evaluated(home, capsys, *OFF, "--fail-under=right=0.3")[0] == 0


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("--fail-under=rigth=0.8", "allowed are right, acceptable, wrong, over_refused"), ("--fail-over=wrong", "from 0 to 1, got ''"),
        ("--fail-over=wrong=5", "0.8 stands for 80 %"), ("--fail-over=wrong=nan", "got 'nan'"),
    ],
)  # fmt: skip
def test_a_limit_that_is_none_is_one_sentence_before_the_run(home, capsys, limit, said):
    code, out = evaluated(home, capsys, limit)
    assert code == 1 and said in out.err and out.err.count("\n") == 1 and out.out == ""


def test_what_no_label_says_passes_no_limit(home, capsys):
    code, said = evaluated(home, capsys, "--fail-over=wrong=1", rows=[{"query": "Why?", "answer": "Iron rusts."}])
    assert code == 1 and "wrong cannot be counted" in said.err


def test_rows_of_another_program_bring_their_contexts(home, capsys):
    row = {
        "user_input": "What is given out?",
        "retrieved_contexts": ["Helium is given out by stars."],
        "expected": "supported",
    }
    rows = [
        row | {"response": answer}
        for answer in ("Helium is given out by stars [1].", "Oxygen is given out by plants [1].")
    ]
    _, said = evaluated(home, capsys, "--json", "--preset=lenient", rows=rows)
    counted = json.loads(said.out)["answers"]["all"]
    assert (counted["delivered"]["count"], counted["n"]) == (1, 2)

    source, target = home / "theirs.jsonl", home / "results.parquet"
    source.write_text(
        "".join(json.dumps(one) + "\n" for one in [*rows, {"user_input": "Why?", "retrieved_contexts": [7]}])
    )
    arguments = ["judge", "--in", str(source), "--out", str(target), "--home", str(home / "home"), "--preset=lenient"]
    assert main(arguments) == 1 and "results.parquet needs --columns (ragas" in capsys.readouterr().err
    assert main([*arguments, "--columns=ragas"]) == 0
    judged = pd.read_parquet(target)
    assert judged["user_input"].tolist() == ["What is given out?", "What is given out?", "Why?"]
    assert (
        judged["response"][0] == rows[0]["response"]
        and list(judged["retrieved_contexts"][1]) == row["retrieved_contexts"]
    )
    assert (
        judged["route"][0] == "deliver"
        and judged["route"][1] != "deliver"
        and "Context 1 must be" in judged["error"][2]
    )


RIGHT = [ROWS[0] | {"id": f"right {n}"} for n in range(60)]
WRONG = [ROWS[0] | {"id": f"wrong {n}", "facts": ["tiger"]} for n in range(12)]


@pytest.mark.parametrize(
    ("rows", "share", "code", "counted"),
    [
        (RIGHT, (), 0, "is proven (at most 5 % of the answers given out are wrong, with 95 % confidence): 0 of 60"),
        (RIGHT[:50], (), 1, "is not proven (at most 5 % of the answers given out are wrong"),
        ([*RIGHT[:40], *WRONG[:1]], ("0.2",), 0, "is proven (at most 20 %"),
        ([*RIGHT[:3], *WRONG], ("wrong=0.2",), 1, "12 of 15 answers are wrong"),
    ],
    ids=["proven", "too few rows", "another share", "too many errors"],
)
def test_a_build_ends_where_the_bank_does_not_prove_the_guarantee(home, capsys, rows, share, code, counted):
    found, said = evaluated(home, capsys, "--json", *OFF, "--fail-without-guarantee", *share, rows=rows)
    row = json.loads(said.out)["guarantee"]
    assert (found, row["passed"], row["n"]) == (code, not code, len(rows)) and counted in said.err
    assert row["passed"] == (row["bound"] <= row["promised"])


def test_a_bank_without_a_row_that_counts_passes_no_guarantee(home, capsys):
    unchecked = [ROWS[0] | {"facts": []}]
    code, said = evaluated(home, capsys, *OFF, "--fail-without-guarantee", rows=unchecked)
    assert code == 1 and "cannot be checked, because no question lists the facts" in said.err


def test_a_share_that_is_none_ends_the_build_before_the_run(home, capsys):
    code, said = evaluated(home, capsys, "--fail-without-guarantee=7")
    assert code == 1 and "above 0 and below 1, such as 0.05, got 7.0" in said.err and not said.out


def test_a_preset_with_the_certificate_of_an_older_program_is_judged_by_the_bank(home, capsys):
    SavedPresets(home / "home").save(replace(preset("default"), name="signed"))
    file = home / "home" / "presets" / "signed.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"certificate": {"holds": True, "risks": {}}}))
    code, said = evaluated(home, capsys, "--preset", "signed", "--fail-without-guarantee", rows=RIGHT[:2])
    assert code == 1 and "The guarantee is not proven" in said.err
