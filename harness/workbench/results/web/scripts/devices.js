// devices: the dialogs for keys and steering wheels.
//
// dialogs connects them to an input; element finds elements of the page by their names, reserved are the keys of the page,
// by their places on the keyboard, with what they do.
Skidpad.dialogs = (input, element, reserved) => {
  const note = text => { element('keymap-note').textContent = text; };
  let waits = null; // the action and the place of the key that is being chosen
  // explain writes the keys of the driver into the help sheet.
  const explain = () => {
    for (const cell of document.querySelectorAll('[data-actions]')) {
      const names = cell.dataset.actions.split(' '), keys = names.flatMap(n => input.codes(Skidpad.Input.actions.find(a => a.name === n)));
      cell.replaceChildren(...keys.flatMap(code => {
        const key = document.createElement('kbd');
        key.textContent = Skidpad.keyName(code);
        return [key, ' '];
      }));
    }
  };
  explain();
  const show = () => {
    explain();
    element('keymap-sticky').checked = input.sticky;
    element('keymap-rows').replaceChildren(...Skidpad.Input.actions.map(action => {
      const row = document.createElement('tr'), name = row.appendChild(document.createElement('th'));
      name.scope = 'row';
      name.textContent = action.text;
      const codes = input.codes(action);
      for (const place of [0, 1]) {
        const button = row.appendChild(document.createElement('td')).appendChild(document.createElement('button'));
        button.type = 'button';
        button.textContent = codes[place] ? Skidpad.keyName(codes[place]) : 'none';
        button.setAttribute('aria-label', `${action.text}, ${place ? 'second' : 'first'} key: ${button.textContent}`);
        button.onclick = () => {
          waits = { action, place, button };
          note(`Press the key for: ${action.text}. Escape leaves it as it is, Delete removes it.`);
          button.textContent = '…';
        };
      }
      return row;
    }));
  };
  element('keymap').addEventListener('keydown', e => {
    if (!waits || e.code === 'Tab') return;
    e.preventDefault();
    const { action, place } = waits, codes = [...input.codes(action)];
    waits = null;
    let why = '';
    if (e.code === 'Delete') codes.splice(place, 1);
    else if (e.code !== 'Escape') codes[place] = e.code;
    if (e.code !== 'Escape') why = codes.length ? input.change(action, codes.filter(Boolean), reserved) : 'an action keeps one key';
    note(why);
    show();
    const at = Skidpad.Input.actions.indexOf(action) * 2 + place;
    element('keymap-rows').querySelectorAll('button')[at].focus();
  });
  element('keymap').addEventListener('cancel', e => { if (waits) e.preventDefault(); });
  element('keymap-open').onclick = () => {
    element('keys').close();
    note('');
    show();
    element('keymap').showModal();
  };
  element('keymap-usual').onclick = () => { input.usual(); note('the usual keys'); show(); };
  element('keymap-sticky').onchange = () => input.keep({ sticky: element('keymap-sticky').checked });
  element('keymap-close').onclick = () => element('keymap').close();

  // steering wheels
  let finder = null, device = null, timer = null;
  const wheels = () => input.pads().filter(p => p.mapping !== 'standard');
  const values = () => {
    const now = input.pads().find(p => p.id === device);
    return now ? Skidpad.wheelValues(now) : null;
  };
  const tell = () => {
    if (!finder) return;
    const now = values();
    if (!now) { element('wheel-text').textContent = 'The device has gone.'; finder = null; return; }
    finder.watch(now);
    const at = finder.step < 3 ? finder.found(now) : -1;
    element('wheel-next').disabled = finder.step < 3 && at < 0;
    element('wheel-found').textContent = at < 0 ? '' : `axis ${at + 1}`;
  };
  const step = () => {
    const done = finder.step === 3;
    element('wheel-text').textContent = done ? 'Ready. The steering wheel of the vehicle now follows yours, angle by angle.' : Skidpad.WheelFinder.steps[finder.step];
    element('wheel-step').textContent = done ? '' : `Step ${finder.step + 1} of 3`;
    element('wheel-next').hidden = done;
  };
  const range = () => Number(element('wheel-range').value);
  const start = () => {
    const [p] = wheels();
    device = p?.id ?? null;
    finder = p ? new Skidpad.WheelFinder(Skidpad.wheelValues(p)) : null;
    element('wheel-next').hidden = !p;
    element('wheel-step').textContent = p ? p.id : '';
    element('wheel-range').value = String(input.kept.wheels?.[device]?.range ?? 900);
    if (p) step();
    else element('wheel-text').textContent = 'No steering wheel is connected, or it has not been moved yet: turn it, and try again. A gamepad needs no setting.';
    tell();
  };
  const save = how => input.keep({ wheels: { ...input.kept.wheels, [device]: how } });
  element('wheel-open').onclick = () => {
    element('keys').close();
    start();
    element('wheel').showModal();
    timer = setInterval(tell, 50);
  };
  element('wheel-again').onclick = start;
  element('wheel-next').onclick = () => {
    const now = values();
    if (!finder || !now) return;
    finder.watch(now);
    if (!finder.take(now)) return;
    if (finder.step === 3) save(finder.result(range()));
    step();
    tell();
  };
  element('wheel-range').onchange = () => {
    const how = input.kept.wheels?.[device];
    if (how) save({ ...how, range: range() });
  };
  element('wheel').addEventListener('close', () => { clearInterval(timer); finder = null; });
  element('wheel-close').onclick = () => element('wheel').close();
};
