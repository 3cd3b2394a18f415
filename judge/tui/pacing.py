"""What is said of the pace of judging, in words and as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.judging.session import Pace

INDENT = 18


def duration(seconds: float) -> str:
    """Say how long something takes, as exactly as matters.

    >>> [duration(s) for s in (7.4, 61, 3540, 5400, 400_000)]
    ['7 s', '1 min', '59 min', '1 h 30 min', '111 h']
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours < 10 and rest else f"{hours:,} h"


def pace_facts(pace: Pace) -> str:
    """Say the pace for the header; empty while it is unknown.

    >>> from judge.judging.session import Pace
    >>> pace_facts(Pace(8.6, 5400.0))
    '9 s each   1 h 30 min left   '
    """
    each = f"{pace.median:.0f} s each   " if pace.median is not None else ""
    return each + (f"{duration(pace.left)} left   " if pace.left else "")
