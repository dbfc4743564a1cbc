"""The code that the source documents print, run as written against the Python interface; only the imports are ours."""

import json
import logging
from dataclasses import dataclass

import pytest

from core.__main__ import parser
from core.command.terminal import preset_of
from core.decide import verdict
from core.decide.messages import MESSAGES
from core.graph import Explorer
from core.journal import Journal
from core.journal.export import json_of
from core.journal.journal import Filter
from core.presets import preset
from core.question import Question
from core.reply.document_records import abstention
from core.reply.reply import REPLY_KEYS, Reply, reply_of
from core.safety import SafetyMechanism, SafetyThresholds, check_safety, get_safe_answer
from core.settings.domains import domain
from tests.support.shop import shop_case, shop_verdict
from tests.support.traces import trace_of

SEED_C, SEED_D, SHOP = preset("seed_c"), preset("seed_d"), domain("shop")
query = "What is an arithmetic progression?"
chunks = [
    {
        "text": "An arithmetic progression is a list of numbers in which each term is obtained by adding a fixed number "
        "to the preceding term. The fixed number is called the common difference of the arithmetic progression.",
        "score": 0.9, "class_number": 10, "subject": "Mathematics",
    }
]  # fmt: skip
answer = "An arithmetic progression is a list of numbers [1]. The fixed number is called the common difference [1]."
INVENTED = "Bankers in Greece love such clever schemes [1]."


@pytest.fixture
def interface(monkeypatch, models):
    """The interface as a program imports it, with fake models."""
    monkeypatch.setattr("core.safety.load", lambda: models)


@pytest.mark.usefixtures("interface")
def test_the_usage_of_document_a_runs_as_written(capsys):
    result = check_safety(
        query="What is an arithmetic progression?",
        retrieved_chunks=chunks,
        generated_answer=answer,
        class_number=10,
        subject="Mathematics"
    )  # fmt: skip

    if result.should_reject:
        print("I don't know based on NCERT textbooks.")
        print(f"Reason: {result.explanation}")
    else:
        print(answer)
    assert capsys.readouterr().out == f"{answer}\n"

    strict_thresholds = SafetyThresholds(
        min_retrieval_confidence=0.85,  # More strict (default: 0.6)
        min_chunks_required=3,           # Require more context (default: 1)
        min_grounding_score=0.9          # Higher grounding (default: 0.7)
    )  # fmt: skip

    mechanism = SafetyMechanism(strict_thresholds)
    result = mechanism.should_reject_query(query, chunks, answer)
    assert result.should_reject and result.failed_checks == ["context_sufficiency"]

    final_answer = get_safe_answer(
        query=query,
        retrieved_chunks=chunks,
        generated_answer=answer,
        class_number=10,
        subject="Mathematics"
    )  # fmt: skip
    assert final_answer == answer


@pytest.mark.usefixtures("interface")
def test_the_debug_loop_of_document_a_runs_as_written(capsys):
    result = check_safety(query, chunks, INVENTED)

    if result.should_reject:
        print("Diagnostic Info:")
        for check_name, check_data in result.diagnostic_info.items():
            print(f"\n{check_name}:")
            print(f"  Passed: {check_data.get('passed')}")
            print(f"  Details: {check_data.get('details')}")
    blocks = capsys.readouterr().out.split("\n\n")
    assert blocks[0] == "Diagnostic Info:"
    printed = {block.split(":")[0]: block for block in blocks[1:]}
    assert list(printed) == list(result.diagnostic_info)
    assert {name for name, block in printed.items() if "Passed: False" in block} == set(result.failed_checks)
    assert "None" not in {block.rpartition("Details: ")[2].strip() for block in blocks[1:]}


@pytest.mark.usefixtures("interface")
def test_every_rejection_is_one_line_of_the_log_with_reason_and_explanation(caplog):
    with caplog.at_level(logging.INFO, logger="core.safety"):
        rejected, accepted = check_safety(query, chunks, INVENTED), check_safety(query, chunks, answer)
    first, second = (record.getMessage() for record in caplog.records if record.name == "core.safety")
    assert first.startswith(f"Query rejected: {query!r}. Reason: {rejected.rejection_reason.value}. Explanation: ")
    assert first.endswith(rejected.explanation) and "\n" not in first
    assert second == f"Query accepted: {query!r}. Confidence: {accepted.confidence_score:.2f}"
    assert [record.levelname for record in caplog.records if record.name == "core.safety"] == ["WARNING", "INFO"]


