"""Every value that a user's session holds between runs, declared once with its type, initial value and key.

A value is read and set as, for example, `FORM.question.value`, and its widget is drawn with `**FORM.question.kept`.
The value of a `Widget` survives a switch to another page.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from core.platform.quotas import Usage
from core.settings import Settings
from core.writers.endpoint_access import from_environment
from pages.components.shared.session_values import (
    CellChoice,
    Editor,
    Fold,
    Group,
    Outcome,
    Owned,
    PageNumber,
    Renewable,
    RowButton,
    Value,
    Widget,
)

if TYPE_CHECKING:  # a page imports what it alone needs
    from core.banks.open_bank import OpenBank
    from core.decide.sensitivity import Sensitivity
    from core.journal import DecisionRow
    from core.library import Document
    from core.thresholds import Preset
    from core.tuning.proposals import Proposal
    from pages.components.shared.session_types import AskedQuestion, Breaking, History, Import

DETAILS = ("Sentences", "Decision path", "Without the guardrail", "Break it")
"""The sections that explain a verdict; one is shown at a time."""
TABS = ("Bench", "Questions", "Run", "Diagnose")
"""The tabs of the Tune page."""
_DEFAULT = Settings()


class _Form(Group):
    """The question form; the key of each widget is the attribute's name."""

    question = Widget("")
    class_number = Widget(0)
    subject = Widget("")
    documents = Widget[Sequence[str]]([])
    pages = Widget("")
    answer_by = Widget("writer")
    pasted = Widget("")
    tool_result = Widget("")


class _ModelSettings(Group):
    """The settings that re-run the models. Each attribute is the value of one widget; its name is the key of the widget
    and mostly the name of the setting."""

    profile = Widget("bundled")
    writer = Widget(_DEFAULT.writer)
    patterns = Widget("")
    patterns_out = Widget[Sequence[str]]([])
    stage_1 = Widget("rules")
    judge = Widget("none")
    consensus = Widget(False)
    domain = Widget(_DEFAULT.domain)
    passages_fetched = Widget(_DEFAULT.passages_fetched)
    passages_read = Widget(_DEFAULT.passages_read)
    cosine_read = Widget(_DEFAULT.cosine_read)
    passages_rechecked = Widget(_DEFAULT.passages_rechecked)
    cosine_rechecked = Widget(_DEFAULT.cosine_rechecked)
    hybrid_share = Widget(_DEFAULT.hybrid_share)
    endpoint = Widget(from_environment()[0])
    endpoint_model = Widget(from_environment()[1])
    endpoint_key = Widget("")


class _Limits(Group):
    """The preset and how its limits are shown. The sliders and modes are in limits.py, since thresholds and checks
    declare them."""

    preset = Widget("default")
    all_box = Value(False, "all thresholds")
    """Whether the box with all thresholds is open."""
    search = Widget("", "search for a limit")
    pending: "Value[Preset | None]" = Value(None, "preset to take")
    history: "Value[History | None]" = Value(None, "history of the limits")
    file = Renewable[Any](None, "limits file")
    file_outcome = Outcome("outcome of a limits file")
    models_box = Value(False, "what re-runs the models")
    """Whether the box with the settings that re-run the models is open."""
    class_moves = Value[tuple[str, dict[str, tuple[Any, Any]]]](("", {}), "moves by the limits of a class")
    """The name of the preset that was selected then; and for each slider or mode that the limits of a class have moved,
    its values before and after the move."""
    class_outcome = Outcome()
    """Errors in reading the limits of a question's class; a new question is then not asked."""


class _Ask(Group):
    """The Ask page: the question on screen and what belongs to it."""

    current: "Value[AskedQuestion | None]" = Value(None, "asked")
    other_turns: "Value[tuple[AskedQuestion, ...]]" = Value((), "other turns")
    """The turns of the conversation that are not on screen, in order."""
    to_journal = Value(False, "to journal")
    """Whether the question was asked here, so that its decision belongs in the journal once it is made."""
    reopened = Value("")
    """A sentence on where a reopened question comes from: the history with the date of its decision, or a printed
    example."""
    borrowed = Value[tuple[dict[str, Any], dict[str, Any]]](({}, {}))
    """The form as an example filled it, and the values that it replaced; empty if no example is borrowed."""
    sensitivity: "Value[Sensitivity | None]" = Value(None)
    stopped = Value(False)
    write_now = Value(False, "write now")
    """True if a draft is requested. It stays True until the draft is written, so that an interrupted run requests it
    again."""
    breaking: "Value[Breaking | None]" = Value(None)
    opened = Value[tuple[int, int] | None](None)
    """The passage beside the answer, if one was chosen: the part of the question, from 1, or 0, and its index in the
    evidence."""
    passage_box = Value(False, "passage in words")
    detail = Widget[str | None](None, "details shown")
    """The open section; None if all are closed."""
    part = Value("", "part of the question")
    light = Value("", "open light")
    check = Value[str | None](None, "check")
    """The check whose limits are shown."""
    decision: "Value[DecisionRow | None]" = Value(None)
    """The decision on the question in the journal; None if it is not there."""
    more_box = Fold(False, "more options")
    presents = Value(False, "presenting")
    """Whether the presentation takes the place of the page."""
    step_presented = Value(0, "step presented")
    """The step of the presentation that is on screen, from 0."""
    edits_answer = Value(False)
    """Whether the field of a pasted answer is open again after the answer was judged."""


