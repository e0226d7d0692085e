"""Compares exported equations with the values of the tape: compare.py FOLDER CASES"""
import importlib
import json
import math
import sys

PARTS = ["M", "CT", "b", "e", "Phi", "Phi_dot", "h"]


def stand_in(results, m=math):
    """The function of tape_test.go in place of a tire function."""
    def function(*arguments):
        total = sum(v / (1 + m.fabs(v)) / (i + 1) for i, v in enumerate(arguments))
        return [100 * m.sin(k + 1 + total) for k in range(results)]
    return function


def off(got, want, scale):
    if math.isnan(want) or math.isinf(want):
        return 0.0 if str(got) == str(want) else math.inf
    return abs(got - want) / scale if scale else float(got != want)


def plain(value):
    """Lists of numbers."""
    if hasattr(value, "full"):
        value = value.full()
    return value.tolist() if hasattr(value, "tolist") else value


class Evaluated:
    """Exported equations for CasADi: functions of symbols, evaluated with numbers."""

    def __init__(self, equations, case):
        import casadi
        self.inputs = equations.inputs
        x, u = (casadi.SX.sym(name, len(table)) for name, table in (("x", equations.states), ("u", equations.inputs)))
        calls = {c["Name"]: stand_in(c["Results"], casadi) for c in case["Calls"]}
        for part in PARTS + ["rates"]:
            function = casadi.Function(part, [x, u], [getattr(equations, part)(x, u, None, calls)])
            setattr(self, part, self.evaluated(function))

    def evaluated(self, function):
        return lambda x, u, p, calls: function(x, list(u.values()) if u else [])


def main(folder, cases):
    sys.path.insert(0, folder)
    faults = 0
    worst = {}
    qr = False  # CasADi solves symbolic equations by QR without pivots
    with open(cases, encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        equations = importlib.import_module(case["File"])
        if hasattr(equations, "casadi"):
            equations, qr = Evaluated(equations, case), True
        calls = {c["Name"]: stand_in(c["Results"]) for c in case["Calls"]}
        for state in case["States"]:
            u = {name: state["U"][name] for name in equations.inputs}
            at = (state["X"] or [], u, None, calls)
            for part in PARTS:
                want = state["Parts"][part]
                got = plain(getattr(equations, part)(*at))
                if part not in ("M", "CT"):
                    want, got = [[r[0] for r in want]], [[r[0] if isinstance(r, list) else r for r in got]]
                assert len(got) == len(want), f"{case['File']} {part}: {len(got)} rows, not {len(want)}"
                most = max((abs(v) for row in want for v in row), default=0)
                for row, expected in zip(got, want):
                    assert len(row) == len(expected), f"{case['File']} {part}: {len(row)} columns, not {len(expected)}"
                    scale = max(map(abs, expected), default=0)
                    if scale < 1e-13 * most:  # rounding of a row of zeros
                        scale = most
                    for a, b in zip(row, expected):
                        error = off(float(a), b, scale)
                        worst[case["File"], part] = max(worst.get((case["File"], part), 0), error)
            got, want = plain(equations.rates(*at)), state["Rates"]
            got = [r[0] if isinstance(r, list) else r for r in got]
            assert len(got) == len(want)
            scale = max(map(abs, want), default=0)
            error = max((off(float(a), b, scale) for a, b in zip(got, want)), default=0)
            worst[case["File"], "rates"] = max(worst.get((case["File"], "rates"), 0), error)
    for (name, part), error in worst.items():
        if not error <= (1e-12 if part != "rates" else 1e-7 if qr else 1e-9):
            faults += 1
            print(f"{name} {part}: {error:.2g} of the largest of its row")
    print(f"{len(cases)} files, {sum(len(c['States']) for c in cases)} states; "
          f"worst {max(v for k, v in worst.items() if k[1] != 'rates'):.2g}, "
          f"of rates {max(v for k, v in worst.items() if k[1] == 'rates'):.2g}")
    return faults


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
