"""The Dockerfile and the compose file, parsed."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
STEPS = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)", (ROOT / ".deploy" / "Dockerfile").read_text(), re.MULTILINE)
SERVICES = yaml.safe_load((ROOT / ".deploy" / "compose.yaml").read_text())["services"]
