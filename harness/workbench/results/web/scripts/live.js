// live: a vehicle that drives now. The page draws its states, and sends the driver's keys.
Skidpad.live = () => {
  const element = id => document.getElementById(id);
  const fragment = new URLSearchParams(location.hash.slice(1).includes('=') ? location.hash.slice(1) : '');
  const wishes = new URLSearchParams(location.search.slice(1));
  const given = location.hash.slice(1) && !location.hash.includes('=') ? location.hash.slice(1) : fragment.get('token');
  if (given) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname + location.search); // the address must not show it
  }
  const token = sessionStorage.getItem('token');
  if (!sessionStorage.getItem('identity')) sessionStorage.setItem('identity', crypto.getRandomValues(new Uint32Array(2)).join('-'));
  const status = element('status'), say = text => { status.textContent = text; };
  let socket = null, scene = null, stage = null, hud = null, states = [], offset = null, orders = 0,
    settings = null, course = null, ghosts = [];

  const order = (type, more = {}) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, number: ++orders, ...more }));
  };

  const input = new Skidpad.Input(message => {
    if (socket?.readyState === WebSocket.OPEN && scene?.driver === 'page') socket.send(message);
  });

  // read unpacks a state.
  const read = data => {
    const v = new DataView(data), frames = scene.look.frames, chassis = scene.look.chassis;
    if (v.getUint8(0) !== 1) return null;
    const s = { flags: v.getUint8(1), segment: v.getUint16(2, true), number: v.getUint32(4, true), time: v.getFloat64(8, true), came: performance.now() };
    const place = [16, 24, 32].map(at => v.getFloat64(at, true));
    let at = 40;
    const next = () => { at += 4; return v.getFloat32(at - 4, true); };
    const take = n => Array.from({ length: n }, next);
    const body = [...place, ...take(4)];
    s.speeds = take(6);
    s.poses = Array.from({ length: frames }, (_, f) => f === chassis ? Float64Array.from(body)
      : Skidpad.compose(body, take(7), new Float64Array(7)));
    s.signals = take(scene.signals.length);
    return s;
  };

  // blend are the poses a share of the way from a state to the next one.
  const blend = (a, b, share) => a.poses.map((p, f) => {
    const q = b.poses[f], out = new Float64Array(7);
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += p[k] * q[k];
    for (let k = 0; k < 7; k++) out[k] = p[k] * (1 - share) + (k > 2 && dot < 0 ? -q[k] : q[k]) * share;
    const size = Math.hypot(out[3], out[4], out[5], out[6]);
    for (let k = 3; k < 7; k++) out[k] /= size;
    return out;
  });
  // ahead moves all poses of a state on by the motion of the chassis, a short time [s].
  const ahead = (s, seconds) => {
    const [x, y, z] = s.poses[scene.look.chassis], [u, v, w, a, b, c] = s.speeds, angle = Math.hypot(a, b, c) * seconds;
    const half = angle > 1e-9 ? Math.sin(angle / 2) / angle * seconds : seconds / 2;
    const turn = [0, 0, 0, Math.cos(angle / 2), a * half, b * half, c * half];
    return s.poses.map(p => {
      const q = Skidpad.compose(turn, [p[0] - x, p[1] - y, p[2] - z, p[3], p[4], p[5], p[6]], new Float64Array(7));
      q[0] += x + u * seconds; q[1] += y + v * seconds; q[2] += z + w * seconds;
      return q;
    });
  };

  const begin = message => {
    scene = message;
    states = [];
    document.title = scene.look.title;
    element('title').textContent = scene.look.title;
    element('stage').replaceChildren();
    stage = null;
    element('hud').replaceChildren();
    hud = new Skidpad.Hud(element('hud'), scene.signals);
    settings = new Skidpad.Settings(element('settings'), scene.settings, order);
    course = new Skidpad.Course();
    ghosts = scene.ghosts.map((g, i) => new Skidpad.Ghost(g, Skidpad.cividis((i + 1) / (scene.ghosts.length + 1))));
    element('driver').hidden = !scene.manoeuvre;
    say(scene.manoeuvre ? 'A manoeuvre drives: arrow up starts it, T takes over; ? shows the keys.'
      : scene.driver === 'page' ? 'Arrow up drives; ? shows the keys.' : 'A program drives.');
  };
  let keys = {};
  const build = first => {
    const loads = scene.look.forces.map(f => force(first, f)[2]);
    stage = new Skidpad.Stage(element('stage'), scene.look, first.poses, loads, wishes);
    stage.course = course;
    if (scene.driver === 'page') stage.camera.azimuth = 0; // a driver looks ahead
    if (scene.tiles) stage.ground = new Skidpad.Ground(scene.look.ground, (i, j, level) => order('tile', { i, j, level }));
    keys = {
      't': () => element('driver').click(),
      ...stage.controls(element('camera'), element('through'), element('arrows'), element('scale')),
      ' ': () => order(paused() ? 'run' : 'pause'), '.': () => order('step', { slices: 1 }), ',': () => order('rewind', { seconds: 0.01 }),
      'r': () => order('reset'), 'Backspace': () => order('rewind', { seconds: 5 }), '?': () => element('keys').showModal(),
      'm': () => order('keep', { slot: 1 }), 'n': () => order('return', { slot: 1 }),
      'z': () => input.turnBack(), 'v': () => {
        const last = states[states.length - 1], at = last.poses[scene.look.chassis];
        say(`${(3.6 * hud.get(last.signals, '@chassis.vx')).toFixed(0)} km/h at x ${at[0].toFixed(0)} m, y ${at[1].toFixed(1)} m`);
      },
    };
    new ResizeObserver(() => { stage.resize(); picture(0); }).observe(stage.host);
    stage.resize();
    if (!wishes.get('renderer')) stage.chooseRenderer(() => picture(0));
    document.documentElement.dataset.ready = stage.renderer.name;
  };
  const paused = () => !states.length || (states[states.length - 1].flags & 1) !== 0;
  // force is the force on the wheel of an arrow: along its heading, to the left, and normal to the road.
  const force = (s, f) => {
    const name = scene.look.shapes[f.shape].name;
    return ['Fx', 'Fy', 'Fz'].map(q => s.signals[scene.signals.findIndex(x => x.name === `${name}.${q}`)] ?? 0);
  };
  // shown are the poses to draw now: of a driver the latest state, moved on to this moment; else between two states.
  const shown = () => {
    const last = states[states.length - 1], before = states[states.length - 2];
    if (paused() || !before || before.segment !== last.segment) return last.poses;
    const now = performance.now() / 1000 + offset; // of the vehicle
    if (input.wants) return ahead(last, Math.min(0.025, Math.max(0, now - last.time)));
    const late = now - (last.time - before.time); // one state behind
    return blend(before, last, Math.min(1, Math.max(0, (late - before.time) / Math.max(1e-6, last.time - before.time))));
  };
  const picture = seconds => {
    const last = states[states.length - 1];
    stage.picture(seconds, shown(), scene.look.forces.map(f => force(last, f)), ghosts.filter(g => g.motion).map(g => g.at(last.time)));
  };
  const arrive = s => {
    if (s === null) return;
    const last = states[states.length - 1];
    if (last && last.segment !== s.segment) offset = null;
    const lead = s.time - s.came / 1000;
    offset = offset === null || Math.abs(lead - offset) > 0.2 ? lead : offset + 0.05 * (lead - offset);
    states = states.slice(-1).concat([s]);
    if (!stage) build(s);
    hud.show(s.signals, s.time);
    element('clock').textContent = s.time.toFixed(1) + ' s';
    element('pause').textContent = paused() ? 'run' : 'pause';
    element('pause').setAttribute('aria-pressed', String(!paused()));
    const late = 1000 * hud.get(s.signals, 'late'), dropped = hud.get(s.signals, 'dropped');
    element('late').textContent = dropped > 0 ? `${dropped.toFixed(2)} s lost` : late > 5 ? `${late.toFixed(0)} ms late` : '';
    const piloted = (s.flags & 16) !== 0;
    element('driver').textContent = piloted ? 'take over' : 'let the manoeuvre drive';
    if (ghosts.length) Skidpad.gaps(element('gaps'), ghosts, s.poses[scene.look.chassis], s.time);
    element('recording').hidden = !(s.flags & 4);
    element('seat').hidden = scene.driver !== 'page' || !(s.flags & 8) || input.wants;
    document.documentElement.dataset.time = s.time.toFixed(3);
  };

  const texts = { scene: begin,
    settings: m => settings.show(m.settings.numbers, m.settings.tire),
    course: m => course.show(m.course),
    cones: m => {
      if (course.fall(m.cones)) say(`${m.cones.length} of ${course.cones.length} cones touched`);
    },
    figures: m => Skidpad.figures(element('figures'), m.figures),
    event: m => say(m.kind === 'begin' ? '' : m.kind === 'running' ? '' : m.text ? `${m.kind}: ${m.text}` : m.kind),
    error: m => say(`${m.order}: ${m.text}`), ok: () => {},
    tile: m => { if (stage) { stage.ground.take(m); stage.changed = true; } } };
  let tries = 0;
  const connect = () => {
    if (!token) { say('The address has no token. Open the address that skidpad view has printed.'); return; }
    socket = new WebSocket(`ws://${location.host}/socket`, 'skidpad-view.1');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      tries = 0;
      socket.send(JSON.stringify({ type: 'hello', token, kind: 'page', identity: sessionStorage.getItem('identity'), rate: 120 }));
    };
    socket.onmessage = e => {
      if (typeof e.data !== 'string') { if (scene) arrive(read(e.data)); return; }
      const message = JSON.parse(e.data);
      texts[message.type]?.(message);
    };
    socket.onclose = e => {
      input.release();
      if (e.code === 1008 || e.code === 1002) { say(e.reason || 'refused'); return; }
      say('no connection; is skidpad view running?');
      setTimeout(connect, Math.min(2000, 100 * 2 ** tries++));
    };
  };

  const busy = e => e.ctrlKey || e.metaKey || e.altKey || element('keys').open || e.target.tagName === 'SELECT' || e.target.type === 'range';
  addEventListener('keydown', e => {
    if (busy(e)) return;
    const key = input.press(e);
    if (key.ours) {
      e.preventDefault();
      if (key.begins && paused() && states.length && scene.driver === 'page' && !scene.lockstep) order('run');
      return;
    }
    if (e.target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter')) return;
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (act) { e.preventDefault(); act(); }
  });
  addEventListener('keyup', e => input.lift(e));
  addEventListener('blur', () => input.release());
  document.addEventListener('visibilitychange', () => { if (document.hidden) input.release(); });
  setInterval(() => input.tell(), 33);
  element('pause').onclick = () => order(paused() ? 'run' : 'pause');
  element('reset').onclick = () => order('reset');
  element('back').onclick = () => order('rewind', { seconds: 5 });
  element('pace').onchange = () => order('pace', { pace: Number(element('pace').value) });
  element('driver').onclick = () => {
    if (!states.length) return;
    order(states[states.length - 1].flags & 16 ? 'take-over' : 'hand-back');
  };
  element('dismiss').onclick = () => { element('figures').hidden = true; };
  element('seat').onclick = () => order('seat');
  element('help').onclick = () => element('keys').showModal();
  element('close').onclick = () => element('keys').close();
  let last = null;
  const tick = stamp => {
    const seconds = last === null ? 0 : Math.min(0.1, (stamp - last) / 1000);
    last = stamp;
    if (stage && (stage.changed || !paused() || states.length)) {
      stage.changed = false;
      picture(seconds);
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  Object.assign(Skidpad, { driven: { get stage() { return stage; }, get states() { return states; }, shown, order, read } });
  connect();
};
Skidpad.live();
