// webgl: draws the scene graph with three.js.
Skidpad.WebGL = class {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setClearAlpha(0);
    this.name = 'WebGL';
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9588, 2.3));
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(3.5, 5, 8);
    this.scene.add(sun);
    this.ground = new THREE.Group();
    this.scene.add(this.ground);
    this.lines = [];
    this.patches = [];
  }
  size(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }
  draw(vehicles, ground, camera) {
    for (const v of vehicles) if (v.root.parent !== this.scene) this.scene.add(v.root);
    this.pieces(ground.filter(of => of.pieces));
    const lines = ground.filter(of => of.list);
    lines.forEach((of, i) => {
      this.lines[i] ??= this.ground.add(new THREE.LineSegments(new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ transparent: true }))).children.at(-1);
      const { geometry, material } = this.lines[i], count = of.list.length * 6;
      let place = geometry.getAttribute('position');
      if (!place || place.array.length !== count) {
        place = new THREE.BufferAttribute(new Float32Array(count), 3);
        geometry.setAttribute('position', place);
        geometry.boundingSphere = null;
      }
      of.list.forEach(([a, b], k) => { place.array.set(a, 6 * k); place.array.set(b, 6 * k + 3); });
      place.needsUpdate = true;
      this.lines[i].frustumCulled = false;
      material.color.set(of.colour);
      material.opacity = of.width > 1 ? 0.8 : 0.45;
    });
    this.lines.forEach((l, i) => { l.visible = i < lines.length; });
    this.renderer.render(this.scene, camera);
  }
  // pieces makes meshes of four-sided pieces of the ground.
  pieces(list) {
    list.forEach((of, i) => {
      this.patches[i] ??= this.ground.add(new THREE.Mesh(new THREE.BufferGeometry(),
        new THREE.MeshBasicMaterial({ transparent: true, vertexColors: true, depthWrite: false, side: THREE.DoubleSide }))).children.at(-1);
      const { geometry, material } = this.patches[i], n = 6 * of.pieces.length;
      if ((geometry.getAttribute('position')?.count ?? -1) < n) { // grows by steps
        const room = 6 * Math.ceil(n / 6 / 500) * 500;
        geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * room), 3));
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(4 * room).fill(1), 4));
      }
      const place = geometry.getAttribute('position'), colour = geometry.getAttribute('color');
      if (!place) return;
      of.pieces.forEach(({ p, alpha }, k) => [0, 1, 2, 0, 2, 3].forEach((c, v) => {
        place.array.set(p[c], 3 * (6 * k + v));
        colour.array[4 * (6 * k + v) + 3] = alpha;
      }));
      place.needsUpdate = colour.needsUpdate = true;
      geometry.setDrawRange(0, n);
      this.patches[i].frustumCulled = false;
      material.color.set(of.colour);
    });
    this.patches.forEach((m, i) => { m.visible = i < list.length && list[i].pieces.length > 0; });
  }
};

// software reports whether a renderer's name is one of programs that draw without a GPU.
Skidpad.software = name => /swiftshader|llvmpipe|lavapipe|softpipe|software|basic render/i.test(name);

// renderer makes the renderer of a page: WebGL on a GPU, else the painter. wish is "webgl" or "painter", or empty.
Skidpad.renderer = (host, wish) => {
  const canvas = () => {
    const c = document.createElement('canvas');
    c.setAttribute('role', 'img');
    c.setAttribute('aria-label', 'the vehicle as it moves');
    host.querySelector('canvas')?.remove(); // of a renderer that gives way
    host.prepend(c);
    return c;
  };
  if (wish !== 'painter') {
    const probe = document.createElement('canvas').getContext('webgl2');
    if (probe) {
      const info = probe.getExtension('WEBGL_debug_renderer_info');
      const name = info ? probe.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
      probe.getExtension('WEBGL_lose_context')?.loseContext();
      if (wish === 'webgl' || !Skidpad.software(name)) {
        try { return new Skidpad.WebGL(canvas()); } catch { /* there is the painter */ }
      }
    }
  }
  return new Skidpad.Painter(canvas());
};
