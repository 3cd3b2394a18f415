"""A terminal of our own: runs a program in a pty, keeps every byte it writes, reads the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

RUN = (
    "import sys; from pathlib import Path; from judge.core.workspace import Workspace;"
    " from judge.tui.app import run_app;"
    " sys.exit(run_app(Workspace(Path(sys.argv[1])), sys.argv[2] or None, sys.argv[3]))"
)
ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    """One program in a terminal of a given size; ends with it.

    Args:
        workspace: Folder of the workspace.
        dataset: What to open, or an empty string.
        size: Columns and rows.
        environment: Set for the program besides our own.
        program: Python to run in the place of judge.
        wrapper: A command that runs the program, such as one that takes a right away from it.
    """

    def __init__(
        self,
        workspace: Path,
        dataset: str,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        program: str = RUN,
        wrapper: Sequence[str] = (),
    ) -> None:
        columns, rows = size
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = bytearray()
        self._lock = threading.Lock()
        self._last = time.monotonic()
        self._code: int | None = None
        arguments = [*wrapper, sys.executable, "-c", program, str(workspace), dataset, "ann"]
        # The settings of whoever runs the tests are nobody's business.
        own = {"JUDGE_CONFIG": str(workspace.parent / "config"), **(environment or {})}
        self.pid, self._file = _start(arguments, size, own)
        self._gone = False
        self._reader = threading.Thread(target=self._pump, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end(signal.SIGKILL)
        self.hang_up()

    def _pump(self) -> None:
        while not self._gone:
            if not select.select([self._file], [], [], 0.05)[0]:
                continue
            try:
                data = os.read(self._file, 65536)
            except OSError:
                return
            if not data:
                return
            with self._lock:
                self.raw += data
                self._last = time.monotonic()
                self._stream.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        with self._lock:
            self._screen.resize(rows, columns)
        self._last = time.monotonic()
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def keys(self, text: str | bytes) -> None:
        """Write bytes as if typed, in one piece."""
        self._last = time.monotonic()
        os.write(self._file, text if isinstance(text, bytes) else text.encode())

    def hang_up(self) -> None:
        """Close the terminal under the program, as when its window is closed."""
        # While somebody waits in a read of it, a closed terminal stays open for the program.
        self._gone = True
        self._reader.join()
        os.close(self._file)

    @property
    def text(self) -> str:
        """What the screen shows."""
        with self._lock:
            return "\n".join(line.rstrip() for line in self._screen.display)

    def cells(self, row: int) -> list[str]:
        """Give the cells of a row; behind a wide character one is empty."""
        with self._lock:
            line = self._screen.buffer[row]
            return [line[column].data for column in range(self._screen.columns)]

    def wait(self, wanted: str, seconds: float = 15.0) -> None:
        """Wait until the screen shows something.

        Raises:
            AssertionError: It did not in time.
        """
        end = time.monotonic() + seconds
        while wanted not in self.text:
            assert time.monotonic() < end, f"no {wanted!r} on screen:\n{self.text}"
            time.sleep(0.01)

    def settle(self, quiet: float = 0.08, seconds: float = 5.0) -> None:
        """Wait until nothing has been written for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and time.monotonic() - self._last < quiet:
            time.sleep(0.004)

    def cpu_ms(self) -> float:
        """Give the CPU time of the program's main thread so far."""
        stat = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat").read_text(encoding="ascii")
        return int(stat.split()[0]) / 1e6

    def press(self, key: str) -> float:
        """Press a key, wait until all is quiet, and give the CPU time that it took in ms."""
        before = self.cpu_ms()
        self.keys(key)
        self.settle()
        return self.cpu_ms() - before

    def exit_code(self, seconds: float = 10.0) -> int:
        """Wait until the program has ended, and give its exit code.

        Raises:
            AssertionError: It did not end in time.
        """
        end = time.monotonic() + seconds
        while self._code is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self._code = os.waitstatus_to_exitcode(status)
            assert time.monotonic() < end, f"still running:\n{self.text}"
            time.sleep(0.01)
        return self._code

    def end(self, how: signal.Signals) -> None:
        """End the program if it still runs."""
        if self._code is None:
            os.kill(self.pid, how)
            _, status = os.waitpid(self.pid, 0)
            self._code = os.waitstatus_to_exitcode(status)


def _start(
    arguments: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]
) -> tuple[int, int]:
    """Start a program in a new pty without forking this process, which has threads."""
    columns, rows = size
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    everything = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    everything.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    pid = os.posix_spawnp(
        arguments[0],
        list(arguments),
        everything,
        file_actions=[(os.POSIX_SPAWN_DUP2, theirs, fd) for fd in (0, 1, 2)],
        setsid=True,
    )
    os.close(theirs)
    return pid, ours
