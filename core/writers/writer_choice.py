"""Chooses the writer, and the models for stage 1 and the fact check, by the settings."""

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
from core.writers.language_model import LIKELIEST, MORE, Completion, Listen, Manner, WritingStopped, draft_of
from core.writers.llm_judge import FactJudge, JudgingModel, StageOne
from core.writers.prompts import to_answer
from core.writers.qwen import NAME as QWEN
from core.writers.qwen import is_installed, qwen
from core.writers.smollm import NAME as SMOLLM
from core.writers.smollm import smollm

log = logging.getLogger(__name__)
VARIABLE = "GUARDRAIL_WRITER"
"""The variable with which the operator sets the meaning of `auto`: auto (the best installed writer) or extractive."""

SECONDS = 60.0
"""Maximum time for one answer of the small model, without waiting in the queue."""
_TOKENS = 100
_MOST = 1_800
"""Maximum characters of passages for the small model. More would confuse it, and take long to read."""
_LOCAL_SECONDS = 120.0
_LOCAL_TOKENS = 160
_LOCAL_MOST = 3_600
"""Maximum characters of passages for the model `local`, which takes seconds to read them before its first word."""
_ENDPOINT_TOKENS = 400
_ENDPOINT_MOST = 12_000
"""Maximum characters of passages for a server."""
_ENDPOINT_JUDGE_MOST, _LOCAL_JUDGE_MOST = 8_000, 2_400
"""Maximum characters of passages for a judge; the local one reads them all before its first word."""
_TAKEOVER = "Sentences of the passages answer in the place of the language model on this computer."
_NO_HOME = "The language model local is kept in a library's folder; open a library, or choose another."


