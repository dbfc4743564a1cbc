"""Every route and every edge of the chain, on traces made by hand."""

from dataclasses import replace

import pytest

from core.decide import REFUSAL, next_step, verdict
from core.decide.delivery import confidences
from core.decide.verdicts import NOTHING_STATED
from core.presets import preset, with_settings
from tests.support.cases import ALTERED, BOOK, DISTANT, MIXED, SUPPORTED, evidence
from tests.support.deciding_cases import objectionable
from tests.support.traces import deep, without

DEFAULT = preset("as_printed")
HIGH = "fact_grounding.high=0.9"
SEARCHED = ("kind: question", "clear", "retrieve", "critic", "query checks", "write", "stage 1", "answer checks")


def step_of(trace, *moves):
    return next_step(trace, with_settings(DEFAULT, list(moves)))


def on(trace, *moves):
    return verdict(trace, with_settings(DEFAULT, list(moves)))


def test_a_high_tier_is_delivered_at_once(make_case, models):
    found = on(deep(models, make_case(SUPPORTED)))
    assert (found.route, found.tier, found.steps) == ("deliver", "high", (*SEARCHED, "stage 2", "deliver"))
    assert found.answer == SUPPORTED and [c.done for c in found.changes] == ["kept"]
    assert found.supported == len(found.sentences) == 1


def test_a_medium_tier_is_looked_at_once_more(make_case, models):
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT))
    step = step_of(without(trace, "rechecked"), HIGH)
    assert (step.action, step.round, step.of) == ("measure", "rechecked", "first")
    found = on(trace, HIGH)
    assert (found.route, found.tier, found.round.name) == ("deliver", "medium", "first")
    assert found.steps == (*SEARCHED, "stage 2", "recheck", "deliver")
    once = on(trace, HIGH, "fact_grounding.recheck=0")
    assert once.steps == (*SEARCHED, "stage 2", "deliver") and once.tier == "medium"


def test_the_better_of_two_looks_wins(make_case, models):
    more = tuple(evidence(BOOK, s, n) for n, s in enumerate((0.9, 0.9)))
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT), wider=lambda case: replace(case, evidence=more))
    found = on(trace, HIGH)
    assert (found.route, found.tier, found.round.name) == ("deliver", "high", "rechecked")
    assert found.steps == (*SEARCHED, "stage 2", "recheck", "answer checks", "stage 2", "deliver")
    assert found.delivery.round.case.evidence == more


def test_a_better_look_in_which_a_check_fails_does_not_count(make_case, models):
    def worse(case):
        more = tuple(evidence(BOOK, 0.9, n) for n in range(2))
        return replace(case, evidence=more, draft=make_case(f"Perhaps {SUPPORTED.lower()}").draft)

    found = on(deep(models, make_case(SUPPORTED, evidence=DISTANT), wider=worse), HIGH)
    assert (found.route, found.round.name, found.answer) == ("deliver", "first", SUPPORTED)


@pytest.mark.parametrize(("escalation", "route"), [(1, "escalate"), (0, "refuse")])
def test_a_low_tier_is_handed_over_or_refused(make_case, models, escalation, route):
    trace = deep(
        models, make_case(SUPPORTED, evidence=DISTANT), messages={"fallback": "Not sure.", "escalate": "To a teacher."}
    )
    found = on(trace, "fact_grounding.medium=0.95", f"fact_grounding.escalation={escalation}")
    assert (found.route, found.tier, found.primary_reason) == (route, "low", "low_grounding")
    assert found.steps == (*SEARCHED, "stage 2", route)
    assert found.answer == {"escalate": "To a teacher.", "refuse": "Not sure."}[route]


def test_a_watching_stage_2_shows_its_tier_and_decides_nothing(make_case, models):
    found = on(deep(models, make_case(SUPPORTED)), "fact_grounding.medium=0.99", "fact_grounding.mode=watches")
    assert (found.route, found.tier) == ("deliver", "low")


