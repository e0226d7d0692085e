// ground: lines on the ground. Level ground has a grid of 1 m and 10 m about the vehicle, other ground the lines of its
// patches, or of tiles where a server has some. All heights are true.
//
// A tile is { x0, y0, size, n, z, mu }: a square of size m with n by n points, x along rows, the first one at x0 and y0.
// z and mu are Float32Arrays, row by row: heights [m], NaN where there is no ground, and factors of friction. z is null
// where all ground is a plane, mu where friction is the same everywhere. ground.tiles has the tiles about the vehicle by
// "level i j"; level 0 is the finest. ground.changed counts arrivals.
Skidpad.Ground = class {
  // ask asks for tile i, j of a level, which comes to take; without it there are no tiles.
  constructor(patches, ask = null) {
    this.ask = ask;
    this.patches = patches.filter(p => !(ask && p.Tiled)).map(p => ({ ...p, level: Skidpad.level(p) }));
    this.tiles = new Map();
    this.asked = new Set();
    this.changed = 0;
  }
  // Levels: edge of a tile [m], how far about the vehicle they are asked for [m], and how far they are drawn [m].
  static levels = [{ size: 8, reach: 12, near: 0, far: 10 }, { size: 32, reach: 26, near: 10, far: 24 }, { size: 128, reach: 95, near: 24, far: 90 }];
  // take takes a tile from the server.
  take({ i, j, level, x0, y0, size, n, z, mu }) {
    const numbers = text => {
      if (!text) return null;
      const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
      return new Float32Array(bytes.buffer);
    };
    const key = `${level} ${i} ${j}`;
    this.asked.delete(key);
    this.tiles.set(key, { x0, y0, size, n, z: numbers(z), mu: numbers(mu) });
    this.changed++;
  }
  // want asks for missing tiles about a place, a few at a time, and drops those far away.
  want(x, y) {
    const most = 8, kept = 64;
    if (this.tiles.size > kept) {
      for (const [key, t] of this.tiles) {
        const away = Math.max(Math.abs(t.x0 + t.size / 2 - x), Math.abs(t.y0 + t.size / 2 - y));
        if (away > Skidpad.Ground.levels[Number(key[0])].reach + t.size) this.tiles.delete(key);
      }
    }
    for (const level of [1, 2, 0]) {
      const { size, reach } = Skidpad.Ground.levels[level];
      for (let i = Math.floor((x - reach) / size); i <= Math.floor((x + reach) / size); i++) {
        for (let j = Math.floor((y - reach) / size); j <= Math.floor((y + reach) / size); j++) {
          const key = `${level} ${i} ${j}`;
          if (this.asked.size >= most) return;
          if (this.tiles.has(key) || this.asked.has(key)) continue;
          this.asked.add(key);
          this.ask(i, j, level);
        }
      }
    }
  }
  // tile is the finest tile at a place; null where none has come. from is the finest level that counts.
  tile(x, y, from = 0) {
    for (let level = from; level < 3; level++) {
      const { size } = Skidpad.Ground.levels[level], t = this.tiles.get(`${level} ${Math.floor(x / size)} ${Math.floor(y / size)}`);
      if (t) return t;
    }
    return null;
  }
  // height is that of the ground below a place; null where there is none.
  height(x, y) {
    for (const p of this.patches) {
      const u = (x - p.X[0]) / (p.X[1] - p.X[0]) * (p.Nx - 1), v = (y - p.Y[0]) / (p.Y[1] - p.Y[0]) * (p.Ny - 1);
      if (p.level) return p.level(x, y);
      if (u < 0 || v < 0 || u > p.Nx - 1 || v > p.Ny - 1) continue;
      const i = Math.min(p.Nx - 2, Math.floor(u)), j = Math.min(p.Ny - 2, Math.floor(v)), z = (a, b) => p.Z[b * p.Nx + a];
      const low = z(i, j) * (1 - u + i) + z(i + 1, j) * (u - i), high = z(i, j + 1) * (1 - u + i) + z(i + 1, j + 1) * (u - i);
      return low * (1 - v + j) + high * (v - j);
    }
    const t = this.tile(x, y);
    if (!t?.z) return null;
    const u = (x - t.x0) / t.size * (t.n - 1), v = (y - t.y0) / t.size * (t.n - 1);
    const i = Math.min(t.n - 2, Math.floor(u)), j = Math.min(t.n - 2, Math.floor(v)), z = (a, b) => t.z[b * t.n + a];
    const low = z(i, j) * (1 - u + i) + z(i + 1, j) * (u - i), high = z(i, j + 1) * (1 - u + i) + z(i + 1, j + 1) * (u - i);
    const height = low * (1 - v + j) + high * (v - j);
    return Number.isNaN(height) ? null : height;
  }
  // lines are the lines within a distance of the origin, relative to it: fine ones, then bold ones.
  lines(origin, colours) {
    const fine = { list: [], colour: colours.fine, width: 0.7 }, bold = { list: [], colour: colours.bold, width: 1.3 };
    for (const p of this.patches) {
      if (p.level) this.grid(p.level, origin, fine, bold);
      else this.mesh(p, origin, fine);
    }
    if (this.ask) this.want(origin[0], origin[1]);
    for (const [key, t] of this.tiles) if (t.z) this.net(t, Number(key[0]), origin, fine, bold);
    return [fine, bold];
  }
  // net adds the lines of a tile: each metre nearby, every 8 m farther away. A coarse tile stands for finer ones that
  // have not come.
  net(t, level, [x0, y0, z0], fine, bold) {
    const { near, far } = Skidpad.Ground.levels[level], step = t.size / (t.n - 1);
    const every = Math.max(1, Math.round((level < 2 ? 1 : 8) / step)), strong = Math.round(8 / step);
    const place = (i, j) => [t.x0 + i * step - x0, t.y0 + j * step - y0, t.z[j * t.n + i] - z0];
    const line = (a, b, to) => {
      const x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2, away = Math.hypot(x, y);
      if (away > far || Number.isNaN(a[2] + b[2])) return;
      if (away < near && this.tile(x + x0, y + y0) !== t) return;
      to.list.push([a, b]);
    };
    for (let k = 0; k + 1 < t.n; k += every) {
      const to = k % strong === 0 ? bold : fine;
      for (let s = 0; s + 1 < t.n; s++) {
        line(place(s, k), place(s + 1, k), to);
        line(place(k, s), place(k, s + 1), to);
      }
    }
  }
  grid(height, [x0, y0, z0], fine, bold) {
    const near = 24, far = 90, piece = 6;
    const line = (to, at) => {
      for (let s = 0; s + 1 < at.length; s++) to.list.push([at[s], at[s + 1]]);
    };
    const place = (x, y) => [x - x0, y - y0, height(x, y) - z0];
    for (let k = Math.ceil(-far); k <= far; k++) {
      for (const across of [false, true]) {
        const c = Math.round(across ? y0 : x0) + k, tens = c % 10 === 0;
        if (!tens && Math.abs(k) > near) continue;
        const reach = tens ? far : near, middle = Math.round(across ? x0 : y0), points = [];
        for (let s = -reach; s <= reach; s += piece) points.push(across ? place(middle + s, c) : place(c, middle + s));
        line(tens ? bold : fine, points);
      }
    }
  }
  mesh(p, [x0, y0, z0], fine) {
    const at = (i, j) => [p.X[0] + (p.X[1] - p.X[0]) * i / (p.Nx - 1) - x0, p.Y[0] + (p.Y[1] - p.Y[0]) * j / (p.Ny - 1) - y0,
      p.Z[j * p.Nx + i] - z0];
    for (let j = 0; j < p.Ny; j++) for (let i = 0; i < p.Nx; i++) {
      const q = at(i, j);
      if (Math.hypot(q[0], q[1]) > 60) continue;
      if (i + 1 < p.Nx) fine.list.push([q, at(i + 1, j)]);
      if (j + 1 < p.Ny) fine.list.push([q, at(i, j + 1)]);
    }
  }
};

// level is the height of a plane patch as a function; null for others.
Skidpad.level = p => {
  const z = (i, j) => p.Z[j * p.Nx + i], a = z(0, 0);
  const u = (z(p.Nx - 1, 0) - a) / (p.X[1] - p.X[0]), v = (z(0, p.Ny - 1) - a) / (p.Y[1] - p.Y[0]);
  for (let j = 0; j < p.Ny; j++) for (let i = 0; i < p.Nx; i++) {
    const x = (p.X[1] - p.X[0]) * i / (p.Nx - 1), y = (p.Y[1] - p.Y[0]) * j / (p.Ny - 1);
    if (Math.abs(a + u * x + v * y - z(i, j)) > 1e-6) return null;
  }
  return (x, y) => a + u * (x - p.X[0]) + v * (y - p.Y[0]);
};
