"""The language model `local` as an installed package and a file in a run-time folder, without its 1.1 GB.

`installed` puts packages of the real names on the import path, so that the model is looked for, verified, loaded and
run by the same code as the real one. Its runtime writes what the file of the model says.
"""

import hashlib
import importlib
import sys
from contextlib import contextmanager

from core.writers import qwen

BROKEN, ENDLESS = "BROKEN", "ENDLESS"
"""Files whose model raises, and whose model writes until it is ended."""
_RUNTIME = """
import time
from enum import Enum
from types import SimpleNamespace

StreamingStatus = Enum("StreamingStatus", "RUNNING STOP CANCEL")
GenerationFinishReason = Enum("GenerationFinishReason", "STOP LENGTH")


class LLMPipeline:
    def __init__(self, file, device):
        with open(file) as opened:
            self.text = opened.read()

    def get_tokenizer(self):
        return SimpleNamespace(apply_chat_template=lambda messages, add_generation_prompt: repr(messages))

    def get_generation_config(self):
        return SimpleNamespace()

    def generate(self, prompts, config, told):
        if self.text == "BROKEN":
            raise RuntimeError("out of memory")
        count, status = 0, StreamingStatus.RUNNING
        while status is StreamingStatus.RUNNING and (self.text == "ENDLESS" or count < len(self.text.split())):
            time.sleep(0.01 if self.text == "ENDLESS" else 0)
            status = told("more " if self.text == "ENDLESS" else self.text.split()[count] + " ")
            count += 1
        metrics = SimpleNamespace(get_num_generated_tokens=lambda: count)
        reasons = [GenerationFinishReason.STOP]
        return SimpleNamespace(finish_reasons=reasons, perf_metrics=metrics, scores=[-1.0])
"""


def write_packages(folder):
    """The packages that run the model, in `folder`."""
    for name in qwen._RUNTIME:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(_RUNTIME if name == "openvino_genai" else "")


def write_model(home, text):
    """The file of the model in the run-time folder `home`; its SHA256."""
    file = qwen.file_in(home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def imported_anew():
    """The packages on the import path count, whatever was imported before; all of it is forgotten at the end."""
    real = {name: sys.modules.pop(name) for name in qwen._RUNTIME if name in sys.modules}
    qwen.qwen.cache_clear()
    importlib.invalidate_caches()
    try:
        yield
    finally:
        for name in qwen._RUNTIME:
            sys.modules.pop(name, None)
        sys.modules.update(real)
        qwen.qwen.cache_clear()


@contextmanager
def installed(home, packages, monkeypatch, text, digest=""):
    """The model is installed and writes `text`. digest: what its file should have, its own unless said otherwise."""
    write_packages(packages)
    monkeypatch.syspath_prepend(packages)
    monkeypatch.setattr(qwen, "SHA256", digest or write_model(home, text))
    if digest:
        write_model(home, text)
    with imported_anew():
        yield
