"""What every key of every screen must do: what is looked at, and what it must be afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.widgets import Input

from judge.tui.screens.agreement import AgreementScreen
from judge.tui.screens.judging import JudgingScreen
from judge.tui.screens.paging import Paging
from judge.tui.screens.scores import ScoresScreen
from judge.tui.screens.tasks import TaskScreen
from judge.tui.widgets.board import Board
from judge.tui.widgets.graded import Graded
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.tui.rig import Rig


class Effect(NamedTuple):
    """What a key must do.

    Attributes:
        look: Gives what the key is to change.
        wanted: What that is afterwards: a value, or a test of (before, after).
        before: Keys that are pressed first.
    """

    look: Callable[[Rig], Any]
    wanted: Any
    before: tuple[str, ...] = ()


# -- what may be looked at


def screen(rig: Rig) -> str:
    return type(rig.app.screen).__name__ if rig.app.is_running else "left"


def top(rig: Rig) -> int:
    assert isinstance(rig.app.screen, Paging)
    return rig.app.screen.read_pane.top


def row(rig: Rig) -> int:
    return rig.app.screen.query_one(Rows).cursor


def theme(rig: Rig) -> str:
    return str(rig.app.theme)


def typing(rig: Rig) -> bool:
    return isinstance(rig.app.focused, Input)


def card(rig: Rig) -> tuple[str, int]:
    """Query and position of the card."""
    assert rig.app.session is not None
    shown = rig.app.session.card
    assert shown is not None
    return shown.query.id, shown.position


def query(rig: Rig) -> str:
    return card(rig)[0]


def first_state(rig: Rig) -> tuple[str, int | None, bool, bool]:
    """State of the first candidate of the query: kind, grade, hard negative, flagged."""
    assert rig.app.session is not None
    state = rig.app.session.rows()[0].state
    return state.kind, state.grade, state.hard_negative, state.flagged


def grades(rig: Rig) -> list[int | None]:
    assert rig.app.session is not None
    return [row.state.grade for row in rig.app.session.rows()]


def board(rig: Rig) -> Board:
    assert isinstance(rig.app.screen, JudgingScreen)
    return rig.app.screen.board


def reading(rig: Rig) -> bool:
    return board(rig).is_reading


def mode(rig: Rig) -> str:
    assert isinstance(rig.app.screen, JudgingScreen)
    return type(rig.app.screen._mode).__name__


def evidence(rig: Rig) -> int:
    return len(board(rig).evidence)


def cursor(rig: Rig) -> int | None:
    return board(rig).document.cursor


def beside(rig: Rig) -> bool:
    return board(rig).is_beside


def graded_row(rig: Rig) -> int:
    return rig.app.screen.query_one(Graded).cursor


def status(rig: Rig) -> str:
    return rig.text


def says(text: str) -> Callable[[Rig], bool]:
    return lambda rig: text in rig.text


def docket(rig: Rig) -> Any:
    assert isinstance(rig.app.screen, AgreementScreen)
    return rig.app.screen.docket


def docket_board(rig: Rig) -> Any:
    assert isinstance(rig.app.screen, AgreementScreen)
    return rig.app.screen.board


def dispute(rig: Rig) -> int:
    return int(docket(rig).cursor)


def final(rig: Rig) -> tuple[int | None, bool]:
    """The final grade of the first disagreement, and its mark."""
    found = docket(rig).final(0)
    return (None, False) if found is None else (found.grade, found.hard_negative)


def scores(rig: Rig) -> ScoresScreen:
    assert isinstance(rig.app.screen, ScoresScreen)
    return rig.app.screen


def active(rig: Rig) -> str:
    return scores(rig)._active


def line(rig: Rig) -> tuple[int, int]:
    panel = scores(rig).panel(active(rig))
    return panel.cursor, panel.top


def chosen(what: str) -> Callable[[Rig], Any]:
    def look(rig: Rig) -> Any:
        view = scores(rig)._view
        assert view is not None
        return getattr(view.choice, what)

    return look


def blank(rig: Rig) -> str:
    assert isinstance(rig.app.screen, TaskScreen)
    found = rig.app.screen.form.current
    assert found is not None
    return rig.app.screen.form.values[found.name]


def other(before: object, after: object) -> bool:
    return before != after


def more(before: int, after: int) -> bool:
    return after > before


def less(before: int, after: int) -> bool:
    return after < before


# -- what each key must do

TO_TEXT_END = ("G",)
REPORT = ("enter", *"bad", "enter", "j", "j", "j", "j", "enter")
"""Imports a folder with many faults."""
READ = {
    "page_down": Effect(top, more),
    "page_up": Effect(top, less, TO_TEXT_END),
    "half_down": Effect(top, more),
    "half_up": Effect(top, less, TO_TEXT_END),
    "top": Effect(top, 0, TO_TEXT_END),
    "bottom": Effect(top, more),
}
APP = {
    "theme": Effect(theme, other),
    "settings": Effect(screen, "SettingsScreen"),
    "help": Effect(screen, "HelpScreen"),
}
LIST = {
    "next": Effect(row, 1),
    "previous": Effect(row, 0, ("j",)),
    "page_down": Effect(row, more),
    "page_up": Effect(row, 0, ("j",)),
    "half_down": Effect(row, more),
    "half_up": Effect(row, 0, ("j",)),
    "top": Effect(row, 0, ("G",)),
    "bottom": Effect(row, 2),
}
JUDGING: dict[str, Effect] = {
    **READ,
    **APP,
    "hard_negative": Effect(first_state, ("graded", 0, True, False)),
    "skip": Effect(first_state, ("skipped", None, False, False)),
    "cannot_judge": Effect(mode, "Question"),
    "flag": Effect(first_state, ("unjudged", None, False, True)),
    "note": Effect(typing, True),
    "evidence": Effect(mode, "Marking"),
    "same": Effect(grades, [3, 3, None, None], ("3",)),
    "rest": Effect(query, "q2", ("3",)),
    "undo": Effect(first_state, ("unjudged", None, False, False), ("3",)),
    "redo": Effect(first_state, ("graded", 3, False, False), ("3", "u")),
    "clear": Effect(first_state, ("unjudged", None, False, False), ("3", "k")),
    "next": Effect(card, ("q1", 1)),
    "previous": Effect(card, ("q1", 0), ("j",)),
    "next_query": Effect(query, "q2"),
    "previous_query": Effect(query, "q1", ("]",)),
    "next_unfinished": Effect(query, "q2"),
    "previous_unfinished": Effect(query, "q1", ("}",)),
    "revisit": Effect(mode, "Question"),
    "find": Effect(typing, True),
    "next_hit": Effect(says("hit 2 of"), True, ("/", *"text", "enter")),
    "previous_hit": Effect(says("hit 1 of"), True, ("/", *"text", "enter", "n")),
    "whole": Effect(status, other),
    "view": Effect(mode, "Viewing", ("3",)),
    "zoom": Effect(says("candidates"), False),
    "scores": Effect(screen, "ScoresScreen"),
    "guidelines": Effect(reading, True),
    "pace": Effect(reading, True),
    "back": Effect(screen, "QueriesScreen"),
}
EVIDENCE: dict[str, Effect] = {
    **READ,
    "whole": Effect(status, other),
    "next": Effect(cursor, more),
    "previous": Effect(cursor, less, ("j", "j")),
    "mark": Effect(says("from this line on"), True),
    "passage": Effect(evidence, 1),
    "clear": Effect(evidence, 0, ("p",)),
    "top": Effect(cursor, 0, ("j", "j")),
    "bottom": Effect(cursor, more),
    "back": Effect(mode, "NoneType"),
}
GRADED: dict[str, Effect] = {
    **READ,
    "next": Effect(graded_row, 1),
    "previous": Effect(graded_row, 0, ("j",)),
    "open": Effect(beside, True),
    "whole": Effect(status, other),
    "back": Effect(mode, "NoneType"),
    "leave": Effect(mode, "NoneType", ("enter",)),
}
QUERIES: dict[str, Effect] = {
    **LIST,
    **APP,
    "open": Effect(screen, "JudgingScreen"),
    "next_unfinished": Effect(row, 1),
    "previous_unfinished": Effect(row, 0, ("}",)),
    "filter": Effect(typing, True),
    "scores": Effect(screen, "ScoresScreen"),
    "state": Effect(says("matching"), True),
    "jump": Effect(typing, True),
    "agreement": Effect(screen, "AgreementScreen"),
    "back": Effect(screen, "left"),
}
DATASETS: dict[str, Effect] = {
    **LIST,
    **APP,
    "open": Effect(screen, "QueriesScreen"),
    "import": Effect(screen, "ImportScreen"),
    "pool": Effect(screen, "PoolScreen"),
    "export": Effect(screen, "ExportScreen"),
    "back": Effect(screen, "left"),
}
HELP: dict[str, Effect] = {
    **READ,
    "line_down": Effect(top, 1),
    "line_up": Effect(top, 0, ("j",)),
    "theme": APP["theme"],
    "back": Effect(screen, "JudgingScreen"),
}
FORM: dict[str, Effect] = {
    **APP,
    **{name: effect._replace(before=(*REPORT, *effect.before)) for name, effect in READ.items()},
    "change": Effect(typing, True),
    "next": Effect(row, 1),
    "previous": Effect(row, 0, ("j",)),
    "other": Effect(blank, other, ("j", "j")),
    "other_before": Effect(blank, other, ("j", "j")),
    "back": Effect(screen, "DatasetsScreen"),
}
SETTINGS: dict[str, Effect] = {
    "other": Effect(lambda rig: rig.app.settings, other),
    "other_before": Effect(lambda rig: rig.app.settings, other),
    "next": Effect(row, 1),
    "previous": Effect(row, 0, ("j",)),
    "theme": APP["theme"],
    "back": Effect(screen, "JudgingScreen"),
}
AGREEMENT: dict[str, Effect] = {
    **READ,
    **APP,
    "accept": Effect(final, (3, False)),
    "hard_negative": Effect(final, (0, True)),
    "skip": Effect(dispute, 1),
    "note": Effect(typing, True, ("3", "k")),
    "undo": Effect(final, (None, False), ("3",)),
    "redo": Effect(final, (3, False), ("3", "u")),
    "clear": Effect(final, (None, False), ("3", "k")),
    "next": Effect(dispute, 1),
    "previous": Effect(dispute, 0, ("j",)),
    "next_unfinished": Effect(dispute, 1),
    "previous_unfinished": Effect(dispute, 0, ("j",)),
    "next_couple": Effect(lambda rig: docket(rig).couple, other),
    "previous_couple": Effect(lambda rig: docket(rig).couple, other),
    "whole": Effect(lambda rig: docket_board(rig).is_reading, True),
    "zoom": Effect(says("disagreements"), False),
    "figures": Effect(says("all figures"), True),
    "names": Effect(says("maria"), True),
    "back": Effect(screen, "QueriesScreen"),
}
SCORES: dict[str, Effect] = {
    **APP,
    "open": Effect(screen, "JudgingScreen", ("}",)),
    "next_panel": Effect(active, "pairs"),
    "previous_panel": Effect(active, "notes"),
    "next": Effect(line, (1, 0), ("tab", "tab", "tab")),
    "previous": Effect(line, (0, 0), ("tab", "tab", "tab", "j")),
    "page_down": Effect(line, (1, 0), ("tab", "tab", "tab")),
    "page_up": Effect(line, (0, 0), ("tab", "tab", "tab", "j")),
    "top": Effect(line, (0, 0), ("tab", "tab", "tab", "j")),
    "bottom": Effect(line, (1, 0), ("tab", "tab", "tab")),
    "system": Effect(chosen("first"), other),
    "other": Effect(chosen("second"), other),
    "measure": Effect(chosen("measure"), other),
    "by": Effect(chosen("by"), other),
    "next_query": Effect(chosen("query"), other),
    "previous_query": Effect(chosen("query"), other),
    "again": Effect(lambda rig: rig.app.live, other),
    "export": Effect(screen, "ExportScreen"),
    "back": Effect(screen, "QueriesScreen"),
}
EFFECTS: Mapping[str, dict[str, Effect]] = {
    "judging": JUDGING,
    "evidence": EVIDENCE,
    "graded": GRADED,
    "queries": QUERIES,
    "datasets": DATASETS,
    "help": HELP,
    "form": FORM,
    "settings": SETTINGS,
    "agreement": AGREEMENT,
    "scores": SCORES,
    "opening": {"back": Effect(screen, "DatasetsScreen")},
}
WAYS: Mapping[str, tuple[str, ...]] = {
    "evidence": ("e",),
    "graded": ("3", "2", "v"),
    "queries": ("q",),
    "help": ("?",),
    "form": ("i",),
    "settings": ("comma",),
    "agreement": ("q", "a"),
    "scores": ("q", "m"),
    "opening": ("G", "enter"),
}
"""The keys that lead to a screen, from the judging screen or, for the form, from the datasets."""
