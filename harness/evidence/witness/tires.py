"""Tires for the witness: contact of a thin disc on a flat road, slips, and the functions
Fiala, PAC2002 and stretched string, written from their published equations (Morency 2007,
chapters 3 and 4; Pacejka 2002) in the ISO tire axes of the wheel. SI units, radians."""

from math import asin, atan, copysign, cos, exp, hypot, pi, sin, sqrt, tan
import tomllib


def sgn(x):
    """The sign, with sgn(0) = +1."""
    return -1.0 if x < 0 else 1.0


def turned(omega):
    """The sign of a spin as the rolling resistance takes it: +1 for a wheel that rolls
    forward or stands."""
    return sgn(omega)


def fiala(p, fz, s, alpha, omega, gamma, vcx):
    """Fx, Fy, Mx, My, Mz of Fiala's model."""
    if fz <= 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    t = tan(alpha)
    comprehensive = min(1.0, hypot(s, t))
    limit = (p["mu0"] - comprehensive * (p["mu0"] - p["mu1"])) * fz
    if abs(s) < limit / (2 * p["CS"]):
        fx = p["CS"] * s
    else:
        fx = copysign(limit - limit * limit / (4 * abs(s) * p["CS"]), s)
    side = -1.0 if alpha < 0 else (1.0 if alpha > 0 else 0.0)
    if abs(alpha) < atan(3 * limit / p["Calpha"]):
        h = 1 - p["Calpha"] * abs(t) / (3 * limit)
        fy = -limit * (1 - h**3) * side
        mz = limit * p["D2"] * (1 - h) * h**3 * side
    else:
        fy, mz = -limit * side, 0.0
    return fx, fy, 0.0, -turned(omega) * p["Cr"] * fz, mz


def curve(b, c, d, e, x):
    """The sine of the Magic Formula."""
    bx = b * x
    return d * sin(c * atan(bx - min(e, 1.0) * (bx - atan(bx))))


def weight(b, c, e, x):
    """The cosine of the Magic Formula, with amplitude 1."""
    bx = b * x
    return cos(c * atan(bx - min(e, 1.0) * (bx - atan(bx))))


def within(p, name, x):
    """x, or the end of the range of the file beyond which it is."""
    return min(max(x, p.get(name + "min", x)), p.get(name + "max", x))


