// stage: a vehicle on its ground, seen by a camera, in an element of the page. Players and live views fill it with poses.
Skidpad.Stage = class {
  // first are the poses at the begin, loads the loads of the wheels there [N]. stage.changed says that the picture is to
  // be made again.
  constructor(host, look, first, loads, wishes) {
    this.host = host;
    this.look = look;
    this.own = new Skidpad.Vehicle(look);
    this.ground = new Skidpad.Ground(look.ground);
    this.renderer = Skidpad.renderer(host, wishes.get('renderer'));
    this.changed = true;
    // the box about all shapes at the begin: its middle, against the chassis, and half of its diagonal
    const chassis = first[look.chassis], low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
    const include = (p, reach) => { for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], p[k] - reach); high[k] = Math.max(high[k], p[k] + reach); } };
    for (const s of look.shapes) {
      const reach = s.kind === 'wheel' ? s.size[0] : s.kind === 'box' ? 0.3 * Math.hypot(...s.size) : 0.03;
      for (const f of s.frames) include(first[f], reach);
    }
    for (const p of look.shell?.points ?? []) include(Skidpad.point(chassis, ...p), 0);
    const middle = [0, 1, 2].map(k => (low[k] + high[k]) / 2 - chassis[k]), back = [0, 0, 0, chassis[3], -chassis[4], -chassis[5], -chassis[6]];
    const size = Math.max(0.4, Math.hypot(...[0, 1, 2].map(k => (high[k] - low[k]) / 2)));
    // scale of arrows [N/m]: about a metre for the mean load at the begin, and 4 kN for a car
    const some = loads.map(Math.abs).filter(x => x > 0), mean = some.reduce((a, b) => a + b, 0) / (some.length || 1);
    this.scale = [100, 200, 400, 1000, 2000, 4000, 1e4, 2e4, 4e4, 1e5].find(x => x > 0.7 * mean) ?? 1e6;
    this.camera = new Skidpad.Camera(size, Skidpad.point(back, ...middle));
    if (wishes.get('camera')) this.camera.choose(wishes.get('camera'));
    this.own.forces = look.forces.length > 0;
    this.course = null; // that the vehicle drives along
    this.pointer();
  }
  // picture draws the vehicle: poses of its frames, forces by wheel, and ghosts [vehicle, poses].
  picture(seconds, poses, force, ghosts = []) {
    const body = poses[this.look.chassis], origin = [body[0], body[1], body[2]], { own } = this;
    const style = getComputedStyle(document.documentElement);
    const colours = { fine: style.getPropertyValue('--grid').trim(), bold: style.getPropertyValue('--bold').trim() };
    own.lowest = this.ground.height(origin[0], origin[1]);
    own.place(poses, origin, force, this.scale);
    for (const [ghost, at] of ghosts) ghost.place(at, origin);
    const box = this.host.getBoundingClientRect();
    const wheel = own.wheels.length ? poses[own.wheels[0].frame] : null;
    const lens = this.camera.follow(body, wheel, this.look.shell, seconds, box.width / Math.max(1, box.height));
    if (own.shell) own.shell.visible = this.camera.mode !== 'driver';
    this.host.style.setProperty('--horizon', 100 * this.camera.horizon() + '%');
    const drawn = [own, ...ghosts.map(([ghost]) => ghost)], lines = this.ground.lines(origin, colours);
    if (this.course) {
      const height = (x, y) => this.ground.height(x, y);
      this.course.place(origin, lens.position, height);
      drawn.push(this.course);
      lines.push(this.course.lines(origin, style.getPropertyValue('--accent').trim(), height));
    }
    this.renderer.draw(drawn, lines, lens);
  }
  resize() {
    const box = this.host.getBoundingClientRect();
    this.renderer.size(box.width, box.height, Math.min(2, devicePixelRatio || 1));
  }
  // controls connects a list of cameras, two switches and the output of the scale; it returns what their keys do.
  controls(modes, through, arrows, scale) {
    const { camera, own } = this;
    scale.textContent = this.scale < 1000 ? this.scale + ' N' : this.scale / 1000 + ' kN';
    modes.value = camera.mode;
    const choose = mode => { camera.choose(mode); modes.value = mode; this.changed = true; };
    modes.onchange = () => choose(modes.value);
    through.disabled = !own.shell;
    arrows.disabled = !own.arrows.length;
    arrows.checked = own.forces;
    through.onchange = () => { own.see(through.checked); this.changed = true; };
    arrows.onchange = () => { own.forces = arrows.checked; this.changed = true; };
    const keys = {
      'x': () => { if (own.shell) { through.checked = !through.checked; through.onchange(); } },
      'f': () => { if (own.arrows.length) { arrows.checked = !arrows.checked; arrows.onchange(); } },
      '+': () => { camera.near(0.9); this.changed = true; }, '-': () => { camera.near(1.1); this.changed = true; },
    };
    Skidpad.Camera.modes.forEach((mode, i) => { keys[i + 1] = () => choose(mode); });
    return keys;
  }
  pointer() {
    const { host, camera } = this, held = new Map();
    host.onpointerdown = e => { held.set(e.pointerId, [e.clientX, e.clientY]); host.setPointerCapture(e.pointerId); };
    host.onpointerup = host.onpointercancel = e => held.delete(e.pointerId);
    host.onpointermove = e => {
      const before = held.get(e.pointerId);
      if (!before) return;
      if (held.size === 2) { // two fingers come nearer or go away
        const [other] = [...held].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        camera.near(Math.hypot(before[0] - other[0], before[1] - other[1]) / Math.max(1, Math.hypot(e.clientX - other[0], e.clientY - other[1])));
      } else camera.turn(e.clientX - before[0], e.clientY - before[1]);
      held.set(e.pointerId, [e.clientX, e.clientY]);
      this.changed = true;
    };
    host.addEventListener('wheel', e => { e.preventDefault(); camera.near(Math.exp(e.deltaY * 0.001)); this.changed = true; }, { passive: false });
  }
  // chooseRenderer lets a renderer that is too slow for ten pictures give way to the painter.
  chooseRenderer(picture) {
    if (this.renderer.name !== 'WebGL') return;
    const list = [];
    for (let i = 0; i < 10; i++) { const t = performance.now(); picture(); list.push(performance.now() - t); }
    if (list.sort((a, b) => a - b)[5] <= 12) return;
    this.renderer = Skidpad.renderer(this.host, 'painter');
    this.resize();
    picture();
  }
};
