// painter: draws a scene graph on a canvas without WebGL. Faces are polygons, drawn layer by layer, in a layer from far to
// near. It needs no GPU.
Skidpad.Painter = class {
  constructor(canvas) {
    this.canvas = canvas;
    this.g = canvas.getContext('2d');
    this.name = 'painter';
    this.light = new THREE.Vector3(0.35, 0.5, 0.8).normalize();
  }
  size(width, height, ratio) {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
  }
  // draw draws lines on the ground, then the parts of vehicles.
  draw(vehicles, ground, camera) {
    const { g, canvas } = this, w = canvas.width / 2, h = canvas.height / 2;
    camera.updateMatrixWorld();
    const eye = camera.position, turn = new THREE.Matrix4().copy(camera.matrixWorld).invert().elements;
    const f = h / Math.tan(camera.fov * Math.PI / 360), near = camera.near;
    // in axes of the camera: x to the right, y up, z towards the viewer
    const see = (x, y, z) => [turn[0] * x + turn[4] * y + turn[8] * z + turn[12], turn[1] * x + turn[5] * y + turn[9] * z + turn[13],
      turn[2] * x + turn[6] * y + turn[10] * z + turn[14]];
    const flat = p => [w - f * p[0] / p[2], h + f * p[1] / p[2]];
    g.clearRect(0, 0, canvas.width, canvas.height);
    g.lineJoin = 'round';
    for (const of of ground) {
      if (of.pieces) this.pieces(of, see, flat, near);
      else this.lines([of], see, flat, near, camera.far);
    }
    const faces = [];
    for (const vehicle of vehicles) {
      const sides = this.sides(vehicle, eye);
      vehicle.root.traverseVisible(mesh => {
        if (mesh.isMesh && mesh.userData.faces) this.collect(mesh, sides(mesh), eye, see, flat, near, faces);
      });
    }
    faces.sort((a, b) => a.layer - b.layer || b.body - a.body || a.over - b.over || b.depth - a.depth);
    this.drawn = faces.length;
    for (const face of faces) {
      g.beginPath();
      face.points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
      g.closePath();
      g.globalAlpha = face.opacity;
      g.fillStyle = face.colour;
      g.fill();
      if (face.opacity === 1) { // closes the seams between faces
        g.strokeStyle = face.colour;
        g.lineWidth = 0.7 * this.ratio;
        g.stroke();
      }
    }
    g.globalAlpha = 1;
  }
  // sides tells the layer of a mesh. Fenders cover wheels; open wheels are behind the body or in front of it.
  sides(vehicle, eye) {
    const { far, near } = Skidpad.Layers;
    if (!vehicle.shell) return mesh => mesh.userData.layer;
    const open = vehicle.description.shell.kind === 'formula', wheel = new THREE.Vector3(), body = new THREE.Vector3();
    body.setFromMatrixPosition(vehicle.shell.matrixWorld);
    return mesh => {
      if (mesh.userData.layer !== near) return mesh.userData.layer;
      return open && wheel.setFromMatrixPosition(mesh.matrixWorld).distanceTo(eye) < body.distanceTo(eye) ? near : far;
    };
  }
  collect(mesh, layer, eye, see, flat, near, to) {
    const { points, faces, opacity, shown } = mesh.userData, m = mesh.matrixWorld.elements;
    const alpha = (shown ?? 1) * opacity;
    const world = points.map(([x, y, z]) => [m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13],
      m[2] * x + m[6] * y + m[10] * z + m[14]]);
    const seen = world.map(p => see(...p)), drawn = [];
    const l = this.light, lining = Skidpad.colours.dark;
    // the farther one of two shells is drawn first
    const body = layer === Skidpad.Layers.shell ? Math.hypot(m[12] - eye.x, m[13] - eye.y, m[14] - eye.z) : 0;
    for (const { p, c, over, on } of faces) {
      if (p.some(i => seen[i][2] > -near)) continue;
      const n = Skidpad.normalOf(world, p), a = world[p[0]];
      const away = n[0] * (eye.x - a[0]) + n[1] * (eye.y - a[1]) + n[2] * (eye.z - a[2]) <= 0;
      const inside = away && layer === Skidpad.Layers.shell && c === lining && !over; // of a shell, behind its wheels
      if (away && !inside && layer !== Skidpad.Layers.shadow) continue;
      let depth = 0;
      for (const i of on) depth -= seen[i][2] / on.length;
      const bright = layer === Skidpad.Layers.shadow ? 1 : 0.55 + 0.5 * Math.max(0, n[0] * l.x + n[1] * l.y + n[2] * l.z) + 0.08 * n[2];
      const rgb = c.map(x => Math.round(255 * Math.min(1, Math.pow(x, 0.8) * bright)));
      to.push({ layer: inside ? Skidpad.Layers.shadow + 0.5 : layer, body, over, depth, opacity: alpha, colour: `rgb(${rgb})`, points: p.map(i => (drawn[i] ??= flat(seen[i]))) });
    }
  }
  // pieces draws four-sided pieces of the ground, those of about equal opacity at once.
  pieces({ pieces, colour }, see, flat, near) {
    const { g } = this, paths = new Map();
    for (const { p, alpha } of pieces) {
      const seen = p.map(q => see(...q));
      if (seen.some(q => q[2] > -near)) continue;
      const key = Math.round(alpha * 8) / 8;
      if (!paths.has(key)) paths.set(key, new Path2D());
      const path = paths.get(key);
      seen.forEach((q, i) => path[i ? 'lineTo' : 'moveTo'](...flat(q)));
      path.closePath();
    }
    g.fillStyle = colour;
    for (const [alpha, path] of paths) {
      g.globalAlpha = alpha;
      g.fill(path);
    }
    g.globalAlpha = 1;
  }
  // lines draws lines on the ground, fading out with the distance.
  lines(ground, see, flat, near, far) {
    const { g } = this;
    for (const { list, colour, width } of ground) {
      g.strokeStyle = colour;
      g.lineWidth = width * this.ratio;
      for (const [a, b] of list) {
        const p = see(...a), q = see(...b);
        if (p[2] > -near && q[2] > -near) continue;
        for (const [x, y] of [[p, q], [q, p]]) if (x[2] > -near) { // cut at the camera
          const s = (-near - y[2]) / (x[2] - y[2]);
          for (let k = 0; k < 3; k++) x[k] = y[k] + (x[k] - y[k]) * s;
        }
        g.globalAlpha = Math.max(0, 1 + Math.max(p[2], q[2]) / far);
        const u = flat(p), v = flat(q);
        g.beginPath();
        g.moveTo(...u);
        g.lineTo(...v);
        g.stroke();
      }
    }
    g.globalAlpha = 1;
  }
};
