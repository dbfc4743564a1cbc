"""Every decision is written once, as it was taken, found again, opened again, and let go when it is too old."""

import time
from dataclasses import replace
from datetime import date, datetime, timedelta
from operator import attrgetter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.case import Scope
from core.checks import all_checks, all_thresholds
from core.decide import verdict
from core.journal import Filter, Journal, JournalError, Retention, entry
from core.presets import preset, presets, with_settings
from core.settings import Settings
from core.thresholds import Preset
from tests.support.journals import DAY, questions


def test_a_clock_that_was_set_back_loses_no_decision_and_hides_none(journal, write):
    ahead = write("Asked while the clock was ahead?", at=time.time() + 90 * 86_400)
    now = write("Asked once it was set back?")
    journal.tidy()
    assert [d.id for d in journal.rows()] == [ahead, now] and sum(journal.counts().values()) == 2
    assert [journal.open(number).trace.question.query for number in (now, ahead)] == [
        "Asked once it was set back?", "Asked while the clock was ahead?",
    ]  # fmt: skip


def test_a_decision_is_opened_as_it_was_taken(journal, make_trace):
    under = with_settings(preset("strict"), ["confidence.min_confidence=55", "numbers.mode=watches"])
    trace = make_trace(scope=Scope(class_number=10, subject="Mathematics", documents=("jemh105.pdf",)))
    before = verdict(trace, under)
    measured_with = Settings(passages_fetched=5, patterns=("as far as I know",))
    journal.set_retention(Retention(days=3650))
    number = journal.record(trace, before, under, profile="hub", settings=measured_with, at=1.7e9 + 200 * DAY)
    now = journal.open(number)
    assert (now.profile, now.settings["passages_fetched"], now.settings["patterns"]) == ("hub", 5, ["as far as I know"])
    assert now.preset.name == "strict" and set(now.preset.thresholds) == set(all_thresholds())
    assert now.preset.thresholds["confidence.min_confidence"] == 55 and now.preset.modes["numbers"] == "watches"
    again = verdict(now.trace, now.preset)
    decided = attrgetter("route", "steps", "checks", "answer")
    assert decided(again) == decided(before)
    assert now.trace.digest == trace.digest and now.decision_row == journal.rows()[0]
    (row,) = journal.rows()
    assert row.question == trace.question.query
    assert (row.class_number, row.subject, row.preset) == (10, "Mathematics", "strict")
    assert (row.route, row.reason, row.confidence) == (before.route, before.primary_reason, before.confidence)
    assert (row.document, row.page, row.given, row.at) == ("jemh105.pdf", 1, True, 1.7e9 + 200 * DAY)


@pytest.mark.parametrize("name", presets())
def test_every_preset_decides_the_same_again(journal, make_trace, name):
    trace, under = make_trace("Is it a list of 7 numbers?", scores=(0.5, 0.45)), preset(name)
    now = journal.open(journal.record(trace, verdict(trace, under), under))
    assert verdict(now.trace, now.preset).checks == verdict(trace, under).checks


def test_a_check_that_was_not_there_then_stays_out_of_it(journal, make_trace, monkeypatch):
    trace = make_trace("What is it?", answer="It is not 7.")
    known = {c.name: "blocks" for c in all_checks() if c.name != "numbers"}
    monkeypatch.setattr(
        entry,
        "preset_row",
        lambda _: {"name": "default", "help": "", "thresholds": {"gone.limit": 1}, "modes": known},
    )
    now = journal.open(journal.record(trace, verdict(trace, Preset()), Preset()))
    assert now.preset.modes["numbers"] == "off" and now.preset.thresholds == {}


