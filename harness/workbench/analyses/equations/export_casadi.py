#
# Each function takes states x, inputs u and parameters p, numbers or expressions of CasADi. Each of the three is a
# vector in the order of the tables below, a dict of some values, or missing. Missing values are in the tables. The
# functions return matrices of CasADi.
import casadi


class _Functions:
    """Functions of expressions."""

    sin, cos, tan, asin, atan, atan2 = casadi.sin, casadi.cos, casadi.tan, casadi.asin, casadi.atan, casadi.atan2
    sqrt, exp, log, tanh, abs, sign = casadi.sqrt, casadi.exp, casadi.log, casadi.tanh, casadi.fabs, casadi.sign
    max, min = casadi.fmax, casadi.fmin

    @staticmethod
    def step(x):
        return x > 0

    @staticmethod
    def where(c, x):
        return casadi.if_else(c > 0, x, 0)

    @staticmethod
    def clamp(x):
        return casadi.fmax(-1, casadi.fmin(1, x))

    @staticmethod
    def piece(points, x):
        """How many of the points are not above x."""
        return sum(x >= point for point in points)

    @staticmethod
    def number(values, place):
        result = values[0]
        for i, value in enumerate(values[1:], 1):
            result = casadi.if_else(place >= i, value, result)
        return result

    @staticmethod
    def matrix(rows, height, width):
        if height == 0 or width == 0:
            return casadi.DM(height, width)
        return casadi.vertcat(*[casadi.horzcat(*row) for row in rows])

    @staticmethod
    def vector(values):
        return casadi.vertcat(*values) if values else casadi.DM(0, 1)


def _given(x, u, p):
    """States, inputs and parameters by name, and the functions for them."""
    return _table(states, x, "states"), _table(inputs, u, "inputs"), _table(parameters, p, "parameters"), _Functions


def _listed(column):
    """The elements of a vector of CasADi, or of a sequence."""
    return [column[i] for i in range(column.numel())] if hasattr(column, "numel") else list(column)


def _solve(m, mass, directions, forces, asked, slack):
    """p' and f of M p' + CT f = b, C p' - slack f = e."""
    if not speeds:
        return []
    upper = casadi.horzcat(mass, directions)
    lower = casadi.horzcat(directions.T, -slack)
    return _listed(casadi.solve(casadi.vertcat(upper, lower), casadi.vertcat(forces, asked)))
