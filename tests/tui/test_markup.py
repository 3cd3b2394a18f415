"""Strings that break other programs' screens, on every screen of ours: shown as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.model import Document, Query, Scale
from tests.tui.rig import Rig, drive, make

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

STRINGS = (
    "[/]",
    "[/foo] bar",
    "arr[i] = b[/usr/bin]",
    "[bold]x",
    "[[nsdate]]",
    "[red]r[/red]",
    "[0] [00] foo",
    "\\[x] end\\",
    "[@click=app.quit]here[/]",
    "[link=http://x]y",
    "[not a style]",
    "[",
    "]]]",
    "$primary {x}",
    "[on red]a[/on red]",
)


def test_markup_is_text_on_every_screen(workspace: Workspace) -> None:
    documents = [
        Document(id=f"d{string}", title=string, text=f"{string}\n{string}") for string in STRINGS
    ]
    queries = [
        Query(id=f"q{string}", text=string, description=string, language="en") for string in STRINGS
    ]
    labels = {0: STRINGS[0], 1: STRINGS[1], 2: STRINGS[2], 3: STRINGS[3]}
    guidelines = "\n\n".join(STRINGS)
    make(
        workspace,
        documents,
        queries,
        pools={f"q{string}": [f"d{string}"] for string in STRINGS},
        scale=Scale(labels=labels),
        guidelines=guidelines,
    )

    async def steps(rig: Rig) -> None:
        for number, string in enumerate(STRINGS):
            assert rig.card == (f"q{string}", f"d{string}")
            assert rig.text.count(string) >= 4  # query, need, list, title, text
            if number < 4:
                await rig.press("i")
                await rig.type(string)
                await rig.press("enter")
                await rig.see(f"note: {string}")
                await rig.press("3", "u")
                await rig.see(f"undone: grade 3 on d{string}")
            await rig.press("]")
        for screen, own in (("o", "guidelines"), ("?", "one screen back")):
            await rig.press(screen)
            await rig.see(own)  # the strings are on the screen below, too
            for string in STRINGS[:4]:
                await rig.see(string)
            await rig.press("escape")
        await rig.press("q")
        for string in STRINGS:
            await rig.see(string)
        for string in STRINGS[:6]:
            await rig.press("/", "ctrl+u")
            await rig.type(string)
            await rig.press("enter")
            await rig.see(f"queries matching {string}")

    drive(workspace, steps, size=(160, 45))
