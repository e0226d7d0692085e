// ghosts: recorded runs that drive along as transparent vehicles.
Skidpad.Ghost = class {
  // run is a recorded run; colour is red, green and blue.
  constructor(run, colour) {
    this.name = run.name;
    this.vehicle = new Skidpad.Vehicle(run, colour);
    this.chassis = run.chassis;
    this.motion = null;
    Skidpad.unpack(run.data).then(data => {
      const motion = new Skidpad.Motion(run, new Skidpad.Reader(data)), way = [0];
      const path = Array.from(motion.times, t => Array.from(motion.place(t)[run.chassis].slice(0, 3)));
      for (let i = 1; i < path.length; i++) way.push(way[i - 1] + Math.hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]));
      // its way on the ground, below the chassis
      const low = run.shell ? Math.min(...run.shell.points.map(p => p[2])) : 0;
      this.line = { places: path.map(([x, y, z]) => [x, y, z + low]), colour: `rgb(${colour.map(c => Math.round(255 * c))})`, width: 1.2 };
      Object.assign(this, { path, way, near: 0, motion });
    });
  }
  // at is the vehicle with its poses at a time.
  at(time) {
    const { motion } = this;
    return [this.vehicle, motion.place(Math.min(motion.end, Math.max(motion.begin, time)))];
  }
  // gap is how far a vehicle at a place is behind the ghost at a time: in metres along the way of the ghost, and in
  // seconds since the ghost was there; null where the ghost has not been near.
  gap([x, y], time) {
    const { path, way, motion } = this, away = i => Math.hypot(path[i][0] - x, path[i][1] - y);
    let near = this.near;
    for (let i = 0; i < path.length; i++) if (away(i) < away(near)) near = i;
    this.near = near;
    const far = 30; // m
    if (away(near) > far) return null;
    const [low, share] = motion.index(Math.min(motion.end, Math.max(motion.begin, time)));
    const now = way[low] + share * ((way[low + 1] ?? way[low]) - way[low]);
    return { metres: now - way[near], seconds: time - motion.times[near] };
  }
};

// gaps says in an element how far a vehicle is behind its ghosts.
Skidpad.gaps = (host, ghosts, place, time) => {
  const lines = ghosts.filter(g => g.motion).map(g => {
    const gap = g.gap(place, time);
    if (!gap) return `${g.name}: not near its way`;
    const side = gap.metres >= 0 ? 'ahead' : 'behind';
    return `${g.name}: ${Math.abs(gap.metres).toFixed(1)} m, ${Math.abs(gap.seconds).toFixed(2)} s ${side}`;
  });
  host.textContent = lines.join(' · ');
  host.hidden = lines.length === 0;
};
