"""The endpoint writer against a real server: what it sends, what it takes, and a sentence for every way it fails."""

import json
import logging
from itertools import pairwise

import pytest
from pydantic import SecretStr

from core.models import ModelError
from core.text.words import visible
from core.writers.endpoint import MOST_BYTES, Endpoint
from core.writers.endpoint_access import key_for, require_allowed
from core.writers.writer_choice import ModelWriter
from tests.support.cases import evidence
from tests.support.language_model_server import ANSWER, RIGHT_KEY, serving

FOUND = (
    evidence("Sound travels at about 1500 metres per second in water", 0.9),
    evidence("Sound is slower in air", 0.7, 1),
)


@pytest.fixture
def server():
    with serving() as one:
        yield one


def endpoint(server, model="good", **about):
    return Endpoint(**({"url": server.url, "model": model, "retries": 0, "seconds": 20} | about))


def writer(server, model="good", listen=None, **about):
    return ModelWriter(endpoint(server, model, **about), listen)


def test_an_answer_is_streamed_and_its_marks_are_its_citations(server):
    heard = []
    draft = writer(server, listen=heard.append).write("How fast is sound in water?", FOUND)
    assert [s.citations for s in draft.sentences] == [(1,), (2,)]
    assert draft.sentences[0].text == "Sound travels at about 1500 metres per second in water."
    assert draft.writer == f"endpoint (good at 127.0.0.1:{server.server_address[1]})"
    assert len(heard) > 5 and heard[-1] == ANSWER and all(b.startswith(a) for a, b in pairwise(heard))


