// live: a vehicle that drives now. The page draws its states, and sends the driver's keys. Skidpad.connect makes a vehicle
// that runs in the page; without it there is a server.
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
  let socket = null, scene = null, places = new Map(), stage = null, hud = null, plots = null, video = null, states = [], offset = null, orders = 0,
    settings = null, course = null, ghosts = [];

  const order = (type, more = {}) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, number: ++orders, ...more }));
  };

  const input = new Skidpad.Input(message => {
    if (socket?.readyState === WebSocket.OPEN && scene?.driver === 'page') socket.send(message);
  }, say, () => { if (paused() && states.length && scene?.driver === 'page' && !scene.lockstep) order('run'); });
  const reserved = { Space: 'pause or run', Period: 'one slice', Comma: '10 ms back', KeyR: 'reset', Backspace: '5 s back', KeyM: 'mark', KeyN: 'return',
    KeyZ: 'reverse gear', KeyV: 'say speed and place', KeyP: 'plots', KeyX: 'see through the body', KeyF: 'forces', KeyL: 'labels', KeyT: 'take over',
    Slash: 'help', Minus: 'farther', Equal: 'nearer', Tab: 'next field', Enter: 'press a button', Escape: 'close', ...Object.fromEntries(
      Skidpad.Camera.modes.map((mode, i) => ['Digit' + (i + 1), 'camera ' + mode])) };
  Skidpad.dialogs(input, element, reserved);

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
    s.chosen = take((data.byteLength - at) / 4);
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
    places = new Map(scene.signals.map((x, i) => [x.name, i]));
    states = [];
    document.title = scene.look.title + (scene.feeds ? ', fed by a program' : '');
    element('title').textContent = document.title;
    element('stage').replaceChildren();
    stage = null;
    element('absent').textContent = scene.look.absent ?? '';
    element('video').hidden = Boolean(scene.look.absent) || !Skidpad.Video.possible();
    element('hud').replaceChildren();
    hud = new Skidpad.Hud(element('hud'), scene.signals);
    plots?.end();
    plots = new Skidpad.LivePlots({ section: element('plots'), list: element('plots-list'), range: element('plots-range'), add: element('plots-add'),
      names: element('plots-names'), note: element('plots-note'), toggle: element('plots-toggle') }, scene, names => order('signals', { names }));
    settings = new Skidpad.Settings(element('settings'), scene.settings, order);
    course = new Skidpad.Course();
    ghosts = scene.ghosts.map((g, i) => new Skidpad.Ghost(g, Skidpad.cividis((i + 1) / (scene.ghosts.length + 1))));
    element('driver').hidden = !scene.manoeuvre;
    say(scene.feeds ? 'Waiting for a program that feeds this view.' : scene.driver !== 'page' ? 'A program drives.'
      : scene.manoeuvre ? 'A manoeuvre drives: arrow up starts it, T takes over; ? shows the keys.' : 'Arrow up drives; ? shows the keys.');
    waiting = Boolean(scene.feeds);
    measured = false;
    document.documentElement.classList.toggle('watched', scene.driver !== 'page'); // no buttons of a driver
  };
  let keys = {}, waiting = false, measured = false; // for a program that feeds; arrows, by its forces
  const driver = {
    ' ': () => order(paused() ? 'run' : 'pause'), '.': () => order('step', { slices: 1 }), ',': () => order('rewind', { seconds: 0.01 }),
    'r': () => order('reset'), 'Backspace': () => order('rewind', { seconds: 5 }),
    'm': () => order('keep', { slot: 1 }), 'n': () => order('return', { slot: 1 }), 'z': () => input.turnBack(), 't': () => element('driver').click(),
  };
  const build = first => {
    stage = new Skidpad.Stage(element('stage'), scene.look, first.poses, loads(first), wishes);
    stage.course = course;
    if (scene.driver === 'page') stage.camera.azimuth = 0; // a driver looks ahead
    if (scene.tiles) stage.ground = new Skidpad.Ground(scene.look.ground, (i, j, level) => order('tile', { i, j, level }));
    stage.tells = () => {
      const s = states[states.length - 1];
      return stage.own.wheels.map(({ name }) => Skidpad.wheelText(name, force(s, { shape: scene.look.shapes.findIndex(x => x.name === name) }),
        quantity(s, name, 'kappa'), quantity(s, name, 'alpha')));
    };
    keys = {
      ...stage.controls(element('camera'), element('through'), element('arrows'), element('scale')),
      'p': () => element('plots-toggle').click(), ...(scene.driver === 'page' ? driver : {}), '?': () => element('keys').showModal(), 'v': () => {
        const last = states[states.length - 1], at = last.poses[scene.look.chassis], kmh = 3.6 * hud.get(last.signals, '@chassis.vx');
        say(`${Number.isFinite(kmh) ? kmh.toFixed(0) + ' km/h ' : ''}at x ${at[0].toFixed(0)} m, y ${at[1].toFixed(1)} m`);
      },
    };
    new ResizeObserver(() => { stage.resize(); picture(0); }).observe(stage.host);
    stage.resize();
    if (!wishes.get('renderer')) stage.chooseRenderer(() => picture(0));
    document.documentElement.dataset.ready = stage.renderer.name;
  };
  const paused = () => !states.length || (states[states.length - 1].flags & 1) !== 0;
  // quantity is a signal of a component in a state; undefined where the page does not get it.
  const quantity = (s, name, of) => s.signals[places.get(`${name}.${of}`)];
  // force is the force on the wheel of an arrow: along its heading, to the left, and normal to the road; and the tire's
  // utilisation, where it is known.
  const force = (s, f) => {
    const { name } = scene.look.shapes[f.shape];
    return [quantity(s, name, 'Fx') || 0, quantity(s, name, 'Fy') || 0, quantity(s, name, 'Fz') || 0, quantity(s, name, 'utilisation')];
  };
  const loads = s => scene.look.forces.map(f => force(s, f)[2]);
  // mark leaves the marks of a state on the ground.
  const mark = s => {
    const { marks, own, ground } = stage, body = s.poses[scene.look.chassis];
    const onGround = ([x, y, z]) => [x, y, ground.height(x, y) ?? z];
    marks.move(s.time, onGround([body[0], body[1], own.wheels.length ? Skidpad.contact(s.poses[own.wheels[0].frame], own.wheels[0].radius).at[2] : body[2]]));
    own.wheels.forEach((w, i) => {
      const { at, axle } = Skidpad.contact(s.poses[w.frame], w.radius), kappa = quantity(s, w.name, 'kappa'), alpha = quantity(s, w.name, 'alpha');
      const slip = (quantity(s, w.name, 'Fz') || 0) > 1 ? Math.hypot(kappa, Math.tan(alpha)) : 0;
      marks.slide(s.time, i, onGround(at), [axle[0], axle[1], 0], slip);
    });
  };
  // fed completes what the first state of a feed does not have: the scale of its arrows.
  const fed = s => {
    if (waiting && !(s.flags & 1)) { say(''); waiting = false; }
    if (!measured && loads(s).some(x => x > 0)) { stage.measure(loads(s)); measured = true; }
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
    const along = ghosts.filter(g => g.motion);
    stage.paths = along.map(g => g.line);
    stage.picture(seconds, shown(), scene.look.forces.map(f => force(last, f)), along.map(g => g.at(last.time)));
    video?.picture(`${element('hud').querySelector('.hud-speed').textContent}   ${last.time.toFixed(1)} s`);
  };
  const arrive = s => {
    if (s === null) return;
    const last = states[states.length - 1];
    if (last && last.segment !== s.segment) offset = null;
    const lead = s.time - s.came / 1000;
    offset = offset === null || Math.abs(lead - offset) > 0.2 ? lead : offset + 0.05 * (lead - offset);
    states = states.slice(-1).concat([s]);
    if (!stage) build(s);
    if (last && last.segment !== s.segment) stage.marks.back(s.time);
    mark(s);
    if (scene.feeds) fed(s);
    hud.show(s.signals, s.time);
    plots.take(s.time, s.segment, s.chosen, paused());
    element('clock').textContent = s.time.toFixed(1) + ' s';
    element('pause').textContent = paused() ? 'run' : 'pause';
    element('pause').setAttribute('aria-pressed', String(!paused()));
    const late = 1000 * hud.get(s.signals, 'late'), dropped = hud.get(s.signals, 'dropped');
    element('late').textContent = dropped > 0.005 ? `${dropped.toFixed(2)} s lost` : late > 5 ? `${late.toFixed(0)} ms late` : '';
    const piloted = (s.flags & 16) !== 0;
    element('driver').textContent = piloted ? 'take over' : 'let the manoeuvre drive';
    if (ghosts.length) Skidpad.gaps(element('gaps'), ghosts, s.poses[scene.look.chassis], s.time);
    element('recording').hidden = !(s.flags & 4);
    element('seat').hidden = scene.driver !== 'page' || !(s.flags & 8) || input.wants;
    document.documentElement.dataset.time = s.time.toFixed(3);
  };

  const texts = { scene: begin, signals: m => plots.chosen(m.names),
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
    if (!token && !Skidpad.connect) { say('The address has no token. Open the address that skidpad view has printed.'); return; }
    socket = Skidpad.connect ? Skidpad.connect() : new WebSocket(`ws://${location.host}/socket`, 'skidpad-view.1');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      tries = 0;
      socket.send(JSON.stringify({ type: 'hello', token, kind: 'page', identity: sessionStorage.getItem('identity'), rate: 120 }));
    };
    socket.onmessage = e => {
      if (typeof e.data !== 'string') { if (scene) arrive(e.data instanceof ArrayBuffer ? read(e.data) : e.data); return; }
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

  // busy reports whether a key means something else than driving: in a dialog, a field, a list or the cursor of a plot.
  const busy = e => e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')
    || e.target.matches?.('select, textarea, input:not([type=checkbox]):not([type=range])')
    || e.target.matches?.('input[type=range]') && /^(Arrow|Page|Home|End)/.test(e.key);
  addEventListener('keydown', e => {
    if (busy(e)) return;
    if (input.press(e)) { e.preventDefault(); return; }
    if (e.target.matches?.('button, input[type=checkbox]') && (e.key === ' ' || e.key === 'Enter')) return;
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
  element('video').onclick = () => {
    if (!stage) return;
    video ??= new Skidpad.Video(stage.host, scene.look.title);
    if (video.on) video.stop();
    else video.start();
    element('video').setAttribute('aria-pressed', String(video.on));
    say(video.on ? 'The picture is recorded; press the button again to save it.' : 'The video is saved by the browser.');
  };
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
  Object.assign(Skidpad, { driven: { input, get stage() { return stage; }, get states() { return states; }, shown, order, read } });
  connect();
};
Skidpad.live();
