"""From the settings to who writes, the extractive writer or a language model on this computer or a server, and to the
models that stage 1 and the fact check ask."""

import logging
import os
from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.case import Draft, Evidence
from core.models import ModelError
from core.settings import SettingError, Settings
from core.settings.domains import Domain, domain
from core.writers.endpoint import Endpoint
from core.writers.endpoint_access import Key, key_for
from core.writers.extractive_writer import ExtractiveWriter
from core.writers.language_model import LIKELIEST, MORE, Listen, Manner, Stopped, Written, draft_of
from core.writers.llm_judge import FactJudge, JudgingModel, StageOne
from core.writers.prompts import to_answer
from core.writers.qwen import NAME as QWEN
from core.writers.qwen import installed, qwen
from core.writers.smollm import NAME as SMOLLM
from core.writers.smollm import smollm

log = logging.getLogger(__name__)
VARIABLE = "GUARDRAIL_WRITER"
"""The variable with which whoever runs the app says what `auto` stands for: auto (what is installed) or extractive."""

SECONDS = 60.0
"""Longest time for one answer of the small model, from its turn on."""
_TOKENS = 100
_MOST = 1_800
"""Characters of passages that it is shown: more would confuse so small a model, and take it long to read."""
_LOCAL_SECONDS = 120.0
_LOCAL_TOKENS = 160
_LOCAL_MOST = 3_600
"""Characters of passages that the fluent one is shown: it reads them all before its first word, which takes seconds."""
_ENDPOINT_TOKENS = 400
_ENDPOINT_MOST = 12_000
"""Characters of passages that a server is sent."""
_ENDPOINT_JUDGE_MOST, _LOCAL_JUDGE_MOST = 8_000, 2_400
"""Characters of passages that a judge is shown: the one on this computer reads them all before it says a word."""
_TAKEOVER = "Sentences of the passages answer in the place of the language model on this computer."
_NO_HOME = "The language model local is kept in a library's folder; open a library, or choose another."


