"""What the source documents demand, asked at every door: the commands ask and judge, the service, the graph node and the
history; document A's own interface where it has the same question. One chapter of one passage, and the models that ship.
"""

import json
from functools import cache

import pytest
from fastapi.testclient import TestClient

from core.__main__ import main
from core.command.terminal import verdict_in_words
from core.decide import REFUSAL, offered_questions, verdict
from core.decide.messages import MESSAGES, NOT_AVAILABLE
from core.graph import Explorer, guardrail
from core.journal import Journal
from core.journal.entry import decision_row_of
from core.journal.export import json_of
from core.journal.journal import Filter
from core.journal.journal_file import NAME
from core.library import Library
from core.presentation.history import evidence_score
from core.presets import preset, presets, with_settings
from core.question import Question
from core.reply.reply import REPLY_KEYS, reply_of
from core.reply.serialization import question_of
from core.safety import SafetyMechanism
from core.service.app import service
from core.settings import Settings
from core.settings.domains import domain
from tests.support.cases import case_about
from tests.support.libraries import one_chapter
from tests.support.plants import COOKIES
from tests.support.replies import timeless
from tests.support.traces import trace_of

FOOD = "Photosynthesis is the process by which green plants make their own food."
NEEDS = "Plants need sunlight, water and carbon dioxide for photosynthesis."
CHAPTER = f"{FOOD} {NEEDS} Oxygen is given out. Starch is stored."
ABOUT, HAMLET = "What is photosynthesis?", "What is photosynthesis and who wrote the play Hamlet?"
INVENTED = f"{FOOD[:-1]} [1]. Bankers in Greece love such clever schemes [1]."
FOUR_OF_FIVE = f"{FOOD[:-1]} [1]. {NEEDS[:-1]} [1]. Oxygen is given out [1]. Starch is stored [1]. Plants need water."
HEDGED = f"Perhaps {FOOD[0].lower()}{FOOD[1:]}"
HOURS = "We operate 9am-5pm Monday-Friday."
ELSEWHERE = "Bankers everywhere love such clever schemes."
DOORS = ("ask", "judge", "service", "graph", "history")
every_door = pytest.mark.parametrize("door", DOORS)