class SmallWriter:
    """Writes answers with the small model. The same question and passages always give the same answer.

    The only exception is an answer that was cut short because the time ran out. listen: called with the text so far.
    """

    name = f"small ({SMOLLM})"

    def __init__(self, listen: Listen | None = None, own_domain: Domain | None = None) -> None:
        self.listen, self.own_domain = listen, own_domain

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from the evidence. Raises ModelError if the model is not installed or writes nothing."""
        messages = to_answer(query, evidence, _MOST, marks=False, own_domain=self.own_domain)
        completion = smollm().write(messages, _TOKENS, SECONDS, self.listen)
        return draft_of(completion, self.name)


class _OnDemand(ABC):
    """A writer that can sample further drafts. It writes only on request, since it takes time or money."""

    on_demand = True

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from the evidence. Raises ModelError if there is none."""
        return self._draft(query, evidence, LIKELIEST)

    def more_drafts(self, query: str, evidence: tuple[Evidence, ...]) -> tuple[Draft, ...]:
        """Two more drafts, sampled in the manners of MORE."""
        return tuple(self._draft(query, evidence, manner) for manner in MORE)

    @abstractmethod
    def _draft(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        """A draft written in this manner."""


class LocalWriter(_OnDemand):
    """Writes fluent answers with citations, in which unsupported statements sound the same as supported ones.

    It takes seconds, so it writes only on demand. home: the run-time folder with the model's file.
    """

    name = f"local ({QWEN})"

    def __init__(self, home: Path, listen: Listen | None = None, own_domain: Domain | None = None) -> None:
        self.home, self.listen, self.own_domain = home, listen, own_domain

    def _draft(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        return draft_of(self._answer(query, evidence, manner), self.name)

    def _answer(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Completion:
        messages = to_answer(query, evidence, _LOCAL_MOST, own_domain=self.own_domain)
        return qwen(self.home).write(messages, _LOCAL_TOKENS, _LOCAL_SECONDS, self.listen, manner)


class AutoWriter(LocalWriter):
    """The local language model; if it fails or runs out of time, `substitute` writes, and the draft says why.

    The user did not choose this model by name, so its failure must not cost the answer. A draft names the writer that
    wrote it.
    """

    def __init__(
        self, home: Path, substitute: ExtractiveWriter, listen: Listen | None = None, own_domain: Domain | None = None
    ) -> None:
        super().__init__(home, listen, own_domain)
        self.substitute = substitute

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft by the model, or one by `substitute` with the reason in `takeover`."""
        try:
            completion = self._answer(query, evidence, LIKELIEST)
            if not completion.in_time:
                raise ModelError(f"It did not end within {_LOCAL_SECONDS:.0f} seconds.")
            return draft_of(completion, self.name)
        except WritingStopped:
            raise
        except Exception as error:
            log.exception("%s wrote nothing, so the extractive writer does", self.name)
            cause = str(error) if isinstance(error, ModelError) else f"It broke ({type(error).__name__})."
        return replace(self.substitute.write(query, evidence), takeover=f"{_TAKEOVER} {cause}")


class EndpointWriter(_OnDemand):
    """Writes answers with the model of a server. It may cost money, so it writes only on demand."""

    def __init__(self, endpoint: Endpoint, listen: Listen | None = None, own_domain: Domain | None = None) -> None:
        self.endpoint, self.listen, self.own_domain = endpoint, listen, own_domain
        self.name = f"endpoint ({endpoint.model} at {endpoint.host})"

    def _draft(self, query: str, evidence: tuple[Evidence, ...], manner: Manner) -> Draft:
        messages = to_answer(query, evidence, _ENDPOINT_MOST, own_domain=self.own_domain)
        return draft_of(self.endpoint.write(messages, _ENDPOINT_TOKENS, self.listen, manner), self.name)


def with_resolved_writer(settings: Settings, home: Path | None) -> Settings:
    """`settings` with `auto` replaced by a real writer: `local` if it is installed, else `extractive`.

    Traces and journal name this writer. The model is neither imported nor loaded. home: the run-time folder, or None.
    Raises SettingError if VARIABLE has an unknown value.
    """
    if settings.writer != "auto":
        return settings
    local = auto_may_use_model() and home is not None and is_installed(home)
    return replace(settings, writer="local" if local else "extractive")


def auto_may_use_model() -> bool:
    """True if `auto` means the best installed writer, False if VARIABLE says extractive. Raises SettingError."""
    word = os.environ.get(VARIABLE, "").strip() or "auto"
    if word not in ("auto", "extractive"):
        raise SettingError(f"{VARIABLE} must be auto or extractive, got {word!r:.80}; correct it or take it away.")
    return word == "auto"


def for_many_questions(settings: Settings) -> Settings:
    """`settings` for many questions, such as a bank or a file: `auto` becomes `extractive`.

    A language model takes seconds per draft, and a row of a bank has several drafts, so minutes would become hours. A
    writer chosen by name stays.
    """
    return replace(settings, writer="extractive") if settings.writer == "auto" else settings


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: Key | None = None, listen: Listen | None = None
) -> Any:
    """The writer of `settings`, without loading its model. Raises ModelError if `local` has no run-time folder.

    home: the run-time folder, or None. listen: called with the text while a model writes it.
    """
    if settings.writer == "auto":
        real = with_resolved_writer(settings, home)
        if real.writer == "local" and home is not None:
            return AutoWriter(home, ExtractiveWriter(models), listen, domain(settings.domain))
        return writer_for(real, models, home, key, listen)
    own_domain = domain(settings.domain)
    if settings.writer == "small":
        return SmallWriter(listen, own_domain)
    if settings.writer == "local" and home is None:
        raise ModelError(_NO_HOME)
    if settings.writer == "local":
        return LocalWriter(home, listen, own_domain)
    if settings.writer == "endpoint":
        return EndpointWriter(endpoint_of(settings, key), listen, own_domain)
    return ExtractiveWriter(models)


def consensus_for(settings: Settings, models: Any, home: Path | None, key: Key | None = None) -> tuple[Any, ...]:
    """The writers whose drafts are compared with the answer, without loading a model; () without a consensus.

    Raises ModelError if `local` has no run-time folder.
    """
    if not settings.consensus:
        return ()

    def drafter(name: str) -> Any:
        if name != "second endpoint":
            return writer_for(replace(settings, writer=name), models, home, key)
        server = {"endpoint": settings.second_endpoint, "endpoint_model": settings.second_endpoint_model}
        second = replace(settings, **server, consensus_with=())
        return EndpointWriter(endpoint_of(second), None, domain(settings.domain))

    return tuple(drafter(name) for name in settings.consensus_with)


def stage_1_for(settings: Settings, home: Path | None = None, key: Key | None = None) -> StageOne | None:
    """The judge of stage 1; None for the built-in rules."""
    if settings.stage_1 == "rules":
        return None
    return StageOne(*_judging(settings.stage_1, settings, home, key))


def judge_for(
    settings: Settings, home: Path | None = None, key: Key | None = None, listen: Listen | None = None
) -> FactJudge | None:
    """The judge that checks facts and corrects answers; None if the settings name none."""
    if settings.judge == "none":
        return None
    return FactJudge(*_judging(settings.judge, settings, home, key), listen)


def _judging(name: str, settings: Settings, home: Path | None, key: Key | None) -> tuple[JudgingModel, int]:
    """The model of the setting `name`, and its maximum characters of passages."""
    if name == "endpoint":
        return endpoint_of(settings, key), _ENDPOINT_JUDGE_MOST
    if home is None:
        raise ModelError(_NO_HOME)
    return qwen(home), _LOCAL_JUDGE_MOST


def endpoint_of(settings: Settings, key: Key | None = None) -> Endpoint:
    """The server and model of `settings`. Without `key`, the environment's key is used if it is for this server."""
    return Endpoint(
        url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
        seconds=settings.endpoint_seconds,
    )  # fmt: skip
