// course: the way of a manoeuvre: cones at the borders of its lanes, and the line of its driver.
Skidpad.Course = class {
  constructor() {
    this.root = new THREE.Group();
    this.cones = [];
    this.line = [];
  }
  // show places cones and the line, [x, y] in ground.
  show({ cones, line }) {
    for (const c of this.cones) { this.root.remove(c.mesh); c.mesh.geometry.dispose(); c.mesh.material.dispose(); }
    this.cones = cones.map(at => ({ at, mesh: this.root.add(this.cone()).children.at(-1), lies: false }));
    this.line = line;
  }
  cone() {
    const n = 6, points = [[0, 0, 0.5]], faces = [], { ball } = Skidpad.colours, light = [0.95, 0.93, 0.9];
    for (const [r, z] of [[0.05, 0.36], [0.08, 0.24], [0.14, 0]]) for (let i = 0; i < n; i++) {
      const a = 2 * Math.PI * i / n;
      points.push([r * Math.cos(a), r * Math.sin(a), z]);
    }
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      faces.push([[0, 1 + i, 1 + j], ball]);
      for (const [k, colour] of [[1, light], [1 + n, ball]]) faces.push([[k + i, k + n + i, k + n + j, k + j], colour]);
    }
    return Skidpad.part(...Skidpad.outward([points, faces]), Skidpad.Layers.far);
  }
  // fall lays some cones on the ground.
  fall(list) {
    this.cones.forEach((c, i) => { c.lies = list.includes(i); });
    return list.length;
  }
  // place moves all parts to an origin; eye is the place of the camera there, height that of the ground.
  place(origin, eye, height) {
    const reach = 90, body = eye.length();
    for (const { at, mesh, lies } of this.cones) {
      const x = at[0] - origin[0], y = at[1] - origin[1];
      mesh.visible = Math.hypot(x, y) < reach;
      if (!mesh.visible) continue;
      mesh.position.set(x, y, (height(...at) ?? 0) - origin[2] + (lies ? 0.12 : 0));
      mesh.rotation.set(lies ? Math.PI / 2 : 0, 0, lies ? 7 * at[0] : 0, 'ZYX');
      mesh.userData.layer = mesh.position.distanceTo(eye) < body ? Skidpad.Layers.near : Skidpad.Layers.far;
    }
    this.root.updateMatrixWorld(true);
  }
  // lines is the line near an origin, for the ground.
  lines(origin, colour, height) {
    const reach = 80, list = [], to = p => [p[0] - origin[0], p[1] - origin[1], (height(...p) ?? 0) - origin[2] + 0.005];
    for (let i = 1; i < this.line.length; i++) {
      const [a, b] = [this.line[i - 1], this.line[i]];
      if (Math.min(Math.hypot(a[0] - origin[0], a[1] - origin[1]), Math.hypot(b[0] - origin[0], b[1] - origin[1])) < reach) list.push([to(a), to(b)]);
    }
    return { list, colour, width: 2 };
  }
};

// figures shows characteristic values in a table.
Skidpad.figures = (host, message) => {
  host.querySelector('h2').textContent = `${message.title}, driven by ${message.by}`;
  host.querySelector('tbody').replaceChildren(...message.figures.map(f => {
    const row = document.createElement('tr');
    row.title = f.text;
    const value = f.value === null ? f.missing || 'missing' : `${Number(f.value.toPrecision(4))}${f.unit === '1' ? '' : ' ' + f.unit}`;
    for (const [tag, text] of [['th', f.id], ['td', value], ['td', f.text]]) {
      const cell = row.appendChild(document.createElement(tag));
      cell.textContent = text;
      if (tag === 'th') cell.scope = 'row';
    }
    return row;
  }));
  host.hidden = false;
};
