"""The report as one HTML document that stands on its own.

`page` takes a `PageData` and gives the document. It is pure: reads no clock, no file but its own
style and script, and no network.
"""

from judge.scoring.html.data import PageData, Shown
from judge.scoring.html.page import page

__all__ = ["PageData", "Shown", "page"]