@pytest.fixture(scope="module")
def home(bundled_models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("doors") / "home"
    with one_chapter(folder, bundled_models, CHAPTER):
        pass
    return folder


@pytest.fixture(scope="module")
def library(home, bundled_models):
    opened = Library(home, bundled_models.embedder)
    yield opened
    opened.close()


@pytest.fixture
def through(home, library, bundled_models, tmp_path, capsys):
    """The reply to a row at a door, as JSON. settings: limits and modes that move, as `check.threshold=value`."""

    def reply(door, row, under="default", *settings, domain="school"):
        options = ["--home", str(home), "--preset", under, "--domain", domain]
        options += [part for setting in settings for part in ("--set", setting)]
        explorer = Explorer(library, bundled_models, Settings(domain=domain, writer="extractive"))
        limits = with_settings(preset(under), list(settings))
        if door in ("ask", "history"):
            for file in home.glob(f"{NAME}*"):  # else each reading of the history would export all questions so far
                file.unlink()
            scope = ["--class-number", str(row["class_number"])] if "class_number" in row else []
            given = ["--answer", row["answer"]] if "answer" in row else []
            assert main(["ask", row["query"], *given, *scope, "--json", "--journal", *options]) == 0
            printed = json.loads(capsys.readouterr().out)
            return printed if door == "ask" else json.loads(json_of(Journal(home), Filter()))[0]
        if door == "judge":
            source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
            source.write_text(json.dumps(row))
            assert main(["judge", "--in", str(source), "--out", str(target), *options]) == 0
            return json.loads(target.read_text())
        if door == "service":
            client = TestClient(service(explorer, limits, lambda *_: None), base_url="http://localhost")
            return client.post("/judge", json=row).json()
        state = {"question": row["query"], "response": row.get("answer"), "class_number": row.get("class_number")}
        state |= {"context": row["contexts"]} if "contexts" in row else {}
        return guardrail(explorer, limits).invoke(state)["verdict"]

    return reply


def given(query, answer):
    return {"query": query, "answer": answer}


# Document A


@every_door
def test_a_rejects_where_partial_answers_are_off_and_the_default_gives_out_what_holds(through, door):
    row = given(ABOUT, INVENTED)
    rejected = through(door, row, "seed_a")
    assert (rejected["route"], rejected["answer"], rejected["answered"]) == ("refuse", REFUSAL, False)
    assert rejected["rejection_reason"] == "hallucination_detected"
    part = through(door, row, "seed_a", "grounding.partial_answers=1")
    assert part["route"] == "deliver_part" and FOOD[:-1] in part["answer"] and "Greece" not in part["answer"]
    by_default = through(door, row)
    assert by_default["answered"] and "Greece" not in by_default["answer"]


@every_door
def test_several_triggers_are_multiple_issues_and_an_answer_has_an_overall_confidence(through, bundled_models, door):
    row = given(COOKIES, ELSEWHERE)
    found = through(door, row, "seed_a")
    own = SafetyMechanism(models=bundled_models).should_reject_query(COOKIES, [CHAPTER], ELSEWHERE)
    assert found["rejection_reason"] == own.rejection_reason.value == "multiple_issues"
    right = through(door, given(ABOUT, f"{FOOD[:-1]} [1]."), "seed_a")
    assert right["rejection_reason"] is None and right["delivered"]
    assert found["overall_confidence"] < 0.1 < right["overall_confidence"] <= right["confidence"] / 100
    same = SafetyMechanism(models=bundled_models).should_reject_query(ABOUT, [CHAPTER], f"{FOOD[:-1]} [1].")
    assert right["overall_confidence"] == pytest.approx(same.confidence_score, abs=1e-3)


@every_door
def test_a_coverage_of_80_percent_is_four_of_five_sentences(through, door):
    assert through(door, given(ABOUT, FOUR_OF_FIVE), "seed_a")["delivered"]
    above = through(door, given(ABOUT, FOUR_OF_FIVE), "seed_a", "citations.min_citation_coverage=0.81")
    assert (above["route"], above["rejection_reason"]) == ("refuse", "missing_citations")


# Document B


@every_door
def test_a_confidence_of_0_refines(through, door):
    found = through(door, {"query": ABOUT, "class_number": 9}, "seed_b")
    assert found["confidence"] == 0 and not found["answered"]
    assert found["steps"][:6] == ["kind: question", "clear", "retrieve", "critic", "refine 1", "critic"]


def test_an_evidence_confidence_is_rounded_in_one_way(models):
    from pages.components.ask.verdict_words import confidence_text

    trace = trace_of(models, case_about(scores=(0.397, 0.1)))
    found = verdict(trace, preset("seed_b"))
    assert found.confidence == pytest.approx(39.7) and found.band != "answer"
    assert "evidence 39/100," in verdict_in_words(trace, found)
    assert confidence_text(found) == "39"
    assert evidence_score(decision_row_of(trace, found, "seed_b", "Ask page", 0.0)) == 39


# Document C


@every_door
def test_with_abstention_on_a_layer_that_fails_ends_in_its_message_and_nothing_is_corrected(through, door):
    row = given(ABOUT, f"{HEDGED} Bankers in Greece love such clever schemes.")
    for under, *settings in (("seed_c",), ("default", "hedging.abstention=1", "entailment.mode=blocks")):
        found = through(door, row, under, *settings)
        assert (found["route"], found["answer"]) == ("refuse", MESSAGES["abstain"])
        assert found["abstained"] and found["abstentionReason"] == "not_grounded" and found["changes"] == []
        assert found["originalAnswer"] == row["answer"] and "correct" not in found["steps"]


@every_door
def test_abstained_is_true_only_where_nothing_is_answered_because_of_c(through, door):
    hedged = through(door, given(ABOUT, HEDGED), "seed_c")
    assert hedged["abstained"] and hedged["abstentionReason"] == "hedging_detected"
    assert r"\b(?:maybe|possibly|perhaps)\b" in hedged["abstentionResult"]["details"]
    corrected = through(door, given(ABOUT, HEDGED))
    assert corrected["answered"] and not corrected["abstained"] and corrected["abstentionResult"]["shouldAbstain"]
    assert corrected["abstentionReason"] is corrected["originalAnswer"] is None
    refused_by_a = through(door, given(COOKIES, FOOD), "seed_a")
    assert refused_by_a["route"] == "refuse" and not refused_by_a["abstained"]


# Document D


@every_door
def test_a_question_in_parts_has_its_metadata_and_logs_as_a_whole_and_in_each_part(through, door):
    found = through(door, {"query": HAMLET}, "seed_d")
    first, second = found["parts"]
    assert found["metadata"]["companyInterest"] and found["metadata"]["confidenceTier"]
    assert len(found["guardrailLog"]) == 2 and found["guardrailLog"] == first["guardrailLog"] + second["guardrailLog"]
    assert found["confidenceLog"] == first["confidenceLog"] + second["confidenceLog"]
    for part in (first, second):
        (entry,) = part["guardrailLog"]
        assert entry["companyInterest"] == part["metadata"]["companyInterest"]
        assert {"abstained", "abstentionResult", "rejection_reason", "overall_confidence"} <= set(part)
    assert first["metadata"]["companyInterest"]["passed"] and first["metadata"]["documentsUsed"]


@every_door
def test_clarifications_are_allowed_or_stopped(through, door):
    row = given(
        "what do you mean by monthly ticket volume",
        "Monthly ticket volume refers to the number of support tickets per month.",
    )
    allowed = through(door, row, "seed_d", domain="shop")
    assert allowed["delivered"] and not allowed["metadata"]["companyInterest"]["requiresFactCheck"]
    stopped = through(door, row, "seed_d", "interest.allow_clarifications=0", domain="shop")
    assert stopped["route"] == "escalate" and stopped["metadata"]["companyInterest"]["shouldBlock"]
    assert "clarifications are not allowed" in stopped["metadata"]["companyInterest"]["reasoning"]


@every_door
def test_hours_that_no_document_states_are_handed_over(through, door):
    found = through(door, given("what are your business hours?", HOURS), "seed_d", domain="shop")
    assert (found["route"], found["tier"], found["metadata"]["confidenceTier"]) == ("escalate", "low", "low")
    assert "passing it on" in found["answer"] and found["metadata"]["originalMessage"] == HOURS


# Document E


@every_door
def test_the_sentence_of_e_stands_for_a_part_without_an_answer(through, door):
    found = through(door, {"query": HAMLET})
    assert found["route"] == "deliver_part" and FOOD[:-1] in found["answer"]
    assert found["answer"].endswith(f"“Who wrote the play Hamlet?” {NOT_AVAILABLE}")


@pytest.mark.parametrize("under", [name for name in presets() if name not in ("strict", "exam")])  # these want more
def test_the_sentence_of_e_stands_there_in_every_preset(library, bundled_models, under):
    _, found = Explorer(library, bundled_models, Settings(writer="extractive")).ask(
        Question(query=HAMLET), preset(under)
    )
    assert found.route == "deliver_part" and NOT_AVAILABLE in found.answer


# One schema


OWN_CONTEXTS = given(ABOUT, FOOD) | {"contexts": [CHAPTER, {"text": "Light can pass.", "document": "l.pdf"}]}
AT_DOORS = [(door, {"query": query}) for door in DOORS for query in (ABOUT, COOKIES, HAMLET)]
AT_DOORS += [(door, OWN_CONTEXTS) for door in ("judge", "service", "graph")]  # the command ask takes no contexts


@pytest.fixture(scope="module")
def decided(library, bundled_models):
    """The trace and the verdict of a row under the default; each row is asked once."""
    explorer = Explorer(library, bundled_models, Settings(writer="extractive"))
    asked = cache(lambda row: explorer.ask(question_of(json.loads(row)), preset("default")))
    return lambda row: asked(json.dumps(row))


@pytest.mark.parametrize(("door", "row"), AT_DOORS)
def test_every_door_gives_the_same_keys_and_the_same_reply(through, decided, door, row):
    found, (trace, verdict_) = through(door, row), decided(row)
    wanted = reply_of(trace, verdict_, preset("default"), domain()).row()
    assert set(wanted) == set(REPLY_KEYS) <= set(found)
    assert door == "history" or set(found) == set(REPLY_KEYS)
    of_reply = {key: found[key] for key in REPLY_KEYS}
    assert timeless(of_reply) | {"id": None} == timeless(wanted) | {"id": None}
    assert found["suggestions"] == list(offered_questions(trace, verdict_))
