// ground: lines on the ground. Level ground has a grid of 1 m and 10 m about the vehicle, other ground the lines of its
// patches. All heights are true.
Skidpad.Ground = class {
  constructor(patches) {
    this.patches = patches.map(p => ({ ...p, level: Skidpad.level(p) }));
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
    return null;
  }
  // lines are the lines within a distance of the origin, relative to it: fine ones, then bold ones.
  lines(origin, colours) {
    const fine = { list: [], colour: colours.fine, width: 0.7 }, bold = { list: [], colour: colours.bold, width: 1.3 };
    for (const p of this.patches) {
      if (p.level) this.grid(p.level, origin, fine, bold);
      else this.mesh(p, origin, fine);
    }
    return [fine, bold];
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
