"""What one visitor may use in a while: counted, refused in one sentence, and free again when the time has passed."""

import pytest

from core.platform import quotas
from core.platform.access import VARIABLE, AccessError
from core.platform.quotas import QUOTAS, QuotaError, Usage


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test turns; the app's own cannot be set back."""
    now = [1000.0]
    monkeypatch.setattr(quotas.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def demo(monkeypatch):
    monkeypatch.setenv(VARIABLE, "demo")


def test_one_person_alone_is_bound_by_nothing_but_what_the_environment_says(monkeypatch):
    usage = Usage()
    for _ in range(100):
        usage.take(questions=1, files=1, megabytes=100)
    monkeypatch.setenv(QUOTAS["questions"].variable, "2")
    with pytest.raises(QuotaError):
        usage.take(questions=1)


def test_a_visitor_who_has_used_a_limit_reads_what_how_many_until_when_and_what_to_do(demo, clock):
    usage = Usage()
    for _ in range(QUOTAS["questions"].default):
        usage.take(questions=1)
        clock[0] += 1
    said = r"^A visitor has at most 20 questions a minute, and too little of it is left; try again in 40 s\.$"
    with pytest.raises(QuotaError, match=said):
        usage.take(questions=1)
    Usage().take(questions=1)  # another visitor has a count of their own
    clock[0] += 40
    usage.take(questions=1)
    assert usage.lacking(questions=1) == {"questions": 1.0}


def test_a_file_counts_for_both_limits_or_for_none(demo, clock):
    usage = Usage()
    usage.take(files=1, megabytes=290)
    with pytest.raises(QuotaError, match=r"^A visitor has at most 300 MB an hour, .* try again in 60 min\.$"):
        usage.take(files=1, megabytes=20)
    with pytest.raises(QuotaError, match=r"and this would be 400 at once; take less\.$"):
        usage.take(files=1, megabytes=400)
    for _ in range(QUOTAS["files"].default - 1):  # what was refused was not counted
        usage.take(files=1, megabytes=0)
    with pytest.raises(QuotaError, match=r"^A visitor has at most 60 files an hour"):
        usage.take(files=1, megabytes=0)


@pytest.mark.parametrize("said", ["-1", "0", "many", "1.5", "9999999999"])
def test_a_variable_that_is_no_number_opens_nothing(monkeypatch, said):
    monkeypatch.setenv(QUOTAS["files"].variable, said)
    with pytest.raises(
        AccessError, match=f"^GUARDRAIL_FILES_AN_HOUR must be a whole number from 1 to 1000000, got '{said}'"
    ):
        Usage().take(files=1)