class SmallWriter:
    """Says in its own words what it makes of the passages. The same question is answered in the same words again.

    Only a computer so slow that the time runs out gets a shorter answer. listen: told the text as it grows.
    """

    name = f"small ({SMOLLM})"

    def __init__(self, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.listen, self.house = listen, house

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError when the model is not installed or writes nothing."""
        asked = to_answer(query, evidence, _MOST, marks=False, house=self.house)
        written = smollm().write(asked, _TOKENS, SECONDS, self.listen)
        return draft_of(written, self.name)


class _OnDemand(ABC):
    """A writer that can be asked again, and writes nothing that nobody has asked for, since it takes time or money."""

    on_demand = True

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from what the evidence keeps; ModelError in one sentence when there is none."""
        return self._written(query, evidence, LIKELIEST)

    def again(self, query: str, evidence: tuple[Evidence, ...]) -> tuple[Draft, ...]:
        """What it writes when it is asked twice more and may choose other words."""
        return tuple(self._written(query, evidence, manner) for manner in MORE)

    @abstractmethod
    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        """What it writes in this manner."""


class LocalWriter(_OnDemand):
    """Answers fluently, with citations, and states what no passage says in the same tone.

    It takes seconds, so nothing is written that nobody has asked for (`on_demand`). home: keeps the model's file.
    """

    name = f"local ({QWEN})"

    def __init__(self, home: Path, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.home, self.listen, self.house = home, listen, house

    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        return draft_of(self._answer(query, evidence, manner), self.name)

    def _answer(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Written:
        asked = to_answer(query, evidence, _LOCAL_MOST, house=self.house)
        return qwen(self.home).write(asked, _LOCAL_TOKENS, _LOCAL_SECONDS, self.listen, manner)


class AutoWriter(LocalWriter):
    """The language model on this computer; where it breaks or runs out of time, `substitute` writes and says why.

    Nobody chose this model by name, so a fault of it must not cost the answer. It bears the model's name; a draft of
    `substitute` bears that writer's.
    """

    def __init__(
        self, home: Path, substitute: ExtractiveWriter, listen: Listen | None = None, house: Domain | None = None
    ) -> None:
        super().__init__(home, listen, house)
        self.substitute = substitute

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of the model, else one of `substitute` with the reason in `takeover`."""
        try:
            written = self._answer(query, evidence, LIKELIEST)
            if not written.in_time:
                raise ModelError(f"It did not end within {_LOCAL_SECONDS:.0f} seconds.")
            return draft_of(written, self.name)
        except Stopped:
            raise
        except Exception as error:
            log.exception("%s wrote nothing, so the extractive writer does", self.name)
            why = str(error) if isinstance(error, ModelError) else f"It broke ({type(error).__name__})."
        return replace(self.substitute.write(query, evidence), takeover=f"{_TAKEOVER} {why}")


class EndpointWriter(_OnDemand):
    """Asks the model of `endpoint`. It may cost, so nothing is written that nobody has asked for (`on_demand`)."""

    def __init__(self, endpoint: Endpoint, listen: Listen | None = None, house: Domain | None = None) -> None:
        self.endpoint, self.listen, self.house = endpoint, listen, house
        self.name = f"endpoint ({endpoint.model} at {endpoint.host})"

    def _written(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        asked = to_answer(query, evidence, _ENDPOINT_MOST, house=self.house)
        return draft_of(self.endpoint.write(asked, _ENDPOINT_TOKENS, self.listen, manner), self.name)


def with_real_writer(settings: Settings, home: Path | None) -> Settings:
    """`settings` with a real writer in the place of `auto`: `local` where it is installed, else `extractive`.

    What is recorded of a question names this writer. The model is neither imported nor loaded to find out. home: the
    run-time folder, None where there is none. SettingError where VARIABLE holds another word than it may.
    """
    if settings.writer != "auto":
        return settings
    local = auto_is_free() and home is not None and installed(home)
    return replace(settings, writer="local" if local else "extractive")


def auto_is_free() -> bool:
    """True where `auto` stands for what is installed, False where VARIABLE ties it to the extractive writer."""
    word = os.environ.get(VARIABLE, "").strip() or "auto"
    if word not in ("auto", "extractive"):
        raise SettingError(f"{VARIABLE} must be auto or extractive, got {word!r:.80}; correct it or take it away.")
    return word == "auto"


def for_many_questions(settings: Settings) -> Settings:
    """`settings` for a bank, a list or a file of questions: there `auto` always stands for `extractive`.

    The language model takes seconds for each draft, and each row of a bank has several: minutes would become hours.
    A writer that a person chose by name stays.
    """
    return replace(settings, writer="extractive") if settings.writer == "auto" else settings


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: Key | None = None, listen: Listen | None = None
) -> Any:
    """The writer that `settings` name. Loads nothing yet.

    home: the run-time folder, None where there is none. listen: told what a model writes while it writes.
    """
    if settings.writer == "auto":
        real = with_real_writer(settings, home)
        if real.writer == "local" and home is not None:
            return AutoWriter(home, ExtractiveWriter(models), listen, domain(settings.domain))
        return writer_for(real, models, home, key, listen)
    house = domain(settings.domain)
    if settings.writer == "small":
        return SmallWriter(listen, house)
    if settings.writer == "local" and home is None:
        raise ModelError(_NO_HOME)
    if settings.writer == "local":
        return LocalWriter(home, listen, house)
    if settings.writer == "endpoint":
        return EndpointWriter(endpoint_of(settings, key), listen, house)
    return ExtractiveWriter(models)


def stage_1_for(settings: Settings, home: Path | None = None, key: Key | None = None) -> StageOne | None:
    """Who is asked at stage 1; None for the built-in rules."""
    if settings.stage_1 == "rules":
        return None
    return StageOne(*_judging(settings.stage_1, settings, home, key))


def judge_for(
    settings: Settings, home: Path | None = None, key: Key | None = None, listen: Listen | None = None
) -> FactJudge | None:
    """Who is asked whether the passages say a sentence, and corrects what does not hold; None for nobody."""
    if settings.judge == "none":
        return None
    return FactJudge(*_judging(settings.judge, settings, home, key), listen)


def _judging(who: str, settings: Settings, home: Path | None, key: Key | None) -> tuple[JudgingModel, int]:
    """The model that `who` stands for, and how many characters of passages it is shown."""
    if who == "endpoint":
        return endpoint_of(settings, key), _ENDPOINT_JUDGE_MOST
    if home is None:
        raise ModelError(_NO_HOME)
    return qwen(home), _LOCAL_JUDGE_MOST


def endpoint_of(settings: Settings, key: Key | None = None) -> Endpoint:
    """The server and model of `settings`; without a key the environment's, where it is meant for this server."""
    return Endpoint(
        url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
        seconds=settings.endpoint_seconds,
    )  # fmt: skip
