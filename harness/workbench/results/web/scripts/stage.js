// stage: a vehicle on its ground, seen by a camera, in an element of the page. Players and live views fill it with poses.
Skidpad.Stage = class {
  static scales = [10, 20, 40, 100, 200, 400, 1000, 2000, 4000, 1e4, 2e4, 4e4, 1e5]; // of arrows [N/m]
  // first are the poses at the begin, loads the loads of the wheels there [N]. stage.changed says that the picture is to
  // be made again.
  constructor(host, look, first, loads, wishes) {
    this.host = host;
    this.look = look;
    this.own = new Skidpad.Vehicle(look);
    this.ground = new Skidpad.Ground(look.ground);
    this.renderer = Skidpad.renderer(host, wishes.get('renderer'));
    this.changed = true;
    this.relief = new Skidpad.Relief();
    this.marks = new Skidpad.Marks(this.own.wheels.map(w => w.width));
    this.labels = new Skidpad.Labels(host, this.own.wheels);
    this.paths = []; // further lines on the ground, {places, colour, width}
    this.tells = () => []; // the lines of text of each wheel
    this.legend = host.appendChild(document.createElement('div'));
    this.legend.className = 'legend';
    this.measure(loads);
    const { middle, size } = this.bounds(first);
    this.camera = new Skidpad.Camera(size, middle, this.own.wheels[0]?.radius ?? 0);
    if (wishes.get('camera')) this.camera.choose(wishes.get('camera'));
    this.own.forces = look.forces.length > 0;
    this.course = null; // that the vehicle drives along
    this.pointer();
  }
  // bounds is the box about all shapes at some poses: its middle, in axes of the chassis, and half of its diagonal.
  bounds(poses) {
    const { look } = this, chassis = poses[look.chassis], low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
    const include = (p, reach) => { for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], p[k] - reach); high[k] = Math.max(high[k], p[k] + reach); } };
    for (const s of look.shapes) {
      const reach = s.kind === 'wheel' ? s.size[0] : s.kind === 'box' ? 0.3 * Math.hypot(...s.size) : 0.05;
      for (const f of s.frames) include(poses[f], reach);
    }
    if (look.absent) include(chassis, 1);
    for (const p of look.shell?.points ?? []) include(Skidpad.point(chassis, ...p), 0);
    for (const t of look.trailers ?? []) for (const p of t.points) include(Skidpad.point(poses[t.frame], ...p), 0);
    const middle = [0, 1, 2].map(k => (low[k] + high[k]) / 2 - chassis[k]), back = [0, 0, 0, chassis[3], -chassis[4], -chassis[5], -chassis[6]];
    return { middle: Skidpad.point(back, ...middle), size: Math.max(0.4, Math.hypot(...[0, 1, 2].map(k => (high[k] - low[k]) / 2))) };
  }
  // measure chooses the scale of arrows [N/m]: about a metre for the mean of loads, and 4 kN for a car
  measure(loads) {
    const some = loads.map(Math.abs).filter(x => x > 0), mean = some.reduce((a, b) => a + b, 0) / (some.length || 1);
    this.scale = Skidpad.Stage.scales.find(x => x > 0.7 * mean) ?? Skidpad.Stage.scales.at(-1);
    if (this.scales) this.scales.value = this.scale;
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
    if (!own.wheels.length) this.camera.frame(this.bounds(poses)); // masses on springs and rods change their places
    const lens = this.camera.follow(body, wheel, this.look.shell, seconds, box.width / Math.max(1, box.height));
    if (own.shell) own.shell.visible = this.camera.mode !== 'driver';
    this.host.style.setProperty('--horizon', 100 * this.camera.horizon() + '%');
    const drawn = [own, ...ghosts.map(([ghost]) => ghost)], lines = this.floor(origin, colours, style, force);
    if (this.course) {
      const height = (x, y) => this.ground.height(x, y);
      this.course.place(origin, lens.position, height);
      drawn.push(this.course);
      lines.push(this.course.lines(origin, style.getPropertyValue('--accent').trim(), height));
    }
    this.renderer.draw(drawn, lines, lens);
    if (this.own.wheels.length) this.labels.place(lens, box.width, box.height, this.tells());
  }
  // floor is what is drawn on the ground: tints of friction, skid marks, the grid, lines of equal height, paths, and rings
  // about the contacts of tires that have lifted off.
  floor(origin, colours, style, force) {
    const { own, marks } = this, colour = name => style.getPropertyValue(name).trim();
    const relief = this.relief.draw(this.ground, origin, { contour: colour('--contour') });
    this.explain();
    const rings = own.arrows.flatMap((a, i) => force?.[i] && Math.abs(force[i][2]) < 1 && a.contact
      ? Skidpad.ring([a.contact.x, a.contact.y, own.lowest === null ? a.contact.z : own.lowest - origin[2]], 0.5 * a.wheel.radius) : []);
    return [...relief.under, marks.marks(origin, colour('--mark')), ...this.ground.lines(origin, colours), ...relief.over,
      marks.track(origin, colour('--track')), ...this.paths.map(p => Skidpad.track(p.places, origin, p.colour ?? colour('--track'), p.width)),
      { list: rings, colour: colour('--lifted'), width: 2.5 }];
  }
  // explain says what tints and lines on the ground mean.
  explain() {
    const { range, step } = this.relief, key = JSON.stringify([range, step]);
    if (this.explained === key) return;
    this.explained = key;
    const parts = [];
    if (range) {
      const bar = document.createElement('i');
      bar.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(Skidpad.tint)})`;
      parts.push(`friction ${Number(range[0].toPrecision(2))} `, bar, ` ${Number(range[1].toPrecision(2))}`);
    }
    if (step) parts.push(`${range ? ', ' : ''}lines of equal height: ${step < 0.01 ? step * 1000 + ' mm' : step < 1 ? Math.round(step * 100) + ' cm' : step + ' m'} apart`);
    this.legend.replaceChildren(...parts);
  }
  resize() {
    const box = this.host.getBoundingClientRect();
    this.renderer.size(box.width, box.height, Math.min(2, devicePixelRatio || 1));
  }
  // controls connects lists of cameras and of scales of arrows, and two switches; it returns what their keys do.
  controls(modes, through, arrows, scale) {
    const { camera, own } = this;
    scale.replaceChildren(...Skidpad.Stage.scales.map(s => new Option(s < 1000 ? s + ' N' : s / 1000 + ' kN', s)));
    this.scales = scale;
    scale.value = this.scale;
    scale.onchange = () => { this.scale = Number(scale.value); this.changed = true; };
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
      'l': () => { this.labels.all = !this.labels.all; this.changed = true; },
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
