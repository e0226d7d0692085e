'use strict';
// Plots that answer: values under the cursor with units, zoom, curves that can be switched off, data to copy. uPlot
// draws them. All of them use its mode 2, in which each curve has its own x, with a builder of paths of our own.
//
//     Skidpad.plots.line(host, options)   curves over a rising x
//     Skidpad.plots.path(host, options)   curves whose x goes to and fro
//
// Options: title; x, values of all curves that have none of their own; curves, a list of {name, unit, values, x, colour,
// dashes, width, points, starts}; xLabel, xUnit, xLog, xSpan, yLabel, yUnit, yLog, ySpan; lines, a list of {name, x, y};
// dots, a list of [x, y]; square, for equal scales; height, a function of the width; sync, the name of plots whose
// cursors move together; zoom, a list that plots which zoom together in x share; home, the whole range of x; onPick(x);
// latest, for the last values in the legend where there is no cursor; onRemove(curve), for buttons that remove curves;
// bare, for an axis of x without its label.
{
const night = matchMedia('(prefers-color-scheme: dark)');
// Colours of curves on dark paper.
const dark = { '#0072b2': '#5fb2f0', '#d55e00': '#ff9a57', '#009e73': '#3fd0a0', '#cc79a7': '#e79cc6',
  '#333333': '#e6e9ee', '#56b4e9': '#b5e2ff', '#555b63': '#a3acb9', '#f5b85e': '#a8742a' };
const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#333333', '#56b4e9'];
const thin = '#555b63'; // lines that are no curves
const groups = new Map(); // plots whose cursors move together, by name

// text is a number with the digits that a reader needs; five by default.
function text(v, digits = 5) {
  return Number.isFinite(v) ? String(Number(v.toPrecision(digits))) : '–';
}

// decimal is a number without an exponent, which attributes must not have.
const decimal = v => Number(v.toPrecision(9)).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });

// isWide reports whether two numbers differ by more than rounding.
const isWide = (low, high) => high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high));

// ticks are multiples of 1, 2, 2.5 or 5 times a power of ten, four to eight of them between two numbers.
function ticks(low, high) {
  if (!isWide(low, high)) return [low];
  const largest = most => {
    const decade = 10 ** Math.floor(Math.log10(most));
    return decade * [5, 2.5, 2, 1].find(s => s === 1 || s * decade <= most * (1 + 1e-9));
  };
  const count = s => Math.floor(high / s + 1e-9) - Math.ceil(low / s - 1e-9) + 1;
  let step = largest((high - low) / 3);
  if (count(step) < 4) step = largest((high - low) / 4);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: count(step) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

// before is the index of the last value that is not above x, -1 without one; values rise.
function before(values, x) {
  let low = -1, high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle; else high = middle;
  }
  return low;
}

// valueAt is the value that a curve has at x: of a sample, or of the line between two.
function valueAt(c, x) {
  const i = before(c.x, x);
  if (i >= 0 && c.x[i] === x) return c.values[i];
  if (i < 0 || i + 1 >= c.x.length || c.starts.has(i + 1)) return NaN;
  return c.values[i] + (c.values[i + 1] - c.values[i]) * (x - c.x[i]) / (c.x[i + 1] - c.x[i]);
}

