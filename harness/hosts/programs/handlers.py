"""Group 3 in Python: handlers.py before|after FOLDER

faulthandler is enabled before the library is loaded, or after the first
instance; the drive is the same, faulthandler still works, and so does Ctrl-C.
"""

import faulthandler
import os
import signal
import sys
import tempfile
import time

import hostile


def main():
    order, folder = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    if order == "before":
        faulthandler.enable()
    fmu = hostile.Fmu(folder)
    rates = hostile.drive(fmu)
    if order == "after":
        faulthandler.enable()
    for _ in range(20):
        assert hostile.drive(fmu) == rates
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        assert b"handlers.py" in file.read()
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            time.sleep(0.01)
        raise AssertionError("SIGINT did not arrive")
    except KeyboardInterrupt:
        pass
    assert hostile.drive(fmu) == rates

    # A real fault of the host is faulthandler's: the child dies by it, with a traceback.
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 2)
        os.close(reading)
        faulthandler._sigsegv()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        report = file.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSEGV, (status, report)
    assert b"Fatal Python error: Segmentation fault" in report and b"handlers.py" in report, report
    hostile.figure(f"Python, faulthandler {order} the library, FMI {fmu.version}.0: 22 drives bit-equal, Ctrl-C works, "
                   "a fault of the host is reported by faulthandler")


if __name__ == "__main__":
    main()
