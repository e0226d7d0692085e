// liveplots: plots of the last seconds of a live vehicle. The user chooses signals; the server adds them to each state.
// What is plotted is kept in the browser, for each vehicle.
Skidpad.LivePlots = class {
  static most = 6;
  static mostCurves = 8; // of a plot
  static interval = 50; // ms between two pictures
  static points = 600; // of a curve, while the vehicle runs
  // elements are those of the page: section, list, range, add, names, note, toggle; choose(names) asks the server for
  // signals.
  constructor(elements, scene, choose) {
    Object.assign(this, { elements, choose, title: scene.look.title });
    this.choices = new Map(scene.choices.map(c => [c.name, c]));
    this.names = []; // of the signals that states have
    this.times = [];
    this.first = 0; // number of the first sample, counted from the begin of the page
    this.columns = new Map(); // by name: number of the first sample, and values
    this.starts = []; // numbers of the samples that follow a reset or a return
    this.segment = null;
    this.plots = [];
    this.paused = true;
    this.drawn = true; // all samples
    const kept = this.kept();
    const fits = panels => panels.map(p => p.filter(n => this.choices.has(n)).slice(0, 8)).slice(0, Skidpad.LivePlots.most);
    this.panels = fits(scene.plots?.length ? scene.plots : kept.panels ?? []);
    elements.range.value = kept.seconds === 30 ? '30' : '10';
    elements.names.replaceChildren(...scene.choices.map(c => {
      const option = document.createElement('option');
      option.value = c.name;
      option.label = (c.unit && c.unit !== '1' ? c.unit + ', ' : '') + (c.text ?? '');
      return option;
    }));
    elements.range.onchange = () => { this.keep(); this.drawn = false; };
    elements.add.onclick = () => this.add();
    elements.toggle.onclick = () => this.open(elements.section.hidden);
    elements.toggle.hidden = scene.choices.length === 0;
    this.build();
    this.open(scene.plots?.length > 0 || kept.open === true, false);
    this.timer = setInterval(() => this.draw(), Skidpad.LivePlots.interval);
  }
  end() {
    clearInterval(this.timer);
    for (const p of this.plots) p?.destroy();
  }
  get key() { return 'plots:' + this.title; }
  // kept is what the browser has kept of this vehicle.
  kept() {
    const kept = Skidpad.kept(this.key, {});
    return Array.isArray(kept.panels) && kept.panels.every(Array.isArray) ? kept : {};
  }
  keep() {
    Skidpad.keep(this.key, { panels: this.panels, seconds: this.seconds, open: !this.elements.section.hidden });
  }
  get seconds() { return Number(this.elements.range.value); }
  open(on, focus = true) {
    this.elements.section.hidden = !on;
    this.elements.toggle.setAttribute('aria-expanded', String(on));
    if (on && !this.panels.length) this.add(focus);
    this.drawn = false;
    this.ask();
    this.keep();
  }
  say(text) { this.elements.note.textContent = text; }
  add(focus = true) {
    if (this.panels.length === Skidpad.LivePlots.most) { this.say(`there are ${Skidpad.LivePlots.most} plots, the most`); return; }
    this.panels.push([]);
    this.change();
    if (focus) this.elements.list.lastElementChild.querySelector('input').focus();
  }
  change() {
    this.build();
    this.ask();
    this.keep();
  }
  // ask tells the server which signals are plotted.
  ask() {
    const names = this.elements.section.hidden ? [] : [...new Set(this.panels.flat())];
    if (names.join() !== (this.asked ?? []).join()) this.choose(this.asked = names);
  }
  // chosen says which signals the following states have.
  chosen(names) {
    this.names = names;
    for (const name of this.columns.keys()) if (!names.includes(name)) this.columns.delete(name);
  }
  // put finds the signal that a user means: by its name, or by words that only one signal has.
  put(panel, text) {
    const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return;
    const fits = this.choices.has(text.trim()) ? [text.trim()] : [...this.choices.values()].filter(c =>
      words.every(w => (c.name + ' ' + (c.text ?? '')).toLowerCase().includes(w))).map(c => c.name);
    if (fits.length !== 1) {
      this.say(fits.length ? `${fits.length} signals fit: ${fits.slice(0, 4).join(', ')}${fits.length > 4 ? ' …' : ''}` : `no signal fits ${text}`);
      return;
    }
    if (this.panels[panel].includes(fits[0])) { this.say(`${fits[0]} is in this plot`); return; }
    if (this.panels[panel].length === Skidpad.LivePlots.mostCurves) { this.say(`a plot has at most ${Skidpad.LivePlots.mostCurves} signals`); return; }
    this.panels[panel].push(fits[0]);
    this.say('');
    this.change();
    this.elements.list.children[panel].querySelector('input').focus();
  }
  build() {
    const { list } = this.elements, zoom = [];
    for (const p of this.plots) p?.destroy();
    list.replaceChildren();
    this.plots = this.panels.map((names, i) => {
      const box = list.appendChild(document.createElement('div')), row = box.appendChild(document.createElement('div'));
      box.className = 'live-plot';
      row.className = 'live-plot-row';
      const field = row.appendChild(document.createElement('input')), remove = row.appendChild(document.createElement('button'));
      field.setAttribute('list', this.elements.names.id);
      field.setAttribute('aria-label', `add a signal to plot ${i + 1}`);
      field.placeholder = 'add a signal';
      field.autocomplete = 'off';
      field.oninput = e => { if (e.inputType === 'insertReplacementText' || !e.inputType) this.put(i, field.value); }; // chosen from the list
      field.onkeydown = e => { if (e.key === 'Enter') this.put(i, field.value); };
      remove.type = 'button';
      remove.textContent = 'remove';
      remove.setAttribute('aria-label', `remove plot ${i + 1}`);
      remove.onclick = () => { this.panels.splice(i, 1); this.change(); this.elements.add.focus(); };
      if (!names.length) return null;
      const units = names.map(n => this.choices.get(n).unit), same = units.every(u => u === units[0]);
      return Skidpad.plots.line(box.appendChild(document.createElement('div')), { title: names.join(', '), x: [], xLabel: 'time, s', xUnit: 's',
        curves: names.map((name, k) => ({ name, unit: units[k] === '1' ? '' : units[k], values: [] })), yUnit: same && units[0] !== '1' ? units[0] : '',
        sync: 'live', zoom, home: [0, 1], latest: true, bare: true, height: () => 104,
        onRemove: k => { this.panels[i].splice(k, 1); this.change(); } });
    });
    this.drawn = false;
  }
  // take adds a state. values are those of the chosen signals.
  take(time, segment, values, paused) {
    if (paused !== this.paused) this.drawn = false;
    this.paused = paused;
    const { times, names } = this;
    if (segment !== this.segment) { // what was driven after this time is not the past of this segment
      let n = times.length;
      while (n > 0 && times[n - 1] >= time) n--;
      times.length = n;
      for (const c of this.columns.values()) c.values.length = Math.max(0, Math.min(c.values.length, this.first + n - c.first));
      for (const c of this.columns.values()) c.first = Math.min(c.first, this.first + n);
      this.starts = this.starts.filter(s => s < this.first + n).concat([this.first + n]);
      this.segment = segment;
    }
    if (times.length && time <= times[times.length - 1] || values.length !== names.length) return;
    times.push(time);
    const number = this.first + times.length - 1;
    names.forEach((name, k) => {
      if (!this.columns.has(name)) this.columns.set(name, { first: number, values: [] });
      this.columns.get(name).values.push(values[k]);
    });
    let old = 0;
    while (times[old] < time - 30) old++;
    if (old > 200) { // rarely
      times.splice(0, old);
      this.first += old;
      for (const c of this.columns.values()) {
        const gone = Math.max(0, this.first - c.first);
        c.values.splice(0, gone);
        c.first += gone;
      }
      this.starts = this.starts.filter(s => s >= this.first);
    }
    this.drawn = false;
  }
  // samples are those of a signal from a time on. Of many it has the lowest and the highest of each few.
  samples(name, from, few) {
    const c = this.columns.get(name), x = [], values = [], starts = [];
    if (!c) return { x, values, starts };
    const low = Math.max(c.first, this.first + this.times.findIndex(t => t >= from)), high = c.first + c.values.length;
    const add = n => { x.push(this.times[n - this.first]); values.push(c.values[n - c.first]); };
    const size = few ? Math.max(1, Math.ceil(2 * (high - low) / Skidpad.LivePlots.points)) : 1;
    for (let n = low; n < high;) {
      if (this.starts.includes(n)) starts.push(x.length);
      // groups begin at multiples of their size, so that a curve keeps its shape while it moves
      let end = size < 3 ? n + 1 : Math.min(high, (Math.floor(n / size) + 1) * size), least = n, most = n;
      const next = this.starts.find(s => s > n && s < end);
      if (next) end = next;
      for (let k = n + 1; k < end; k++) {
        if (c.values[k - c.first] < c.values[least - c.first]) least = k;
        if (c.values[k - c.first] > c.values[most - c.first]) most = k;
      }
      add(Math.min(least, most));
      if (least !== most) add(Math.max(least, most));
      n = end;
    }
    return { x, values, starts };
  }
  draw() {
    if (this.drawn || this.elements.section.hidden || !this.times.length) return;
    this.drawn = true;
    const end = this.times[this.times.length - 1], begin = Math.max(this.times[0], end - this.seconds), home = [begin, begin + this.seconds];
    this.plots.forEach((plot, i) => {
      plot?.feed(this.panels[i].map(name => this.samples(name, home[0], !this.paused)), home);
    });
  }
};
