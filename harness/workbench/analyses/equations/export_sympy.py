#
# Each function takes states x, inputs u and parameters p. Each of the three is a sequence in the order of the tables
# below, a dict of some values, or missing. Missing values are in the tables. With numbers, the functions return NumPy
# arrays, or lists where NumPy is not installed. With an expression of SymPy anywhere in x, u or p, they return a Matrix
# of SymPy.
import bisect
import functools
import math

try:
    import numpy
except ImportError:
    numpy = None


class _Numbers:
    """Functions of numbers."""

    if numpy:
        sin, cos, tan, asin, atan, atan2 = numpy.sin, numpy.cos, numpy.tan, numpy.arcsin, numpy.arctan, numpy.arctan2
        sqrt, exp, log, tanh, abs = numpy.sqrt, numpy.exp, numpy.log, numpy.tanh, numpy.abs
        max, min, given = numpy.maximum, numpy.minimum, numpy.float64
    else:
        sin, cos, tan, asin, atan, atan2 = math.sin, math.cos, math.tan, math.asin, math.atan, math.atan2
        sqrt, exp, log, tanh, abs, max, min, given = math.sqrt, math.exp, math.log, math.tanh, abs, max, min, float

    @staticmethod
    def sign(x):
        return int(x > 0) - int(x < 0)

    @staticmethod
    def step(x):
        return int(x > 0)

    @staticmethod
    def where(c, x):
        return x if c > 0 else 0

    @classmethod
    def clamp(cls, x):
        return cls.max(-1, cls.min(1, x))

    @staticmethod
    def piece(points, x):
        """How many of the points are not above x."""
        return bisect.bisect_right(points, x)

    @staticmethod
    def number(values, place):
        return values[int(max(0, min(len(values) - 1, place)))]

    @staticmethod
    def matrix(rows, height, width):
        return numpy.array(rows, dtype=float).reshape(height, width) if numpy else rows

    @staticmethod
    def vector(values):
        return numpy.array(values, dtype=float) if numpy else values

    @staticmethod
    def solve(a, b):
        """The solution of a x = b, by elimination with pivots."""
        n = len(b)
        a = [[float(v) for v in row] + [float(r)] for row, r in zip(a, b)]
        for k in range(n):
            best = max(range(k, n), key=lambda i: abs(a[i][k]))
            a[k], a[best] = a[best], a[k]
            for i in range(k + 1, n):
                factor = a[i][k] / a[k][k]
                if factor:
                    a[i] = [r - factor * t for r, t in zip(a[i], a[k])]
        x = [0.0] * n
        for k in reversed(range(n)):
            x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
        return x


@functools.cache
def _symbols():
    """Functions of expressions of SymPy."""
    import sympy

    class Symbols:
        sin, cos, tan, asin, atan, atan2 = sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.atan, sympy.atan2
        sqrt, exp, log, tanh, abs, sign = sympy.sqrt, sympy.exp, sympy.log, sympy.tanh, sympy.Abs, sympy.sign
        max, min, given = sympy.Max, sympy.Min, sympy.sympify

        @staticmethod
        def step(x):
            return sympy.Piecewise((1, x > 0), (0, True))

        @staticmethod
        def where(c, x):
            return sympy.Piecewise((x, c > 0), (0, True))

        @staticmethod
        def clamp(x):
            return sympy.Max(-1, sympy.Min(1, x))

        @staticmethod
        def piece(points, x):
            return sympy.Piecewise(*[(i, x < point) for i, point in enumerate(points)], (len(points), True))

        @staticmethod
        def number(values, place):
            last = len(values) - 1
            return sympy.Piecewise(*[(values[i], place < i + 1) for i in range(last)], (values[last], True))

        @staticmethod
        def matrix(rows, height, width):
            return sympy.Matrix(height, width, [v for row in rows for v in row])

        @staticmethod
        def vector(values):
            return sympy.Matrix(len(values), 1, values)

        @staticmethod
        def solve(a, b):
            return list(sympy.Matrix(a).LUsolve(sympy.Matrix(b)))

        @staticmethod
        def returned(names):
            return [sympy.Symbol(name) for name in names]

    return Symbols


def _given(x, u, p):
    """States, inputs and parameters by name, and the functions for them."""
    tables = [_table(states, x, "states"), _table(inputs, u, "inputs"), _table(parameters, p, "parameters")]
    symbolic = any(hasattr(v, "free_symbols") for table in tables for v in table.values())
    m = _symbols() if symbolic else _Numbers
    return *({name: m.given(v) for name, v in table.items()} for table in tables), m


def _listed(column):
    return list(column)


def _solve(m, mass, directions, forces, asked, slack):
    """p' and f of M p' + CT f = b, C p' - slack f = e."""
    n, k = len(speeds), len(constraints)
    mass, directions, slack = _rows(mass, n), _rows(directions, n), _rows(slack, k)
    upper = [mass[i] + directions[i] for i in range(n)]
    lower = [[directions[i][j] for i in range(n)] + [-s for s in slack[j]] for j in range(k)]
    return m.solve(upper + lower, _listed(forces) + _listed(asked))


def _rows(matrix, height):
    """Lists of the rows of an array, a list of lists, or a Matrix."""
    return [list(matrix[i, :]) if hasattr(matrix, "shape") else list(matrix[i]) for i in range(height)]
