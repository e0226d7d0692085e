"""An extracted FMU of either version, driven through ctypes alone.

Python's own stdout and stderr stay empty; figures go to file descriptor 3.
"""

import ctypes
import os
import platform
import xml.etree.ElementTree

OK, ERROR = 0, 3
STEP = 0.001

_LOG2 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
_LOG3 = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


class _Callbacks2(ctypes.Structure):
    _fields_ = [("log", _LOG2), ("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p),
                ("step_finished", ctypes.c_void_p), ("environment", ctypes.c_void_p)]


def figure(text):
    os.write(3, f"  {text}\n".encode())


class Fmu:
    """The FMU extracted to folder, its library loaded."""

    def __init__(self, folder):
        root = xml.etree.ElementTree.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.folder = folder
        self.version = int(root.get("fmiVersion")[0])
        self.token = root.get("guid" if self.version == 2 else "instantiationToken").encode()
        self.name = root.find("CoSimulation").get("modelIdentifier")
        self.references = {v.get("name"): int(v.get("valueReference")) for v in root.find("ModelVariables")}
        machine = platform.machine()
        tuple_ = "linux64" if self.version == 2 and machine == "x86_64" else f"{machine}-linux"
        path = os.path.join(folder, "binaries", tuple_, self.name + ".so")
        self.library = ctypes.CDLL(path)

    def close(self):
        unload = ctypes.CDLL(None).dlclose
        unload.argtypes = [ctypes.c_void_p]
        assert unload(self.library._handle) == 0


class Instance:
    """One instance of an Fmu, initialised; messages is what it has logged."""

    def __init__(self, fmu):
        self.fmu, self.messages, self.time = fmu, [], 0.0
        call = fmu.library
        if fmu.version == 2:
            self._log = _LOG2(lambda _e, _i, status, _c, text: self.messages.append((status, text.decode())))
            self._callbacks = _Callbacks2(self._log, None, None, None, None)
            call.fmi2Instantiate.restype = ctypes.c_void_p
            self.handle = call.fmi2Instantiate(
                b"python", 1, fmu.token, f"file://{fmu.folder}/resources".encode(), ctypes.byref(self._callbacks), 0, 1)
        else:
            self._log = _LOG3(lambda _e, status, _c, text: self.messages.append((status, text.decode())))
            call.fmi3InstantiateCoSimulation.restype = ctypes.c_void_p
            self.handle = call.fmi3InstantiateCoSimulation(
                b"python", fmu.token, f"{fmu.folder}/resources/".encode(), ctypes.c_bool(False), ctypes.c_bool(True),
                ctypes.c_bool(False), ctypes.c_bool(False), None, ctypes.c_size_t(0), None, self._log, None)
        if not self.handle:
            raise RuntimeError(self.messages[-1][1] if self.messages else "no instance and no message")
        self.handle = ctypes.c_void_p(self.handle)
        zero, off = ctypes.c_double(0), ctypes.c_bool(False)
        if fmu.version == 2:
            assert call.fmi2SetupExperiment(self.handle, 0, zero, zero, 0, zero) == OK
            assert call.fmi2EnterInitializationMode(self.handle) == OK
            assert call.fmi2ExitInitializationMode(self.handle) == OK
        else:
            assert call.fmi3EnterInitializationMode(self.handle, off, zero, zero, off, zero) == OK
            assert call.fmi3ExitInitializationMode(self.handle) == OK

    def step(self):
        """The status of one step."""
        call, h, t = self.fmu.library, ctypes.c_double(STEP), ctypes.c_double(self.time)
        self.time += STEP
        if self.fmu.version == 2:
            return call.fmi2DoStep(self.handle, t, h, 1)
        flags, last = (ctypes.c_bool * 3)(), ctypes.c_double()
        at = [ctypes.byref(flags, k) for k in range(3)]
        return call.fmi3DoStep(self.handle, t, h, ctypes.c_bool(True), *at, ctypes.byref(last))

    def set(self, name, value):
        reference, number = ctypes.c_uint32(self.fmu.references[name]), ctypes.c_double(value)
        one = ctypes.c_size_t(1)
        if self.fmu.version == 2:
            status = self.fmu.library.fmi2SetReal(self.handle, ctypes.byref(reference), one, ctypes.byref(number))
        else:
            status = self.fmu.library.fmi3SetFloat64(
                self.handle, ctypes.byref(reference), one, ctypes.byref(number), one)
        assert status == OK, self.messages

    def get(self, name):
        reference, number = ctypes.c_uint32(self.fmu.references[name]), ctypes.c_double()
        one = ctypes.c_size_t(1)
        if self.fmu.version == 2:
            status = self.fmu.library.fmi2GetReal(self.handle, ctypes.byref(reference), one, ctypes.byref(number))
        else:
            status = self.fmu.library.fmi3GetFloat64(
                self.handle, ctypes.byref(reference), one, ctypes.byref(number), one)
        assert status == OK, self.messages
        return number.value

    def free(self):
        name = f"fmi{self.fmu.version}FreeInstance"
        release = getattr(self.fmu.library, name)
        release.restype = None
        release(self.handle)


def drive(fmu, steps=50):
    """Steers and returns the yaw rate after every step; the same every time."""
    instance = Instance(fmu)
    rates = []
    for step in range(steps):
        instance.set("steer_FL.angle", 1e-4 * (step + 1))
        status = instance.step()
        assert status == OK, instance.messages
        rates.append(instance.get("body.wz"))
    instance.free()
    return rates
