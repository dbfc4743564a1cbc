"""What becomes of a question: the route, the reasons, and that a slider runs no model."""

from dataclasses import replace

import pytest

from core.case import Question, Scope
from core.checks import all_checks
from core.decide import REFUSAL, next_step, verdict
from core.decide.check_results import blocking
from core.decide.messages import MESSAGES
from core.presets import preset, with_settings
from core.words import REASONS
from tests.support.compared_sentences import DENIED, SAID, WATCHING
from tests.support.traces import trace_of

DEFAULT = preset("as_printed")
OTHER_WORDS = "A progression of the arithmetic kind is a list."
ONLY_B = preset("seed_b")


def test_a_refusal_says_so_and_why(make_case, models):
    found = verdict(trace_of(models, make_case(answer="An arithmetic progression is not a list of numbers.")), DEFAULT)
    assert found.route == "refuse" and found.answer == REFUSAL
    assert found.primary_reason == "hallucination_detected"
    assert "contradicts" in found.checks["entailment"].why


def test_the_primary_reason_follows_the_order_of_the_design(make_case, models):
    case = make_case(answer="Maybe it is purple [7].", scores=(0.38, 0.36))
    found = verdict(trace_of(models, case), with_settings(DEFAULT, ["confidence.refine_rounds=0"]))
    assert found.reasons[:3] == ("insufficient_context", "low_confidence", "invalid_citations")
    assert found.reasons[-1] == "hedging"
    assert list(REASONS)[-2:] == ["beside_question", "hedging"]


NARROW = Scope(class_number=9)


@pytest.mark.parametrize(("scores", "scope", "changes", "reason"), [
    ((0.34, 0.1), Scope(), {}, "off_topic"), ((0.35, 0.1), Scope(), {}, "insufficient_context"),
    ((0.44, 0.1), NARROW, {}, "off_topic"), ((0.45, 0.1), NARROW, {}, "outside_scope"),
    ((), Scope(), {}, "insufficient_context"), ((0.2, 0.1), Scope(), {"language": "Hindi"}, "other_language"),
])  # fmt: skip
def test_a_search_that_is_not_good_enough_has_the_reason_that_explains_it(
    make_case, models, scores, scope, changes, reason
):
    """Whatever the topic limit: a question that passes it by a hair is off the topic all the same."""
    trace = trace_of(models, make_case(None, scores, scope, **changes))
    for limit in (0.1, 0.3, 0.35):
        under = ["confidence.refine_rounds=0", f"topic_relevance.max_topic_mismatch_score={limit}"]
        found = verdict(trace, with_settings(DEFAULT, under))
        assert (found.route, found.primary_reason) == ("refuse", reason)


def test_what_fails_a_raised_topic_limit_is_off_topic_by_that_limit(make_case, models):
    raised = with_settings(DEFAULT, ["confidence.refine_rounds=0", "topic_relevance.max_topic_mismatch_score=0.5"])
    found = verdict(trace_of(models, make_case(None, (0.4, 0.1))), raised)
    assert found.reasons[:2] == ("off_topic", "insufficient_context")


def test_no_seed_alone_hides_that_a_question_is_off_the_topic(make_case, models):
    trace = trace_of(models, make_case(scores=(0.2, 0.1)))
    for seed in "abce":
        once = with_settings(preset(f"seed_{seed}"), ["confidence.refine_rounds=0"])
        assert verdict(trace, once).primary_reason == "off_topic"


def test_every_check_runs_even_after_another_has_failed(make_case, models):
    case = make_case(answer="Maybe it is purple [7].", scores=(0.2, 0.1))
    states = {
        n: c.state
        for n, c in verdict(
            trace_of(models, case), with_settings(DEFAULT, ["confidence.refine_rounds=0"])
        ).checks.items()
    }
    assert [name for name, state in states.items() if state == "not_run"] == ["consensus", "llm_judge"]
    assert set(states) == {c.name for c in all_checks()}