def test_filters_find_what_they_say(journal, write, refused):
    write("What is light?", scope=Scope(class_number=8, subject="Physics"))
    refused("What is the ₹ worth?", scope=Scope(class_number=10, subject="Economics"))
    refused("WHO WAS STRASSE?", at=time.time() - 40 * DAY)
    write("What is 50%_off?", answer="An ECHO is sound.")
    reason = journal.rows()[1].reason
    assert reason in entry.COVERAGE
    for which, found in [
        (Filter(), ["What is 50%_off?", "What is the ₹ worth?", "What is light?", "WHO WAS STRASSE?"]),
        (Filter(reasons=(reason,)), ["What is the ₹ worth?", "WHO WAS STRASSE?"]),
        (Filter(routes=("refuse",), class_number=10), ["What is the ₹ worth?"]),
        (Filter(subject="Physics"), ["What is light?"]),
        (Filter(text="straße"), ["WHO WAS STRASSE?"]), (Filter(text="50%_O"), ["What is 50%_off?"]),
        (Filter(text="%"), ["What is 50%_off?"]), (Filter(text="' OR 1=1 --"), []), (Filter(text="  "), 4),
        (Filter(first=date.today()), 3), (Filter(last=date.fromtimestamp(time.time() - 30 * DAY)), ["WHO WAS STRASSE?"]),
        (Filter(first=date.min, last=date(9999, 12, 30)), 4),
    ]:  # fmt: skip
        rows = journal.rows(which)
        assert len(rows) == found if isinstance(found, int) else questions(rows) == found, which
        assert sum(journal.counts(which).values()) == len(rows)
        assert sum(journal.by_day(which).values()) == len(rows)
        assert len(list(journal.rows_with_settings(which))) == len(rows)
    assert journal.scopes() == ([8, 10], ["Economics", "Physics"])
    assert len(journal.rows(max_count=2)) == 2


WORDS = st.sampled_from(["", "a", "light", "ÉCOLE", "école", "50%", "_", "what is light"])
ROWS = st.lists(
    st.tuples(
        WORDS, WORDS, st.sampled_from(["deliver", "refuse", "escalate"]), st.sampled_from([None, "off_topic", "unclear"]),
        st.sampled_from([None, 7, 10]), st.sampled_from(["", "Physics", "Biology"]), st.integers(0, 4),
    ),
    max_size=6,
)  # fmt: skip
DAYS = st.none() | st.integers(0, 4)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=ROWS, text=WORDS, routes=st.sets(st.sampled_from(["deliver", "refuse"])), reasons=st.sets(st.just("off_topic")),
    number=st.sampled_from([None, 7]), subject=st.sampled_from(["", "Physics"]), first=DAYS, last=DAYS,
)  # fmt: skip
def test_a_filter_lets_through_what_fits_every_condition_and_nothing_else(
    journal, make_trace, rows, text, routes, reasons, number, subject, first, last
):
    journal.empty()
    trace = make_trace()
    base = entry.entry_of(
        trace, verdict(trace, Preset()), Preset(), profile="", settings=Settings(), source="app", at=None
    )
    noon = datetime.combine(date.today(), datetime.min.time()).timestamp() + DAY / 2
    for question, answer, route, reason, class_number, about, ago in rows:
        changed = {"question": question or "?", "answer": answer, "route": route, "reason": reason, "subject": about}
        changed |= {"class_number": class_number, "at": noon - ago * DAY}
        journal.add(replace(base, decision_row=replace(base.decision_row, **changed)))
    today = date.fromtimestamp(noon)
    which = Filter(
        text=text, routes=tuple(routes), reasons=tuple(reasons), class_number=number, subject=subject,
        first=None if first is None else today - timedelta(days=first),
        last=None if last is None else today - timedelta(days=last),
    )  # fmt: skip
    fitting = [
        (question or "?", ago)
        for question, answer, route, reason, class_number, about, ago in rows
        if text.casefold() in f"{question or '?'} {answer}".casefold()
        and (not routes or route in routes) and (not reasons or reason in reasons)
        and number in (None, class_number) and subject in ("", about)
        and (first is None or ago <= first) and (last is None or ago >= last)
    ]  # fmt: skip
    found = journal.rows(which)
    assert sorted((row.question, round((noon - row.at) / DAY)) for row in found) == sorted(fitting)
    assert [row.at for row in found] == sorted((row.at for row in found), reverse=True)
    assert sum(journal.counts(which).values()) == len(found)


def test_a_number_that_no_file_holds_is_one_sentence(journal, write):
    with pytest.raises(JournalError, match="no number of more than 18 digits"):
        write(scope=Scope(class_number=10**30))
    with pytest.raises(JournalError, match="no number of more than 18 digits"):
        journal.rows(Filter(class_number=10**30))


