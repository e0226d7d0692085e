// scene: the scene graph of a vehicle. Both renderers draw it.
//
// A part is a mesh of flat faces. Its userData has the faces for the painter: points, and for each face the places of its
// points, its colour, whether it lies on another face, and the places whose depth counts if they are not its own; and the
// layer, in which the painter draws it.

Skidpad.Layers = { shadow: 1, far: 2, inner: 3, shell: 4, near: 5, arrow: 6 };

Skidpad.colours = {
  paint: [0.16, 0.42, 0.66], glass: [0.13, 0.17, 0.22], dark: [0.17, 0.18, 0.2], lamp: [0.93, 0.94, 0.9], tail: [0.75, 0.1, 0.1],
  metal: [0.66, 0.69, 0.73], tire: [0.2, 0.2, 0.21], side: [0.25, 0.25, 0.27], box: [0.35, 0.55, 0.72], ball: [0.84, 0.37, 0],
  spring: [0, 0.62, 0.45], rod: [0.55, 0.3, 0.06], line: [0.48, 0.53, 0.58], plate: [0.3, 0.42, 0.55], sleeve: [0.8, 0.47, 0.65],
  hinge: [0.8, 0.47, 0.65], bar: [0.34, 0.71, 0.91],
};

// cividis is a colour for 0 to 1 that is read in grey and with any colour vision.
Skidpad.cividis = x => {
  const stops = [[0, 0.13, 0.31], [0.26, 0.31, 0.42], [0.49, 0.48, 0.47], [0.74, 0.69, 0.44], [1, 0.92, 0.27]];
  const at = Math.min(0.9999, Math.max(0, x || 0)) * 4, i = Math.floor(at);
  return stops[i].map((c, k) => c + (stops[i + 1][k] - c) * (at - i));
};

// normalOf is the normal of a face, by the area.
Skidpad.normalOf = (points, face) => {
  const n = [0, 0, 0];
  for (let i = 0; i < face.length; i++) {
    const a = points[face[i]], b = points[face[(i + 1) % face.length]];
    n[0] += (a[1] - b[1]) * (a[2] + b[2]);
    n[1] += (a[2] - b[2]) * (a[0] + b[0]);
    n[2] += (a[0] - b[0]) * (a[1] + b[1]);
  }
  const size = Math.hypot(...n) || 1;
  return n.map(x => x / size);
};

// part makes a mesh of faces: lists of places of points, with colours.
Skidpad.part = (points, faces, layer, opacity = 1) => {
  const positions = [], normals = [], colours = [];
  const list = faces.map(([p, colour, over = false, on = p]) => {
    const c = typeof colour === 'string' ? Skidpad.colours[colour] : colour, n = Skidpad.normalOf(points, p);
    for (let i = 2; i < p.length; i++) for (const k of [p[0], p[i - 1], p[i]]) {
      positions.push(...points[k]); normals.push(...n); colours.push(...c.map(x => Math.pow(x, 2.2)));
    }
    return { p, c, over, on };
  });
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(new Float32Array(positions), 3));
  g.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(normals), 3));
  g.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colours), 3));
  const m = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0.05, flatShading: true,
    transparent: opacity < 1, opacity, ...(opacity < 1 ? {} : { side: THREE.DoubleSide }) }); // clear from within
  const mesh = new THREE.Mesh(g, m);
  mesh.userData = { points, faces: list, layer, opacity };
  return mesh;
};

