"""The service with the sample home and the models that ship: a real server on loopback, asked as strangers ask it."""

import json
import os
import subprocess
import sys
from concurrent import futures
from pathlib import Path

import httpx
import pytest

from core.__main__ import main
from core.checks import all_thresholds
from core.errors import UserError
from core.platform.access import VARIABLE, AccessError, may, role, token_holder
from core.platform.quotas import Usage
from core.reply.reply import Reply
from core.service.app import Door
from core.service.problems import MEDIA, sentence_of
from core.service.schema import Stage, Waiting

ROOT = Path(__file__).parents[2]
TOKENS = [f"the-token-of-visitor-number-{n}" for n in range(6)]
MOST = 10
"""Questions a minute for each of them."""
SOUND = {"query": "Can sound travel through a vacuum?"}
ANSWERED = SOUND | {"id": 7, "answer": "Sound cannot travel through a vacuum.", "contexts": [
    "Sound needs a medium to travel. It cannot travel through a vacuum.", {"text": "Light can.", "document": "l.pdf"},
]}  # fmt: skip


@pytest.fixture(scope="module")
def home(sample_home):
    return sample_home("service")


@pytest.fixture(scope="module")
def client(home):
    command = [sys.executable, "-m", "core", "serve", "--port", "0", "--home", str(home)]
    told = {"GUARDRAIL_TOKENS": " ".join(TOKENS), "GUARDRAIL_QUESTIONS_A_MINUTE": str(MOST)}
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | told, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        with httpx.Client(base_url=address, timeout=300, headers=as_visitor(0)) as asking:
            yield asking
    finally:
        process.terminate()
        process.wait()


def as_visitor(number):
    return {"Authorization": f"Bearer {TOKENS[number]}"}


def events(client, row, visitor=0):
    """(event, data) of a stream, in order."""
    with client.stream("POST", "/ask", json=row, headers=as_visitor(visitor)) as reply:
        lines = [line for line in reply.iter_lines() if line and not line.startswith(":")]
    return [
        (e.removeprefix("event: "), json.loads(d.removeprefix("data: ")))
        for e, d in zip(lines[::2], lines[1::2], strict=True)
    ]


def properties(schema):
    """(name, description of it) of every field of ours; the envelope of an event is the standard's."""
    if isinstance(schema, dict):
        schema = {key: inner for key, inner in schema.items() if key != "itemSchema"}
        yield from schema.get("properties", {}).items()
        schema = list(schema.values())
    for inner in schema if isinstance(schema, list) else []:
        yield from properties(inner)


def test_a_row_is_judged_with_seed_ds_records(client):
    reply = client.post("/judge", json=ANSWERED).json()
    Reply.model_validate(reply)
    assert reply["metadata"]["companyInterest"]["passed"] and reply["metadata"]["originalMessage"] is None
    (entry,) = reply["guardrailLog"]
    assert entry["factGrounding"]["tier"] == reply["tier"] and entry["timestamp"].endswith("+00:00")
    assert (reply["id"], reply["route"]) == (ANSWERED["id"], "deliver")
    moved = client.post(
        "/judge", json=ANSWERED | {"limits": {"citations.min_citation_coverage": 1}, "preset": "strict"}
    )
    assert moved.json()["checks"]["citations"]["limit"] == 1


def test_a_question_tells_its_stages_as_they_happen_and_ends_with_the_verdict(client):
    told = events(client, {"query": "What is chlorophyll?"})
    kinds = [kind for kind, _ in told]
    assert kinds.count("verdict") == 1 and kinds[-1] == "verdict"
    stages = [Stage.model_validate(data) for kind, data in told if kind == "stage"]
    assert [(s.step, s.state) for s in stages[:2]] == [("retrieve", "begins"), ("retrieve", "done")]
    assert stages[1].confidence is not None and not any("answer" in data for kind, data in told if kind == "stage")
    assert Reply.model_validate(told[-1][1]).passages


