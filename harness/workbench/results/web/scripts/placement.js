// placement: where the frames of a vehicle are, by a list of operations on the values of variables. Go makes the list, and
// carries it out in animations and for the live view.

// turn is a rotation about a unit axis, as a pose.
Skidpad.turn = ([x, y, z], angle) => {
  const s = Math.sin(angle / 2);
  return [0, 0, 0, Math.cos(angle / 2), s * x, s * y, s * z];
};

Skidpad.Placement = class {
  constructor({ frames, operations }) {
    this.operations = operations;
    this.frames = frames.map(() => new Float64Array(7));
  }
  // place returns the poses of all frames, which the next call changes.
  place(values) {
    for (const o of this.operations) {
      const step = this.step(o, o.columns?.map(c => (c < 0 ? 0 : values[c])));
      Skidpad.compose(o.from < 0 ? null : this.frames[o.from], o.inverse ? this.inverse(step) : step, this.frames[o.to]);
    }
    return this.frames;
  }
  step(o, v) {
    switch (o.kind) {
      case 'free': return this.at(v, this.turns(o.sequence, v.slice(3)));
      case 'turn': return Skidpad.turn(o.constants, v[0]);
      case 'shift': return this.at(o.constants.map(x => x * v[0]), [0, 0, 0, 1, 0, 0, 0]);
      case 'guide': {
        const c = o.courses.map(course => this.course(course, ...v));
        return this.at(c, this.turns(o.sequence, c.slice(3)));
      }
      case 'fixed': return o.constants;
    }
    throw new Error(`a placement has an operation ${o.kind}`);
  }
  at([x, y, z], rotation) { return [x, y, z, ...rotation.slice(3)]; }
  // turns are three turns, each about the axis turned by the ones before.
  turns(sequence, angles) {
    return angles.reduce((all, angle, i) => Skidpad.compose(all, Skidpad.turn([1, 2, 3].map(k => +(sequence[i] == k)), angle), []),
      [0, 0, 0, 1, 0, 0, 0]);
  }
  inverse([x, y, z, w, a, b, c]) {
    const back = [0, 0, 0, w, -a, -b, -c];
    return this.at(Skidpad.point(back, -x, -y, -z), back);
  }
  // piece is the number of the piece of a table at x, and the distance from its begin.
  piece(points, x) {
    let i = 0;
    while (i < points.length && points[i] <= x) i++;
    return [i, x - points[Math.max(0, i - 1)]];
  }
  // course is a coordinate of a guide.
  course(c, travel, second) {
    const polynomial = (a, s) => a[0] + s * (a[1] + s * (a[2] + s * a[3]));
    let value = c.own ? travel : 0;
    if (c.points) {
      const [i, s] = this.piece(c.points, travel);
      value = polynomial(c.pieces[i], s);
    } else if (c.cells) {
      const [i, s] = this.piece(c.x, travel), [j, t] = this.piece(c.y, second), cell = c.cells[i * (c.y.length + 1) + j];
      value = polynomial([0, 1, 2, 3].map(m => polynomial(cell.slice(4 * m, 4 * m + 4), t)), s);
    }
    return c.sign * value;
  }
};
