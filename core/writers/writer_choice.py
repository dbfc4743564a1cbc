"""Chooses the writer, and the models for stage 1 and the fact check, by the settings."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from core.case import Draft, Evidence
from core.models import ModelError
from core.settings import Settings
from core.settings.domains import Domain, domain
from core.writers.auto_writer import with_resolved_writer
from core.writers.endpoint import Endpoint
from core.writers.endpoint_access import key_for
from core.writers.extractive_writer import ExtractiveWriter
from core.writers.language_model import LIKELIEST, MORE, Listen, Manner, WritingStopped, draft_of
from core.writers.llm_judge import FactJudge, JudgingModel, StageOne
from core.writers.prompts import to_answer
from core.writers.qwen import NAME as QWEN
from core.writers.qwen import qwen

log = logging.getLogger(__name__)

_LOCAL_TOKENS, _ENDPOINT_TOKENS = 160, 400
_LOCAL_MOST, _ENDPOINT_MOST, _LOCAL_JUDGE_MOST, _ENDPOINT_JUDGE_MOST = 3_600, 12_000, 2_400, 8_000
"""Maximum characters of passages in a prompt. The local model reads them all before its first word, which takes
seconds."""
_TAKEOVER = "Sentences of the passages answer in the place of the language model on this computer."


class ModelWriter:
    """Writes fluent answers with citations, in which unsupported statements sound the same as supported ones.

    It takes time or money, so it writes only on demand. tokens: maximum length of an answer. most: maximum characters
    of passages that it reads. listen: called with the text while it is written. substitute: writes if the model fails
    or runs out of time; the draft then names it and says why.
    """

    on_demand = True

    def __init__(
        self, name: str, model: JudgingModel, tokens: int, most: int, listen: Listen | None = None,
        own_domain: Domain | None = None, substitute: ExtractiveWriter | None = None,
    ) -> None:  # fmt: skip
        self.name, self.substitute = name, substitute
        self._model, self._tokens, self._most, self._listen, self._domain = model, tokens, most, listen, own_domain

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft from the evidence. Raises ModelError if there is none and no `substitute`."""
        if self.substitute is None:
            return self._draft(query, evidence, LIKELIEST)
        try:
            return self._draft(query, evidence, LIKELIEST, must_end=True)
        except WritingStopped:
            raise
        except Exception as error:
            log.exception("%s wrote nothing, so the extractive writer does", self.name)
            cause = str(error) if isinstance(error, ModelError) else f"It broke ({type(error).__name__})."
        return replace(self.substitute.write(query, evidence), takeover=f"{_TAKEOVER} {cause}")

    def more_drafts(self, query: str, evidence: tuple[Evidence, ...]) -> tuple[Draft, ...]:
        """Two more drafts, sampled in the manners of MORE."""
        return tuple(self._draft(query, evidence, manner) for manner in MORE)

    def _draft(self, query: str, evidence: tuple[Evidence, ...], manner: Manner, *, must_end: bool = False) -> Draft:
        messages = to_answer(query, evidence, self._most, self._domain)
        completion = self._model.write(messages, self._tokens, self._listen, manner)
        if must_end and not completion.in_time:
            raise ModelError(f"It did not end within {self._model.seconds:.0f} seconds.")
        return draft_of(completion, self.name)


def local_writer(
    home: Path,
    listen: Listen | None = None,
    own_domain: Domain | None = None,
    substitute: ExtractiveWriter | None = None,
) -> ModelWriter:
    """A writer with the language model on this computer. home: the run-time folder with the model's file."""
    return ModelWriter(f"local ({QWEN})", qwen(home), _LOCAL_TOKENS, _LOCAL_MOST, listen, own_domain, substitute)


def endpoint_writer(endpoint: Endpoint, listen: Listen | None = None, own_domain: Domain | None = None) -> ModelWriter:
    """A writer with the model of a server."""
    name = f"endpoint ({endpoint.model} at {endpoint.host})"
    return ModelWriter(name, endpoint, _ENDPOINT_TOKENS, _ENDPOINT_MOST, listen, own_domain)


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: SecretStr | None = None, listen: Listen | None = None
) -> ModelWriter | ExtractiveWriter:
    """The writer of `settings`, without loading its model. Raises ModelError if `local` has no run-time folder.

    home: the run-time folder, or None. listen: called with the text while a model writes it. The user did not choose
    by name the model that `auto` means, so its failure does not cost the answer.
    """
    own_domain, writer = domain(settings.domain), with_resolved_writer(settings, home).writer
    if writer == "local":
        substitute = ExtractiveWriter(models) if settings.writer == "auto" else None
        return local_writer(_required(home), listen, own_domain, substitute)
    if writer == "endpoint":
        return endpoint_writer(endpoint_of(settings, key), listen, own_domain)
    return ExtractiveWriter(models)


def stage_1_for(settings: Settings, home: Path | None = None, key: SecretStr | None = None) -> StageOne | None:
    """The judge of stage 1; None for the built-in rules."""
    if settings.stage_1 == "rules":
        return None
    return StageOne(*_judging(settings.stage_1, settings, home, key))


def judge_for(
    settings: Settings, home: Path | None = None, key: SecretStr | None = None, listen: Listen | None = None
) -> FactJudge | None:
    """The judge that checks facts and corrects answers; None if the settings name none."""
    if settings.judge == "none":
        return None
    return FactJudge(*_judging(settings.judge, settings, home, key), listen)


def _judging(name: str, settings: Settings, home: Path | None, key: SecretStr | None) -> tuple[JudgingModel, int]:
    """The model of the setting `name`, and its maximum characters of passages."""
    if name == "endpoint":
        return endpoint_of(settings, key), _ENDPOINT_JUDGE_MOST
    return qwen(_required(home)), _LOCAL_JUDGE_MOST


def _required(home: Path | None) -> Path:
    if home is None:
        raise ModelError("The language model local is kept in a library's folder; open a library, or choose another.")
    return home


def endpoint_of(settings: Settings, key: SecretStr | None = None) -> Endpoint:
    """The server and model of `settings`. Without `key`, the environment's key is used if it is for this server."""
    return Endpoint(
        url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
        seconds=settings.endpoint_seconds,
    )  # fmt: skip