def pacejka02(p, fz, s, alpha, omega, gamma, vcx):
    """Fx, Fy, Mx, My, Mz of PAC2002."""
    if fz <= 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    fz = min(fz, p.get("Fzmax", fz))
    s, alpha, gamma = within(p, "S", s), within(p, "alpha", alpha), within(p, "gamma", gamma)
    fn = p["LFz0"] * p["Fz0"]
    df = (fz - fn) / fn
    # longitudinal, pure
    gx = gamma * p["Lgammax"]
    sx = s + (p["PHx1"] + p["PHx2"] * df) * p["LHx"]
    cx = p["PCx1"] * p["LCx"]
    dx = (p["PDx1"] + p["PDx2"] * df) * (1 - p["PDx3"] * gx**2) * p["Lmux"] * fz
    ex = (p["PEx1"] + p["PEx2"] * df + p["PEx3"] * df**2) * (1 - p["PEx4"] * sgn(sx)) * p["LEx"]
    kx = fz * (p["PKx1"] + p["PKx2"] * df) * exp(p["PKx3"] * df) * p["LKx"]
    svx = fz * (p["PVx1"] + p["PVx2"] * df) * p["LVx"] * p["Lmux"]
    fx0 = curve(kx / (cx * dx), cx, dx, ex, sx) + svx
    # lateral, pure
    gy = gamma * p["Lgammay"]
    shy = (p["PHy1"] + p["PHy2"] * df) * p["LHy"] + p["PHy3"] * gy
    ay = alpha + shy
    cy = p["PCy1"] * p["LCy"]
    muy = (p["PDy1"] + p["PDy2"] * df) * (1 - p["PDy3"] * gy**2) * p["Lmuy"]
    dy = muy * fz
    ey = (p["PEy1"] + p["PEy2"] * df) * (1 - (p["PEy3"] + p["PEy4"] * gy) * sgn(ay)) * p["LEy"]
    ky = p["PKy1"] * p["Fz0"] * sin(2 * atan(fz / (p["PKy2"] * fn))) * (1 - p["PKy3"] * abs(gy)) * p["LFz0"] * p["LKy"]
    by = ky / (cy * dy)
    svy = fz * ((p["PVy1"] + p["PVy2"] * df) * p["LVy"] + (p["PVy3"] + p["PVy4"] * df) * gy) * p["Lmuy"]
    fy0 = curve(by, cy, dy, ey, ay) + svy
    # combined
    bxa = p["RBx1"] * cos(atan(p["RBx2"] * s)) * p["LXalpha"]
    exa = p["REx1"] + p["REx2"] * df
    fx = fx0 * weight(bxa, p["RCx1"], exa, alpha + p["RHx1"]) / weight(bxa, p["RCx1"], exa, p["RHx1"])
    byk = p["RBy1"] * cos(atan(p["RBy2"] * (alpha - p["RBy3"]))) * p["LYkappa"]
    eyk = p["REy1"] + p["REy2"] * df
    shyk = p["RHy1"] + p["RHy2"] * df
    gyk = weight(byk, p["RCy1"], eyk, s + shyk) / weight(byk, p["RCy1"], eyk, shyk)
    dvyk = muy * fz * (p["RVy1"] + p["RVy2"] * df + p["RVy3"] * gamma) * cos(atan(p["RVy4"] * alpha))
    svyk = dvyk * sin(p["RVy5"] * atan(p["RVy6"] * s)) * p["LVykappa"]
    fy = gyk * fy0 + svyk
    # moments
    r0 = p["R0"]
    mx = r0 * fz * (p["QSx1"] * p["LVMx"] - p["QSx2"] * gamma + p["QSx3"] * fy / fn) * p["LMx"]
    v = abs(vcx / p["V0"])
    my = -turned(omega) * r0 * fz * (p["QSy1"] + p["QSy2"] * fx / fn + p["QSy3"] * v + p["QSy4"] * v**4) * p["LMy"]
    gz = gamma * p["Lgammaz"]
    at = alpha + p["QHz1"] + p["QHz2"] * df + (p["QHz3"] + p["QHz4"] * df) * gz
    ar = alpha + shy + svy / ky
    bt = (
        (p["QBz1"] + p["QBz2"] * df + p["QBz3"] * df**2)
        * (1 + p["QBz4"] * gz + p["QBz5"] * abs(gz))
        * p["LKy"]
        / p["Lmuy"]
    )
    ct = p["QCz1"]
    dt = fz * (p["QDz1"] + p["QDz2"] * df) * (1 + p["QDz3"] * gz + p["QDz4"] * gz**2) * (r0 / fn) * p["Ltrail"]
    et = (p["QEz1"] + p["QEz2"] * df + p["QEz3"] * df**2) * (
        1 + (p["QEz4"] + p["QEz5"] * gz) * (2 / pi) * atan(bt * ct * at)
    )
    br = p["QBz9"] * p["LKy"] / p["Lmuy"] + p["QBz10"] * by * cy
    dr = fz * ((p["QDz6"] + p["QDz7"] * df) * p["Lres"] + (p["QDz8"] + p["QDz9"] * df) * gz) * r0 * p["Lmuy"]
    slip = (kx / ky * s) ** 2
    ateq = sgn(at) * atan(sqrt(tan(at) ** 2 + slip))
    areq = sgn(ar) * atan(sqrt(tan(ar) ** 2 + slip))
    trail = dt * weight(bt, ct, et, ateq) * cos(alpha)
    residual = dr * cos(atan(br * areq)) * cos(alpha)
    arm = r0 * (p["SSz1"] + p["SSz2"] * fy / fn + (p["SSz3"] + p["SSz4"] * df) * gamma) * p["LS"]
    return fx, fy, mx, my, -trail * (fy - svyk) + residual + arm * fx


FUNCTIONS = {"Fiala": fiala, "Pacejka02": pacejka02}


def relaxation_lengths(p, fz, gamma):
    """Longitudinal and lateral relaxation length of the stretched string [m], at most thirty radii."""
    df = (fz - p["Fz0"]) / p["Fz0"]
    longitudinal = p["LSkappa"] * p["R0"] * fz / p["Fz0"] * (p["PTx1"] + p["PTx2"] * df) * exp(p["PTx3"] * df)
    lateral = (
        p["LSalpha"] * p["R0"] * p["PTy1"] * sin(2 * atan(fz / (p["PTy2"] * p["Fz0"]))) * (1 - p["PKy3"] * abs(gamma))
    )
    return min(longitudinal, 30 * p["R0"]), min(lateral, 30 * p["R0"])


