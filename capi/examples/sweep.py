"""Many vehicles of one model stepped together, with the native library and ctypes.

    python sweep.py LIBRARY MODEL [COUNT]

LIBRARY is libskidpad.so, MODEL the generic vehicle. COUNT vehicles (64) of different mass
steer to the left; all are stepped in one call, in vector lanes and on all processors. The
program prints mass and lateral position after 2 s of the first and of the last one.
"""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
model = sys.argv[2].encode()
count = int(sys.argv[3]) if len(sys.argv) > 3 else 64

Handle = ctypes.c_void_p
library.skidpad_last_error.restype = ctypes.c_char_p
for name, arguments in {
    "load": [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Handle), ctypes.c_char_p, ctypes.c_int64],
    "copy": [Handle, ctypes.POINTER(Handle)],
    "find": [Handle, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32)],
    "set": [Handle, ctypes.POINTER(ctypes.c_uint32), ctypes.c_int64, ctypes.POINTER(ctypes.c_double)],
    "get": [Handle, ctypes.POINTER(ctypes.c_uint32), ctypes.c_int64, ctypes.POINTER(ctypes.c_double)],
    "initialise": [Handle],
    "step_all": [
        ctypes.POINTER(Handle),
        ctypes.c_int64,
        ctypes.c_double,
        ctypes.c_int32,
        ctypes.POINTER(ctypes.c_int32),
    ],
    "free": [Handle],
    "last_error": [Handle],
}.items():
    getattr(library, "skidpad_" + name).argtypes = arguments


def check(status, vehicle):
    if status != 0:
        sys.exit(f"status {status}: {(library.skidpad_last_error(vehicle) or b'').decode()}")


vehicles = (Handle * count)()
reason = ctypes.create_string_buffer(4096)
handle = Handle()
if library.skidpad_load(model, None, ctypes.byref(handle), reason, len(reason)) != 0:
    sys.exit(reason.value.decode())
vehicles[0] = handle
for i in range(1, count):
    check(library.skidpad_copy(vehicles[0], ctypes.byref(handle)), vehicles[0])
    vehicles[i] = handle


def reference(name):
    number = ctypes.c_uint32()
    check(library.skidpad_find(vehicles[0], name, ctypes.byref(number)), vehicles[0])
    return number


def put(vehicle, variable, value):
    check(library.skidpad_set(vehicle, ctypes.byref(variable), 1, ctypes.byref(ctypes.c_double(value))), vehicle)


mass, left, right, y = (reference(n) for n in (b"body.mass", b"steer_FL.angle", b"steer_FR.angle", b"body.y"))
masses = [1800 + 600 * i / max(count - 1, 1) for i in range(count)]
for vehicle, m in zip(vehicles, masses):
    put(vehicle, mass, m)
    put(vehicle, left, 0.02)
    put(vehicle, right, 0.02)
    check(library.skidpad_initialise(vehicle), vehicle)
statuses = (ctypes.c_int32 * count)()
for _ in range(200):
    check(library.skidpad_step_all(vehicles, count, 0.01, 0, statuses), vehicles[0])
for i in (0, count - 1):
    value = ctypes.c_double()
    check(library.skidpad_get(vehicles[i], ctypes.byref(y), 1, ctypes.byref(value)), vehicles[i])
    print(f"{masses[i]:.0f} kg: y = {value.value:.3f} m")
for vehicle in vehicles:
    library.skidpad_free(vehicle)
