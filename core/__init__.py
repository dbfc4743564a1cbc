"""The guardrail without any page: what is asked, measured, decided and kept."""

import os

# ONNX Runtime would post to its makers which model was loaded where, under an id of this computer that lasts. It reads
# this once in a process, when it begins to work; neither the id nor its folder is made then.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
