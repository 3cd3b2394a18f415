"""The screen of a workspace: its datasets, their size, and how far the annotator is in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judge.tui.actions import DATASETS, bindings
from judge.tui.screens.listing import Listing
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.datasets import DatasetRow, Datasets, columns
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Entry, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from judge.core.workspace import Workspace

EMPTY = (
    Entry("There is no dataset in this workspace yet.", "strong"),
    Entry(),
    Entry("makes a small dataset to try everything on", lead="judge demo", indent=34),
    Entry("brings your own collection", lead="judge import PATH --name NAME", indent=34),
    Entry("then draws the candidates to judge", lead="judge pool NAME --engine bm25", indent=34),
    Entry(),
)


class DatasetsScreen(Listing):
    """All datasets of the workspace."""

    ACTIONS = DATASETS
    BINDINGS: ClassVar = bindings("datasets", DATASETS)

    def __init__(self, workspace: Workspace, annotator: str) -> None:
        super().__init__()
        self._workspace, self._annotator = workspace, annotator
        self._notice = ""

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Bar("columns")
        yield Datasets("list")
        yield Sheet("reader")
        yield Bar("status")
        yield Bar("keys")

    @property
    def rows(self) -> Datasets:
        """The list."""
        return self.query_one("#list", Datasets)

    def on_mount(self) -> None:
        """Write what is said where there is nothing."""
        self.query_one("#reader", Sheet).say((*EMPTY, self._keys_told()))

    def on_screen_resume(self) -> None:
        """List the names at once and count anew: something may have been imported or judged."""
        self.rows.show_names(self._workspace.datasets())
        self.judge.count_datasets(self.rows.names)
        super().on_screen_resume()

    def counted(self, row: DatasetRow) -> None:
        """Show what was counted of one dataset."""
        self.rows.show_row(row)
        self._say_status()

    def say(self, notice: str) -> None:
        """Show a notice until something else happens."""
        self._notice = notice
        self._say_status()

    def redraw(self) -> None:
        """Say everything anew."""
        empty = self.rows.count == 0
        self.rows.display = not empty
        self.query_one("#reader").display = empty
        self.bar("header").say(
            Line(
                (Span(" judge  ", "accent"), Span(self._annotator, "strong")),
                (Span(f"{self._place()} ", "dim"),),
            )
        )
        self.query_one("#rule", Rule).say((Span("datasets", "strong"),))
        self.bar("columns").say(
            Line((Span("" if empty else columns(self.rows.name_width), "dim"),))
        )
        self._say_status()
        self.say_keys()

    def _keys_told(self) -> Entry:
        brings, draws = self.key_of("import"), self.key_of("pool")
        told = f"Here {brings} imports a collection, and {draws} draws the candidates of a dataset."
        return Entry(told)

    def _place(self) -> str:
        """Give the folder of the workspace, its end if all of it is too long."""
        place = str(self._workspace.root.absolute())
        room = max(10, self.size.width - len(self._annotator) - 14)
        return place if len(place) <= room else "…" + place[1 - room :]

    def _say_status(self) -> None:
        row = self.rows.current
        if self._notice:
            spans = [Span(f" {self._notice}", "warn")]
        elif row is None:
            spans = [Span(f" {self.key_of('back')} quits", "dim")]
        elif row.problem:
            root = f"{self._workspace.root}/"
            spans = [Span(f" {row.problem.replace(root, '')}", "warn")]
        else:
            spans = [Span(f" press {self.key_of('open')} to open ", "strong"), Span(row.name)]
        self.bar("status").say(Line(tuple(spans)))

    def _move(self, rows: int) -> None:
        super()._move(rows)
        self.say("")

    def action_open(self) -> None:
        """Open the current dataset."""
        row = self.rows.current
        if row is not None and not self.is_small:
            self._notice = ""
            self.judge.open_dataset(row.name)

    def action_import(self) -> None:
        """Bring a collection in."""
        self._open_task("import")

    def action_pool(self) -> None:
        """Draw candidates of the current dataset."""
        self._open_task("pool")

    def action_export(self) -> None:
        """Write the current dataset in another format."""
        self._open_task("export")

    def _open_task(self, task: str) -> None:
        row = self.rows.current
        if row is None and task != "import":
            self.say("there is no dataset yet")
        elif not self.is_small:
            self._notice = ""
            self.judge.open_task(task, row.name if row else "")
