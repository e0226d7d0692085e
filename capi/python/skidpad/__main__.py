"""Runs the command: ``python -m skidpad``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._shipped import command


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit status. Studies run in Python."""
    if sys.argv[1:2] == ["study"]:
        from ._study_command import main as study

        return study(sys.argv[2:])
    if sys.argv[1:] == ["help", "study"]:
        from ._study_command import main as study

        return study(["--help"])
    if sys.argv[1:] in ([], ["help"], ["-h"], ["--help"]):
        status = subprocess.call([str(command()), *sys.argv[1:]])
        print("\nIn Python\n  study       show or continue a study of skidpad.study")
        return status
    program = str(command())
    if sys.platform == "win32":
        return subprocess.call([program, *sys.argv[1:]])
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