// build is the path of a curve: lines within its pieces, marks at its points and at those that are alone.
function build(u, index, curve) {
  const stroke = new Path2D(), fill = new Path2D(), radius = 3 * devicePixelRatio;
  for (let i = 0; i < curve.x.length; i++) {
    const x = u.valToPos(curve.x[i], 'x', true), y = u.valToPos(curve.values[i], 'y', true);
    const starts = i === 0 || curve.starts.has(i);
    if (starts) stroke.moveTo(x, y); else stroke.lineTo(x, y);
    if (curve.points || starts && (i + 1 === curve.x.length || curve.starts.has(i + 1))) {
      fill.moveTo(x + radius, y);
      fill.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }
  return { stroke, fill, flags: 0 };
}

const element = (name, className, content = '') => {
  const e = document.createElement(name);
  e.className = className;
  e.textContent = content;
  return e;
};

const swatch = (colour, dashes, width) => {
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  box.setAttribute('viewBox', '0 0 30 8');
  box.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', 'M0 4H30');
  if (dashes?.length) line.setAttribute('stroke-dasharray', dashes.join(' '));
  line.style.strokeWidth = Math.min(width, 7);
  line.style.setProperty('--day', colour);
  line.style.setProperty('--night', dark[colour] || colour);
  box.append(line);
  return box;
};

function make(host, o, path) {
  const curves = o.curves.map((c, i) => ({ dashes: [], width: 1.5, ...c, shown: true, x: c.x || o.x,
    colour: c.colour || palette[i % palette.length], unit: c.unit ?? o.yUnit ?? '', starts: new Set(c.starts) }));
  const lines = (o.lines || []).map(l => ({ ...l, shown: true })), dots = o.dots || [];
  const height = o.height || (width => Math.max(200, Math.round(0.4 * width)));
  let view = null, zoomed = false, cursor = null, told = false, u = null, marked = null;

  // extent is the range of what is drawn: of x, or of y where x is within a range.
  function extent(axis, within) {
    let low = Infinity, high = -Infinity;
    const see = v => { low = Math.min(low, v); high = Math.max(high, v); };
    for (const c of curves) {
      if (axis === 'y' && !c.shown) continue;
      const list = axis === 'x' ? c.x : c.values;
      for (let i = 0; i < list.length; i++) if (!within || c.x[i] >= within[0] && c.x[i] <= within[1]) see(list[i]);
      if (within && !path) for (const x of within) if (!Number.isNaN(valueAt(c, x))) see(valueAt(c, x));
    }
    const [curvesFrom, curvesTo] = [low, high];
    if (!within) {
      for (const l of lines) if (axis === 'x' || l.shown) l[axis].forEach(see);
      for (const d of dots) see(d[axis === 'x' ? 0 : 1]);
    }
    if (low > high) return o[axis + 'Log'] ? [1, 10] : [0, 1];
    if (o[axis + 'Log']) return [low / 1.3, high * 1.3];
    const lack = Math.max(0, (o[axis + 'Span'] || 0) - (high - low),
      isWide(low, high) ? 0 : 2e-3 * Math.abs(low) || 2);
    // curves over a rising x fill the width
    const room = axis === 'x' && !path && low === curvesFrom && high === curvesTo ? 0 : 0.04 * (high - low);
    return [low - lack / 2 - room, high + lack / 2 + room];
  }

  // look sets what is seen; without ranges it is all. Equal scales widen one of the ranges.
  function look(x, y) {
    zoomed = Boolean(x);
    view = { x: x || o.home || extent('x'), y: y || extent('y', x && !path ? x : null) };
    if (o.square && u && u.bbox.width > 0) {
      const unit = Math.min(u.bbox.width / (view.x[1] - view.x[0]), u.bbox.height / (view.y[1] - view.y[0]));
      for (const [k, room] of [['x', u.bbox.width], ['y', u.bbox.height]]) {
        const middle = (view[k][0] + view[k][1]) / 2;
        view[k] = [middle - room / unit / 2, middle + room / unit / 2];
      }
    }
    if (!u) return;
    u.batch(() => ['x', 'y'].forEach(k => u.setScale(k, { min: view[k][0], max: view[k][1] })));
    u.over.setAttribute('aria-valuemin', decimal(view.x[0]));
    u.over.setAttribute('aria-valuemax', decimal(view.x[1]));
    reset.disabled = !zoomed;
    if (cursor) show(cursor);
  }

  // zoom is look for all plots that zoom together.
  function zoom(x, y) {
    look(x, y);
    for (const other of o.zoom || []) if (other !== plot) other.look(x);
  }

  // nearest is the sample closest to a place of the plot [CSS pixels]: along x, or in both directions for paths.
  function nearest(left, top) {
    let best = null, least = Infinity;
    curves.forEach((curve, k) => {
      if (!curve.shown || curve.x.length === 0) return;
      const i = path ? -1 : before(curve.x, u.posToVal(left, 'x'));
      const [from, to] = path ? [0, curve.x.length - 1] : [Math.max(i, 0), Math.min(i + 1, curve.x.length - 1)];
      for (let n = from; n <= to; n++) {
        const dx = u.valToPos(curve.x[n], 'x') - left;
        const away = path ? Math.hypot(dx, u.valToPos(curve.values[n], 'y') - top) : Math.abs(dx);
        if (away < least) [best, least] = [{ k, i: n, x: curve.x[n] }, away];
      }
    });
    return best;
  }

  const digits = o.latest ? 4 : 5;
  const withUnit = (v, unit) => Number.isFinite(v) && unit ? text(v, digits) + ' ' + unit : text(v, digits);
  const named = (label, unit) => unit ? label.replace(', ' + unit, '') : label.replace(/, 1$/, '');
  const xName = named(o.xLabel || 'x', o.xUnit);

  // tell writes the values at the cursor.
  function tell() {
    const said = [], at = path && cursor ? curves[cursor.k] : null;
    place.textContent = cursor ? xName + ' ' + withUnit(cursor.x, o.xUnit) : '';
    if (at) {
      place.textContent += `, ${yName} ${withUnit(at.values[cursor.i], at.unit)}`;
      if (curves.length > 1) said.push(at.name);
    } else {
      for (const c of curves) {
        c.output.textContent = !c.shown ? '' : cursor ? withUnit(valueAt(c, cursor.x), c.unit)
          : o.latest && c.values.length ? withUnit(c.values[c.values.length - 1], c.unit) : '';
        if (cursor && c.shown) said.push(c.name + ' ' + c.output.textContent);
      }
    }
    curves.forEach((c, k) => c.key.classList.toggle('plot-at', Boolean(at) && k === cursor.k));
    u.over.setAttribute('aria-valuenow', decimal(cursor ? cursor.x : view.x[0]));
    u.over.setAttribute('aria-valuetext', cursor ? place.textContent + '; ' + said.join('; ') : 'no cursor');
  }

  // show moves the cursor to {x} or, on paths, to {k, i, x}; null hides it.
  function show(at) {
    cursor = at;
    told = true; // the hook below would look for the nearest sample
    u.setCursor(at ? { left: u.valToPos(at.x, 'x'), top: path ? u.valToPos(curves[at.k].values[at.i], 'y') : 0 }
      : { left: -10, top: -10 }, true, false);
    told = false;
    tell();
  }

  function share() {
    for (const other of groups.get(o.sync) || []) if (other !== plot) other.show(cursor ? cursor.x : null);
  }

  // The next sample for a key of the keyboard.
  function step(key) {
    const shown = curves.filter(c => c.shown && c.x.length);
    if (!shown.length) return null;
    const [low, high] = view.x;
    if (path) {
      const at = cursor || { k: curves.indexOf(shown[0]), i: -1 };
      let k = at.k, n = curves[k].x.length;
      if (key === 'ArrowUp' || key === 'ArrowDown') {
        const next = shown.indexOf(curves[k]) + (key === 'ArrowDown' ? 1 : shown.length - 1);
        k = curves.indexOf(shown[next % shown.length]);
        n = curves[k].x.length;
      }
      const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -Math.ceil(n / 10), PageUp: Math.ceil(n / 10), Home: -n,
        End: n }[key] || 0;
      const i = Math.max(0, Math.min(n - 1, at.i + by));
      return { k, i, x: curves[k].x[i] };
    }
    const at = cursor ? cursor.x : low;
    const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
    if (sign && cursor) { // the next sample of any curve
      const next = shown.map(c => {
        const i = before(c.x, at);
        return sign > 0 ? c.x[i + 1] : c.x[i] < at ? c.x[i] : c.x[i - 1];
      }).filter(x => x !== undefined && x >= low && x <= high);
      return { x: next.length ? (sign > 0 ? Math.min(...next) : Math.max(...next)) : at };
    }
    const to = { PageDown: at - (high - low) / 10, PageUp: at + (high - low) / 10, Home: low, End: high }[key] ?? at;
    const x = Math.max(low, Math.min(high, to));
    return nearest(u.valToPos(x, 'x'), 0) || { x };
  }

  function onKey(event) {
    const [low, high] = view.x, [bottom, top] = view.y;
    const around = (from, to, at, by) => [at - (at - from) * by, at + (to - at) * by];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^(Arrow|Page|Home|End)/.test(event.key)) {
      const at = step(event.key);
      if (at) { show(at); share(); }
    } else if ((event.key === '+' || event.key === '-') && !o.xLog && !o.yLog) {
      const by = event.key === '+' ? 0.5 : 2, at = cursor ? cursor.x : (low + high) / 2;
      const y = path && cursor ? curves[cursor.k].values[cursor.i] : (bottom + top) / 2;
      zoom(around(low, high, at, by), path ? around(bottom, top, y, by) : null);
    } else if (event.key === '0') zoom(null);
    else if (event.key === 'Enter' && cursor) o.onPick?.(cursor.x);
    else if (event.key === 'Escape') { show(null); share(); }
    else return;
    event.preventDefault();
  }

  // tsv is the data as a table; curves over a rising x share the rows of equal x.
  function tsv() {
    const digits = v => text(v, 7), head = (name, unit) => (unit ? `${name} [${unit}]` : name).replace(/\s+/g, ' ');
    const rows = [];
    if (path) {
      rows.push(curves.flatMap(c => [head(`${c.name}: ${xName}`, o.xUnit), head(`${c.name}: ${yName}`, c.unit)]));
      for (let i = 0; i < Math.max(...curves.map(c => c.x.length)); i++) {
        rows.push(curves.flatMap(c => i < c.x.length ? [digits(c.x[i]), digits(c.values[i])] : ['', '']));
      }
      return rows.map(r => r.join('\t')).join('\n') + '\n';
    }
    rows.push([head(xName, o.xUnit), ...curves.map(c => head(c.name, c.unit))]);
    const next = curves.map(() => 0);
    while (curves.some((c, k) => next[k] < c.x.length)) {
      const x = Math.min(...curves.map((c, k) => next[k] < c.x.length ? c.x[next[k]] : Infinity));
      rows.push([digits(x), ...curves.map((c, k) => c.x[next[k]] === x ? digits(c.values[next[k]++]) : '')]);
    }
    return rows.map(r => r.join('\t')).join('\n') + '\n';
  }

  async function copyData() {
    let done = true;
    try {
      await navigator.clipboard.writeText(tsv());
    } catch { // pages from the disk may not have that
      const area = element('textarea', '', '');
      area.value = tsv();
      host.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
    }
    status.textContent = done ? 'copied' : 'not copied';
  }

  // The keys: a button for each curve with its value, and what else can be done.
  host.classList.add('plot');
  host.setAttribute('role', 'group');
  host.setAttribute('aria-label', o.title || o.yLabel || 'plot');
  const keys = element('div', 'plot-keys'), place = element('span', 'plot-place'), area = element('div', 'plot-area');
  const yName = named(o.yLabel || 'y', o.yUnit);
  const addKey = (entry, colour, dashes, width) => {
    const button = element('button', 'plot-key');
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    button.append(swatch(colour, dashes, width), element('span', '', entry.name));
    entry.output = element('span', 'plot-value');
    // room for the value, so that nothing moves under the pointer
    if (entry.values && !path && !o.latest) {
      entry.output.style.minWidth = `${8 + (entry.unit ? entry.unit.length + 1 : 0)}ch`;
    }
    button.append(entry.output);
    entry.key = button;
    button.addEventListener('click', () => {
      const shown = !entry.shown;
      for (const e of [...curves, ...lines]) if (e === entry || lines.includes(e) && e.name === entry.name) e.shown = shown;
      button.setAttribute('aria-pressed', shown);
      curves.forEach((c, k) => u.series[k + 1].show === c.shown || u.setSeries(k + 1, { show: c.shown }));
      if (cursor && path && !curves[cursor.k].shown) cursor = null;
      look(zoomed ? view.x : null, zoomed && path ? view.y : null);
      u.redraw(false); // lines may change without the ranges
      tell();
    });
    if (!entry.values || !o.onRemove) { keys.append(button); return; }
    const pair = keys.appendChild(element('span', 'plot-pair'));
    pair.append(button);
    const remove = element('button', 'plot-remove', '×');
    remove.type = 'button';
    remove.setAttribute('aria-label', 'remove ' + entry.name);
    remove.addEventListener('click', () => o.onRemove(curves.indexOf(entry)));
    pair.append(remove);
  };
  for (const c of curves) {
    c.name = c.name || yName;
    addKey(c, c.colour, c.dashes, c.width);
  }
  new Set(lines.map(l => l.name).filter(Boolean)).forEach(name =>
    addKey(lines.find(l => l.name === name), thin, [], 1));
  const tools = element('span', 'plot-tools'), status = element('span', 'plot-status');
  const reset = element('button', 'plot-tool', 'reset zoom'), copy = element('button', 'plot-tool', 'copy data');
  status.setAttribute('role', 'status');
  reset.type = copy.type = 'button';
  reset.disabled = true;
  reset.addEventListener('click', () => { zoom(null); u.over.focus(); });
  copy.addEventListener('click', copyData);
  const rows = Math.max(...curves.map(c => c.rows || 0)), points = Math.max(...curves.map(c => c.x.length));
  copy.title = rows > points ? `${points} of ${rows} points, the lowest and highest among them` : '';
  tools.append(place, status, reset, copy);
  host.append(keys, area, tools);

  look();
  const colour = c => night.matches ? dark[c] || c : c;
  const css = (name, other) => getComputedStyle(host).getPropertyValue(name).trim() || other;
  const axis = (scale, label, log) => ({ scale, label, labelSize: 18, labelGap: 0, labelFont: '12px sans-serif',
    font: '11px sans-serif', stroke: () => css('--ink', '#333'), gap: 3, size: scale === 'x' ? 24 : sizeOf,
    grid: { stroke: () => css('--line', '#ddd'), width: 1 }, ticks: { stroke: () => css('--line', '#ddd'), size: 4 },
    ...(log ? { filter: (_, all) => all.map(v => Math.abs(Math.log10(v) % 1) < 1e-9 ? v : null),
      values: (_, all) => all.map(v => v === null ? '' : text(v)) }
      : { splits: (_, i, low, high) => ticks(low, high), values: (_, all) => all.map(v => text(v, 6)) }) });
  const sizeOf = (_, values) => 13 + 6.5 * Math.max(2, ...(values || []).map(v => String(v ?? '').length));
  const hovered = () => u?.cursor.left >= 0 ? nearest(u.cursor.left, u.cursor.top) : null;
  const width = () => Math.max(120, Math.floor(area.clientWidth));
  u = new uPlot({
    mode: 2, width: width(), height: height(width()), padding: [8, 14, 0, 0], legend: { show: false },
    scales: { x: { time: false, distr: o.xLog ? 3 : 1, range: () => view.x },
      y: { distr: o.yLog ? 3 : 1, range: () => view.y } },
    axes: [axis('x', o.bare ? undefined : o.xLabel, o.xLog), axis('y', o.yLabel, o.yLog)],
    series: [{}, ...curves.map(c => ({ facets: [{ scale: 'x', auto: false }, { scale: 'y', auto: false }],
      stroke: () => colour(c.colour), fill: () => colour(c.colour), width: c.width, dash: c.dashes,
      paths: (self, index) => build(self, index, c), points: { show: false } }))],
    cursor: {
      x: !path, y: false, drag: { x: true, y: path, setScale: false, dist: 5 },
      points: { size: 8, width: 2, fill: (_, i) => colour(curves[i - 1].colour), stroke: () => css('--paper', '#fff') },
      dataIdx: (_, series) => {
        const c = curves[series - 1];
        if (path) return cursor?.k === series - 1 ? cursor.i : null;
        return cursor && before(c.x, cursor.x) >= 0 && c.x[before(c.x, cursor.x)] === cursor.x ? before(c.x, cursor.x)
          : null;
      },
      move: (_, left, top) => { // the cursor of pointers is found before uPlot asks for samples
        if (!told) cursor = left >= 0 && u ? nearest(left, top) : null;
        return [left, top];
      },
      bind: { dblclick: () => () => zoom(null) },
    },
    hooks: {
      setCursor: [() => { if (!told && u) { tell(); share(); } }],
      setSelect: [self => {
        const s = self.select, range = (from, to, k) => [self.posToVal(from, k), self.posToVal(to, k)];
        if (s.width < 5 && s.height < 5) return;
        const x = s.width < 5 ? view.x : range(s.left, s.left + s.width, 'x');
        const y = path ? (s.height < 5 ? view.y : range(s.top + s.height, s.top, 'y')) : null;
        self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        zoom(x, y);
      }],
      draw: [drawScenery, () => mark(marked)],
    },
  }, [null, ...curves.map(c => [c.x, c.values])], area);

  // drawScenery draws lines and dots, which are no curves, over them.
  function drawScenery(self) {
    const { ctx, bbox } = self, at = (x, y) => [self.valToPos(x, 'x', true), self.valToPos(y, 'y', true)];
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = colour(thin);
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([]); // the last curve may have dashes
    for (const l of lines) {
      if (!l.shown) continue;
      ctx.beginPath();
      for (let i = 0; i < l.x.length; i++) ctx[i ? 'lineTo' : 'moveTo'](...at(l.x[i], l.y[i]));
      ctx.stroke();
    }
    ctx.fillStyle = colour(palette[1]);
    for (const d of dots) {
      ctx.beginPath();
      ctx.arc(...at(d[0], d[1]), 2.5 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fill();
    }
    ctx.restore();
  }

  const marker = element('div', 'plot-mark');
  u.over.append(marker);
  // mark draws a line at x; null removes it.
  function mark(x) {
    marked = x;
    marker.hidden = x === null || x < view.x[0] || x > view.x[1];
    if (!marker.hidden && u) marker.style.transform = `translateX(${u.valToPos(x, 'x')}px)`;
  }

  u.over.setAttribute('role', 'slider');
  u.over.setAttribute('aria-label', 'cursor of ' + (o.title || yName));
  u.over.tabIndex = 0;
  u.over.title = 'Drag to zoom, double click for all. Keys: arrows, Page Up, Page Down, Home, End; + - 0 zoom.';
  u.over.addEventListener('keydown', onKey);
  let pressed = null; // where the button of the pointer went down
  u.over.addEventListener('mousedown', event => { pressed = [event.clientX, event.clientY]; });
  u.over.addEventListener('click', event => {
    const moved = pressed ? Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) : 0;
    const at = moved < 5 && nearest(event.offsetX, event.offsetY);
    if (at) o.onPick?.(at.x);
  });

  const plot = { look, mark, home: () => view.x.slice(), tsv,
    // feed gives the curves other values: for each a list {x, values, starts}. home is the range of x.
    feed(lists, home) {
      curves.forEach((c, k) => { [c.x, c.values, c.starts] = [lists[k].x, lists[k].values, new Set(lists[k].starts)]; });
      o.home = home;
      u.setData([null, ...curves.map(c => [c.x, c.values])], false);
      if (cursor && cursor.x < home[0]) cursor = null;
      if (zoomed && view.x[1] > home[0]) look(view.x, null);
      else look();
      if (!cursor) tell();
    },
    show(x) { if (!path) show(x === null ? null : { x }); },
    destroy() {
      watcher.disconnect();
      night.removeEventListener('change', repaint);
      groups.get(o.sync)?.delete(plot);
      u.destroy();
      host.replaceChildren();
    } };
  const repaint = () => u.redraw();
  night.addEventListener('change', repaint);
  const watcher = new ResizeObserver(() => {
    if (area.clientWidth === 0 || width() === u.width) return;
    u.setSize({ width: width(), height: height(width()) });
    look(zoomed ? view.x : null, zoomed && path ? view.y : null);
  });
  watcher.observe(area);
  if (o.sync && !path) {
    if (!groups.has(o.sync)) groups.set(o.sync, new Set());
    groups.get(o.sync).add(plot);
  }
  o.zoom?.push(plot);
  look();
  mark(null);
  tell();
  return plot;
}

Skidpad.plots = { ticks, text, line: (host, options) => make(host, options, false),
  path: (host, options) => make(host, options, true) };
}
