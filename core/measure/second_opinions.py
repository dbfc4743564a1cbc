"""What language models are asked about a draft before it is measured: a slow one keeps nobody else's turn."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.case import Case
from core.domains import Domain

log = logging.getLogger(__name__)


def with_opinions(case: Case, house: Domain, stage_1: Any, judge: Any) -> Case:
    """`case` with what the models say of its draft; of one that breaks its sentence, for the check that reads it.

    stage_1, judge: as `core.models.writer_choice` makes them; None where nobody is asked.
    """
    case = replace(case, opinion=None, judgement=None)
    if case.sentences and stage_1:
        case = _heard(case, "interest", lambda: replace(case, opinion=stage_1(case, house)))
    if case.sentences and judge:
        case = _heard(case, "llm_judge", lambda: replace(case, judgement=judge(case)))
    return case


def with_drafts(case: Case, again: Callable[[], tuple[Any, ...]]) -> Case:
    """`case` with what its writer writes when it is asked `again`."""
    return _heard(case, "consensus", lambda: replace(case, drafts=again()))


def _heard(case: Case, check: str, ask: Callable[[], Case]) -> Case:
    try:
        return ask()
    except Exception as error:  # a model or a server may fail in any way; the other checks are made all the same
        log.error("nothing was heard for %s (%s)", check, type(error).__name__)
        return replace(case, unheard=(*case.unheard, (check, f"{type(error).__name__}: {error}")))
