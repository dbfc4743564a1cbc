"""Measures the signals of every check, once a round, and asks language models first. A failure is stored as data."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.case import Absence, Case, Round, Signals
from core.check import Check, NotApplicable
from core.checks import all_checks
from core.features.case_features import CaseFeatures
from core.platform.jobs import stand_back
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.settings import Settings
from core.settings.domains import Domain

log = logging.getLogger(__name__)


def measure(
    name: str,
    case: Case,
    models: Any,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    vocabulary: LibraryVocabulary | None = None,
) -> Round:
    """Measure every check on `case` as one round. A broken check does not stop the others; the chain blocks on it.

    vocabulary: of the whole library; None if the passages of the case are all there is. Opinions of language models on
    the draft are already in the case.
    """
    started = time.perf_counter()
    features = CaseFeatures(
        case, models, settings.patterns, domain=settings.domain, vocabulary=vocabulary, round_name=name
    )
    signals: dict[str, Signals] = {}
    absent = {check: Absence(cause="error", why=why) for check, why in case.unheard}
    for check in (c for c in all_checks() if c.name not in absent):
        stand_back()
        try:
            signals[check.name] = _verified_signals(check, case, features)
        except NotApplicable as reason:
            absent[check.name] = Absence(cause="not applicable", why=str(reason))
        except Exception as error:  # the edge of the system: a model may fail in any way it likes
            log.exception("%s could not be measured", check.name)
            absent[check.name] = failure(error)
    windows = features.windows if "entailment" in signals else ()
    checking = time.perf_counter() - started
    return Round(name=name, case=case, signals=signals, absent=absent, windows=windows, checking=checking)


def without_draft(measured: Round, error: Exception) -> Round:
    """Return `measured` without a draft and with every answer check as broken, because the writer failed."""
    failures = {c.name: failure(error) for c in all_checks() if c.stage == "answer"}
    signals = {name: values for name, values in measured.signals.items() if name not in failures}
    return replace(measured, signals=signals, absent={**measured.absent, **failures})


def broken(name: str, case: Case, error: Exception) -> Round:
    """A round in which nothing could be measured, because the search or the writer failed."""
    return Round(name=name, case=case, absent={c.name: failure(error) for c in all_checks()})


def failure(error: Exception) -> Absence:
    """Store an error as data: its type and its message."""
    return Absence(cause="error", why=f"{type(error).__name__}: {error}")


def _verified_signals(check: Check, case: Case, features: CaseFeatures) -> Signals:
    """Measure one check and verify its signals. Raises ValueError if they are not as declared."""
    raw = check.measure(case, features)
    declared = check.signals()
    if set(raw) != set(declared):
        raise ValueError(f"{check.name} must measure {', '.join(declared)}, got {', '.join(raw)}.")
    return {name: declared[name].verified(value, f"{check.name}.{name}") for name, value in raw.items()}


def with_opinions(case: Case, domain: Domain, stage_1: Any, judge: Any) -> Case:
    """Return `case` with the opinions of language models on its draft.

    If a model breaks, its error is stored in `unheard` for the check that reads the opinion. stage_1, judge: from
    `core.writers.writer_choice`; None if no model is asked.
    """
    case = replace(case, opinion=None, judgement=None)
    if case.sentences and stage_1:
        case = _asking(case, "interest", lambda: replace(case, opinion=stage_1(case, domain)))
    if case.sentences and judge:
        case = _asking(case, "llm_judge", lambda: replace(case, judgement=judge(case)))
    return case


def with_drafts(case: Case, again: Callable[[], tuple[Any, ...]]) -> Case:
    """Return `case` with further drafts from its writer. again: writes them."""
    return _asking(case, "consensus", lambda: replace(case, drafts=again()))


def _asking(case: Case, check: str, ask: Callable[[], Case]) -> Case:
    """Return the case from `ask`; if that raises, the case with the error stored for `check`."""
    try:
        return ask()
    except Exception as error:  # a model or a server may fail in any way; the other checks still run
        log.error("nothing was heard for %s (%s)", check, type(error).__name__)
        return replace(case, unheard=(*case.unheard, (check, f"{type(error).__name__}: {error}")))
