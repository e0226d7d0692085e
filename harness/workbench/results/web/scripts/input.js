// input: the devices of a driver: keys, gamepads and steering wheels. The page sends their state; the law of the driver
// runs in the command. Which keys do what, and what a steering wheel's axes mean, is kept in the browser.
Skidpad.Input = class {
  // actions of a driver, each with a bit of the message and its usual keys, by their places on the keyboard
  static actions = [
    { name: 'left', text: 'steer left', bit: 1, codes: ['ArrowLeft', 'KeyA'] },
    { name: 'right', text: 'steer right', bit: 2, codes: ['ArrowRight', 'KeyD'] },
    { name: 'throttle', text: 'throttle', bit: 4, codes: ['ArrowUp', 'KeyW'] },
    { name: 'brake', text: 'brake', bit: 8, codes: ['ArrowDown', 'KeyS'] },
    { name: 'fine', text: 'steer finely', bit: 16, codes: ['ShiftLeft', 'ShiftRight'] },
    { name: 'handBrake', text: 'hand brake', bit: 32, codes: ['KeyH'] },
    { name: 'hold', text: 'hold the speed', bit: 64, codes: ['KeyC'] },
    { name: 'release', text: 'let the steering wheel go', bit: 128, codes: ['KeyG'] },
  ];
  static driving = 1 | 2 | 4 | 8; // a press of these takes the seat
  static opposite = { 1: 2, 2: 1, 4: 8, 8: 4 };
  static keyboard = 0;
  static gamepad = 1;
  static wheel = 2;
  // send sends a message of 25 bytes, where a page may drive; say tells the user what a key has done; start lets a paused
  // vehicle go on.
  constructor(send, say, start) {
    this.send = send;
    this.start = start;
    this.say = say;
    this.down = new Set(); // codes of keys that are held
    this.stays = 0; // bits of actions that go on without a key
    this.wants = false; // this page drives
    this.device = Skidpad.Input.keyboard; // used last
    this.gear = 0;
    this.number = 0;
    this.pressed = false; // the throttle of a gamepad or a steering wheel
    this.kept = Skidpad.kept('driver', {});
    this.map();
  }
  // map makes the table of keys.
  map() {
    this.bits = new Map();
    for (const a of Skidpad.Input.actions) for (const code of this.codes(a)) this.bits.set(code, a.bit);
  }
  // codes are the keys of an action.
  codes(action) { return this.kept.keys?.[action.name] ?? action.codes; }
  get sticky() { return this.kept.sticky === true; }
  keep(change) {
    Object.assign(this.kept, change);
    Skidpad.keep('driver', this.kept);
    this.release();
    this.map();
  }
  // change gives an action other keys. It returns why not, or ''. reserved are the keys of the page, with what they do.
  change(action, codes, reserved) {
    for (const code of codes) {
      if (reserved[code]) return `${Skidpad.keyName(code)} is the key for: ${reserved[code]}`;
      const other = Skidpad.Input.actions.find(a => a !== action && this.codes(a).includes(code));
      if (other) return `${Skidpad.keyName(code)} is the key for: ${other.text}`;
    }
    this.keep({ keys: { ...this.kept.keys, [action.name]: [...new Set(codes)] } });
    return '';
  }
  usual() { this.keep({ keys: undefined }); }
  get held() {
    let held = this.stays;
    for (const code of this.down) held |= this.bits.get(code);
    return held;
  }
  // press takes a key that goes down. It returns whether the key is one of the driver's.
  press(e) {
    const bit = this.bits.get(e.code) ?? 0;
    if (!bit || e.repeat) return bit !== 0;
    if (this.sticky && bit !== 64) this.stick(bit); // the speed is held from press to press anyway
    else this.down.add(e.code);
    this.tell();
    if (bit & Skidpad.Input.driving) this.start();
    return true;
  }
  // stick begins what goes on without a held key. The same key ends it, and so does the opposite one.
  stick(bit) {
    const opposite = Skidpad.Input.opposite[bit] ?? 0, action = Skidpad.Input.actions.find(a => a.bit === bit);
    if (this.stays & (bit | opposite)) {
      this.stays &= ~(bit | opposite);
      this.say(bit & 3 ? 'straight ahead' : bit & 12 ? 'pedals released' : action.text + ' ends');
    } else {
      this.stays |= bit;
      this.say(action.text + ' until the next press');
    }
  }
  lift(e) {
    if (this.down.delete(e.code)) this.tell();
  }
  // release lets everything go: a hidden page must not hold a key, and gives up its lease.
  release() {
    this.down.clear();
    this.stays = 0;
    this.wants = false;
  }
  // turnBack changes between forward and backward.
  turnBack() {
    this.gear = this.gear < 0 ? 1 : -1;
    this.tell();
  }
  pads() { return [...(navigator.getGamepads?.() ?? [])].filter(p => p?.connected); }
  // pad is the first gamepad with something pressed; its stick is positive to the left.
  pad() {
    for (const p of this.pads()) {
      if (p.mapping === 'standard') {
        const steering = -p.axes[0], throttle = p.buttons[7]?.value ?? 0, brake = p.buttons[6]?.value ?? 0;
        if (Math.abs(steering) > 0.08 || throttle > 0.02 || brake > 0.02) return { steering, throttle, brake };
      }
    }
    return null;
  }
  // wheel is the steering wheel whose axes are known: its angle [rad], positive to the left, and its pedals.
  wheel() {
    const p = this.pads().find(x => this.kept.wheels?.[x.id]);
    return p ? Skidpad.readWheel(this.kept.wheels[p.id], Skidpad.wheelValues(p)) : null;
  }
  // tell sends the state of the devices. Who only watches does not take the seat.
  tell() {
    const p = this.pad(), w = this.wheel(), { held } = this, drives = (held & Skidpad.Input.driving) !== 0;
    const turned = w && (w.throttle > 0.05 || w.brake > 0.05 || Math.abs(w.steering - (this.lastAngle ?? w.steering)) > 0.03);
    if (w && (turned || this.lastAngle === undefined)) this.lastAngle = w.steering;
    if (drives) this.device = Skidpad.Input.keyboard;
    else if (turned) this.device = Skidpad.Input.wheel;
    else if (p) this.device = Skidpad.Input.gamepad;
    if (drives || p || turned) this.wants = true;
    if (!this.wants) return;
    const from = this.device === Skidpad.Input.wheel ? w : this.device === Skidpad.Input.gamepad ? p : null;
    const view = new DataView(new ArrayBuffer(25));
    view.setUint8(0, 2);
    view.setUint8(1, from || this.device !== Skidpad.Input.wheel ? this.device : Skidpad.Input.keyboard);
    view.setUint16(2, held, true);
    view.setUint32(4, ++this.number, true);
    view.setFloat32(8, from?.steering ?? 0, true);
    view.setFloat32(12, from?.throttle ?? 0, true);
    view.setFloat32(16, from?.brake ?? 0, true);
    view.setInt8(24, this.gear);
    this.send(view);
    const throttle = from?.throttle ?? 0;
    if (throttle > 0.3 && !this.pressed) this.start(); // a pedal that goes down, as a key does
    if (throttle > 0.3 || throttle < 0.05) this.pressed = throttle > 0.3;
  }
};

