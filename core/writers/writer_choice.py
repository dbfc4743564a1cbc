"""Chooses the writer and the language models by the settings. None of them is loaded here."""

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
from core.writers.llm_judge import LanguageModel
from core.writers.prompts import to_answer
from core.writers.qwen import qwen

log = logging.getLogger(__name__)

_TAKEOVER = "Sentences of the passages answer in the place of the language model on this computer."


class ModelWriter:
    """Writes fluent answers with citations, in which unsupported statements sound the same as supported ones.

    It takes time or money, so it writes only on demand. listen: called with the text while it is written. substitute:
    writes if the model fails or runs out of time; the draft then names it and says why.
    """

    on_demand = True

    def __init__(
        self, model: LanguageModel, listen: Listen | None = None, own_domain: Domain | None = None,
        substitute: ExtractiveWriter | None = None,
    ) -> None:  # fmt: skip
        self.name, self.substitute = model.writer_name, substitute
        self._model, self._listen, self._domain = model, listen, own_domain

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
        messages = to_answer(query, evidence, self._model.passage_characters, self._domain)
        completion = self._model.write(messages, self._model.answer_tokens, self._listen, manner)
        if must_end and not completion.in_time:
            raise ModelError(f"It did not end within {self._model.seconds:.0f} seconds.")
        return draft_of(completion, self.name)


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: SecretStr | None = None, listen: Listen | None = None
) -> ModelWriter | ExtractiveWriter:
    """The writer of `settings`. Raises ModelError if `local` has no run-time folder.

    home: the run-time folder, or None. listen: called with the text while a model writes it.
    """
    writer = with_resolved_writer(settings, home).writer
    if writer == "extractive":
        return ExtractiveWriter(models)
    # The user did not choose by name the model that `auto` means, so its failure does not cost the answer.
    substitute = ExtractiveWriter(models) if settings.writer == "auto" else None
    return ModelWriter(language_model(writer, settings, home, key), listen, domain(settings.domain), substitute)


def language_model(name: str, settings: Settings, home: Path | None, key: SecretStr | None = None) -> LanguageModel:
    """The language model that a setting names: `local`, or the server of `settings` for `endpoint`.

    Without `key`, the environment's key is used if it is for this server. Raises ModelError if `local` has no run-time
    folder.
    """
    if name == "endpoint":
        return Endpoint(
            url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
            seconds=settings.endpoint_seconds,
        )  # fmt: skip
    if home is None:
        raise ModelError("The language model local is kept in a library's folder; open a library, or choose another.")
    return qwen(home)
