// relief: lines of equal height and tints of friction, for ground that is given by grids of heights: patches of a scene, or
// tiles of a server. Heights are true, so that a rough road looks level; the lines show its shape.
Skidpad.Relief = class {
  static steps = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]; // m
  static lines = 14; // about as many between the lowest and the highest point nearby
  static reach = 30; // m about the vehicle
  constructor() {
    this.cells = new Map(); // lines of a grid, by grid
    this.step = null;
    this.range = null; // of friction
  }
  // grids are those of the ground with heights or friction of their own: {x0, y0, dx, dy, nx, ny, z, mu}.
  grids(ground) {
    const list = ground.patches.filter(p => !p.level).map(p => this.grid(p, () => ({ x0: p.X[0], y0: p.Y[0], nx: p.Nx, ny: p.Ny,
      dx: (p.X[1] - p.X[0]) / (p.Nx - 1), dy: (p.Y[1] - p.Y[0]) / (p.Ny - 1), z: p.Z, mu: null })));
    for (const t of ground.tiles?.values() ?? []) {
      const d = t.size / (t.n - 1);
      if (t.z || t.mu) list.push(this.grid(t, () => ({ x0: t.x0, y0: t.y0, nx: t.n, ny: t.n, dx: d, dy: d, z: t.z, mu: t.mu, tile: t })));
    }
    if (this.cells.size > 200) { // of tiles that are gone
      const here = new Set(list.map(g => g.of));
      for (const of of this.cells.keys()) if (!here.has(of)) this.cells.delete(of);
    }
    return list;
  }
  grid(of, make) {
    if (!this.cells.has(of)) {
      const g = { ...make(), of, contours: null, at: null };
      g.low = Infinity; g.high = -Infinity;
      for (const z of g.z ?? []) if (!Number.isNaN(z)) { g.low = Math.min(g.low, z); g.high = Math.max(g.high, z); }
      this.cells.set(of, g);
    }
    return this.cells.get(of);
  }
  // near reports whether a grid is within reach, and whether no finer tile is in its place.
  near(g, x, y) {
    const away = (from, size, at) => Math.max(0, from - at, at - from - size);
    return Math.hypot(away(g.x0, g.dx * (g.nx - 1), x), away(g.y0, g.dy * (g.ny - 1), y)) < Skidpad.Relief.reach;
  }
  // draw makes what is to be drawn under and over the lines of the ground.
  draw(ground, origin, colours) {
    const [x, y, z] = origin, list = this.grids(ground).filter(g => this.near(g, x, y));
    const finest = g => !g.tile || !ground.tile || ((px, py) => ground.tile(px, py) === g.tile);
    const under = [], over = [];
    const tinted = list.filter(g => g.mu);
    this.range = null;
    if (tinted.length) {
      let low = Infinity, high = -Infinity;
      for (const g of tinted) for (const m of g.mu) { if (m < low) low = m; if (m > high) high = m; }
      this.range = [low, high];
      const pieces = [];
      for (const g of tinted) this.tint(g, ground, origin, finest(g), low, high, pieces);
      under.push(...this.byColour(pieces));
    }
    const heights = list.filter(g => g.z && g.high > g.low);
    this.step = null;
    if (heights.length) {
      const span = Math.max(...heights.map(g => g.high)) - Math.min(...heights.map(g => g.low));
      this.step = Skidpad.Relief.steps.find(s => span / s <= Skidpad.Relief.lines) ?? 1;
      const lines = [];
      for (const g of heights) {
        if (g.at !== this.step) { g.contours = this.contours(g, this.step); g.at = this.step; }
        const visible = finest(g);
        for (const [a, b] of g.contours) {
          if (Math.hypot(a[0] - x, a[1] - y) > Skidpad.Relief.reach) continue;
          if (visible !== true && !visible((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) continue;
          lines.push([[a[0] - x, a[1] - y, a[2] - z + 0.003], [b[0] - x, b[1] - y, b[2] - z + 0.003]]);
        }
      }
      over.push({ list: lines, colour: colours.contour, width: 1.3 });
    }
    return { under, over };
  }
  // contours are the lines of equal height of a grid, as pairs of points: cell by cell, in two triangles.
  contours(g, step) {
    const list = [], z = (i, j) => g.z[j * g.nx + i];
    const at = (i, j) => [g.x0 + i * g.dx, g.y0 + j * g.dy, z(i, j)];
    const cut = (corners, level) => {
      const points = [];
      for (let k = 0; k < 3; k++) {
        const p = corners[k], q = corners[(k + 1) % 3];
        if (p[2] < level === q[2] < level) continue;
        const s = (level - p[2]) / (q[2] - p[2]);
        points.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), level]);
      }
      if (points.length === 2) list.push(points);
    };
    for (let j = 0; j + 1 < g.ny; j++) for (let i = 0; i + 1 < g.nx; i++) {
      for (const corners of [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]) {
        const heights = corners.map(c => c[2]), low = Math.min(...heights), high = Math.max(...heights);
        if (!(high > low)) continue; // level, or no ground
        for (let n = Math.ceil(low / step - 1e-9); n * step <= high; n++) cut(corners, n * step);
      }
    }
    return list;
  }
  // tint adds the cells of a grid, coloured by their friction in a few tones.
  tint(g, ground, [x, y, z], visible, low, high, pieces) {
    const tones = 6, every = Math.max(1, Math.round((g.nx - 1) / 16)); // cells of half the points are fine enough
    for (let j = 0; j + every < g.ny; j += every) for (let i = 0; i + every < g.nx; i += every) {
      const corner = (a, b) => [g.x0 + a * g.dx - x, g.y0 + b * g.dy - y, (g.z ? g.z[b * g.nx + a] : ground.height(g.x0 + a * g.dx, g.y0 + b * g.dy) ?? 0) - z];
      const p = [corner(i, j), corner(i + every, j), corner(i + every, j + every), corner(i, j + every)];
      const middle = [(p[0][0] + p[2][0]) / 2, (p[0][1] + p[2][1]) / 2];
      if (Math.hypot(...middle) > Skidpad.Relief.reach || p.some(q => Number.isNaN(q[2]))) continue;
      if (visible !== true && !visible(middle[0] + x, middle[1] + y)) continue;
      const mu = (g.mu[j * g.nx + i] + g.mu[(j + every) * g.nx + i + every]) / 2;
      if (Number.isNaN(mu)) continue;
      const share = high > low ? (mu - low) / (high - low) : 1;
      pieces.push({ p, alpha: 0.55, tone: Math.min(tones - 1, Math.floor(share * tones)) / (tones - 1) });
    }
  }
  byColour(pieces) {
    const tones = new Map();
    for (const piece of pieces) {
      if (!tones.has(piece.tone)) tones.set(piece.tone, { pieces: [], colour: Skidpad.tint(piece.tone) });
      tones.get(piece.tone).pieces.push(piece);
    }
    return [...tones.values()];
  }
};

// tint is the colour of a factor of friction, from 0 for the lowest to 1 for the highest.
Skidpad.tint = share => `rgb(${Skidpad.cividis(share).map(c => Math.round(255 * c)).join(',')})`;
