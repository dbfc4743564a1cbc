"""The report on a bank: every text of others escaped, nothing loaded, the counts that were counted, tables and pictures."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.banks.open_bank import OpenBank
from core.check import Check
from core.decide import needed_rounds, next_step
from core.evaluation.counts import Rate
from core.evaluation.outcomes import outcome, unreadable
from core.presets import preset
from core.reports.evaluation_report import MEASURES, TRUST, Evaluation, in_words, seed_tables
from core.reports.templating import TEMPLATES
from core.tuning.curves import Bin
from tests.support.html_tags import Tags
from tests.support.planted_banks import RELATED, deep_trace, planted, two_limits

EVIL = "<script>alert(1)</script><img src=x onerror='x'>\"&"
PRINTED = preset("as_printed")
ABOUT = {
    "bank": "made", "preset": "default", "moved": [], "profile": "bundled", "writer": "extractive",
    "date": "2026-11-22", "models": {"nli": "a <b>model</b>"}, "missing_documents": [],
}  # fmt: skip


def measured(missing=()):
    rows = [
        ({"id": EVIL, "query": EVIL, "kind": EVIL, "expected": "refused", "alteration": EVIL}, "refuse", EVIL),
        ({"query": "Q?", "kind": "pair", "expected": "supported", "answer": EVIL}, "deliver", EVIL),
    ]  # fmt: skip
    some = [
        outcome(row, SimpleNamespace(route=route, answer=answer, primary_reason="off_topic", confidence=1.0))
        for row, route, answer in rows
    ]
    some.append(unreadable({"query": "Q?", "kind": "attack"}, ValueError(EVIL)))
    about = ABOUT | {"bank": EVIL, "preset": EVIL, "models": {EVIL: EVIL}, "missing_documents": list(missing)}
    return Evaluation(outcomes=some, bank=OpenBank.of([]), preset=PRINTED, about=about)


def test_all_text_of_others_is_escaped():
    tags = Tags(measured([EVIL]).page())
    assert {tag for tag, _ in tags.tags} == {
        "br", "small", "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td",
        "svg", "text",
    }  # fmt: skip
    assert tags.text.count("onerror") >= 8 + 4  # what it was measured with too


def test_it_needs_nothing_else_and_prints():
    text = measured().page()
    assert "http:" not in text and "https:" not in text and "url(" not in text and "@import" not in text
    assert "default-src 'none'" in text and "@media print" in text


def test_it_tells_the_counts_and_every_row():
    _, _, counted = measured().page().partition("<h2>Questions</h2>")
    tags = Tags(counted)
    assert "1 (100 %, 21-100)" in tags.text
    assert sum(tag == "tr" for tag, _ in tags.tags) == 4 + 2 + 4


def test_the_terminal_gets_plain_sentences():
    said = in_words(measured().row())
    assert "pair, supported: n 1; given out whole 1 (100 %, 21-100)" in said
    assert "attack, not labelled: n 1; not taken as a question 1 (100 %, 21-100)" in said
    assert "lacks" not in said and "lacks a.pdf" in in_words(measured(["a.pdf"]).row())


@pytest.fixture
def bank():
    return OpenBank.of(two_limits(40, related=0.6, hybrid=0.3))


def timed(case, first, checking, more=0.0):
    """A case whose rounds took so long: the first of them, the checks in it, and each other one."""
    rounds = tuple(
        replace(r, seconds=more if n else first, checking=0.0 if n else checking)
        for n, r in enumerate(case.trace.rounds)
    )
    question = replace(case.trace.question, answer=None)
    return replace(case, trace=replace(case.trace, question=question, rounds=rounds))


def test_the_two_sides_are_counted_on_the_same_cases(bank):
    found = seed_tables(bank, PRINTED)
    guarded, without = found["with"], found["without"]
    assert (without["hallucinated"].count, without["hallucinated"].n) == (20, 40)  # whatever was asked went out
    assert without["rejected"].count == without["false_positives"].count == 0
    assert guarded["hallucinated"] == Rate(count=0, n=20) and guarded["rejected"] == Rate(count=20, n=40)
    assert guarded["false_positives"] == Rate(count=0, n=20)
    assert (found["abstention_accuracy"].count, found["abstention_accuracy"].n) == (20, 20)
    assert found["false_abstention"] == guarded["false_positives"]
    assert sum(r.count for r in found["refusals"].values()) == guarded["rejected"].count


def test_a_looser_limit_lets_wrong_answers_out(bank):
    loose = PRINTED.with_values({RELATED: 0.0})
    found = seed_tables(bank, loose)
    assert found["with"]["hallucinated"].count > 0 and found["abstention_accuracy"].count < 20
    assert found["n"] == 40 and found["unsaid"] == 0


def test_what_alone_decides_is_what_a_check_that_only_watches_lets_change(bank):
    found = seed_tables(bank, PRINTED)["decided_alone"]
    watching = PRINTED.with_values({}, {"retrieval_score": "watches"})
    changed = sum(a != b for a, b in zip(bank.at(PRINTED), bank.at(watching), strict=True))
    assert found["retrieval_score"].count == changed > 0


def test_what_no_label_speaks_of_is_left_out_and_counted(bank):
    unlabelled = planted("Is this right?", "refused")
    judged = replace(unlabelled, row={k: v for k, v in unlabelled.row.items() if k != "expected"} | {"answer": "Yes."})
    found = Evaluation.of(OpenBank.of([*bank.cases(), judged]), PRINTED, ABOUT)
    assert (found.tables["n"], found.tables["unsaid"]) == (40, 1)
    assert "1 case is left out" in Tags(found.page()).text


def test_what_alone_decides_is_counted_of_all_cases_labelled_or_not(bank):
    """Of more cases without a label than with one a share of those with one would be beyond all of them."""
    unlabelled = planted("Is this right?", "refused")
    judged = replace(unlabelled, row={k: v for k, v in unlabelled.row.items() if k != "expected"} | {"answer": "Yes."})
    found = seed_tables(OpenBank.of([*bank.cases([0, 1]), *[judged] * 9]), PRINTED)
    assert found["n"] == 2 and found["decided_alone"]
    assert all(share.n == 11 for share in found["decided_alone"].values())


def test_time_is_that_of_the_rounds_that_the_preset_needs(bank):
    cases = [timed(case, first=1.0, checking=0.75, more=2.0) for case in bank.cases()]
    none = seed_tables(bank, PRINTED)["latency"]
    assert (none["n"], none["without"], none["guarded"]) == (0, None, None)
    row = r"<td>Time until the answer \(median\)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>"
    page = Evaluation.of(bank, PRINTED, ABOUT).page()
    assert all("not measured" in cell for cell in re.search(row, page).groups())
    assert "User trust score" not in page  # only people can give it
    loose = PRINTED.with_values({"confidence.refine_rounds": 0})
    found = Evaluation.of(OpenBank.of(cases), loose, ABOUT)
    latency = found.tables["latency"]
    assert (latency["n"], latency["without"], latency["guarded"]) == (40, 0.25, 1.0)
    assert re.search(row, found.page()).groups() == ("1.00 s (+0.75 s), n 40", "0.25 s, n 40")


def test_needed_rounds_are_those_that_would_be_measured():
    trace = deep_trace()
    for under in (PRINTED, PRINTED.with_values({"confidence.min_confidence": 100}), preset("lenient")):
        rounds = needed_rounds(trace, under)
        bare = replace(trace, rounds=())
        for one in rounds:
            step = next_step(bare, under)
            assert (step.action, step.round, step.of) == ("measure", one.name, one.of)
            bare = bare.with_round(one)
        assert next_step(bare, under).action != "measure"


def test_a_share_beside_what_a_seed_asks_for_keeps_its_side(bank):
    found = Evaluation.of(bank, PRINTED, ABOUT)
    rates = {"abstention_accuracy": Rate(count=29, n=73), "false_abstention": Rate(count=5, n=52)}
    found.__dict__["tables"] = found.tables | rates
    _, *rows = Tags(found.page()).tables["Abstention"]
    assert rows[0][1].startswith("29 of 73 (39.7 %") and rows[1][1].startswith("5 of 52 (9.6 %")


def test_a_report_says_how_much_of_a_bank_it_covers_and_what_is_missing(bank):
    part = Evaluation.of(bank, PRINTED, ABOUT | {"rows": 150, "missing_documents": ["sound.pdf"]})
    text = Tags(part.page()).text
    assert "Only 40 of its 150 rows are measured" in text and "The library lacks sound.pdf" in text
    assert "rows are measured" not in Tags(Evaluation.of(bank, PRINTED, ABOUT | {"rows": 40}).page()).text


def test_without_a_case_every_table_says_so_and_is_no_zero():
    page = Tags(Evaluation.of(OpenBank.of([]), PRINTED, ABOUT).page())
    _, *rows = page.tables["With and without the guardrail"]
    assert len(rows) == len(MEASURES) + 1
    assert all("none" in cell or "not measured" in cell for row in rows for cell in row[1:])
    assert page.tables["Refusals by reason"][1:] == [["Nothing was refused", "", "none"]]
    assert "not measured" in page.text and " 0 of 0" not in page.text


def test_the_report_has_every_table_and_picture_and_runs_nothing(bank):
    page = Tags(Evaluation.of(bank, PRINTED, ABOUT).page())
    found = seed_tables(bank, PRINTED)
    _, *rows = page.tables["With and without the guardrail"]
    assert rows[:-1] == [
        [label, found["with"][name].text, found["without"][name].text] for name, label in MEASURES.items()
    ]
    _, *rows = page.tables["Refusals by reason"]
    assert [row[1:] for row in rows] == [[name, rate.text] for name, rate in found["refusals"].items()]
    _, *rows = page.tables["Abstention"]
    assert [row[1:] for row in rows] == [
        [found["abstention_accuracy"].text, "at least 40 %"], [found["false_abstention"].text, "under 10 %"],
    ]  # fmt: skip
    _, *rows = page.tables["Which check decided alone"]
    assert rows == [[Check.registry[name].plain, name, rate.text] for name, rate in found["decided_alone"].items()]
    assert len(page.named("svg")) == 2 + 1 + 4 and not page.named("script") and "a <b>model</b>" in page.text
    assert "extractive" in page.text and "2026-11-22" in page.text
    assert page.text.count("Question 0 ") == 2 * 40  # every row, by its id and its words


def test_the_counts_as_json_are_those_of_the_tables(bank):
    found = Evaluation.of(bank, PRINTED, ABOUT)
    seeds = found.row()["seeds"]
    assert seeds["with"]["hallucinated"] == found.tables["with"]["hallucinated"].row()
    assert seeds["trust_score"] == TRUST and seeds["latency"]["without"] is None
    assert set(seeds["decided_alone"]) == set(found.tables["decided_alone"])


def test_pictures_escape_their_words_and_stand_for_their_numbers():
    draw = TEMPLATES.get_template("pictures.html").module
    drawn = draw.bars("A < B", [("x & y", Rate(count=1, n=2), "good"), ("none", Rate(count=0, n=0), "bad")])
    assert "A &lt; B" in drawn and "x &amp; y" in drawn and "1 of 2" in drawn and "no case" in drawn
    half, whole = (
        float(draw.bars("", [("", Rate(count=n, n=4), "good")]).split('width="')[1].split('"')[0]) for n in (2, 4)
    )
    assert whole == pytest.approx(2 * half)
    assert draw.promises("p", [Bin(predicted=0.5, true=Rate(count=5, n=10))], "", "").count("<circle") == 1
    strip = draw.strips("s", [("inside", np.linspace(-1, 2, 5), "good")], 0.5)
    assert strip.count("M") >= 6 and strip.count("M250.0,") == strip.count("M530.0,") == 2  # beyond the ends: at them