def test_an_answer_is_about_the_class_and_subject_that_it_cites(journal, write, refused):
    write()
    refused("Who was Napoleon?")
    assert [(r.class_number, r.subject) for r in journal.rows()] == [(None, ""), (10, "Mathematics")]


def test_decisions_are_counted_by_day_and_reason(journal, write, refused):
    journal.set_retention(Retention(days=3650))
    write()
    for hours in (1, 2, 30 * 24):
        refused("What is money?", at=datetime(2026, 3, 31, 12).timestamp() - 3600 * hours)
    found = journal.by_day()
    assert {day: n for (day, reason), n in found.items() if reason} == {"2026-03-31": 2, "2026-03-01": 1}
    assert [n for (_, reason), n in found.items() if reason is None] == [1]


def test_what_the_books_lack_is_kept_for_the_question_or_for_its_parts(journal, make_trace, models, refused, write):
    refused("Who was Napoleon?")
    write()
    covered, uncovered = make_trace("What is a list?"), make_trace("Who wrote Hamlet?", scores=(0.2, 0.1))
    trace = replace(make_trace("What is a list, and who wrote Hamlet?", answer=None), parts=(covered, uncovered))
    under = with_settings(preset("default"), ["confidence.refine_rounds=0"])
    found = verdict(trace, under)
    assert [p.route for p in found.parts] == ["deliver", "refuse"]
    journal.record(trace, found, under)
    asked = attrgetter("question", "asked")
    assert [*map(asked, journal.lacking())] == [("Who wrote Hamlet?", 1), ("Who was Napoleon?", 1)]
    refused("Who was Napoleon?")
    assert [*map(asked, journal.lacking())] == [("Who was Napoleon?", 2), ("Who wrote Hamlet?", 1)]
    assert {gap.reason for gap in journal.lacking()} <= set(entry.COVERAGE)
    assert journal.lacking(Filter(text="HAMLET"))[0].question == "Who wrote Hamlet?"


def test_what_was_handed_over_waits_until_a_person_has_looked(journal, make_trace):
    trace = make_trace()
    handed = replace(verdict(trace, Preset()), route="escalate", primary_reason="interest")
    part = replace(handed, route="refuse", parts=(handed,))
    one, other = (journal.record(trace, v, Preset(), at=time.time() + n) for n, v in enumerate((handed, part)))
    journal.record(trace, verdict(trace, Preset()), Preset())
    assert (journal.to_attend(1)[0], [r.id for r in journal.to_attend(9)[1]]) == (2, [other, one])
    journal.attend(other)
    assert journal.to_attend(9) == (1, [r for r in journal.rows() if r.id == one])
    assert next(r for r in journal.rows() if r.id == other).attended == pytest.approx(time.time(), abs=60)


def test_a_decision_is_marked_with_what_it_should_have_been(journal, write):
    number = write()
    journal.mark(number, "refused")
    assert journal.rows()[0].should_be == "refused"
    with pytest.raises(JournalError, match="no longer in the journal"):
        journal.mark(number + 1, "refused")


@pytest.mark.parametrize("days", [0, 3651])
def test_days_have_bounds(days):
    with pytest.raises(JournalError, match="from 1 to 3650 days"):
        Retention(days=days)


def test_a_gone_decision_is_one_sentence(journal):
    for read in (journal.open, journal.row):
        with pytest.raises(JournalError, match="no longer in the journal; load the page anew"):
            read(7)


def test_a_decision_is_read_by_its_number_however_many_are_newer(journal, write):
    number = write()
    for _ in range(6):
        write("Who was Napoleon?")
    assert journal.row(number) == journal.rows()[-1]


def test_writing_asks_no_model(journal, make_trace, models):
    trace, calls = make_trace(), models.embedder.calls
    journal.record(trace, verdict(trace, Preset()), Preset())
    assert models.embedder.calls == calls


def test_another_journal_of_the_folder_sees_it_at_once(journal, write, tmp_path):
    number, other = write(), Journal(tmp_path)
    assert other.open(number).decision_row == journal.rows()[0]