def test_what_the_passages_say_otherwise_is_corrected_from_them(make_case, models):
    trace = deep(models, make_case(ALTERED))
    step = step_of(without(trace, "corrected"))
    assert (step.action, step.round, step.of) == ("measure", "corrected", "first")
    found = on(trace)
    assert (found.route, found.primary_reason) == ("deliver_corrected", "hallucination_detected")
    assert found.steps == (*SEARCHED, "correct", "answer checks", "deliver_corrected")
    assert all(sentence.citations for sentence in found.delivery.sentences)
    assert "a fixed number" in found.answer and "7" not in found.answer
    assert [c.done for c in found.changes] == ["kept", "changed"]
    assert found.changes[1].before.endswith("adding 7 to the term before.") and found.changes[1].confidence > 0.9
    again = [float(p) for p in found.delivery.round.signals["support"]["probability"]]
    assert [c.confidence for c in found.changes] == again
    assert found.round.case.draft.text == ALTERED  # what was judged stays what it was
    assert not any(c.blocks for c in found.delivery.checks.values())


@pytest.mark.parametrize("off", ["fact_check.correction=0", "fact_check.mode=watches"])
def test_without_correction_the_sentences_that_hold_go_out(make_case, models, off):
    trace = without(deep(models, make_case(ALTERED)), "corrected")
    assert step_of(trace, off).action == "deliver_part"
    found = on(trace, off)
    assert found.steps == (*SEARCHED, "deliver_part")
    assert found.delivery.text == SUPPORTED and found.answer.endswith("left out because the book does not support it.")


def test_what_the_passages_say_nothing_like_is_left_out_with_its_reason(make_case, models):
    found = on(deep(models, make_case(MIXED)))
    assert (found.route, found.delivery.text) == ("deliver_part", SUPPORTED)
    assert found.steps == (*SEARCHED, "correct", "deliver_part")
    assert [c.done for c in found.changes] == ["kept", "left_out"]
    assert found.changes[1].why and "Bananas" not in found.answer
    assert found.answer.startswith("I can partially answer this based on NCERT textbooks.")
    assert confidences(found.changes) == f"Support of the sentence: {100 * found.changes[0].confidence:.0f} %."
    assert found.checks["grounding"].state == "failed"  # of what was judged
    assert found.delivery.checks["grounding"].value == found.delivery.checks["citations"].value == 1


def test_where_no_sentence_holds_nothing_goes_out(make_case, models):
    found = on(deep(models, make_case("Bananas rarely wander through purple corridors.")))
    assert (found.route, found.answer, found.delivery) == ("refuse", REFUSAL, None)
    assert found.steps == (*SEARCHED, "correct", "refuse")


def test_a_failed_query_check_ends_it_before_the_answer(make_case, models):
    found = on(deep(models, make_case(ALTERED, (0.2, 0.1))))
    assert (found.route, found.steps[-2:]) == ("refuse", ("query checks", "refuse"))
    assert "corrected" not in {step_of(without(deep(models, make_case(ALTERED, (0.2, 0.1))), "corrected")).round}


def test_a_vague_question_is_asked_back_with_what_it_could_mean(make_case, models):
    case = make_case(SUPPORTED)
    case = replace(case, question=replace(case.question, query="what about the other one?"))
    found = on(deep(models, case, meanings=("Loudness", "Pitch")))
    assert (found.route, found.primary_reason) == ("clarify", "unclear")
    assert found.steps == ("kind: question", "clear", "clarify")
    assert found.answer.endswith("Do you mean Loudness or Pitch?")
    assert on(deep(models, case), "clarity.mode=watches").route == "deliver"


def talk(make_case, kind, answer):
    return make_case(answer, scores=(0.1,), kind=kind)


@pytest.mark.parametrize("kind", ["small_talk", "about_last_turn", "tool_result"])
def test_a_turn_that_claims_nothing_skips_to_stage_1(make_case, models, kind):
    found = on(deep(models, talk(make_case, kind, "Hello! How can I help you today?")))
    assert (found.route, found.primary_reason) == ("deliver", None)
    assert found.steps == (f"kind: {kind.replace('_', ' ')}", "write", "stage 1", "deliver")
    assert not any(c.blocks for c in found.checks.values())


def test_a_turn_that_claims_something_is_checked_like_any_answer(make_case, models):
    said = "Hello! An arithmetic progression is not a list of numbers."
    found = on(deep(models, make_case(said, kind="small_talk")))
    assert not found.answered and found.steps[:4] == ("kind: small talk", "write", "stage 1", "answer checks")


@pytest.mark.parametrize(("kind", "route"), [
    ("small_talk", "refuse"), ("tool_result", "refuse"), ("about_last_turn", "deliver_corrected"),
])  # fmt: skip
def test_the_books_put_right_only_what_is_about_them(make_case, models, kind, route):
    assert on(deep(models, make_case("An arithmetic progression is a list of 7 numbers.", kind=kind))).route == route


