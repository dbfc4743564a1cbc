"""The guardrail without any page: asking, measuring, deciding and storing."""

import os

# ONNX Runtime would report loaded models to its vendor under a permanent id of this computer. It reads this variable
# once per process, at start; with it, neither the id nor its folder is created.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