@pytest.mark.parametrize(("score", "band", "free", "named"), [
    (0.29, "never", "refuse", "refuse"), (0.30, "named_only", "refuse", "deliver"), (0.39, "named_only", "refuse", "deliver"),
    (0.40, "answer", "deliver", "deliver"), (0.85, "answer", "deliver", "deliver"),
])  # fmt: skip
def test_seed_b_decides_by_band_in_both_modes(make_case, models, score, band, free, named):
    once = with_settings(ONLY_B, ["confidence.refine_rounds=0"])
    for scope, route in ((Scope(), free), (Scope(documents=("jemh105.pdf",)), named)):
        found = verdict(trace_of(models, make_case(scores=(score,), scope=scope)), once)
        assert (found.band, found.route) == (band, route)
        assert {r.name for r in blocking(found.checks)} == ({"confidence"} if route == "refuse" else set())


def test_seed_b_without_passages_the_confidence_is_zero_and_the_search_is_refined(make_case, models):
    trace = trace_of(models, make_case(scores=()))
    assert next_step(trace, ONLY_B).round == "refined 1"
    assert next_step(trace, DEFAULT).action == "refuse"  # A's topic check blocks: nothing at all comes near
    assert verdict(trace, DEFAULT).confidence == verdict(trace, ONLY_B).confidence == 0


def test_a_weak_round_asks_for_a_refined_one_until_stable(make_case, models):
    weak, same, better = (make_case(scores=(s,)) for s in (0.35, 0.36, 0.6))
    assert next_step(trace_of(models, weak), ONLY_B).round == "refined 1"
    assert next_step(trace_of(models, weak, same), ONLY_B).action == "refuse"  # moved by 1 of 100: stable
    trace = trace_of(models, weak, better)
    assert next_step(trace, ONLY_B).action == "deliver"
    assert verdict(trace, ONLY_B).steps[2:6] == ("retrieve", "critic", "refine 1", "critic")
    assert verdict(trace, ONLY_B).round.name == "refined 1"


def test_the_topic_limit_of_seed_a_keeps_no_other_seed_from_refining(make_case, models):
    """Off topic by seed A's limit: no other search where its check blocks, another one where it only watches."""
    far = trace_of(models, make_case(scores=(0.2,)))
    assert next_step(far, ONLY_B).round == "refined 1"
    for mode, action in (("blocks", "refuse"), ("watches", "measure"), ("off", "measure")):
        both = with_settings(ONLY_B, [f"topic_relevance.mode={mode}"])
        assert next_step(far, both).action == action


@pytest.mark.parametrize(("name", "said"), [
    ("default", "refuse"), ("seed_a", "refuse"), ("seed_b", "refuse"), ("seed_c", "abstain"), ("seed_d", "fallback"),
    ("seed_e", "rephrase"),
])  # fmt: skip
def test_a_seed_that_blocks_alone_refuses_in_its_own_words(make_case, models, name, said):
    """The same of a question in parts; a check of another document that blocks too brings seed A's words back, but not
    where abstention is on.
    """
    once = with_settings(preset(name), ["confidence.refine_rounds=0"])
    trace = trace_of(models, make_case(answer="", scores=(0.2, 0.1)))
    for one in (trace, replace(trace, parts=(trace, trace))):
        assert (verdict(one, once).route, verdict(one, once).answer) == ("refuse", MESSAGES[said])
    other = with_settings(once, ["citations.mode=blocks", "hedging.mode=blocks"])
    assert verdict(trace, other).answer == (MESSAGES["abstain"] if name == "seed_c" else REFUSAL)
    own = replace(trace, messages={said: "In our own words."})
    assert verdict(own, once).answer == "In our own words."


def test_what_two_parts_say_alike_goes_out_once(make_case, models):
    trace = trace_of(models, make_case())
    both = verdict(replace(trace, parts=(trace, trace)), ONLY_B)
    assert both.route == "deliver" and both.answer.count("is a list of numbers") == 1


def test_what_the_book_says_instead_has_its_passage_among_those_of_all_parts(make_case, models):
    trace = trace_of(models, make_case(f"{SAID} [1] {DENIED} [1]"))
    alone = verdict(trace, WATCHING).sentences[1]
    both = verdict(replace(trace, parts=(trace, trace)), WATCHING)
    count = len(trace.rounds[0].case.evidence)
    assert alone.instead_passage == 1 and alone.instead
    assert [s.instead_passage for s in both.sentences] == [0, 1, 0, 1 + count]
    assert [s.citations for s in both.sentences[2:]] == [(1 + count,), (1 + count,)]


