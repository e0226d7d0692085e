// motion: where the frames of a recorded run are at any time.

// Motion holds the samples of a run. place finds the poses of all frames at a time: positions and quaternions between two
// samples are blended.
Skidpad.Motion = class {
  constructor(description, reader) {
    const n = description.moments;
    this.order = description.order;
    this.times = reader.doubles(n);
    this.tracks = description.tracks.map(t => ({ carrier: t.carrier, columns: t.columns.map(c =>
      c.kind === 0 ? Float64Array.of(c.low) : reader.column(c, n)) }));
    this.poses = this.tracks.map(() => new Float64Array(7));
  }
  get begin() { return this.times[0]; }
  get end() { return this.times[this.times.length - 1]; }
  // index is the moment before a time, and the share of the way to the next.
  index(t) {
    let low = 0, high = this.times.length - 1;
    while (high - low > 1) { const m = (low + high) >> 1; if (this.times[m] <= t) low = m; else high = m; }
    return [low, Math.min(1, Math.max(0, (t - this.times[low]) / (this.times[high] - this.times[low])))];
  }
  place(t) {
    const [low, share] = this.index(t), p = new Float64Array(7);
    for (const f of this.order) {
      const { carrier, columns } = this.tracks[f];
      let dot = 0;
      for (let k = 3; k < 7; k++) { const c = columns[k]; dot += c.length > 1 ? c[low] * c[low + 1] : c[0] * c[0]; }
      for (let k = 0; k < 7; k++) {
        const c = columns[k], side = k > 2 && dot < 0 ? -1 : 1;
        p[k] = c.length > 1 ? c[low] * (1 - share) + side * c[low + 1] * share
          : k > 2 && dot < 0 ? c[0] * (1 - 2 * share) : c[0];
      }
      const size = Math.hypot(p[3], p[4], p[5], p[6]);
      for (let k = 3; k < 7; k++) p[k] /= size;
      Skidpad.compose(carrier < 0 ? null : this.poses[carrier], p, this.poses[f]);
    }
    return this.poses;
  }
};

// compose is a pose given in the frame of another. Poses are x, y, z and the quaternion w, x, y, z.
Skidpad.compose = (a, b, to) => {
  if (!a) { to.set(b); return to; }
  const place = Skidpad.point(a, b[0], b[1], b[2]);
  const [, , , w, x, y, z] = a, [, , , W, X, Y, Z] = b;
  to[0] = place[0]; to[1] = place[1]; to[2] = place[2];
  to[3] = w * W - x * X - y * Y - z * Z;
  to[4] = w * X + x * W + y * Z - z * Y;
  to[5] = w * Y - x * Z + y * W + z * X;
  to[6] = w * Z + x * Y - y * X + z * W;
  return to;
};

// point is a point of a frame in ground.
Skidpad.point = (p, x, y, z) => {
  const w = p[3], a = p[4], b = p[5], c = p[6];
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  return [p[0] + x + w * tx + b * tz - c * ty, p[1] + y + w * ty + c * tx - a * tz, p[2] + z + w * tz + a * ty - b * tx];
};
