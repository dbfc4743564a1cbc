"""From the settings to the writer that writes, and to the model that stage 1 asks."""

from pathlib import Path
from typing import Any

from core.domains import domain
from core.models.endpoint import Endpoint
from core.models.endpoint_addresses import Key, key_for
from core.models.errors import ModelError
from core.models.listening import Listen
from core.models.llm_judge import EndpointStageOne
from core.models.llm_writers import EndpointWriter, LocalWriter, SmallWriter
from core.models.writers import ExtractiveWriter
from core.settings import Settings


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: Key | None = None, listen: Listen | None = None
) -> Any:
    """The writer that `settings` name. Loads nothing yet.

    home: the run-time folder, None where there is none. listen: told what a model writes while it writes.
    """
    house = domain(settings.domain)
    if settings.writer == "small":
        return SmallWriter(listen, house)
    if settings.writer == "local" and home is None:
        raise ModelError("The writer local keeps its model in a library's folder; open a library, or choose another.")
    if settings.writer == "local":
        return LocalWriter(home, listen, house)
    if settings.writer == "endpoint":
        return EndpointWriter(endpoint_of(settings, key), listen, house)
    return ExtractiveWriter(models)


def stage_1_for(settings: Settings, key: Key | None = None) -> EndpointStageOne | None:
    """Who is asked at stage 1; None for the built-in rules."""
    return EndpointStageOne(endpoint_of(settings, key)) if settings.stage_1 == "endpoint" else None


def endpoint_of(settings: Settings, key: Key | None = None) -> Endpoint:
    """The server and model of `settings`; without a key the environment's, where it is meant for this server."""
    return Endpoint(
        url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
        seconds=settings.endpoint_seconds,
    )  # fmt: skip
