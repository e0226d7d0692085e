// inpage: a vehicle that runs in the page, in place of the socket of a server. It takes the same messages and gives the
// same answers, with states as objects.

// take gives an object the values of a description, field by field, so that its parts keep their classes.
Skidpad.take = (object, description) => {
  for (const [name, value] of Object.entries(description)) {
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) Skidpad.take(object[name], value);
    else object[name] = Array.isArray(value) ? structuredClone(value) : value;
  }
  return object;
};

Skidpad.InPage = class {
  static OK = 0; static WARNING = 1; static ENDED = 2; static ERROR = 3;
  static late = 0.05; // s, that are caught up
  static lease = 0.25; // s, of a command
  static leaves = 1; // s without commands, before the vehicle pauses
  static checkpoints = 120; // one a second
  constructor(description) {
    this.of = description;
    this.readyState = WebSocket.CONNECTING;
    this.start().then(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen();
      requestAnimationFrame(() => this.frame());
    }, e => this.onclose({ code: 1008, reason: `the vehicle cannot run in this browser: ${e.message}` }));
  }
  async start() {
    const { of } = this, bytes = await Skidpad.unpack(of.module), e = (await WebAssembly.instantiate(bytes)).instance.exports;
    const numbers = (at, n) => new Float64Array(e.memory.buffer, at, n);
    this.exports = e;
    this.values = numbers(e.input(), of.inputs.length);
    this.placement = new Skidpad.Placement(of.placement);
    this.slots = [];
    this.chosen = []; // outputs that plots show
    this.segment = 0;
    this.pace = 1;
    this.dropped = 0;
    this.paused = true;
    this.command = { ...new Skidpad.law.Command(), at: -1e9 };
    this.restart();
  }
  restart() {
    const { exports: e, of } = this;
    e.reset();
    if (e.initialise() === Skidpad.InPage.ERROR) throw new Error('it has no start');
    this.driver = Skidpad.take(new Skidpad.law.driver(), of.driver);
    this.controls = Skidpad.take(new Skidpad.law.controls(), of.controls);
    this.kept = [];
    this.begin();
  }
  // begin begins a segment at the present state.
  begin() {
    const { exports: e, of } = this;
    this.outputs = new Float64Array(e.memory.buffer, e.output(), of.outputs.length);
    this.segment++;
    this.slice = 0;
    if (!this.kept.length) this.keep();
  }
  checkpoint() {
    const { exports: e, driver, controls } = this, size = e.save();
    return { time: e.time(), bytes: new Uint8Array(e.memory.buffer, e.saved(), size).slice(),
      law: structuredClone([driver, controls]) };
  }
  keep() {
    this.kept.push(this.checkpoint());
    if (this.kept.length > Skidpad.InPage.checkpoints) this.kept.shift();
  }
  goTo({ bytes, law }) {
    const { exports: e } = this;
    new Uint8Array(e.memory.buffer, e.saved(), bytes.length).set(bytes);
    if (e.restore(bytes.length) !== Skidpad.InPage.OK) throw new Error('the state does not fit');
    Skidpad.take(this.driver, law[0]);
    Skidpad.take(this.controls, law[1]);
    this.begin();
  }
  // step makes a slice, unless the vehicle cannot go on.
  step(command) {
    const { exports: e, of, driver, controls, outputs, values } = this, h = of.step;
    const speed = outputs[of.speed], engine = of.engine < 0 ? 0 : outputs[of.engine];
    driver.drive(command, speed, h);
    controls.set(driver, command, speed, engine, h);
    controls.values.forEach((x, i) => { values[of.set[i]] = x; });
    const result = e.step(h);
    if (result === Skidpad.InPage.ERROR) return this.pause(`the step from ${e.time().toPrecision(6)} s failed`);
    driver.servo.advance(h);
    this.slice++;
    if (e.output() === 0) return this.pause('the vehicle has no outputs here');
    if (this.slice % Math.round(1 / h) === 0) this.keep();
    return result !== Skidpad.InPage.ENDED || this.pause(of.ends[e.ended()]);
  }
  pause(reason) {
    if (!this.paused) this.event('paused', reason);
    this.paused = true;
    return false;
  }
  frame() {
    requestAnimationFrame(() => this.frame());
    if (this.paused) return;
    const { late, lease, leaves } = Skidpad.InPage, now = performance.now() / 1000, age = now - this.command.at;
    const surplus = now - this.made - late;
    if (surplus > 0) {
      this.made += surplus;
      this.dropped += surplus;
    }
    const { Device, Number, Steering } = this.command;
    const command = age > lease ? { ...new Skidpad.law.Command(), Device, Number, Steering } : this.command;
    const slice = this.of.step / this.pace;
    if (age > lease + leaves) this.pause('nobody drives');
    while (!this.paused && this.made + slice <= now && this.step(command)) this.made += slice;
    this.show();
  }
  event(kind, text = '') { this.tell({ type: 'event', kind, text }); }
  tell(message) { this.onmessage({ data: JSON.stringify({ time: this.exports.time(), ...message }) }); }
  // show gives the page a state. It is of now, so that nothing is to be moved on.
  show() {
    const { of, outputs, driver, controls, exports: e } = this;
    const row = { steering: driver.servo.angle, throttle: driver.pedals.throttle, brake: driver.pedals.brake,
      gear: controls.gearbox.now, clutch: controls.clutchClosed(), late: 0, dropped: this.dropped };
    const poses = this.placement.place(of.placing.map(i => outputs[i])).slice(0, of.look.frames);
    this.onmessage({ data: { flags: this.paused ? 1 : 0, segment: this.segment, number: this.command.Number, time: e.time(),
      came: performance.now(), speeds: [0, 0, 0, 0, 0, 0], poses: poses.map(p => p.slice()),
      signals: of.signals.map(s => (s.output < 0 ? row[s.name] : outputs[s.output])), chosen: this.chosen.map(i => outputs[i]) } });
  }
  close() { this.pause('closed'); }
  send(message) {
    if (typeof message !== 'string') { this.drive(message); return; }
    const order = JSON.parse(message), act = this.orders[order.type];
    try {
      if (!act) throw new Error('this page has no such order; skidpad view has it');
      act(order);
      if (order.number) this.tell({ type: 'ok', number: order.number, order: order.type });
    } catch (e) {
      this.tell({ type: 'error', number: order.number, order: order.type, text: e.message });
    }
    this.show();
  }
  // drive takes the message of the driver's devices.
  drive(v) {
    this.command = { Device: v.getUint8(1), Keys: v.getUint16(2, true), Number: v.getUint32(4, true), Steering: v.getFloat32(8, true),
      Throttle: v.getFloat32(12, true), Brake: v.getFloat32(16, true), Clutch: v.getFloat32(20, true), Gear: v.getInt8(24),
      at: performance.now() / 1000 };
  }
  get orders() {
    const went = () => this.event('begin');
    return {
      hello: () => {
        const { look, signals, choices } = this.of;
        this.tell({ type: 'scene', look, signals, choices, plots: [], ghosts: [], settings: null, lockstep: false, recording: false,
          driver: 'page' });
      },
      signals: ({ names }) => {
        const chosen = names.map(name => this.of.outputs.indexOf(name)), unknown = chosen.indexOf(-1);
        if (unknown >= 0) throw new Error(`${names[unknown]} is no output of the vehicle`);
        this.chosen = chosen;
        this.tell({ type: 'signals', names });
      },
      run: () => {
        if (!this.paused) return;
        this.paused = false;
        this.made = performance.now() / 1000; // when the last slice was due
        this.event('running');
      },
      pause: () => this.pause('by the driver'),
      step: ({ slices }) => {
        if (!this.paused) throw new Error('the vehicle is running: pause it first');
        for (let i = 0; i < slices; i++) if (!this.step(this.command)) return;
      },
      pace: ({ pace }) => { this.pace = pace; },
      reset: () => { this.restart(); went(); },
      rewind: ({ seconds }) => {
        const before = this.exports.time() - seconds;
        while (this.kept.length > 1 && this.kept.at(-1).time > before) this.kept.pop();
        this.goTo(this.kept.at(-1));
        went();
      },
      keep: ({ slot }) => { this.slots[slot] = this.checkpoint(); },
      return: ({ slot }) => {
        if (!this.slots[slot]) throw new Error(`slot ${slot} is empty`);
        this.goTo(this.slots[slot]);
        went();
      },
    };
  }
};
