"""The only import of OpenVINO, without its telemetry."""

import sys
from typing import Any

# On import, OpenVINO and NNCF would send a permanent id of this computer to an analytics host. Both do without the
# telemetry module if it cannot be imported.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402

__all__ = ["genai", "openvino"]


def genai() -> Any:
    """The module openvino_genai, which runs language models. Raises ImportError if `local` is not installed."""
    import openvino_genai

    return openvino_genai
