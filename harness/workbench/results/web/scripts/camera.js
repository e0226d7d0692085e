// camera: where the scene is seen from. All places are relative to the origin of the scene graph, the chassis.
Skidpad.Camera = class {
  static modes = ['chase', 'top', 'wheel', 'driver', 'free', 'fixed'];
  // size is about the radius of the vehicle [m], middle its middle in axes of the chassis, radius that of a wheel [m].
  constructor(size, middle, radius) {
    this.lens = new THREE.PerspectiveCamera(38, 1, 0.1, 160);
    this.lens.up.set(0, 0, 1);
    this.size = size;
    this.middle = middle;
    this.radius = radius;
    this.mode = 'chase';
    this.azimuth = 0.62; // from behind, by drag
    this.elevation = 0.3;
    this.distance = 1;
    this.yaw = null; // of the vehicle, smoothed
    this.reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.reduced) this.mode = 'free'; // the picture does not turn with the vehicle
  }
  // frame takes the present middle of a vehicle, and what it has grown to.
  frame({ middle, size }) {
    this.middle = middle;
    this.size = Math.max(this.size, 1.15 * size);
  }
  choose(mode) {
    if (mode === 'free' && this.yaw !== null && this.mode !== 'free') this.azimuth += this.yaw;
    if (this.mode === 'free' && mode !== 'free') this.azimuth = 0.62;
    if (mode === 'fixed') this.stand = null;
    this.mode = mode;
  }
  turn(dx, dy) {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(1.5, Math.max(-0.05, this.elevation + dy * 0.008));
  }
  near(factor) { this.distance = Math.min(12, Math.max(0.25, this.distance * factor)); }
  // follow places the camera. pose is that of the chassis, seconds the time since the last picture.
  follow(pose, wheel, shell, seconds, aspect) {
    const { lens, size } = this, ahead = Skidpad.point([0, 0, 0, ...pose.slice(3)], 1, 0, 0);
    const heading = Math.atan2(ahead[1], ahead[0]);
    if (this.yaw === null) {
      this.yaw = heading;
      if (this.reduced && this.mode === 'free') this.azimuth += heading; // from behind, at the begin
    }
    const difference = Math.atan2(Math.sin(heading - this.yaw), Math.cos(heading - this.yaw));
    this.yaw += difference * (this.reduced ? 1 : 1 - Math.exp(-seconds / 0.25));
    lens.aspect = aspect;
    lens.fov = this.mode === 'driver' ? 62 : 38;
    lens.up.set(0, 0, 1);
    const wide = Math.max(1, 1.45 / aspect), away = 2.8 * size * this.distance * wide;
    const local = (x, y, z) => new THREE.Vector3(...Skidpad.point([0, 0, 0, ...pose.slice(3)], x, y, z));
    const target = local(...this.middle);
    const around = (azimuth, elevation, far) => lens.position.set(-far * Math.cos(elevation) * Math.cos(azimuth),
      -far * Math.cos(elevation) * Math.sin(azimuth), far * Math.sin(elevation)).add(target);
    switch (this.mode) {
      case 'chase': around(this.yaw + this.azimuth, this.elevation, away); break;
      case 'free': around(this.azimuth, this.elevation, away); break;
      case 'top':
        lens.up.set(Math.cos(this.yaw), Math.sin(this.yaw), 0);
        lens.position.set(target.x, target.y, target.z + 3.4 * size * this.distance * wide);
        break;
      case 'wheel': // or the vehicle from the side
        if (wheel) target.set(wheel[0] - pose[0], wheel[1] - pose[1], wheel[2] - pose[2]);
        around(this.yaw + this.azimuth - 1.9, 0.16, (wheel ? Math.max(0.75 * size, 3.6 * this.radius) : 3.2 * size) * this.distance * wide);
        break;
      case 'driver': {
        const z = shell ? shell.eye : [0, 0.35, 0.7];
        lens.position.copy(local(...z));
        target.copy(local(z[0] + 10, z[1], z[2] - 0.6));
        break;
      }
      case 'fixed':
        this.stand ??= [pose[0] + 3 * size * Math.cos(heading) + 2.2 * size * Math.sin(heading),
          pose[1] + 3 * size * Math.sin(heading) - 2.2 * size * Math.cos(heading), pose[2] + 0.4 * size];
        lens.position.set(this.stand[0] - pose[0], this.stand[1] - pose[1], this.stand[2] - pose[2]);
        break;
    }
    lens.lookAt(target);
    lens.updateProjectionMatrix();
    lens.updateMatrixWorld(true);
    return lens;
  }
  // horizon is how far below the upper edge of the picture the horizon is, by the height of the picture.
  horizon() {
    const d = this.lens.getWorldDirection(new THREE.Vector3()), down = -d.z / Math.max(1e-3, Math.hypot(d.x, d.y));
    return Math.min(1.2, Math.max(-0.5, 0.5 - 0.5 * down / Math.tan(this.lens.fov * Math.PI / 360)));
  }
};
