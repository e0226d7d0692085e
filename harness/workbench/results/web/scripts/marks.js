// marks: what a vehicle leaves on the ground: skid marks of its wheels, and the path that it has driven. Rings show tires
// that have left the ground.
//
// Marks are four-sided pieces, each {p, alpha} with the corners p in axes of ground; lines are pairs of points.
Skidpad.Marks = class {
  static most = 2000; // pieces of a wheel
  static mostPath = 4000; // points
  static slip = 0.1; // combined slip from which on a tire leaves a mark
  static darkest = 0.6; // combined slip of the darkest mark
  // widths are those of the wheels [m].
  constructor(widths) {
    this.widths = widths;
    this.clear();
  }
  clear() {
    this.path = [];
    this.pieces = this.widths.map(() => []); // a ring: the oldest piece is at next
    this.next = this.widths.map(() => 0);
    this.ends = this.widths.map(() => null); // of the present marks
  }
  // back forgets what comes after a time, when a vehicle has returned to an earlier state.
  back(time) {
    this.path = this.path.filter(p => p.time <= time);
    this.pieces = this.pieces.map((list, w) => [...list.slice(this.next[w]), ...list.slice(0, this.next[w])].filter(p => p.time <= time));
    this.next = this.next.map(() => 0);
    this.ends = this.ends.map(() => null);
  }
  // move adds the place of the vehicle [m] at a time [s].
  move(time, place) {
    const { path } = this, last = path[path.length - 1];
    if (last && Math.hypot(place[0] - last.at[0], place[1] - last.at[1]) < 0.4) return;
    path.push({ time, at: place });
    if (path.length > Skidpad.Marks.mostPath) path.splice(0, 200);
  }
  // slide adds the contact of a wheel: its place, the direction to the left of the wheel, and the combined slip.
  slide(time, wheel, at, left, slip) {
    const half = this.widths[wheel] / 2, before = this.ends[wheel];
    if (!(slip > Skidpad.Marks.slip)) { this.ends[wheel] = null; return; }
    const a = at.map((x, k) => x + half * left[k]), b = at.map((x, k) => x - half * left[k]);
    if (!before) { this.ends[wheel] = { a, b, at }; return; }
    if (Math.hypot(at[0] - before.at[0], at[1] - before.at[1]) < 0.12) return;
    const share = (slip - Skidpad.Marks.slip) / (Skidpad.Marks.darkest - Skidpad.Marks.slip);
    const piece = { time, p: [before.a, a, b, before.b], alpha: 0.15 + 0.45 * Math.min(1, Math.max(0, share)) };
    this.pieces[wheel][this.next[wheel]] = piece;
    this.next[wheel] = (this.next[wheel] + 1) % Skidpad.Marks.most;
    this.ends[wheel] = { a, b, at };
  }
  // marks are the skid marks near an origin, relative to it.
  marks([x, y, z], colour) {
    const pieces = [];
    for (const list of this.pieces) for (const { p, alpha } of list) {
      if (Math.hypot(p[0][0] - x, p[0][1] - y) > 60) continue;
      pieces.push({ p: p.map(q => [q[0] - x, q[1] - y, q[2] - z + 0.004]), alpha });
    }
    return { pieces, colour };
  }
  // track is the driven path near an origin, relative to it.
  track(origin, colour) { return Skidpad.track(this.path.map(p => p.at), origin, colour, 1.6); }
};

// track is a line through places, as far as they are near an origin, relative to it.
Skidpad.track = (places, [x, y, z], colour, width) => {
  const list = [];
  for (let i = 1; i < places.length; i++) {
    const a = places[i - 1], b = places[i];
    if (Math.hypot(b[0] - x, b[1] - y) > 90 || Math.hypot(b[0] - a[0], b[1] - a[1]) > 10) continue;
    list.push([[a[0] - x, a[1] - y, a[2] - z + 0.006], [b[0] - x, b[1] - y, b[2] - z + 0.006]]);
  }
  return { list, colour, width };
};

// ring is a ring on the ground about a place.
Skidpad.ring = ([x, y, z], radius) => {
  const sides = 20, at = i => [x + radius * Math.cos(2 * Math.PI * i / sides), y + radius * Math.sin(2 * Math.PI * i / sides), z + 0.01];
  return Array.from({ length: sides }, (_, i) => [at(i), at(i + 1)]);
};