// outward turns faces so that they go round counter-clockwise, seen from outside: away from the middle of the points, or
// from the place that inside gives for the middle of a face.
Skidpad.outward = ([points, faces], inside = null) => {
  const middle = [0, 1, 2].map(k => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  for (const [p] of faces) {
    const n = Skidpad.normalOf(points, p), at = [0, 1, 2].map(k => p.reduce((s, i) => s + points[i][k], 0) / p.length);
    const from = inside ? inside(at) : middle;
    if (n.reduce((sum, x, k) => sum + x * (at[k] - from[k]), 0) < 0) p.reverse();
  }
  return [points, faces];
};

// boxOf is the points and faces of a box about the origin.
Skidpad.boxOf = (x, y, z, colour) => {
  const points = [];
  for (let i = 0; i < 8; i++) points.push([i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
  return Skidpad.outward([points, [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map(p => [p, colour])]);
};

// beamOf is a beam along x from 0 to 1, with n sides.
Skidpad.beamOf = (radius, n, colour) => {
  const points = [], faces = [];
  for (const x of [0, 1]) for (let i = 0; i < n; i++) {
    const a = 2 * Math.PI * i / n;
    points.push([x, radius * Math.cos(a), radius * Math.sin(a)]);
  }
  for (let i = 0; i < n; i++) { const j = (i + 1) % n; faces.push([[i, n + i, n + j, j], colour]); }
  faces.push([[...Array(n).keys()], colour], [[...Array(n).keys()].map(i => n + i), colour]);
  return Skidpad.outward([points, faces]);
};

// wheelOf is a wheel that turns about y: tread, shoulders, sidewalls, rim and spokes.
Skidpad.wheelOf = (radius, width, rim) => {
  const n = 20, w = width / 2, points = [], faces = [];
  const wide = width > 0.25 * radius;
  const profile = wide ? [[w * 0.72, rim], [w, rim + 0.35 * (radius - rim)], [w * 0.86, radius * 0.985], [0, radius], [-w * 0.86, radius * 0.985],
    [-w, rim + 0.35 * (radius - rim)], [-w * 0.72, rim]] : [[w, 0.8 * radius], [w * 0.6, radius], [-w * 0.6, radius], [-w, 0.8 * radius]];
  const hub = wide ? rim : 0.8 * radius;
  for (const [y, r] of profile) for (let i = 0; i < n; i++) {
    const a = 2 * Math.PI * i / n;
    points.push([r * Math.cos(a), y, r * Math.sin(a)]);
  }
  for (let k = 1; k < profile.length; k++) for (let i = 0; i < n; i++) {
    const j = (i + 1) % n, tread = Math.min(profile[k - 1][1], profile[k][1]) > 0.97 * radius;
    faces.push([[(k - 1) * n + i, (k - 1) * n + j, k * n + j, k * n + i], tread ? 'tire' : 'side']);
  }
  for (const side of [1, -1]) {
    const y = side * (wide ? 0.55 : 1) * w, first = points.length;
    for (let i = 0; i < n; i++) {
      const a = 2 * Math.PI * i / n;
      points.push([hub * Math.cos(a), y, hub * Math.sin(a)]);
    }
    const disc = [...Array(n).keys()].map(i => first + i);
    faces.push([disc, 'dark']);
    const spokes = wide ? 5 : 8, from = 0.14 * hub, to = 0.97 * hub, out = y + side * 0.02 * radius;
    for (let s = 0; s < spokes; s++) {
      const a = 2 * Math.PI * s / spokes, inner = wide ? 0.5 : 0.25, outer = wide ? 0.16 : 0.03, at = points.length;
      for (const [r, d] of [[from, -inner], [to, -outer], [to, outer], [from, inner]])
        points.push([r * Math.cos(a + d), out, r * Math.sin(a + d)]);
      faces.push([[at, at + 1, at + 2, at + 3], 'metal', false, disc]); // after the disc, wherever it is seen from
    }
  }
  // inside of the tire, or in the middle plane for rim and spokes
  return Skidpad.outward([points, faces], ([x, y, z]) => {
    const r = Math.hypot(x, z), ring = 0.5 * (hub + radius);
    return r < 1.01 * hub && r > 0 && Math.abs(y) > 0.5 * w ? [x, 0, z] : r < 0.9 * hub ? [x, 0, z] : [x * ring / r, 0, z * ring / r];
  });
};

// coilOf is a coil along x from 0 to 1, as a tube with three sides.
Skidpad.coilOf = (radius, thick, colour) => {
  const turns = 6, steps = turns * 6, points = [], faces = [];
  for (let k = 0; k <= steps; k++) {
    const a = 2 * Math.PI * turns * k / steps, x = 0.12 + 0.76 * k / steps;
    for (let i = 0; i < 3; i++) {
      const b = 2 * Math.PI * i / 3, r = radius + thick * Math.cos(b);
      points.push([x + 0.1 * thick * Math.sin(b) / radius, r * Math.cos(a), r * Math.sin(a)]);
    }
  }
  for (let k = 0; k < steps; k++) for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    faces.push([[3 * k + i, 3 * k + j, 3 * k + 3 + j, 3 * k + 3 + i], colour]);
  }
  return [points, faces];
};

// ballOf is a ball.
Skidpad.ballOf = (radius, colour) => {
  const around = 10, up = 6, points = [], faces = [];
  for (let j = 0; j <= up; j++) for (let i = 0; i < around; i++) {
    const a = 2 * Math.PI * i / around, b = Math.PI * (j / up - 0.5);
    points.push([radius * Math.cos(b) * Math.cos(a), radius * Math.cos(b) * Math.sin(a), radius * Math.sin(b)]);
  }
  for (let j = 0; j < up; j++) for (let i = 0; i < around; i++) {
    const k = (i + 1) % around;
    faces.push([[j * around + i, j * around + k, (j + 1) * around + k, (j + 1) * around + i], colour]);
  }
  return Skidpad.outward([points, faces]);
};

// contact is about where a wheel touches the ground, in ground, and the direction of its axle, to the left.
Skidpad.contact = (p, radius) => {
  const axle = Skidpad.point([0, 0, 0, ...p.slice(3)], 0, 1, 0);
  const down = [axle[2] * axle[0], axle[2] * axle[1], axle[2] * axle[2] - 1]; // along the wheel's plane
  const size = Math.hypot(...down) || 1;
  return { at: [0, 1, 2].map(k => p[k] + 0.98 * radius * down[k] / size), axle };
};

// Vehicle is the scene graph of a vehicle, in axes of ground about a moving origin.
Skidpad.Vehicle = class {
  // ghost is a colour for a transparent vehicle; null for none.
  constructor(description, ghost = null) {
    this.description = description;
    this.root = new THREE.Group();
    this.frames = Array.from({ length: description.frames }, () => this.add(new THREE.Group()));
    this.stretched = []; // parts between two frames
    this.inner = []; // parts that a shell hides
    this.wheels = [];
    this.shell = null;
    this.trailers = []; // shells of trailers
    this.arrows = [];
    for (const s of description.shapes) this.shape(s, ghost);
    if (description.shell) this.shell = this.skin(description.shell, ghost, true);
    for (const t of description.trailers ?? []) this.trailers.push(this.skin(t, ghost, false));
    if (!ghost) this.arrows = description.forces.map(f => this.arrow(f));
    this.see(false);
  }
  add(object, to = this.root) { to.add(object); return object; }
  part([points, faces], frame, layer, ghost, opacity = 1) {
    const painted = ghost ? faces.map(([p, , ...rest]) => [p, ghost, ...rest]) : faces;
    const mesh = Skidpad.part(points, painted, layer, ghost ? 0.35 : opacity);
    return this.add(mesh, frame < 0 ? this.root : this.frames[frame]);
  }
  shape(s, ghost) {
    const { inner } = Skidpad.Layers, colour = s.kind, shelled = this.description.shell !== null;
    const between = (made, a, b, from) => {
      const mesh = this.part(made, -1, inner, ghost);
      this.stretched.push({ mesh, a, b, from });
      this.inner.push(mesh);
    };
    const half = s.size, length = Math.hypot(...half);
    switch (s.kind) {
      case 'wheel': {
        const mesh = this.part(Skidpad.wheelOf(...s.size), s.frames[0], Skidpad.Layers.near, ghost);
        this.wheels.push({ mesh, frame: s.frames[0], radius: s.size[0], width: s.size[1], name: s.name });
        return;
      }
      case 'box': {
        // shells stand for the boxes of the chassis and the trailers
        const shells = [this.description.shell, ...this.description.trailers ?? []];
        if (!s.solid && ghost || shells.some(of => of?.frame === s.frames[0])) return;
        const mesh = this.part(Skidpad.boxOf(...s.size.map(x => x / 2), s.solid ? 'metal' : 'box'), s.frames[0],
          s.solid ? Skidpad.Layers.shell : inner, ghost, s.solid ? 1 : 0.4);
        if (!s.solid && shelled) this.inner.push(mesh);
        return;
      }
      case 'ball': this.part(Skidpad.ballOf(Math.max(0.03, s.size[0]), colour), s.frames[0], inner, ghost); return;
    }
    if (ghost) return;
    switch (s.kind) {
      case 'spring': between(Skidpad.coilOf(0.045, 0.008, colour), s.frames[0], s.frames[1], s.size); return;
      case 'sleeve': case 'hinge': case 'bar': {
        if (length === 0) return;
        const mesh = this.part(Skidpad.beamOf(s.kind === 'sleeve' ? 0.02 : 0.012, 6, colour), s.frames[0], inner, ghost);
        mesh.position.set(...half.map(x => -x));
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), new THREE.Vector3(...half).normalize());
        mesh.scale.x = 2 * length;
        this.inner.push(mesh);
        return;
      }
      case 'plate':
        s.frames.forEach((a, i) => {
          const b = s.frames[(i + 1) % s.frames.length];
          if (s.frames.length > 2 || i === 0) between(Skidpad.beamOf(0.011, 4, colour), a, b, [0, 0, 0]);
        });
        return;
      default: between(Skidpad.beamOf(s.kind === 'rod' ? 0.013 : 0.008, s.kind === 'rod' ? 6 : 4, colour), s.frames[0], s.frames[1], [0, 0, 0]);
    }
  }
  // skin makes a shell, with its shadow if it is that of the vehicle.
  skin(shell, ghost, shades) {
    const made = this.part([shell.points, shell.faces.map(f => [f.p, f.c, f.o])], shell.frame, Skidpad.Layers.shell, ghost);
    if (ghost || !shades) return made;
    // the shadow: the outline on the ground, below the chassis
    const [x, y, z] = [0, 1, 2].map(k => shell.points.map(p => p[k]));
    const [r, f, w] = [Math.min(...x), Math.max(...x), Math.max(...y)], c = 0.35;
    const outline = [[f, w - c], [f - c, w], [r + c, w], [r, w - c], [r, c - w], [r + c, -w], [f - c, -w], [f, c - w]];
    this.low = Math.min(...z);
    this.shadow = this.part([outline.map(p => [...p, 0]), [[[...outline.keys()], [0, 0, 0]]]], -1, Skidpad.Layers.shadow, null, 0.28);
    this.shadow.material = new THREE.MeshBasicMaterial({ color: 0, transparent: true, opacity: 0.28, depthWrite: false });
    return made;
  }
  arrow(force) {
    const make = () => {
      const shaft = this.part(Skidpad.beamOf(0.018, 4, [1, 1, 1]), -1, Skidpad.Layers.arrow, null);
      const points = [[0.16, 0, 0], [0, 0.055, 0], [0, 0, 0.055], [0, -0.055, 0], [0, 0, -0.055]];
      const head = this.part([points, [[[0, 1, 2], [1, 1, 1]], [[0, 2, 3], [1, 1, 1]], [[0, 3, 4], [1, 1, 1]], [[0, 4, 1], [1, 1, 1]],
        [[4, 3, 2, 1], [1, 1, 1]]]], -1, Skidpad.Layers.arrow, null);
      for (const m of [shaft, head]) m.material.vertexColors = false;
      return { shaft, head };
    };
    const wheel = this.wheels.find(w => w.name === this.description.shapes[force.shape].name);
    return { wheel, normal: make(), along: make() };
  }
  // see shows the parts inside of the shell, and makes the shell transparent.
  see(through) {
    this.through = through;
    for (const mesh of this.inner) mesh.visible = through || !this.shell;
    for (const shell of [this.shell, ...this.trailers]) {
      if (!shell || shell.userData.opacity === 0.35) continue;
      shell.material.transparent = through;
      shell.material.opacity = through ? 0.22 : 1;
      shell.material.depthWrite = !through;
      shell.userData.shown = through ? 0.22 : 1;
    }
  }
  // place moves all parts to poses. Positions are relative to an origin; forces are x, y, z of each tire in newtons, and
  // its utilisation where it is known.
  place(poses, origin, forces = null, scale = 4000) {
    const at = new THREE.Vector3(), to = new THREE.Vector3(), x = new THREE.Vector3(1, 0, 0);
    const relative = (v, p) => v.set(p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]);
    this.frames.forEach((f, i) => {
      relative(f.position, poses[i]);
      f.quaternion.set(poses[i][4], poses[i][5], poses[i][6], poses[i][3]);
    });
    for (const s of this.stretched) {
      relative(at, Skidpad.point(poses[s.a], ...s.from));
      relative(to, poses[s.b]).sub(at);
      s.mesh.position.copy(at);
      s.mesh.scale.x = Math.max(1e-6, to.length());
      s.mesh.quaternion.setFromUnitVectors(x, to.normalize());
    }
    if (this.shadow) {
      const p = poses[this.description.shell.frame], ahead = Skidpad.point([0, 0, 0, ...p.slice(3)], 1, 0, 0);
      const ground = Skidpad.point(p, 0, 0, this.low);
      relative(this.shadow.position, [p[0], p[1], this.lowest ?? ground[2] - 0.02]);
      this.shadow.position.z += 0.004;
      this.shadow.quaternion.setFromAxisAngle(new THREE.Vector3(0, 0, 1), Math.atan2(ahead[1], ahead[0]));
    }
    this.arrows.forEach((a, i) => this.push(a, poses, origin, forces && forces[i], scale));
    this.root.updateMatrixWorld(true);
  }
  // push places the arrows of a tire.
  push(arrow, poses, origin, force, scale) {
    const { at, axle } = Skidpad.contact(poses[arrow.wheel.frame], arrow.wheel.radius);
    const contact = new THREE.Vector3(...at.map((x, k) => x - origin[k]));
    arrow.contact = contact.clone();
    const left = new THREE.Vector3(axle[0], axle[1], 0).normalize(), ahead = new THREE.Vector3(left.y, -left.x, 0);
    const shown = force && this.forces !== false;
    const ratio = shown ? (Number.isFinite(force[3]) ? force[3] : Math.hypot(force[0], force[1]) / Math.max(1, Math.abs(force[2]))) : 0, colour = Skidpad.cividis(0.2 + 0.8 * ratio);
    const draw = ({ shaft, head }, vector) => {
      const length = shown ? vector.length() / scale : 0;
      for (const m of [shaft, head]) {
        m.visible = length > 0.02;
        if (!m.visible) continue;
        m.material.color.setRGB(...colour, 'srgb');
        for (const f of m.userData.faces) f.c = colour;
        m.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), vector.clone().normalize());
        m.position.copy(contact);
      }
      shaft.scale.x = Math.max(0.01, length - 0.12);
      head.position.addScaledVector(vector.clone().normalize(), Math.max(0, length - 0.12));
    };
    draw(arrow.normal, new THREE.Vector3(0, 0, shown ? force[2] : 0));
    draw(arrow.along, ahead.multiplyScalar(shown ? force[0] : 0).addScaledVector(left, shown ? force[1] : 0));
  }
};
