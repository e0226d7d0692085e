// player: plays a recorded run, with a slider, cameras, plots and ghosts.
Skidpad.play = async description => {
  const element = id => document.getElementById(id);
  const wishes = new URLSearchParams(location.search.slice(1) + '&' + location.hash.slice(1));
  const reader = new Skidpad.Reader(await Skidpad.unpack(description.data));
  const motion = new Skidpad.Motion(description, reader);
  const forces = description.forces.map(() => [0, 1, 2].map(() => reader.singles(description.moments)));
  const curves = description.curves.map(c => ({ ...c, values: reader.singles(description.moments) }));
  const ghosts = description.ghosts.map(g => new Skidpad.Motion({ ...description, ...g }, reader));
  const others = ghosts.map((g, i) => new Skidpad.Vehicle(description, Skidpad.cividis((i + 1) / (ghosts.length + 1))));
  const slider = element('time');
  const stage = new Skidpad.Stage(element('stage'), description, motion.place(motion.begin), forces.map(f => f[2][0]), wishes);
  const { own, camera, ground } = stage;
  // paths of the vehicle and of ghosts on the ground
  const course = m => {
    const places = [];
    for (const t of m.times) {
      const p = m.place(t)[description.chassis], z = ground.height(p[0], p[1]), before = places[places.length - 1];
      if (z === null || before && Math.hypot(p[0] - before[0], p[1] - before[1]) < 0.4) continue;
      places.push([p[0], p[1], z]);
    }
    return places;
  };
  stage.paths = [{ places: course(motion), width: 1.6 },
    ...ghosts.map((g, i) => ({ places: course(g), colour: Skidpad.tint((i + 1) / (ghosts.length + 1)), width: 1.6 }))];
  stage.tells = () => own.wheels.map(w => {
    const i = own.arrows.findIndex(a => a.wheel === w);
    return i < 0 || !force[i] ? null : Skidpad.wheelText(w.name, force[i]);
  });
  let now = motion.begin, playing = !matchMedia('(prefers-reduced-motion: reduce)').matches, last = null;

  const force = [], at = [];
  // picture draws the vehicle at a time.
  const picture = seconds => {
    const poses = motion.place(now), [low, share] = motion.index(now);
    forces.forEach((f, i) => {
      force[i] = f.map(c => c[low] * (1 - share) + c[Math.min(low + 1, c.length - 1)] * share);
    });
    stage.picture(seconds, poses, force, others.map((g, i) => {
      at[i] = Math.min(ghosts[i].end, Math.max(ghosts[i].begin, now));
      return [g, ghosts[i].place(at[i])];
    }));
  };
  const show = () => {
    slider.value = now;
    const text = now.toFixed(2) + ' s';
    element('clock').textContent = text;
    slider.setAttribute('aria-valuetext', text);
    for (const p of plots) p.mark(now);
  };
  const resize = () => {
    stage.resize();
    picture(0); // a canvas of another size is empty
  };
  const pause = on => {
    playing = on;
    element('play').textContent = on ? 'pause' : 'play';
    element('play').setAttribute('aria-pressed', String(on));
  };
  const move = t => { now = Math.min(motion.end, Math.max(motion.begin, t)); stage.changed = true; };

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
  element('help').onclick = () => element('keys').showModal();
  element('close').onclick = () => element('keys').close();
  const through = element('through');
  const keys = {
    ...stage.controls(element('camera'), through, element('arrows'), element('scale')),
    ' ': () => pause(!playing), '.': () => { pause(false); move(now + 0.01); }, ',': () => { pause(false); move(now - 0.01); },
    'Home': () => move(motion.begin), 'End': () => move(motion.end), '?': () => element('keys').showModal(),
  };
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || element('keys').open) return;
    const of = e.target.tagName;
    if (of === 'SELECT' || of === 'INPUT' && e.key !== ' ' && e.target.type === 'range' || of === 'BUTTON' && e.key === ' ') return;
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (act) { e.preventDefault(); act(); }
  });
  new ResizeObserver(resize).observe(stage.host);
  resize();
  if (wishes.has('at')) { // a still picture
    pause(false);
    move(Number(wishes.get('at')));
  } else pause(playing);
  if (wishes.has('through')) { through.checked = true; own.see(true); }
  if (!wishes.get('renderer')) stage.chooseRenderer(() => picture(0));

  const tick = stamp => {
    const seconds = last === null ? 0 : Math.min(0.1, (stamp - last) / 1000);
    if (playing && last !== null) {
      move(now + seconds * Number(element('speed').value));
      if (now >= motion.end) move(motion.begin);
    }
    last = stamp;
    if (stage.changed || playing) {
      stage.changed = false;
      picture(seconds);
      show();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  Object.assign(Skidpad, { shown: { own, others, motion, camera, ground, get renderer() { return stage.renderer; }, picture, move } });
  document.documentElement.dataset.ready = stage.renderer.name;
};
