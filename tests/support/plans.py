"""Random questions: what could be measured of them, and the presets they are decided under, among these presets that a
person could have made with the sliders."""

from dataclasses import replace
from functools import lru_cache

from hypothesis import settings
from hypothesis import strategies as st

from core.checks import all_checks, all_thresholds
from core.decide import SEARCHES
from core.presets import presets as named_presets
from core.thresholds import MODES, Preset
from tests.support.cases import BOOK, case_about, evidence
from tests.support.fake_models import fake_models
from tests.support.traces import deep

ANSWERS = (
    "An arithmetic progression is a list of numbers.",
    "An arithmetic progression is not a list of numbers [1].",
    "An arithmetic progression is a list of numbers. Each term is obtained by adding 7 to the term before.",
    "An arithmetic progression is a list of numbers. Bananas rarely wander through purple corridors.",
    "Maybe each term is obtained by adding 7 to the term before [2]. The fixed number is called the common difference.",
    "An arithmetic progression is a list of numbers. Bananas rarely wander through purple corridors. They are yellow. "
    "The fixed number is called the common difference. It is the difference between two terms. Perhaps it is so [2].",
    "Hello! How can I help you today?",
    "",
)
SCORES = st.lists(st.sampled_from([0.0, 0.15, 0.3, 0.35, 0.4, 0.5, 0.6, 0.9]), max_size=3).map(tuple)
KINDS = ("question", "question", "question", "small_talk", "about_last_turn")
OFTEN = settings(deadline=None)


@st.composite
def presets(draw):
    """Any mode for any check, and any grid value for some thresholds."""
    keys = draw(st.lists(st.sampled_from(sorted(all_thresholds())), unique=True, max_size=6))
    values = {key: float(draw(st.sampled_from(list(all_thresholds()[key].grid(9))))) for key in keys}
    modes = draw(st.dictionaries(st.sampled_from([c.name for c in all_checks()]), st.sampled_from(MODES), max_size=5))
    return Preset(thresholds=values, modes=modes)


@st.composite
def plans(draw):
    """(answer, scores of each search, kind, does a recheck find better passages) of one question."""
    rounds = draw(st.lists(SCORES, min_size=3, max_size=3).map(tuple))
    return draw(st.sampled_from(ANSWERS)), rounds, draw(st.sampled_from(KINDS)), draw(st.booleans())


@lru_cache(maxsize=2000)
def _searched(answer, scores, kind, better):
    """One search of a question measured, corrected and rechecked: where in a trace it stands changes none of it."""
    more = tuple(evidence(BOOK, 0.9, n) for n in range(2))
    case = case_about(answer, scores, kind=kind)
    return deep(fake_models(), case, wider=lambda c: replace(c, evidence=more) if better else c)


def world(plan, parts):
    """Everything that could ever be measured of a question and of its parts."""
    answer, searches, kind, better = plan
    each = [(name, _searched(answer, scores, kind, better)) for name, scores in zip(SEARCHES, searches, strict=True)]
    rounds = [replace(trace.rounds[0], name=name) for name, trace in each]
    rounds += [replace(trace.rounds[n], of=name) for n in (1, 2) for name, trace in each]
    return replace(each[0][1], rounds=tuple(rounds), parts=tuple(world(part, ()) for part in parts))


PLANS, PARTS = plans(), st.lists(plans(), min_size=2, max_size=3) | st.just([])
POSITIONS = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(t.grid().tolist()) for key, t in all_thresholds().items()}
)
SWITCHED = st.fixed_dictionaries({}, optional={check.name: st.sampled_from(MODES) for check in all_checks()})
MOVED = st.builds(
    lambda base, t, m: base.with_values(t, m), st.sampled_from(list(named_presets().values())), POSITIONS, SWITCHED
)
