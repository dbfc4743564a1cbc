"""OpenVINO, imported here and nowhere else, without the part of it that calls out."""

import sys

# On import it would post to a host of analytics, under an id of this computer that lasts; what cannot be imported
# is left out, by OpenVINO and by NNCF alike.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402

__all__ = ["openvino"]
