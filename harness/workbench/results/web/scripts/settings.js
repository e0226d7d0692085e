// settings: sliders for numbers of a live vehicle, and the choice of its tires.
Skidpad.Settings = class {
  // settings are {list: [{name, text, unit, least, most, now}], tires}; order sends an order.
  constructor(host, settings, order) {
    host.replaceChildren();
    host.closest('details').hidden = !settings || settings.list.length + settings.tires.length === 0;
    this.rows = (settings?.list ?? []).map((s, i) => this.row(host, s, i, order));
    this.tire = null;
    if (!settings?.tires.length) return;
    const label = host.appendChild(document.createElement('label'));
    label.append('tires');
    this.tire = label.appendChild(document.createElement('select'));
    this.tire.append(...settings.tires.map(name => new Option(name)));
    this.tireWaits = label.appendChild(document.createElement('em'));
    this.tire.onchange = () => {
      this.tireWaits.textContent = 'at standstill or reset';
      order('tire', { name: this.tire.value });
    };
  }
  row(host, s, i, order) {
    const label = host.appendChild(document.createElement('label'));
    label.title = s.text;
    const name = label.appendChild(document.createElement('span'));
    name.textContent = s.unit === '1' || !s.unit ? s.name : `${s.name}, ${s.unit}`;
    const slider = label.appendChild(document.createElement('input')), value = label.appendChild(document.createElement('output'));
    const waits = label.appendChild(document.createElement('em'));
    Object.assign(slider, { type: 'range', min: 0, max: 200, id: 'setting' + i });
    value.htmlFor = slider.id;
    // places of the slider are even in the logarithm where the start is in the middle, else in the number
    const even = s.least > 0 && s.most / s.least > 3.9, span = even ? Math.log(s.most / s.least) : s.most - s.least;
    const read = () => even ? s.least * Math.exp(span * slider.value / 200) : s.least + span * slider.value / 200;
    const say = x => {
      value.textContent = Number(x.toPrecision(4));
      slider.setAttribute('aria-valuetext', value.textContent + ' ' + s.unit);
    };
    slider.oninput = () => say(read());
    slider.onchange = () => {
      if (!s.now) waits.textContent = 'at standstill or reset';
      order('set', { name: s.name, value: Number(read().toPrecision(4)) });
    };
    slider.onpointerup = () => setTimeout(() => slider.blur()); // arrow keys steer again
    return { waits, show: x => {
      slider.value = 200 * (even ? Math.log(Math.max(s.least, x) / s.least) : x - s.least) / span;
      say(x);
      waits.textContent = '';
    } };
  }
  // show shows the present values.
  show(numbers, tire) {
    numbers.forEach((x, i) => this.rows[i]?.show(x));
    if (!this.tire) return;
    this.tire.value = tire;
    this.tireWaits.textContent = '';
  }
};
