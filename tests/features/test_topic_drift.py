"""What does not belong here lies closer to what a house names so, by the real embeddings."""

import pytest

from core.checks.interest import Interest
from core.domains import domain
from core.features.topic_drift import NOWHERE, drift
from core.models.embedder import bundled_embedder

LIMIT = Interest.max_drift.default


@pytest.fixture(scope="module")
def embedder():
    return bundled_embedder()


@pytest.mark.parametrize(("house", "text"), [
    ("shop", "Let me check the weather for your city."), ("shop", "India won the match by six wickets."),
    ("school", "Take two tablets of paracetamol after dinner."), ("school", "India won the match against Australia by six wickets."),
])  # fmt: skip
def test_what_does_not_belong_here_drifts(embedder, house, text):
    assert drift([text], domain(house), embedder)[0] > LIMIT


@pytest.mark.parametrize(("house", "text"), [
    ("shop", "We operate 9am-5pm Monday-Friday."), ("shop", "Our return policy allows returns within 30 days."),
    ("school", "A cheque is an order to a bank to pay a sum of money."), ("school", "Sound needs a medium to travel."),
])  # fmt: skip
def test_what_belongs_here_does_not(embedder, house, text):
    assert drift([text], domain(house), embedder)[0] <= LIMIT


def test_a_greeting_and_a_refusal_to_help_lie_nowhere(embedder):
    texts = ["Hello! How can I help you today?", "I can't help with weather information.", ""]
    assert drift(texts, domain("shop"), embedder) == [NOWHERE] * 3
