// player: plays a recorded run, with a slider, cameras, plots and ghosts.
Skidpad.play = async description => {
  const element = id => document.getElementById(id);
  const wishes = new URLSearchParams(location.search.slice(1) + '&' + location.hash.slice(1));
  const reader = new Skidpad.Reader(await Skidpad.unpack(description.data));
  const motion = new Skidpad.Motion(description, reader);
  const forces = description.forces.map(() => [0, 1, 2].map(() => reader.singles(description.moments)));
  const curves = description.curves.map(c => ({ ...c, values: reader.singles(description.moments) }));
  const ghosts = description.ghosts.map(g => new Skidpad.Motion({ ...description, ...g }, reader));
  const own = new Skidpad.Vehicle(description);
  const others = ghosts.map((g, i) => new Skidpad.Vehicle(description, Skidpad.cividis((i + 1) / (ghosts.length + 1))));
  const ground = new Skidpad.Ground(description.ground);
  const stage = element('stage'), slider = element('time');
  let renderer = Skidpad.renderer(stage, wishes.get('renderer'));
  let now = motion.begin, playing = !matchMedia('(prefers-reduced-motion: reduce)').matches, last = null, changed = true;

  // the box about all shapes at the begin: its middle, against the chassis, and half of its diagonal
  const first = motion.place(motion.begin), chassis = first[description.chassis], low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
  const include = (p, reach) => { for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], p[k] - reach); high[k] = Math.max(high[k], p[k] + reach); } };
  for (const s of description.shapes) {
    const reach = s.kind === 'wheel' ? s.size[0] : s.kind === 'box' ? 0.3 * Math.hypot(...s.size) : 0.03;
    for (const f of s.frames) include(first[f], reach);
  }
  for (const p of description.shell?.points ?? []) include(Skidpad.point(chassis, ...p), 0);
  const middle = [0, 1, 2].map(k => (low[k] + high[k]) / 2 - chassis[k]), back = [0, 0, 0, chassis[3], -chassis[4], -chassis[5], -chassis[6]];
  const size = Math.max(0.4, Math.hypot(...[0, 1, 2].map(k => (high[k] - low[k]) / 2)));
  // scale of arrows [N/m]: about a metre for the mean load at the begin, and 4 kN for a car
  const loads = forces.map(f => Math.abs(f[2][0])).filter(x => x > 0), mean = loads.reduce((a, b) => a + b, 0) / (loads.length || 1);
  const scale = [100, 200, 400, 1000, 2000, 4000, 1e4, 2e4, 4e4, 1e5].find(x => x > 0.7 * mean) ?? 1e6;
  element('scale').textContent = scale < 1000 ? scale + ' N' : scale / 1000 + ' kN';
  const camera = new Skidpad.Camera(size, Skidpad.point(back, ...middle));
  if (wishes.get('camera')) camera.choose(wishes.get('camera'));
  own.forces = description.forces.length > 0;

  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    return { fine: style.getPropertyValue('--grid').trim(), bold: style.getPropertyValue('--bold').trim() };
  };
  const force = [], at = [];
  // picture draws the vehicle at a time.
  const picture = seconds => {
    const poses = motion.place(now), body = poses[description.chassis], origin = [body[0], body[1], body[2]];
    const [low, share] = motion.index(now);
    forces.forEach((f, i) => {
      force[i] = f.map(c => c[low] * (1 - share) + c[Math.min(low + 1, c.length - 1)] * share);
    });
    own.lowest = ground.height(origin[0], origin[1]);
    own.place(poses, origin, force, scale);
    others.forEach((g, i) => {
      at[i] = Math.min(ghosts[i].end, Math.max(ghosts[i].begin, now));
      g.place(ghosts[i].place(at[i]), origin);
    });
    const box = stage.getBoundingClientRect();
    const wheel = own.wheels.length ? poses[own.wheels[0].frame] : null;
    const lens = camera.follow(body, wheel, description.shell, seconds, box.width / Math.max(1, box.height));
    if (own.shell) own.shell.visible = camera.mode !== 'driver';
    stage.style.setProperty('--horizon', 100 * camera.horizon() + '%');
    renderer.draw([own, ...others], ground.lines(origin, colours()), lens);
  };
  const show = () => {
    slider.value = now;
    const text = now.toFixed(2) + ' s';
    element('clock').textContent = text;
    slider.setAttribute('aria-valuetext', text);
    for (const p of plots) p.mark(now);
  };
  const resize = () => {
    const box = stage.getBoundingClientRect();
    renderer.size(box.width, box.height, Math.min(2, devicePixelRatio || 1));
    picture(0); // a canvas of another size is empty
  };
  const pause = on => {
    playing = on;
    element('play').textContent = on ? 'pause' : 'play';
    element('play').setAttribute('aria-pressed', String(on));
  };
  const move = t => { now = Math.min(motion.end, Math.max(motion.begin, t)); changed = true; };

  // plots of recorded signals, one below the other
  const plots = [];
  const panels = [...new Set(curves.map(c => c.panel))];
  element('plots').hidden = panels.length === 0; // plots are as wide as what is shown
  for (const panel of panels) {
    const host = element('plots').appendChild(document.createElement('div')), list = curves.filter(c => c.panel === panel);
    plots.push(Skidpad.plots.line(host, { title: list.map(c => c.name).join(', '), x: motion.times, curves: list, xLabel: 'time, s', xUnit: 's',
      yUnit: list.every(c => c.unit === list[0].unit) ? list[0].unit : '', sync: 'run', height: () => 150,
      onPick: t => { pause(false); move(t); } }));
  }

  slider.min = motion.begin; slider.max = motion.end;
  slider.oninput = () => { pause(false); move(Number(slider.value)); };
  element('play').onclick = () => pause(!playing);
  const modes = element('camera');
  modes.value = camera.mode;
  const look = mode => { camera.choose(mode); modes.value = mode; changed = true; };
  modes.onchange = () => look(modes.value);
  const through = element('through'), arrows = element('arrows');
  through.disabled = !own.shell;
  arrows.disabled = !own.arrows.length;
  arrows.checked = own.forces;
  through.onchange = () => { own.see(through.checked); changed = true; };
  arrows.onchange = () => { own.forces = arrows.checked; changed = true; };
  element('help').onclick = () => element('keys').showModal();
  element('close').onclick = () => element('keys').close();
  const keys = {
    ' ': () => pause(!playing), '.': () => { pause(false); move(now + 0.01); }, ',': () => { pause(false); move(now - 0.01); },
    'Home': () => move(motion.begin), 'End': () => move(motion.end), '?': () => element('keys').showModal(),
    'x': () => { if (own.shell) { through.checked = !through.checked; own.see(through.checked); changed = true; } },
    'f': () => { if (own.arrows.length) { arrows.checked = !arrows.checked; own.forces = arrows.checked; changed = true; } },
    '+': () => { camera.near(0.9); changed = true; }, '-': () => { camera.near(1.1); changed = true; },
  };
  Skidpad.Camera.modes.forEach((mode, i) => { keys[i + 1] = () => look(mode); });
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || element('keys').open) return;
    const of = e.target.tagName;
    if (of === 'SELECT' || of === 'INPUT' && e.key !== ' ' && e.target.type === 'range' || of === 'BUTTON' && e.key === ' ') return;
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (act) { e.preventDefault(); act(); }
  });
  const held = new Map();
  stage.onpointerdown = e => { held.set(e.pointerId, [e.clientX, e.clientY]); stage.setPointerCapture(e.pointerId); };
  stage.onpointerup = stage.onpointercancel = e => held.delete(e.pointerId);
  stage.onpointermove = e => {
    const before = held.get(e.pointerId);
    if (!before) return;
    if (held.size === 2) { // two fingers come nearer or go away
      const [other] = [...held].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
      camera.near(Math.hypot(before[0] - other[0], before[1] - other[1]) / Math.max(1, Math.hypot(e.clientX - other[0], e.clientY - other[1])));
    } else camera.turn(e.clientX - before[0], e.clientY - before[1]);
    held.set(e.pointerId, [e.clientX, e.clientY]);
    changed = true;
  };
  stage.addEventListener('wheel', e => { e.preventDefault(); camera.near(Math.exp(e.deltaY * 0.001)); changed = true; }, { passive: false });
  new ResizeObserver(resize).observe(stage);
  resize();
  if (wishes.has('at')) { // a still picture
    pause(false);
    move(Number(wishes.get('at')));
  } else pause(playing);
  if (wishes.has('through')) { through.checked = true; own.see(true); }

  // a renderer that is too slow gives way to the painter
  const measure = () => {
    const list = [];
    for (let i = 0; i < 10; i++) { const t = performance.now(); picture(0); list.push(performance.now() - t); }
    return list.sort((a, b) => a - b)[5];
  };
  if (renderer.name === 'WebGL' && !wishes.get('renderer') && measure() > 12) {
    renderer = Skidpad.renderer(stage, 'painter');
    resize();
  }
  const tick = stamp => {
    const seconds = last === null ? 0 : Math.min(0.1, (stamp - last) / 1000);
    if (playing && last !== null) {
      move(now + seconds * Number(element('speed').value));
      if (now >= motion.end) move(motion.begin);
    }
    last = stamp;
    if (changed || playing) {
      changed = false;
      picture(seconds);
      show();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  Object.assign(Skidpad, { shown: { own, others, motion, camera, ground, get renderer() { return renderer; }, picture, move } });
  document.documentElement.dataset.ready = renderer.name;
};
