"""A model file of Skidpad as a MuJoCo model: MuJoCo finds mass matrix, Coriolis and
gyroscopic terms and weight; springs, brakes and tires act as generalised forces, motions are
prescribed. Bodies, arms without turns, prismatic and revolute joints, rotating drivers,
springs on prismatic joints, brakes, torque drivers and tires on a flat road are known."""

import math
import re
import tomllib
from pathlib import Path

import mujoco
import numpy as np

from tires import Tire

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Vehicle:
    def __init__(self, path):
        path = Path(path)
        with open(path, "rb") as file:
            self.file = tomllib.load(file)
        self.names = {name: table["value"] for name, table in self.file.get("parameters", {}).items()}
        self.components = self.file["component"]
        self.joints, self.masses, self.bodies = [], {}, 0
        self.offset = {}  # frames: (MuJoCo body, place in it)
        self.tires = {
            name: Tire(c, path.parent, self.scalar) for name, c in self.components.items() if c["type"] == "tire"
        }
        for name, c in self.components.items():
            if c["type"] in ("rigid-body", "tire"):
                self.masses[c.get("frame", name)] = c
        self.root = next(name for name, c in self.components.items() if c["type"] == "rigid-body")
        g = self.scalar(self.file.get("gravity", 9.81))
        xml = f"""<mujoco><compiler angle="radian" inertiafromgeom="false" autolimits="false"
                balanceinertia="false" boundmass="0" boundinertia="0"/>
            <option gravity="0 0 {-g!r}"><flag contact="disable"/></option>
            <worldbody>{self.body(self.root, (0, 0, 0), "<freejoint/>")}</worldbody></mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)
        self.dof = {name: self.model.jnt_dofadr[self.joint(name)] for name, _ in self.joints}
        self.position = {name: self.model.jnt_qposadr[self.joint(name)] for name, _ in self.joints}
        self.drivers = [name for name, c in self.joints if c["type"] == "motion-driver"]
        self.free = np.array([d for d in range(self.model.nv) if d not in [self.dof[n] for n in self.drivers]])
        self.held = np.array([self.dof[n] for n in self.drivers], dtype=int)
        self.wheels = {
            name: mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, self.components[name].get("frame", name))
            for name in self.tires
        }
        self.main = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, self.root)
        self.mass_matrix = np.zeros((self.model.nv, self.model.nv))
        self.twist = np.zeros(6)

    def joint(self, name):
        return mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, name)

    def scalar(self, x):
        """A number, or a formula over the named parameters."""
        if isinstance(x, str):
            if not re.fullmatch(r"[\w\s.+\-*/()]+", x):
                raise ValueError(f"formula {x!r}")
            return float(eval(x.replace("^", "**"), {"__builtins__": {}, "pi": math.pi, "sqrt": math.sqrt}, self.names))
        return float(x)

    def vector(self, v):
        return tuple(self.scalar(x) for x in v)

    def axis(self, c):
        v = AXES[c["axis"]] if isinstance(c["axis"], str) else self.vector(c["axis"])
        n = math.sqrt(sum(x * x for x in v))
        return tuple(x / n for x in v)

    def body(self, frame, place, joints):
        """The element of the MuJoCo body whose origin is a frame, with all that hangs on it."""
        rigid, todo = {frame: (0.0, 0.0, 0.0)}, [frame]
        while todo:
            here = todo.pop()
            for c in self.components.values():
                if c["type"] != "rigid-arm" or "angles" in c:
                    continue
                t = self.vector(c["translation"])
                for a, b, sign in ((c["from"], c["to"], 1), (c["to"], c["from"], -1)):
                    if a == here and b not in rigid:
                        rigid[b] = tuple(p + sign * x for p, x in zip(rigid[here], t))
                        todo.append(b)
        content, name = "", None
        for f, at in rigid.items():
            c = self.masses.get(f)
            if c is not None:
                name, i = f, {k: v if k in ("axis", "offdiagonal") else self.scalar(v) for k, v in c["inertia"].items()}
                if "axial" in i:
                    i = {"xx": i["transverse"], "yy": i["axial"], "zz": i["transverse"]}  # about the wheel's y axis
                # the file gives products of inertia; MuJoCo wants elements of the matrix
                full = (i["xx"], i["yy"], i["zz"], -i.get("xy", 0.0), -i.get("xz", 0.0), -i.get("yz", 0.0))
                content += (
                    f'<inertial mass="{self.scalar(c["mass"])!r}" pos="{words(at)}" fullinertia="{words(full)}"/>'
                )
        for n, c in self.components.items():
            if c["type"] in ("prismatic", "revolute", "motion-driver") and c["from"] in rigid:
                content += self.child(n, c, rigid[c["from"]], "")
        if name is None:
            raise ValueError(f"frame {frame} has no mass")
        return f'<body name="{name}" pos="{words(place)}">{joints}{content}</body>'

    def child(self, name, c, place, before):
        """The body behind a joint; joints in a row without mass between them stand in one body."""
        kind = "slide" if c["type"] == "prismatic" else "hinge"
        self.joints.append((name, c))
        joints = before + f'<joint name="{name}" type="{kind}" axis="{words(self.axis(c))}"/>'
        if c["to"] not in self.masses:
            arms = [a for a in self.components.values() if a["type"] == "rigid-arm" and c["to"] in (a["from"], a["to"])]
            following = [
                (n, f)
                for n, f in self.components.items()
                if f["type"] in ("revolute", "motion-driver") and f["from"] == c["to"]
            ]
            if not arms and len(following) == 1:
                return self.child(*following[0], place, joints)
        return self.body(c["to"], place, joints)

    def set(self, states):
        """Positions and speeds of MuJoCo, and slips, of states by public name."""
        r = self.root
        yaw, pitch, roll = (states.get(f"{r}.{a}", 0.0) for a in ("yaw", "pitch", "roll"))
        turn = rotation(2, yaw) @ rotation(1, pitch) @ rotation(0, roll)
        q, v = np.zeros(self.model.nq), np.zeros(self.model.nv)
        q[:3] = [states[f"{r}.{a}"] for a in "xyz"]
        mujoco.mju_mat2Quat(q[3:7], turn.flatten())
        v[:3] = turn @ [states[f"{r}.v{a}"] for a in "xyz"]
        v[3:6] = [states[f"{r}.w{a}"] for a in "xyz"]
        for name, c in self.joints:
            if c["type"] == "prismatic":
                q[self.position[name]], v[self.dof[name]] = states[name + ".s"], states[name + ".s_dot"]
            elif c["type"] == "revolute":
                q[self.position[name]], v[self.dof[name]] = states[name + ".phi"], states[name + ".omega"]
        slips = np.array([states.get(f"{t}.{s}", 0.0) for t in self.tires for s in ("q1", "q2")])
        return q, v, slips

    def rates(self, q, v, slips, inputs):
        """Accelerations, rates of the slips, and tire forces, at one state: prescribed motions
        and torques are inputs by public name."""
        m, d = self.model, self.data
        d.qpos[:], d.qvel[:] = q, v
        prescribed = np.empty(len(self.drivers))
        for k, name in enumerate(self.drivers):
            d.qpos[self.position[name]] = inputs.get(name + ".angle", 0.0)
            d.qvel[self.dof[name]] = inputs.get(name + ".rate", 0.0)
            prescribed[k] = inputs.get(name + ".acceleration", 0.0)
        mujoco.mj_fwdPosition(m, d)
        mujoco.mj_fwdVelocity(m, d)
        mujoco.mj_fullM(m, d, self.mass_matrix)
        load = -d.qfrc_bias
        for name, c in self.components.items():
            kind = c["type"]
            if kind == "spring-damper":
                k = self.dof[c["joint"]]
                s = d.qpos[self.position[c["joint"]]]
                load[k] -= (
                    self.scalar(c["stiffness"]) * (s - self.scalar(c.get("free_length", 0)))
                    + self.scalar(c.get("damping", 0)) * d.qvel[k]
                )
            elif kind in ("brake", "torque-driver"):
                k = next(
                    self.dof[n]
                    for n, j in self.joints
                    if j["type"] == "revolute" and j["from"] == c["from"] and j["to"] == c["to"]
                )
                torque = inputs.get(name + ".torque", 0.0)
                if kind == "brake":
                    x = max(-1.0, min(1.0, d.qvel[k]))
                    torque *= -x * (15 - 10 * x**2 + 3 * x**4) / 8
                load[k] += torque
        slip_rates, forces = np.zeros(len(slips)), {}
        for i, (name, tire) in enumerate(self.tires.items()):
            body = self.wheels[name]
            mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_XBODY, body, self.twist, 0)
            place = d.xpos[body].copy()
            force, moment, slip_rates[2 * i : 2 * i + 2], forces[name] = tire.evaluate(
                place.tolist(),
                self.twist[3:].tolist(),
                self.twist[:3].tolist(),
                d.xmat[body][1::3].tolist(),
                slips[2 * i : 2 * i + 2].tolist(),
            )
            mujoco.mj_applyFT(m, d, np.array(force), np.array(moment), place, body, load)
        a = np.zeros(m.nv)
        a[self.held] = prescribed
        f = self.free
        a[f] = np.linalg.solve(
            self.mass_matrix[np.ix_(f, f)], load[f] - self.mass_matrix[np.ix_(f, self.held)] @ prescribed
        )
        return a, slip_rates, forces

    def public(self, q, v, slips):
        """The states by public name."""
        r, turn = self.root, np.zeros(9)
        mujoco.mju_quat2Mat(turn, q[3:7] / np.linalg.norm(q[3:7]))
        turn = turn.reshape(3, 3)
        body = turn.T @ v[:3]
        values = dict(zip([f"{r}.{a}" for a in "xyz"], q[:3]))
        values |= {
            f"{r}.yaw": math.atan2(turn[1, 0], turn[0, 0]),
            f"{r}.pitch": -math.asin(turn[2, 0]),
            f"{r}.roll": math.atan2(turn[2, 1], turn[2, 2]),
        }
        values |= dict(zip([f"{r}.v{a}" for a in "xyz"], body)) | dict(zip([f"{r}.w{a}" for a in "xyz"], v[3:6]))
        values |= self.internal(q, v, slips)
        return {name: float(x) for name, x in values.items()}

    def internal(self, q, v, slips):
        values = {}
        for name, c in self.joints:
            if c["type"] == "prismatic":
                values |= {name + ".s": q[self.position[name]], name + ".s_dot": v[self.dof[name]]}
            elif c["type"] == "revolute":
                values |= {name + ".phi": q[self.position[name]], name + ".omega": v[self.dof[name]]}
        for i, (name, tire) in enumerate(self.tires.items()):
            if tire.delayed:
                values |= {name + ".q1": slips[2 * i], name + ".q2": slips[2 * i + 1]}
        return values

    def derivatives(self, q, v, slips, inputs):
        """Derivatives of the speeds and slips by public name, and tire forces. Those of a
        body's velocity are of its components in body axes."""
        a, slip_rates, forces = self.rates(q, v, slips, inputs)
        r, turn = self.root, np.zeros(9)
        mujoco.mju_quat2Mat(turn, q[3:7])
        turn = turn.reshape(3, 3)
        linear = turn.T @ a[:3] - np.cross(v[3:6], turn.T @ v[:3])
        values = dict(zip([f"{r}.v{x}" for x in "xyz"], linear)) | dict(zip([f"{r}.w{x}" for x in "xyz"], a[3:6]))
        for name, c in self.joints:
            if c["type"] == "prismatic":
                values[name + ".s_dot"] = a[self.dof[name]]
            elif c["type"] == "revolute":
                values[name + ".omega"] = a[self.dof[name]]
        for i, (name, tire) in enumerate(self.tires.items()):
            if tire.delayed:
                values |= {name + ".q1": slip_rates[2 * i], name + ".q2": slip_rates[2 * i + 1]}
        return {name: float(x) for name, x in values.items()}, forces


def words(v):
    return " ".join(repr(float(x)) for x in v)


def rotation(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    r = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    r[i, i], r[i, j], r[j, i], r[j, j] = c, -s, s, c
    return r
