"""Evaluates exported equations with symbols, and compares with numbers: symbols.py FOLDER FILE..."""
import importlib
import random
import sys

import sympy


def main(folder, *files):
    sys.path.insert(0, folder)
    for name in files:
        equations = importlib.import_module(name)
        random.seed(name)
        x = {s: value[0] + 0.3 * random.gauss(0, 1) for s, value in equations.states.items()}
        symbols = {s: sympy.Symbol(s.replace(".", "_")) for s in x}
        parameters = {s: sympy.Symbol("p_" + s.replace(".", "_")) for s in equations.parameters}
        numbers = {symbols[s]: value for s, value in x.items()}
        numbers |= {parameters[s]: value[0] for s, value in equations.parameters.items()}
        for part in ("M", "CT", "b", "e", "Phi", "Phi_dot", "h"):
            function = getattr(equations, part)
            symbolic, want = function(symbols, None, parameters), function(x)
            assert isinstance(symbolic, sympy.MatrixBase), type(symbolic)
            got = symbolic.subs(numbers)
            want = sympy.Matrix(want) if len(want) else symbolic
            assert got.shape == want.shape, f"{name} {part}: {got.shape}, not {want.shape}"
            scale = max((abs(v) for v in want), default=0)
            for a, b in zip(got, want):
                assert abs(a - b) <= 1e-12 * scale, f"{name} {part}: {a}, not {b}"
        if name == "of_pendulum":
            rates = equations.rates(symbols, None, parameters)
            phi, g = symbols["joint.phi"], parameters["gravity_z"]
            length = 2 * parameters["arm.translation_z"]
            closed = {parameters["rod.inertia_transverse"]: parameters["rod.mass"] * length**2 / 12}
            # (m/3) l^2 phi'' = m g (l/2) sin(phi), with g and l along z
            assert sympy.simplify(rates[0].subs(closed) + 3 * g * sympy.sin(phi) / (2 * length)) == 0, rates[0]
    print(f"{len(files)} files with symbols")


if __name__ == "__main__":
    main(*sys.argv[1:])