def test_what_is_sent_are_the_passages_and_the_question_and_no_key_of_ours(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    writer(server, key=key_for(server.url)).write("How fast?", FOUND)
    sent = server.seen[0]
    assert sent["path"] == "/v1/chat/completions" and (sent["temperature"], sent["stream"]) == (0, True)
    assert '[1] "Sound travels at about 1500 metres per second in water."' in sent["messages"][1]["content"]
    assert "of-the-environment" not in json.dumps(sent)


@pytest.mark.parametrize(("model", "sentence"), [
    ("gone", "has no model 'gone'"), ("malformed", "no answer of OpenAI's protocol"), ("no_json", "no answer of OpenAI's protocol"),
    ("odd", "no answer of OpenAI's protocol"), ("breaks", "breaks off"), ("long", "has over 8,000 characters"),
    ("huge", f"sent over {MOST_BYTES:,} bytes"), ("empty", "wrote nothing"), ("moved", "points to another address (307)"),
    ("busy", "takes no more questions for now"), ("packed", "a packed answer"), ("deep", "no answer of OpenAI's protocol"),
])  # fmt: skip
def test_every_failure_is_one_sentence_that_says_what_to_do(server, model, sentence):
    with pytest.raises(ModelError) as error:
        writer(server, model).write("How fast?", FOUND)
    said = str(error.value)
    assert sentence in said and said.endswith(".") and "\n" not in said and "Traceback" not in said


@pytest.mark.parametrize(("model", "retries"), [
    ("endless", 0), ("dripping", 0), ("silent", 5), ("patient", 5),  # which asks to wait for longer than that
])  # fmt: skip
def test_a_model_that_takes_too_long_is_given_up_and_the_limit_holds_for_all_tries_together(server, model, retries):
    with pytest.raises(ModelError, match=r"did not answer within 1 s; ask again, or choose a faster model\."):
        writer(server, model, seconds=1.0, retries=retries).write("How fast?", FOUND)
    assert len(server.seen) == 1


def test_a_reply_of_json_without_a_bottom_is_one_sentence(server):
    with pytest.raises(ModelError, match="no answer of OpenAI's protocol"):
        endpoint(server, "deep").reply([], 9)


def test_a_key_that_comes_back_is_neither_heard_nor_written(server):
    heard = []
    one = writer(server, "echo", listen=heard.append, key=SecretStr(RIGHT_KEY))
    for ask in (
        lambda: one.write("How fast?", FOUND),
        lambda: endpoint(server, "echo", key=SecretStr(RIGHT_KEY)).reply([], 9),
    ):
        with pytest.raises(ModelError, match="sent the key back") as error:
            ask()
        assert RIGHT_KEY not in str(error.value)
    assert heard and not any(RIGHT_KEY[:8] in visible(text) for text in heard)


@pytest.mark.parametrize("host", [
    "169.254.169.254", "10.0.0.7:8000", "192.168.1.1", "0.0.0.0", "[fe80::1]", "[::ffff:10.0.0.7]", "100.64.0.1", "[fd00::1]",
])  # fmt: skip
def test_an_internal_address_is_not_asked_unless_it_is_listed(host, monkeypatch):
    url = f"http://{host}/v1"
    with pytest.raises(ModelError, match=r"belongs to an internal network .* GUARDRAIL_ENDPOINTS"):
        ModelWriter(Endpoint(url=url, model="good")).write("How fast?", FOUND)
    monkeypatch.setenv("GUARDRAIL_ENDPOINTS", f"http://elsewhere/v1, {url}/")
    assert require_allowed(url)


def test_only_what_is_listed_may_be_named(server, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_ENDPOINTS", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"not among those that may be asked here"):
        writer(server).write("How fast?", FOUND)
    monkeypatch.setenv("GUARDRAIL_ENDPOINT", server.url)  # whoever runs the app has named it
    assert writer(server).write("How fast?", FOUND).sentences


def test_a_server_that_is_not_there(server):
    url = server.url
    server.shutdown()
    server.server_close()
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:\d+ cannot be reached; start it"):
        ModelWriter(Endpoint(url=url, model="good", retries=0, seconds=5)).write("How fast?", FOUND)


def test_a_failure_that_passes_is_tried_again(server):
    draft = writer(server, "ill", retries=1).write("How fast?", FOUND)
    assert len(draft.sentences) == 2 and len(server.seen) == 2


def test_a_model_that_knows_no_options_is_asked_without_them(server):
    assert len(writer(server, "plain").write("How fast?", FOUND).sentences) == 2
    assert "max_tokens" not in server.seen[-1] and endpoint(server, "plain").reply([], 9) == ANSWER


def test_a_sentence_that_was_cut_off_is_left_out():
    with serving(reply="Sound is fast in water [1]. It is slower in") as server:
        assert [s.text for s in writer(server, "cut").write("How fast?", FOUND).sentences] == [
            "Sound is fast in water."
        ]


def test_the_right_key_opens_and_the_wrong_one_is_said_without_being_shown(caplog):
    caplog.set_level(logging.DEBUG)
    with serving(key=RIGHT_KEY) as server:
        assert writer(server, key=SecretStr(RIGHT_KEY)).write("How fast?", FOUND).sentences
        with pytest.raises(ModelError, match="did not accept the key") as error:
            writer(server, key=SecretStr("sk-the-wrong-one")).write("How fast?", FOUND)
        with pytest.raises(ModelError, match="asks for a key"):
            writer(server).write("How fast?", FOUND)
    seen = f"{error.value} {error.value.__cause__} {caplog.text}"
    assert "sk-the" not in seen


def test_a_key_is_never_written(server):
    key = key_for(server.url, " sk-secret ")
    assert "secret" not in f"{key} {key!r} {endpoint(server, key=key)!r}" and key.get_secret_value() == "sk-secret"
    with pytest.raises(TypeError):
        json.dumps(key)


def test_the_keys_of_the_environment_go_to_its_own_server_only(monkeypatch):
    monkeypatch.setenv("GUARDRAIL_ENDPOINT", "http://localhost:11434/v1")
    monkeypatch.setenv("GUARDRAIL_ENDPOINT_KEY", "sk-mine")
    assert key_for("http://localhost:11434/v1/").get_secret_value() == "sk-mine"
    assert not key_for("http://elsewhere:11434/v1")
    assert key_for("http://elsewhere:11434/v1", " typed ").get_secret_value() == "typed"


def test_what_a_listener_raises_ends_the_writing(server):
    class Stop(BaseException):
        pass

    def stop(_):
        raise Stop

    with pytest.raises(Stop):
        writer(server, listen=stop).write("How fast?", FOUND)
