// hud: what a driver looks at, beside the picture: speed, pedals, steering wheel, accelerations, loads of the tires.
Skidpad.Hud = class {
  // signals are {name, unit, role}; forces are the shapes of the wheels with forces.
  constructor(host, signals) {
    this.host = host;
    this.at = new Map(signals.map((s, i) => [s.role || s.name, i]));
    const make = (tag, name, into = host) => {
      const e = document.createElement(tag);
      e.className = name;
      into.append(e);
      return e;
    };
    this.speed = make('div', 'hud-speed');
    this.engine = this.at.has('@engine_speed') ? make('div', 'hud-engine') : null;
    this.wheel = make('div', 'hud-wheel');
    this.wheel.setAttribute('role', 'img');
    const pedals = make('div', 'hud-pedals');
    this.bars = ['clutch', 'throttle', 'brake'].map(name => {
      const bar = make('div', 'hud-bar ' + name, pedals);
      bar.setAttribute('role', 'meter');
      bar.setAttribute('aria-label', name);
      bar.setAttribute('aria-valuemin', '0');
      bar.setAttribute('aria-valuemax', '100');
      return bar;
    });
    this.disc = make('canvas', 'hud-disc');
    this.disc.width = this.disc.height = 144;
    this.disc.setAttribute('role', 'img');
    this.tail = [];
    this.wheels = signals.flatMap((s, i) => /^@wheel\[.*\]\.Fz$/.test(s.role) ? [{ at: i, name: s.role.slice(7, -4) }] : []);
    this.most = 1;
    const tires = make('div', 'hud-tires');
    this.tires = this.wheels.map(w => {
      const e = make('div', 'hud-tire', tires);
      e.title = 'wheel ' + w.name;
      make('i', '', e);
      make('b', '', e);
      return e;
    });
    const axles = this.wheels.map(w => parseInt(w.name, 10)), widest = Math.max(1, ...axles.map(a => axles.filter(b => b === a).length));
    tires.style.setProperty('--columns', widest);
  }
  get(values, name) { return this.at.has(name) ? values[this.at.get(name)] : NaN; }
  show(values, time) {
    const number = (x, digits) => Number.isFinite(x) ? x.toFixed(digits) : '–';
    // what nobody gives is not shown, such as the pedals of a vehicle that a program feeds
    const hide = (e, ...names) => { e.hidden = names.some(name => this.at.has(name) && Number.isNaN(this.get(values, name))); };
    hide(this.speed, '@chassis.vx');
    hide(this.wheel, 'steering');
    hide(this.bars[0].parentNode, 'throttle', 'brake');
    hide(this.disc, '@chassis.ay', '@chassis.ax');
    this.host.querySelector('.hud-tires').hidden = !this.wheels.some(w => Number.isFinite(values[w.at]));
    const kmh = 3.6 * this.get(values, '@chassis.vx'), gear = this.get(values, 'gear');
    this.speed.textContent = number(kmh, 0) + ' km/h' + (gear ? (gear < 0 ? '  R' : '  ' + gear) : '');
    const angle = this.get(values, 'steering');
    this.wheel.style.setProperty('--angle', number(-angle, 3) + 'rad');
    this.wheel.setAttribute('aria-label', 'steering wheel ' + number(angle * 180 / Math.PI, 0) + ' deg');
    if (this.engine) this.engine.textContent = number(this.get(values, '@engine_speed') * 30 / Math.PI, 0) + ' rpm';
    // of the clutch: 1 with the pedal down; NaN without one
    [1 - this.get(values, 'clutch'), this.get(values, 'throttle'), this.get(values, 'brake') / 8].forEach((x, i) => {
      this.bars[i].hidden = Number.isNaN(x);
      const share = Math.round(100 * Math.min(1, Math.max(0, x || 0)));
      this.bars[i].style.setProperty('--share', share + '%');
      this.bars[i].setAttribute('aria-valuenow', share);
    });
    this.wheels.forEach((w, i) => {
      const load = values[w.at], fx = values[w.at - 2], fy = values[w.at - 1];
      this.most = Math.max(this.most, load);
      const of = this.get(values, `@wheel[${w.name}].utilisation`), known = Number.isFinite(of);
      const used = known ? of : load > 1 ? Math.hypot(fx, fy) / load : 0;
      const slip = Math.hypot(this.get(values, `@wheel[${w.name}].kappa`), Math.tan(this.get(values, `@wheel[${w.name}].alpha`)));
      this.tires[i].style.setProperty('--slip', Math.min(1, slip / 0.2) || 0); // the whole bar is a slip of 20 %
      this.tires[i].style.setProperty('--load', Math.sqrt(Math.max(0, load) / this.most));
      this.tires[i].style.setProperty('--colour', `rgb(${Skidpad.cividis(Math.min(1, used)).map(c => Math.round(255 * c)).join(' ')})`);
      this.tires[i].title = `wheel ${w.name}: load ${number(load, 0)} N, ${known ? 'utilisation' : 'force ratio'} ${number(used, 2)}, slip ${number(100 * slip, 0)} %`;
    });
    if (this.disc.hidden) return;
    this.tail.push([time, this.get(values, '@chassis.ay'), this.get(values, '@chassis.ax')]);
    while (this.tail[0][0] < time - 3 || this.tail[0][0] > time) this.tail.shift();
    this.draw();
  }
  draw() {
    const g = this.disc.getContext('2d'), size = this.disc.width, scale = size / 2 / 12; // 12 m/s2 at the rim
    const style = getComputedStyle(this.disc), ink = style.color, soft = style.getPropertyValue('--soft');
    g.clearRect(0, 0, size, size);
    g.strokeStyle = soft;
    g.lineWidth = 1;
    for (const r of [5, 10]) {
      g.beginPath();
      g.arc(size / 2, size / 2, r * scale, 0, 2 * Math.PI);
      g.stroke();
    }
    g.strokeStyle = ink;
    g.lineWidth = 2;
    g.beginPath();
    for (const [, ay, ax] of this.tail) g.lineTo(size / 2 - ay * scale, size / 2 - ax * scale);
    g.stroke();
    const [, ay, ax] = this.tail[this.tail.length - 1];
    g.fillStyle = style.getPropertyValue('--accent');
    g.beginPath();
    g.arc(size / 2 - ay * scale, size / 2 - ax * scale, 6, 0, 2 * Math.PI);
    g.fill();
    this.disc.setAttribute('aria-label', `lateral ${Math.abs(ay).toFixed(1)} m/s2 ${ay < 0 ? 'right' : 'left'}, longitudinal ${ax.toFixed(1)} m/s2`);
  }
};
