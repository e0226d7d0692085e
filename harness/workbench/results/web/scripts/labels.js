// labels: numbers beside the wheels, all of them or that of the wheel under the pointer.
Skidpad.Labels = class {
  // host is the element of the picture.
  constructor(host, wheels) {
    this.host = host;
    this.all = false;
    this.pointer = null;
    this.wheels = wheels;
    this.boxes = wheels.map(() => {
      const box = host.appendChild(document.createElement('div'));
      box.className = 'wheel-label';
      box.hidden = true;
      return box;
    });
    host.addEventListener('pointermove', e => { const box = host.getBoundingClientRect(); this.pointer = [e.clientX - box.left, e.clientY - box.top]; });
    host.addEventListener('pointerleave', () => { this.pointer = null; });
  }
  // place shows the lines of text of each wheel at its place in the picture of a lens.
  place(lens, width, height, texts) {
    const at = new THREE.Vector3();
    let nearest = -1, least = 45; // CSS pixels
    const places = this.wheels.map((w, i) => {
      w.mesh.getWorldPosition(at);
      const ahead = at.clone().applyMatrix4(lens.matrixWorldInverse).z < 0;
      at.project(lens);
      const p = [width * (0.5 + 0.5 * at.x), height * (0.5 - 0.5 * at.y)];
      const away = this.pointer && ahead ? Math.hypot(p[0] - this.pointer[0], p[1] - this.pointer[1]) : Infinity;
      if (away < least) [nearest, least] = [i, away];
      return ahead && p[0] > 0 && p[0] < width && p[1] > 0 && p[1] < height ? p : null;
    });
    // labels stand to the left, to the right, above and below, so that those of four wheels do not cover each other
    const seen = [...places.keys()].filter(i => places[i]).sort((i, j) => places[i][0] - places[j][0]), half = Math.ceil(seen.length / 2);
    const sides = [seen.slice(0, half), seen.slice(half)].map(side => side.sort((i, j) => places[i][1] - places[j][1]));
    this.boxes.forEach((box, i) => {
      const shown = places[i] && texts[i] && (this.all || i === nearest);
      box.hidden = !shown;
      if (!shown) return;
      const text = texts[i].join('\n');
      if (box.textContent !== text) box.textContent = text;
      const [x, y] = places[i], side = sides.find(s => s.includes(i));
      const left = side === sides[0] && x > 160 || x > width - 160, above = side.indexOf(i) < side.length / 2 && y > 110;
      box.style.transform = `translate(${Math.round(x + (left ? -12 : 12))}px, ${Math.round(y)}px) translate(${left ? -100 : 0}%, ${above ? -100 : 0}%)`;
    });
  }
};

// wheelText is what the label of a wheel says: its forces [N], how much of the tire is used, and its slip, as far as they
// are known.
Skidpad.wheelText = (name, [fx, fy, fz, utilisation], kappa, alpha) => {
  const number = x => Math.round(x).toLocaleString('en-US'), list = [name, `Fz ${number(fz)} N`, `Fx ${number(fx)}, Fy ${number(fy)} N`];
  if (Number.isFinite(utilisation)) list.push(`utilisation ${utilisation.toFixed(2)}`);
  else if (fz > 1) list.push(`force ratio ${(Math.hypot(fx, fy) / fz).toFixed(2)}`);
  if (Number.isFinite(kappa)) list.push(`slip ${(100 * kappa).toFixed(1)} %`);
  if (Number.isFinite(alpha)) list.push(`slip angle ${(180 / Math.PI * alpha).toFixed(1)} deg`);
  return list;
};