// kept is what the browser keeps under a name; other, if it keeps nothing.
Skidpad.kept = (name, other) => {
  try {
    const kept = JSON.parse(localStorage.getItem(name));
    return kept && typeof kept === 'object' ? kept : other;
  } catch { return other; }
};
Skidpad.keep = (name, value) => {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* the browser keeps nothing */ }
};

// keyName is a key as a reader knows it.
Skidpad.keyName = code => ({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ShiftLeft: 'Shift', ShiftRight: 'right Shift',
  ControlLeft: 'Ctrl', ControlRight: 'right Ctrl', AltLeft: 'Alt', AltRight: 'right Alt', Period: '.', Comma: ',', Slash: '/', Equal: '=', Minus: '-' })[code]
  ?? code.replace(/^(Key|Digit)/, '').replace(/^Numpad/, 'keypad ');

// wheelValues are the values of axes and buttons of a device, one list.
Skidpad.wheelValues = p => [...p.axes, ...p.buttons.map(b => b.value)];

// readWheel is what a steering wheel says. How is {steering: {at, left}, throttle, brake: {at, rest, full}, range}: the
// places of its values, the sign of a turn to the left, values of pedals, and the range of the steering wheel [deg].
Skidpad.readWheel = (how, values) => {
  const pedal = ({ at, rest, full }) => Math.min(1, Math.max(0, (values[at] - rest) / (full - rest)));
  return { steering: how.steering.left * values[how.steering.at] * how.range / 2 * Math.PI / 180,
    throttle: pedal(how.throttle), brake: pedal(how.brake) };
};

// WheelFinder finds what the axes of a device are, in three steps. It watches how far each value goes, and whether it comes
// back: browsers report 0 for an axis until it moves, so that the first value of a pedal says little.
Skidpad.WheelFinder = class {
  static steps = ['Turn the steering wheel fully to the left, and hold it there.', 'Press the throttle fully, and release it.', 'Press the brake fully, and release it.'];
  constructor(values) {
    this.taken = [];
    this.restart(values);
  }
  restart(values) {
    this.start = [...values];
    this.extreme = [...values]; // farthest from the start of the step
  }
  get step() { return this.taken.length; }
  watch(values) {
    values.forEach((v, i) => { if (Math.abs(v - this.start[i]) > Math.abs(this.extreme[i] - this.start[i])) this.extreme[i] = v; });
  }
  // found is the place of the value that the step is about; -1 while it has not gone far, or a pedal is still pressed.
  found(values) {
    let at = -1, most = 0.3;
    values.forEach((v, i) => {
      const far = Math.abs(this.extreme[i] - this.start[i]), back = Math.abs(v - this.extreme[i]);
      const moved = this.step === 0 ? Math.abs(v - this.start[i]) : i !== this.taken[0].at && far > 0.3 && back > 0.7 * far ? back : 0;
      if (moved > most) [at, most] = [i, moved];
    });
    return at;
  }
  // take ends a step. It returns whether something was found.
  take(values) {
    const at = this.found(values);
    if (at < 0) return false;
    this.taken.push(this.step === 0 ? { at, left: Math.sign(values[at] - this.start[at]) } : { at, full: this.extreme[at], rest: values[at] });
    this.restart(values);
    return true;
  }
  // result is how the device is read, for a range of its steering wheel [deg].
  result(range) {
    const [steering, throttle, brake] = this.taken;
    return { steering, throttle, brake, range };
  }
};