@pytest.mark.usefixtures("interface")
def test_the_confidence_of_the_answer_as_a_whole_stands_beside_that_of_its_evidence():
    right, invented = check_safety(query, chunks, answer), check_safety(query, chunks, INVENTED)
    assert right.evidence_confidence == invented.evidence_confidence == pytest.approx(0.9)
    assert 0 <= invented.confidence_score < right.confidence_score <= right.evidence_confidence
    assert check_safety(query, chunks).confidence_score == pytest.approx(0.9)


@dataclass
class ReadResult:
    """What document C's reader returns."""

    answer: str
    abstained: bool
    abstention_reason: str | None = None
    original_answer: str | None = None


class Reader:
    """Document C's reader: generates an answer, asks the detector, and returns one of its two results."""

    def __init__(self, explorer, abstention_detection):
        self.explorer, self.abstention_detection = explorer, abstention_detection

    def read(self, question, generated, results):
        _, found = self.explorer.ask(Question(query=question, answer=generated, contexts=results), SEED_C)

        if self.abstention_detection:
            detected = abstention(found)

            if detected.should_abstain:
                return ReadResult(
                    answer="I don't have enough information to answer this question.",
                    abstained=True,
                    abstention_reason=detected.reason,
                    original_answer=generated,
                )

        return ReadResult(answer=generated, abstained=False)


def test_the_reader_of_document_c_runs_as_written(models):
    from core.retrieval.contexts import contexts_of

    explorer, results = Explorer(None, models), contexts_of(chunks)
    hedged = "Perhaps an arithmetic progression is a list of numbers."
    read = Reader(explorer, abstention_detection=True).read(query, hedged, results)
    assert read == ReadResult(MESSAGES["abstain"], True, "hedging_detected", hedged)
    assert Reader(explorer, abstention_detection=False).read(query, hedged, results) == ReadResult(hedged, False)
    for text, expected in ((hedged, read), (answer, Reader(explorer, True).read(query, answer, results))):
        trace, found = explorer.ask(Question(query=query, answer=text, contexts=results), SEED_C)
        row = reply_of(trace, found, SEED_C, domain()).row()
        names = ("answer", "abstained", "abstentionReason", "originalAnswer")
        assert tuple(row[name] for name in names) == tuple(vars(expected).values())


def test_the_options_of_document_c_are_options_of_the_command_line(tmp_path):
    def chosen(*options):
        return preset_of(parser().parse_args(["ask", query, "--home", str(tmp_path), *options]))

    assert chosen().modes == preset("default").modes
    layers = ("retrieval_score", "score_gap", "entailment", "hedging")
    assert {chosen("--abstention").modes[name] for name in layers} == {"blocks"}
    lower = chosen("--abstention-threshold", "0.25")
    assert lower.thresholds["retrieval_score.min_retrieval_score"] == 0.25
    assert {lower.modes[name] for name in layers} == {"blocks"}


def test_every_output_has_the_records_of_documents_c_and_d(make_case, models, tmp_path):
    trace = trace_of(models, make_case("Perhaps an arithmetic progression is a list of numbers."))
    found = verdict(trace, SEED_C)
    row = reply_of(trace, found, SEED_C, domain()).row()
    Reply.model_validate(row)  # every field of the reply, and no other
    journal = Journal(tmp_path)
    journal.record(trace, found, SEED_C)
    (stored,) = json.loads(json_of(journal, Filter()))
    assert set(row) == set(REPLY_KEYS) <= set(stored) and stored["query"] == trace.question.query
    assert stored["checks"] == row["checks"] and stored["primary_reason"] == stored["reason"] == row["primary_reason"]
    for name in ("abstained", "abstentionReason", "originalAnswer", "abstentionResult", "metadata"):
        assert stored[name] == row[name], name
    (ours,), (theirs,) = row["guardrailLog"], stored["guardrailLog"]
    assert ours | {"timestamp": ""} == theirs | {"timestamp": ""} and theirs["timestamp"]
    assert row["abstentionResult"]["details"].startswith("Hedging pattern detected: ")


def test_the_loop_of_document_d_runs_over_the_messages_of_a_conversation(models, capsys):
    case = shop_case("what's your return policy?", "Our return policy allows returns within 30 days of purchase.")
    message = reply_of(trace_of(models, case), shop_verdict(models, case, SEED_D), SEED_D, SHOP).row()
    conversation = [{"type": "Customer", "metadata": None}, {"type": "BotAgent", "metadata": message["metadata"]}]

    for message in conversation:
        if message["type"] == "BotAgent" and message["metadata"]:
            # Stage 1
            if message["metadata"]["companyInterest"]:
                print("Company Interest:", message["metadata"]["companyInterest"])

            # Stage 2
            if message["metadata"]["confidence"]:
                print("Fact Grounding:", message["metadata"]["confidence"])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Company Interest: {'passed': True, 'violationType': 'none'")
    assert second.startswith("Fact Grounding: 0.")
