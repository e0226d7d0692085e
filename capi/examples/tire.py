"""A tire function in Python, registered with the native library through ctypes.

    python tire.py LIBRARY MODEL

LIBRARY is libskidpad.so, MODEL a model file with the tires FL, FR, RL and RR. All four
get a force function that is written here: Fx = 15 Fz S, Fy = -12 Fz alpha. The program
drives 1 s straight ahead and prints the speed in every tenth of a second.
"""

import ctypes
import sys

OUTPUTS = 5  # Fx, Fy, Mx, My, Mz
INPUTS = (b"Fz", b"S", b"alpha")

double_p = ctypes.POINTER(ctypes.c_double)
Init = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_char_p,
    ctypes.c_char_p,
    double_p,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
    ctypes.c_size_t,
)
Evaluate = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_void_p, double_p, double_p, double_p, double_p)


class Tire(ctypes.Structure):
    """skidpad_tire of skidpad_tire.h."""

    _fields_ = [
        ("abi", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("inputs", ctypes.POINTER(ctypes.c_char_p)),
        ("input_count", ctypes.c_uint32),
        ("state_count", ctypes.c_uint32),
        ("init", Init),
        ("evaluate", Evaluate),
        ("jacobian", ctypes.c_void_p),
        ("error", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    ]


@Init
def init(tire, file, states, instance, error, capacity):
    """Nothing to prepare: the function has neither parameters nor states."""
    return 0


@Evaluate
def evaluate(n, instances, inputs, states, outputs, rates):
    """Forces of n tires."""
    for k in range(n):
        load, slip, angle = inputs[3 * k : 3 * k + 3]
        outputs[OUTPUTS * k] = 15 * load * slip
        outputs[OUTPUTS * k + 1] = -12 * load * angle
        for moment in range(2, OUTPUTS):
            outputs[OUTPUTS * k + moment] = 0
    return 0


def check(library, vehicle, status):
    """Ends the program with the reason when a call failed."""
    if status != 0:
        sys.exit(library.skidpad_last_error(vehicle).decode())


def main(library_file, model_file):
    library = ctypes.CDLL(library_file)
    library.skidpad_last_error.restype = ctypes.c_char_p
    reason = ctypes.create_string_buffer(4096)
    names = (ctypes.c_char_p * len(INPUTS))(*INPUTS)
    tire = Tire(
        1, ctypes.sizeof(Tire), b"PythonLinear", b"linear tire in Python", names, len(INPUTS), 0, init, evaluate
    )
    if library.skidpad_register_tire(ctypes.byref(tire), reason, ctypes.c_int64(len(reason))) != 0:
        sys.exit(reason.value.decode())
    vehicle = ctypes.c_void_p()
    if library.skidpad_load(model_file.encode(), None, ctypes.byref(vehicle), reason, ctypes.c_int64(len(reason))) != 0:
        sys.exit(reason.value.decode())
    for corner in ("FL", "FR", "RL", "RR"):
        check(library, vehicle, library.skidpad_set_text(vehicle, f"tire_{corner}.model".encode(), b"PythonLinear"))
        check(library, vehicle, library.skidpad_set_text(vehicle, f"tire_{corner}.file".encode(), b""))
    check(library, vehicle, library.skidpad_initialise(vehicle))
    speed, reference = ctypes.c_double(), ctypes.c_uint32()
    for name in (b"body.vx", b"front.vx"):
        if library.skidpad_find(vehicle, name, ctypes.byref(reference)) == 0:
            break
    for step in range(1, 1001):
        check(library, vehicle, library.skidpad_step(vehicle, ctypes.c_double(0.001)))
        if step % 100 == 0:
            check(
                library,
                vehicle,
                library.skidpad_get(vehicle, ctypes.byref(reference), ctypes.c_int64(1), ctypes.byref(speed)),
            )
            print(f"{step / 1000:.1f} s  {speed.value:.6f} m/s")
    library.skidpad_free(vehicle)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