def read(path):
    """The parameters of a tire file by name."""
    with open(path, "rb") as file:
        return tomllib.load(file)["parameters"]


class Tire:
    """One tire of a model on the plane z = 0 of ground."""

    def __init__(self, table, folder, scalar):
        self.ru, self.kz = scalar(table["unloaded_radius"]), scalar(table["vertical_stiffness"])
        self.cz = scalar(table.get("vertical_damping", 0))
        self.rolling = {k: v if k == "method" else scalar(v) for k, v in table["rolling_radius"].items()}
        self.delayed = table["slip"]["method"] == "delayed"
        self.floor = scalar(table["slip"].get("minimum_speed", 0.005))
        self.low = scalar(table["slip"].get("low_speed", 1))
        self.damping = scalar(table["slip"].get("low_speed_damping", 0.2))
        self.force = FUNCTIONS[table["force"]["function"]]
        self.parameters = read(folder / table["force"]["file"])
        if self.delayed:
            self.string = read(folder / table["slip"]["relaxation"]["file"])

    def divisor(self, speed):
        """Divisor of kinematic slip: the speed, rounded off near zero."""
        speed = abs(speed)
        return speed if speed >= self.floor else (speed**2 / self.floor + self.floor) / 2

    def evaluate(self, r, v, w, axis, q):
        """Force and moment on the wheel centre in ground, slip rates and tire forces.

        r, v, w: position, velocity and angular velocity of the wheel in ground; axis: its
        spin axis, to the left; q: the delayed slips."""
        # uz = (0, 0, 1), ux = axis x uz / |.|, uy = uz x ux
        length = hypot(axis[0], axis[1])
        ux0, ux1 = axis[1] / length, -axis[0] / length
        uy0, uy1 = -ux1, ux0
        gamma = asin(max(-1.0, min(1.0, axis[2])))  # the top leans to the right when the axis points up
        rl = r[2] / cos(gamma)
        fz = max(self.kz * (self.ru - rl) * cos(gamma) - self.cz * v[2], 0.0)
        if self.rolling["method"] == "loaded":
            reff = rl
        elif self.rolling["method"] == "unloaded":
            reff = self.ru
        else:
            nominal = self.rolling["Fz0"] / self.kz
            x = (self.ru - rl) / nominal
            reff = self.ru - nominal * (self.rolling["D"] * atan(self.rolling["B"] * x) + self.rolling["F"] * x)
        side, down = sin(gamma), -cos(gamma)  # of the unit vector from the centre to the contact, along uy and uz
        vcx, vcy = v[0] * ux0 + v[1] * ux1, v[0] * uy0 + v[1] * uy1
        wx, wy, wz = w[0] * ux0 + w[1] * ux1, w[0] * uy0 + w[1] * uy1, w[2]
        # velocity of a point at a distance d: v + w x d (side uy + down uz)
        vpx, vpy = vcx + rl * (wy * down - wz * side), vcy - rl * wx * down
        vex = vcx + reff * (wy * down - wz * side)
        # the spin is that part of w in the basis (ux, uz, axis) that belongs to the axis: wy = spin cos(gamma)
        omega = wy / cos(gamma)
        vpxs, vexs = vpx + omega * rl, vex + omega * reff
        rates = (0.0, 0.0)
        if self.delayed:
            damping = self.damping * max(0.0, 1 - (vcx / self.low) ** 2) ** 2
            s, alpha = q[0] - damping * vex, atan(q[1] + damping * vpy)
            if fz > 0:
                a, b = relaxation_lengths(self.string, fz, gamma)
                rates = ((-vex - q[0] * abs(vexs)) / a, (vpy - q[1] * abs(vpxs)) / b)
        else:
            s = -vex / self.divisor(vexs)
            alpha = atan(vpy / self.divisor(vpxs))
        fx, fy, mx, my, mz = self.force(self.parameters, fz, s, alpha, omega, gamma, vcx)
        force = (fx * ux0 + fy * uy0, fx * ux1 + fy * uy1, fz)
        # arm (0, rl side, rl down) x (fx, fy, fz) in tire axes
        tx, ty, tz = mx + rl * (side * fz - down * fy), my + rl * down * fx, mz - rl * side * fx
        moment = (tx * ux0 + ty * uy0, tx * ux1 + ty * uy1, tz)
        return force, moment, rates, {"Fx": fx, "Fy": fy, "Fz": fz, "Mx": mx, "My": my, "Mz": mz}
