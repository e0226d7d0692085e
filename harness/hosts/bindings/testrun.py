"""What tests of Python know of their run, as the Go package harness/tests/testrun tells those of Go.

SKIDPAD_TESTS is "all" in ./build.sh test all, "thinned" in ./build.sh test, and not set for a developer.
"""

import functools
import importlib.util
import os
import sys

SIZE = os.environ.get("SKIDPAD_TESTS", "")
if SIZE not in ("", "thinned", "all"):
    sys.exit(f'SKIDPAD_TESTS is "{SIZE}"; it must be "thinned", "all" or unset')


def either(few, full):
    """The first value in a thinned run, the second one in a full run."""
    return full if SIZE == "all" else few


def absent(*packages):
    """Which packages are missing, "" if none, and whether that is a fault: where ./build.sh or a server of continuous
    integration runs the tests, and SKIDPAD_WITHOUT, as in "pandas,pyarrow", does not name them."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    meant = set(missing) - set(os.environ.get("SKIDPAD_WITHOUT", "").split(","))
    text = f"{', '.join(missing)}: not installed; pip install it, or run ./build.sh test, which does"
    return missing and text or "", bool(meant and (SIZE or os.environ.get("CI")))


def requires(*packages):
    """For a test or a class of tests: they are skipped, or fail, where a package is missing."""

    def decorate(test):
        if isinstance(test, type):
            for name in filter(lambda name: name.startswith("test"), dir(test)):
                setattr(test, name, decorate(getattr(test, name)))
            return test

        @functools.wraps(test)
        def checked(self):
            text, fault = absent(*packages)
            if fault:
                self.fail(text)
            if text:
                self.skipTest(text)
            test(self)

        return checked

    return decorate


def module_requires(*packages):
    """The same for a program whose tests need a package from the first line on."""
    text, fault = absent(*packages)
    if text:
        print(("FAILED  " if fault else "skipped  ") + f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr)
        sys.exit(fault)
