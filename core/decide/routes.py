"""The names of the checks, rounds, kinds of turn, routes and stages that the decision flow knows, and its states."""

from typing import Literal, get_args

LAYERS = ("retrieval_score", "score_gap", "entailment", "hedging")
"""The checks of the three layers of source document C, in the order in which it asks them."""
SEARCHES = ("first", "refined 1", "refined 2")
"""Names of the rounds of a search in the order in which they are measured."""
RoundKey = tuple[str, str]
"""Key of a round: its name, and the name of the search that it corrects or rechecks, "" for a search."""
FIRST: RoundKey = (SEARCHES[0], "")
ROUND_KEYS: tuple[RoundKey, ...] = (
    *((search, "") for search in SEARCHES),
    *(("corrected", search) for search in SEARCHES),
    *(("rechecked", search) for search in SEARCHES),
)
"""Every round that can be measured. A cell names a round by its index here: the search n is n, what corrects it is
CORRECTED + n, what rechecks it RECHECKED + n."""
CORRECTED, RECHECKED = len(SEARCHES), 2 * len(SEARCHES)
NO_ROUND = -1

KINDS = ("question", "small_talk", "about_last_turn", "tool_result")
"""Kinds of turn."""

Route = Literal["deliver", "deliver_part", "deliver_corrected", "clarify", "refuse", "escalate"]
ROUTES: tuple[Route, ...] = get_args(Route)
SPLIT = len(ROUTES)
"""Code after the last route: each part of the question is decided by itself."""
NOWHERE = SPLIT + 1
"""Code of a cell whose route needs a round that was never measured."""
Stage = Literal[
    "turn", "clarity", "query checks", "draft", "stage 1", "answer checks", "correction", "stage 2", "parts"
]  # fmt: skip
"""The section of the flow in which a path ended."""
STAGES: tuple[Stage, ...] = get_args(Stage)

NOT_RUN, PASSED, FAILED, BROKE, WATCHED = range(5)
"""The result of a check; BROKE could not be measured. The flow reads it under the mode of the check: if a check does
not block, FAILED becomes WATCHED, and BROKE becomes NOT_RUN.
"""
RAN = (PASSED, FAILED, WATCHED)
"""The results of a check that has compared a value with a limit."""