class _Library(Group):
    """The Library page."""

    reading = Value[str | None](None)
    """The id of the open document; None if none is open."""
    page = Widget(1, "reading page")
    passage = Value("", "marked passage")
    """The id of the passage that is marked alone on the page; "" if all that can be evidence are marked."""
    view = Value[str | None](None, "view of the text")
    files = Renewable[Sequence[Any]]((), "upload")
    drop_area = Value[Mapping[str, Any]]({}, "drop_anywhere")
    upload_class = Value[int | None](None, "upload class")
    upload_subject = Value("", "upload subject")
    uploads = Owned[list[int]](list, "numbers of the uploads")
    table = Editor({}, "table of documents")
    drawn: "Value[tuple[Document, ...]]" = Value((), "documents in the rows")
    """The documents that the table shows."""
    outcome = Outcome("outcome on the documents")
    open_button = RowButton(None, "open row")
    ask_button = RowButton(None, "ask row")
    try_button = RowButton(None, "try row")


class _Tune(Group):
    """The values of the Tune page; a bank is called a question set there."""

    tab = Value("Bench", "tab of Tune")
    last_tab = Value("Bench")
    """The tab that was open last, since Streamlit keeps that of the tabs only while they are drawn."""
    slice = Widget("All questions", "slice")
    pressed = Value[Mapping[str, Any]]({}, "picture risk")
    """The state of the curve on the bench, with the point that was pressed last."""
    view = Widget("Wrong outcomes", "view of Diagnose")
    bank = Widget("")
    opened_bank: "Value[OpenBank | None]" = Value(None)
    """The measured bank that this user opened last."""
    curve = Widget("confidence.min_confidence", "curve of")
    """Key of the threshold whose curve is drawn."""
    limits_at_curve = Value[dict[str, Any] | None](None)
    cost = Widget(5.0, "cost of a wrong answer")
    aim = Widget("cost")
    max_refused = Widget(10, "most refused")
    promised_percent = Widget(5, "promised percent")
    proposal: "Value[tuple[OpenBank, Proposal] | None]" = Value(None)
    outcome = Outcome("outcome on Tune")
    against = Widget("", "compared with")
    """The preset with which the current limits are compared; "" for the chosen one, PINNED for `pinned`."""
    pinned: "Value[Preset | None]" = Value(None, "pinned limits")
    new_bank = Value("", "new bank")
    new_box = Value(False, "box of a new set")
    table = Editor({}, "bank table")
    table_stamp = Value(("", 0, 0))
    """What the table of questions shows: the set, the index of the first row, and `SavedBanks.changed` of the set."""
    page = PageNumber(1, "page of")
    """For each long table, its page on screen."""
    cell_errors = Owned[list[str]](list)
    remove_button = RowButton(None, "remove row")
    removed_row = Value[tuple[str, dict[str, Any]] | None](None, "removed row")
    pasted = Value("", "pasted questions")
    pasted_label = Value("", "label of pasted questions")
    file = Renewable[Any](None, "bank file")
    column = Value("", "column of the file")
    """For each column of the file to import, the choice of what it holds; `Import` keeps what was chosen."""
    meaning = Value("", "meaning of the label")
    """For each label of that file, the choice of a label of ours."""
    pending_import: "Value[Import | None]" = Value(None, "import")
    file_outcome = Outcome()
    target = Renewable("", "import into")
    draft_book = Value("", "draft from")
    draft_box = Value(False, "drafting")
    drafts = Value[Sequence[dict[str, Any]]](())
    fact = Value("", "fact of")
    """For each draft, the fact that a right answer contains."""
    open_button = RowButton(None, "open")


class _JournalFilter(Group):
    """The filters of the History page."""

    reasons = Widget[Sequence[str]]([], "journal reasons")
    routes = Widget[Sequence[str]]([], "journal routes")
    class_number = Widget(0, "journal class")
    subject = Widget("", "journal subject")
    first = Widget[date | None](None, "journal first")
    last = Widget[date | None](None, "journal last")
    text = Widget("", "journal text")


class _History(Group):
    """The History page, and the decisions that this user made."""

    own = Owned[list[int]](list, "own decisions")
    recorded = Outcome()
    table = CellChoice({}, "decisions")
    selected = Value[int | None](None)
    called_wrong = Value[int | None](None)
    thumbs = Value[int | None](None)
    correction = Value[str | None](None, "should be")
    note = Value("", "note on")
    outcome = Outcome("outcome of a review")
    """The result of the last rating or note, for each decision."""
    drawer_outcome = Outcome("outcome of the drawer")
    """Why the decision in the drawer could not be opened."""
    waiting_outcome = Outcome("outcome of a waiting decision")
    """Why a decision that waits for a person could not be opened or marked as looked at."""
    more_box = Fold(False, "more filters")
    waiting_button = RowButton(None, "open waiting")
    done_button = RowButton(None, "attend")
    stores_questions = Value(True, "store questions")
    days = Value(0, "days stored")
    stored = Outcome()


class _Guide(Group):
    """The Guide page."""

    table = CellChoice({}, "gallery")
    selected_example = Value[tuple[str, str] | None](None)


class _Visit(Group):
    """The values of a visit: what its quotas count, and how far the current run of a page has come."""

    usage = Owned(Usage)
    has_visited = Value(False, "has visited")
    to_ask = Value(False, "turns to Ask")
    """True if a callback has opened a question on the Ask page."""
    is_routed = Value(False)
    is_initialized = Value(False)
    page = Value[str | None](None, "page on screen")


FORM, SETTINGS, LIMITS, ASK, LIBRARY = _Form(), _ModelSettings(), _Limits(), _Ask(), _Library()
TUNE, JOURNAL, HISTORY, GUIDE, VISIT = _Tune(), _JournalFilter(), _History(), _Guide(), _Visit()


@cache
def declared_widgets() -> tuple[Widget[Any], ...]:
    """The widgets of every group, also of groups in other modules."""
    return tuple(widget for group in Group.__subclasses__() for widget in group().widgets.values())
