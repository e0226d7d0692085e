"""Studies from the command line: ``skidpad study status PLACE``, ``skidpad study resume PLACE``."""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import multiprocessing
import sys
from collections.abc import Sequence

from . import _study
from ._library import Error


def main(arguments: Sequence[str]) -> int:
    """Runs the command, and returns its exit status."""
    parser = argparse.ArgumentParser(prog="skidpad study", description="Shows or continues a study.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    status = verbs.add_parser("status", help="show the progress of a study, which may run anywhere")
    resume = verbs.add_parser(
        "resume",
        help="continue a study",
        description="Continues a study. The function of its runs is taken from its place: resume only studies that you "
        "trust.",
    )
    resume.add_argument(
        "--workers", type=int, default=0, help="number of processes; default: one chunk after the other"
    )
    for verb in (status, resume):
        verb.add_argument("place", help="folder or address of the study, the argument out of skidpad.study")
    given = parser.parse_args(arguments)
    try:
        if given.verb == "status":
            print(_study.study_progress(given.place))
            return 0
        pool = None
        if given.workers:
            spawn = multiprocessing.get_context("spawn")
            pool = functools.partial(concurrent.futures.ProcessPoolExecutor, given.workers, spawn)
        print(_study.resume_study(given.place, pool).wait().progress)
        return 0
    except Error as error:
        print(f"skidpad study: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
