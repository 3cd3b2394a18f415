"""How the screens look: one picture of each in a small and in a large terminal."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.core.model import Judgment
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.demo import NAME, place_demo
from judge.judging.labels import SegmentWriter, read_labels, recorded
from judge.tui.app import JudgeApp
from judge.tui.screens.datasets import DatasetsScreen
from tests.tui.conftest import KEPT
from tests.tui.rig import ANNOTATOR, Rig

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Compare = Callable[[str, JudgeApp], None]

BEGUN = dt.datetime(2027, 3, 1, 8, tzinfo=dt.UTC)
SMALL, LARGE, README = (80, 24), (160, 45), (120, 34)
HALF_DONE, UNTOUCHED = ("q02", "q17"), ("q18", "q19", "q20")
OTHER = "maria"
ELSEWHERE = "/data/library"
SHOWN = ("judging", "scores")
"""The scenes that the README shows."""
LINKS = {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
"""A namespace, and a remark on who drew it: neither is loaded."""

SCENES: dict[str, tuple[bool, str, str]] = {
    "judging": (True, "j j", "Orange"),
    "judging-graded": (True, "v", "graded"),
    "judging-evidence": (True, "e j", "evidence"),
    "queries": (True, "q", "judged"),
    "scores": (True, "m }", "a bm25"),
    "scores-pairs": (True, "m tab", "languages"),
    "scores-worst": (True, "m tab tab tab", "worst:"),
    "agreement": (True, "q a", "to settle"),
    "datasets": (False, "", "187"),
    "help": (True, "?", "Judge"),
    "settings": (True, "comma", "theme"),
    "form": (False, "x", "format"),
}
"""Whether the demo is opened at once, the keys that lead there, and what is seen there."""
PANELS = ("scores-pairs", "scores-worst")
"""What a large terminal shows beside all others, so in the picture of all."""


def one_off(grade: int, place: int) -> int:
    """A grade as somebody gives it who differs by one at times, and once in a while by three."""
    if place % 29 == 17:
        return 3 - grade
    return min(3, grade + 1) if place % 7 == 3 else max(0, grade - 1) if place % 11 == 5 else grade


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo in `library`, judged by two people for the most part."""
    above = tmp_path_factory.mktemp("pictures")
    workspace = Workspace(above / "library")
    place_demo(workspace)
    folder = workspace.label_folder(NAME)
    gold = {(e.query_id, e.doc_id): e.grade or 0 for e in read_labels(folder, NAME).events}
    pool = Dataset.open(workspace, NAME).candidates()
    pairs = [(query_id, found.doc_id) for query_id in sorted(pool) for found in pool[query_id]]
    for shift, annotator in enumerate((ANNOTATOR, OTHER)):
        given = []
        for place, (query_id, doc_id) in enumerate(pairs):
            is_open = query_id in UNTOUCHED or (query_id in HALF_DONE and place % 2)
            if not is_open:
                grade = one_off(gold.get((query_id, doc_id), 0), place + 5 * shift)
                given.append(Judgment(query_id, doc_id, grade, not grade and place % 4 == 0))
        session = f"{BEGUN:%Y%m%dT%H%M%SZ}-{shift:08x}"
        SegmentWriter(folder / annotator, NAME, session).append_batch(
            recorded(given, annotator=annotator, source="human", session=session, at=BEGUN)
        )
    return above


def is_at_rest(rig: Rig) -> bool:
    """Whether all that a screen waits for is there."""
    app = rig.app
    working = [*app.workers, *app.screen.workers]
    waits = ("measuring", "comparing", "counting", "opening")
    return not any(w.is_running for w in working) and not any(w in rig.text for w in waits)


def look(
    demo: Path,
    scene: str,
    sizes: Sequence[tuple[int, int]],
    seen: Callable[[Rig, tuple[int, int]], None],
) -> None:
    """Go to a scene, and look at it in some sizes."""
    is_open, keys, wanted = SCENES[scene]

    async def run() -> None:
        app = JudgeApp(
            Workspace(Path("library")),
            dataset=NAME if is_open else None,
            annotator=ANNOTATOR,
            clock=lambda: BEGUN + dt.timedelta(days=3),
            config=Path("settings"),
        )
        async with app.run_test(size=SMALL) as pilot:
            rig = Rig(app, pilot)
            await rig.see("candidates" if is_open else "187")
            for key in keys.split():
                await rig.press(key)
                await rig.until(lambda: is_at_rest(rig), 20)
            await rig.see(wanted)
            for size in sizes:
                await pilot.resize_terminal(*size)
                await rig.settle()
                await rig.until(lambda: is_at_rest(rig), 20)
                await rig.settle()
                seen(rig, size)

    with contextlib.chdir(demo):
        asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_every_screen_small_and_large(
    demo: Path, scene: str, compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DatasetsScreen, "_place", lambda _: ELSEWHERE)  # not that of this run
    monkeypatch.delenv("NO_COLOR", raising=False)
    sizes = [SMALL, *([] if scene in PANELS else [LARGE]), *([README] if scene in SHOWN else [])]
    look(demo, scene, sizes, lambda rig, size: compare(f"{scene}-{size[0]}x{size[1]}", rig.app))


def test_what_is_too_small_says_so(
    demo: Path, compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    look(demo, "judging", [(59, 19)], lambda rig, _: compare("too-small-59x19", rig.app))


def test_a_picture_loads_nothing_and_tells_no_path() -> None:
    kept = sorted(KEPT.glob("*.svg"))
    assert len(kept) == 2 * len(SCENES) - len(PANELS) + len(SHOWN) + 1
    for picture in kept:
        text = picture.read_text("utf-8")
        assert set(re.findall(r"https?://[^\"\s]+", text)) <= LINKS, picture.name
        for sign in (
            "@import",
            "@font-face",
            "href",
            "<image",
            "<script",
            "/tmp",
            "/home",
            "/root",
        ):
            assert sign not in text, picture.name