@pytest.mark.parametrize("kind", ["small_talk", "tool_result"])
def test_of_a_greeting_no_part_goes_out(make_case, models, kind):
    """What is left of it would be a claim without the greeting that it came with."""
    assert on(deep(models, make_case(MIXED, kind=kind))).route == "refuse"


def test_where_stage_1_does_not_block_a_greeting_is_a_question_like_any_other(make_case, models):
    found = on(deep(models, talk(make_case, "small_talk", "Hello!")), "interest.mode=watches")
    assert found.route == "refuse" and "query checks" in found.steps
    close = on(deep(models, make_case("Hello!", kind="small_talk")), "interest.mode=watches")
    assert close.route == "refuse" and "answer checks" in close.steps


@pytest.mark.parametrize(("escalation", "route"), [(1, "escalate"), (0, "refuse")])
def test_stage_1_hands_over_or_refuses(make_case, models, escalation, route):
    trace = deep(models, make_case(SUPPORTED))
    trace = replace(trace, rounds=tuple(_off_topic(r) for r in trace.rounds))
    found = on(trace, f"fact_grounding.escalation={escalation}")
    assert (found.route, found.primary_reason) == (route, "interest")
    assert found.steps == (*SEARCHED[:-1], route) and not found.answered


def _off_topic(measured):
    """The round as if its answer spoke of what does not belong here."""
    interest = measured.signals["interest"]
    return replace(measured, signals=measured.signals | {"interest": interest | {"drift": 0 * interest["drift"] + 0.9}})


def test_nothing_is_mended_when_something_broke(make_case, models):
    trace = deep(models, make_case(ALTERED))
    broken = tuple(replace(r, signals={k: v for k, v in r.signals.items() if k != "hedging"}) for r in trace.rounds)
    found = on(replace(trace, rounds=broken))
    assert (found.route, found.primary_reason, found.delivery) == ("refuse", "model_failure", None)
    assert found.checks["hedging"].cause == "error"


def test_a_sentence_that_leans_on_one_left_out_goes_with_it(make_case, models):
    answer = "Bananas rarely wander through purple corridors. It is a list of numbers, an arithmetic progression."
    found = on(deep(models, make_case(answer)), "fact_check.correction=0")
    assert (found.route, found.delivery) == ("refuse", None)


def test_a_part_is_judged_again_as_it_goes_out(make_case, models):
    """Both sentences hold, the coverage of the whole does not: what is left over must reach it by itself."""
    answer = f"{SUPPORTED} [1]\n\nThe fixed number is really called the common difference of the progression."
    limits = ("fact_check.correction=0", "citations.min_citation_coverage=1.0", "citations.min_attribution=1.0")
    found = on(deep(models, make_case(answer)), *limits)
    assert (found.route, found.delivery.text) == ("deliver_part", f"{SUPPORTED} [1]")


def test_where_nothing_was_written_no_part_of_an_answer_is_denied(make_case, models):
    found = on(deep(models, make_case("")))
    assert (found.route, found.primary_reason, found.sentences) == ("refuse", "low_grounding", ())
    assert found.explanation == NOTHING_STATED


FAR = {"scores": (0.1,)}
"""A search that found nothing to answer from."""


def test_stage_1_decides_before_the_search_where_its_switch_is_on(make_case, models):
    off = "interest.decides_first=0"
    talk = deep(models, make_case("I'd be happy to help you with that.", **FAR))
    found = on(talk)
    assert (found.route, found.reasons, found.tier) == ("deliver", (), None)
    assert found.steps[-3:] == ("write", "stage 1", "deliver") and found.checks["confidence"].cause == "not applicable"
    assert on(talk, off).route == on(talk, "interest.mode=watches").route == "refuse"
    for answer in (SUPPORTED, "I don't know.", "The passages do not say.", "Perhaps."):
        assert on(deep(models, make_case(answer, **FAR))).route == "refuse", answer
    blocked = objectionable(models, make_case(SUPPORTED, **FAR), {"competitors": 1.0})
    assert on(blocked).route == "escalate" and on(blocked, off).route == "refuse"
    assert on(blocked, "fact_grounding.escalation=0").route == "refuse"
