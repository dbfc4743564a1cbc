"""Rows are measured once: a command that is started again reads what is stored, and only adds what is missing."""

from core.case import Trace
from core.graph.rounds import measure
from core.lab.figures.trace_files import measure_and_store
from core.reply.serialization import dumps
from core.thresholds import Preset

ROWS = [{"query": "What is a list?", "id": "a"}, {"query": "What is a number?"}]
PRESETS = [Preset(), Preset(name="other")]


class Explorer:
    """Measures one round for a question, and a second one for any preset but the first."""

    def __init__(self, case, models):
        self.case, self.models, self.asked, self.completed = case, models, [], []

    def ask(self, question, preset):
        self.asked.append((question.query, preset.name))
        return Trace(question=question, rounds=(measure("first", self.case, self.models),)), None

    def complete(self, trace, preset):
        if preset.name != "other" or len(trace.rounds) > 1:
            return trace
        self.completed.append(trace.question.query)
        return Trace(question=trace.question, rounds=(*trace.rounds, *trace.rounds))


def test_a_row_is_asked_once_and_a_stored_trace_gets_the_rounds_that_it_lacks(make_case, models, tmp_path):
    explorer = Explorer(make_case("An arithmetic progression is a list of numbers."), models)
    (first,) = measure_and_store(ROWS[:1], explorer, PRESETS[:1], tmp_path / "traces")
    assert explorer.asked == [("What is a list?", "as_printed")] and len(first.trace.rounds) == 1
    both = list(measure_and_store(ROWS, explorer, PRESETS, tmp_path / "traces"))
    assert [query for query, _ in explorer.asked] == [row["query"] for row in ROWS] == explorer.completed
    assert [case.row for case in both] == ROWS and [len(case.trace.rounds) for case in both] == [2, 2]
    again = list(measure_and_store(ROWS, None, PRESETS[:0], tmp_path / "traces"))
    assert [dumps(case.trace) for case in again] == [dumps(case.trace) for case in both]
    assert sorted(path.name for path in (tmp_path / "traces").iterdir()) == ["1.json.gz", "a.json.gz"]
