"""The tests of the project. Those that ask without naming a writer mean the extractive one, on every computer."""

import os

from core.writers.writer_choice import VARIABLE

os.environ.setdefault(VARIABLE, "extractive")