@pytest.mark.parametrize(("method", "path", "sent", "status", "said"), [
    ("POST", "/judge", {"json": {"query": " "}}, 422, "query must be a text"),
    ("POST", "/judge", {"json": {"query": "x" * 5000}}, 422, "shorten it"),
    ("POST", "/judge", {"json": [1]}, 422, "must be a JSON object"),
    ("POST", "/judge", {"json": ANSWERED | {"answer": None}}, 422, "There is no answer to judge"),
    ("POST", "/judge", {"json": ANSWERED | {"answer": " \n"}}, 422, "There is no answer to judge"),
    ("POST", "/judge", {"json": SOUND | {"limits": {"confidence.min_confidence": 101}}}, 422, "from 0 to 100"),
    ("POST", "/judge", {"json": SOUND | {"limits": {"nothing": 1}}}, 422, "is no threshold"),
    ("POST", "/ask", {"json": SOUND | {"preset": "mine"}}, 422, "is no preset"),
    ("POST", "/ask", {"json": SOUND | {"documents": ["none.pdf"]}}, 422, "is not in the library"),
    ("POST", "/judge", {"content": b"{", "headers": {"Content-Type": "application/json"}}, 422, "cannot be read"),
    ("POST", "/judge", {"content": b"[" * 100_000, "headers": {"Content-Type": "application/json"}}, 400, "cannot be read"),
    ("POST", "/judge", {"content": b" " * 2_000_001}, 413, "2,000,000 bytes"),
    ("GET", "/judge", {}, 405, "/judge is not asked with GET"), ("GET", "/other", {}, 404, "nothing at /other"),
    ("GET", "/presets", {"headers": {"Authorization": "Bearer guessed"}}, 401, "Send a token"),
])  # fmt: skip
def test_what_goes_wrong_is_one_sentence(client, method, path, sent, status, said):
    reply = client.request(method, path, **sent)
    assert reply.headers["content-type"] == MEDIA and reply.status_code == status
    problem = reply.json()
    assert problem["status"] == reply.status_code and said in problem["detail"] and "\n" not in problem["detail"]
    assert problem.get("state") == ("no answer to judge" if said.startswith("There is no answer") else None)


def test_every_field_is_described_and_limits_come_from_their_one_declaration(client):
    described = client.get("/openapi.json").json()
    fields = list(properties(described))
    assert len(fields) > 100 and not [name for name, about in fields if not about.get("description")]
    limits = {name: (about["minimum"], about["maximum"]) for name, about in fields if "minimum" in about}
    assert limits == {key: (t.low, t.high) for key, t in all_thresholds().items()}
    assert client.get("/presets").json()[0]["name"] == "default"


@pytest.mark.long
def test_fifty_at_once_are_told_their_place_all_get_their_own_and_more_than_allowed_is_refused(client):
    def judge(number, visitor):
        return client.post("/judge", json=ANSWERED | {"id": number}, headers=as_visitor(visitor))

    with futures.ThreadPoolExecutor(55) as many:
        asked = [
            many.submit(events, client, {"query": f"What are {n} uses of chlorophyll?", "id": n}, 1)
            for n in range(MOST)
        ]
        judged = [many.submit(judge, n, 2 + n % 4) for n in range(4 * (MOST + 1))]
    told, replies = [one.result() for one in asked], [one.result() for one in judged]
    assert [one[-1][1]["id"] for one in told] == list(range(MOST))
    assert max(Waiting.model_validate(d).place for one in told for kind, d in one if kind == "waiting") > 2
    assert sorted(r.status_code for r in replies) == [200] * 4 * MOST + [429] * 4
    assert all(r.json()["id"] == n for n, r in enumerate(replies) if r.status_code == 200)
    assert all("at most 10 questions a minute" in r.json()["detail"] for r in replies if r.status_code == 429)
    metrics = client.get("/metrics").text
    assert 'guardrail_verdicts_total{reason="",route="deliver"}' in metrics and "guardrail_in_line 0.0" in metrics


def test_in_a_school_nobody_asks_without_a_token_and_who_has_one_is_a_guest(home, capsys, monkeypatch):
    monkeypatch.setenv(VARIABLE, "school")
    assert (
        main(["serve", "--home", str(home)]) == 1
        and "In a school, every caller needs a token" in capsys.readouterr().err
    )
    Door((TOKENS[0],)).take(TOKENS[0])
    with token_holder():
        assert role() == "guest" and not may("library")
    with pytest.raises(AccessError, match="sign in first"):
        Usage().take(questions=1)


def test_without_tokens_nobody_but_this_computer_is_answered(home, capsys):
    assert main(["serve", "--host", "0.0.0.0", "--home", str(home)]) == 1
    assert "need a token" in capsys.readouterr().err


def test_only_an_error_for_people_is_told_and_a_defect_goes_into_the_log(caplog):
    assert sentence_of(UserError("Ask less.")) == (422, "Ask less.")
    status, sentence = sentence_of(ValueError("an axis is missing"))
    assert status == 500 and "axis" not in sentence and "an axis is missing" in caplog.text
