"""A real browser, and pages opened in it that tell everything they do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog, Page, Route

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
]
PATIENCE = 5_000
"""Milliseconds after which what should have happened has not."""

VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


@dataclass
class Opened:
    """A page and what it did: requests, messages on the console, errors, dialogs."""

    page: Page
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def wait(self, expression: str) -> None:
        """Wait until something is true; the page itself may not, as its policy forbids eval."""
        for _ in range(PATIENCE // 20):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it never came to be: {expression}")

    @property
    def violations(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.violations")
        return found


@dataclass(frozen=True)
class Viewer:
    """Opens files."""

    browser: Browser
    folder: Path

    def show(
        self,
        text: str,
        *,
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        script: bool = True,
    ) -> Opened:
        file = self.folder / "report.html"
        file.write_text(text, "utf-8")
        context = self.browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
            java_script_enabled=script,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        opened = Opened(context.new_page())

        def pass_on(route: Route) -> None:
            opened.requests.append(route.request.url)
            if route.request.url == file.as_uri():
                route.continue_()
            else:
                route.abort()

        def close(dialog: Dialog) -> None:
            opened.dialogs.append(dialog.message)
            dialog.dismiss()

        context.route("**/*", pass_on)
        opened.page.on("console", lambda message: opened.messages.append(message.text))
        opened.page.on("pageerror", lambda error: opened.messages.append(str(error)))
        opened.page.on("dialog", close)
        opened.page.add_init_script(VIOLATIONS)
        opened.page.goto(file.as_uri())
        return opened


# While it is there an event loop runs in this thread, and the tests of the screens need their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser to look with: {CHROMIUM} is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def viewer(browser: Browser, tmp_path: Path) -> Iterator[Viewer]:
    yield Viewer(browser, tmp_path)
    for context in browser.contexts:
        context.close()