def test_the_best_round_answers_even_when_it_was_the_first(make_case, models):
    trace = trace_of(models, make_case(scores=(0.39,)), make_case(scores=(0.31,)), make_case(scores=(0.32,)))
    assert verdict(trace, ONLY_B).round.name == "first"


def test_rounds_measured_beyond_what_a_preset_allows_are_not_used(make_case, models):
    trace = trace_of(models, make_case(scores=(0.35,)), make_case(scores=(0.9,)))
    assert verdict(trace, with_settings(ONLY_B, ["confidence.refine_rounds=0"])).route == "refuse"


def test_a_broken_model_blocks_and_says_why(make_case, models):
    class Broken:
        digest = "broken"

        def probabilities(self, pairs):
            raise RuntimeError("out of memory")

    found = verdict(trace_of(replace(models, entailer=Broken()), make_case(answer=OTHER_WORDS)), DEFAULT)
    result = found.checks["entailment"]
    assert (result.state, result.cause, result.value) == ("not_run", "error", None)
    assert "out of memory" in result.why
    assert found.route == "refuse" and found.primary_reason == "model_failure"


def test_a_model_that_gives_no_number_is_an_error_and_no_pass(make_case, models):
    class Silent:
        digest = "silent"

        def probabilities(self, pairs):
            return [[float("nan")] * 3 for _ in pairs]

    found = verdict(trace_of(replace(models, entailer=Silent()), make_case(answer=OTHER_WORDS)), DEFAULT)
    assert found.checks["entailment"].cause == "error" and found.route == "refuse"


@pytest.mark.parametrize("answer", ["", "[1]", "   "])
@pytest.mark.parametrize("name", ["default", "as_printed", "lenient", "seed_a", "seed_b", "seed_c"])
def test_an_empty_answer_goes_out_under_no_preset(make_case, models, answer, name):
    trace = trace_of(models, make_case(answer=answer))
    found = verdict(trace, preset(name))
    said = MESSAGES["abstain"] if name == "seed_c" else REFUSAL
    assert (found.route, found.answer, found.answered) == ("refuse", said, False)
    assert next_step(trace, preset(name)).action == "refuse" and "low_grounding" in found.reasons


def test_every_model_is_asked_once_for_a_round(make_case, models):
    trace = trace_of(models, make_case(answer=OTHER_WORDS))
    asked = list(models.entailer.asked)
    assert asked and len(asked) == len(set(asked))
    for n in range(100):
        verdict(trace, with_settings(DEFAULT, [f"entailment.nli_threshold={n / 100}"]))
    assert models.entailer.asked == asked


def test_a_score_exactly_at_its_limit_passes_whatever_floats_say(make_case, models):
    for tenths in range(1, 10):
        case = make_case(scores=(0.45, 0.45 - tenths / 100))
        on = with_settings(DEFAULT, [f"score_gap.min_score_gap={tenths / 100}", "confidence.refine_rounds=0"])
        gap = verdict(trace_of(models, case), on).checks["score_gap"]
        assert gap.state == "passed" and gap.margin == 0
    for limit in range(101):
        on = with_settings(ONLY_B, [f"confidence.min_confidence={limit}", "confidence.refine_rounds=0"])
        assert verdict(trace_of(models, make_case(scores=(limit / 100,))), on).checks["confidence"].state == "passed"


def test_a_question_keeps_its_own_answer_untouched(make_case, models):
    given = "An arithmetic progression is a list of numbers [1]."
    trace = trace_of(models, make_case(answer=given))
    assert verdict(trace, DEFAULT).answer == given
    assert trace.question == Question(query="What is an arithmetic progression?", answer=given)


def test_evidence_of_another_class_is_outside_the_scope(make_case, models):
    case = make_case(scope=Scope(class_number=8))
    found = verdict(trace_of(models, case), DEFAULT)
    assert found.checks["topic_relevance"].state == "failed" and found.primary_reason == "outside_scope"
    assert "class 10 Mathematics" in found.checks["topic_relevance"].why
