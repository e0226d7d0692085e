"""Runs blocks of code in one namespace. Reads a JSON object for each from standard input, with the
place of the block, the file for what it prints, and whether it may warn, and answers with true or false."""

import contextlib
import json
import os
import sys
import traceback
import warnings

answers = os.fdopen(os.dup(1), "w")
namespace = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    with open(block["output"], "w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    good = True
    try:
        # Empty lines before the code, so that faults have the lines of the page.
        program = compile("\n" * (block["line"] - 1) + block["code"], block["page"], "exec")
        with warnings.catch_warnings(action="always") if block["warns"] else contextlib.nullcontext():
            exec(program, namespace)
    except BaseException:
        good = False
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    print(json.dumps(good), file=answers, flush=True)
