"""The screen where documents are judged; nothing but its name is known here."""

from judge.tui.screens.judging.screen import JudgingScreen

__all__ = ["JudgingScreen"]
