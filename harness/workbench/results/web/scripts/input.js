// input: the devices of a driver: held keys and gamepads. The page sends their state; the law of the driver runs in the
// command.
Skidpad.Input = class {
  // keys of the driver, by the place on the keyboard; a bit may have several
  static bits = { ArrowLeft: 1, KeyA: 1, ArrowRight: 2, KeyD: 2, ArrowUp: 4, KeyW: 4, ArrowDown: 8, KeyS: 8,
    ShiftLeft: 16, ShiftRight: 16, KeyH: 32, KeyC: 64, KeyG: 128 };
  static driving = 1 | 2 | 4 | 8; // a press of these takes the seat
  // send sends a message of 25 bytes, where somebody can be driven for.
  constructor(send) {
    this.send = send;
    this.down = new Set(); // codes of keys that are held
    this.wants = false; // this page drives
    this.usesPad = false;
    this.gear = 0;
    this.number = 0;
  }
  get held() {
    let held = 0;
    for (const code of this.down) held |= Skidpad.Input.bits[code];
    return held;
  }
  // press takes a key that goes down. It returns whether the key is one of the driver's, and whether it begins to drive.
  press(e) {
    const bit = Skidpad.Input.bits[e.code] ?? 0;
    if (!bit || e.repeat) return { ours: bit !== 0, begins: false };
    this.down.add(e.code);
    this.tell();
    return { ours: true, begins: (bit & Skidpad.Input.driving) !== 0 };
  }
  lift(e) {
    if (this.down.delete(e.code)) this.tell();
  }
  // release lets everything go: a hidden page must not hold a key, and gives up its lease.
  release() {
    this.down.clear();
    this.wants = false;
  }
  // turnBack changes between forward and backward.
  turnBack() {
    this.gear = this.gear < 0 ? 1 : -1;
    this.tell();
  }
  // pad is the first gamepad with something pressed; its stick is positive to the left.
  pad() {
    for (const p of navigator.getGamepads?.() ?? []) {
      if (p?.connected && p.mapping === 'standard') {
        const steering = -p.axes[0], throttle = p.buttons[7]?.value ?? 0, brake = p.buttons[6]?.value ?? 0;
        if (Math.abs(steering) > 0.08 || throttle > 0.02 || brake > 0.02) return { steering, throttle, brake };
      }
    }
    return null;
  }
  // tell sends the state of the devices. Who only watches does not take the seat.
  tell() {
    const p = this.pad(), { held } = this, drives = (held & Skidpad.Input.driving) !== 0;
    if (drives) this.usesPad = false;
    else if (p) this.usesPad = true;
    if (!drives && !p && !this.wants) return;
    if (drives || p) this.wants = true;
    const view = new DataView(new ArrayBuffer(25));
    view.setUint8(0, 2);
    view.setUint8(1, this.usesPad ? 1 : 0);
    view.setUint16(2, held, true);
    view.setUint32(4, ++this.number, true);
    view.setFloat32(8, p?.steering ?? 0, true);
    view.setFloat32(12, p?.throttle ?? 0, true);
    view.setFloat32(16, p?.brake ?? 0, true);
    view.setInt8(24, this.gear);
    this.send(view);
  }
};
