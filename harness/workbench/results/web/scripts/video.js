// video: records the picture, with its sky and a line of text, as a WebM file that the browser saves.
Skidpad.Video = class {
  static possible() { return typeof MediaRecorder === 'function' && Boolean(HTMLCanvasElement.prototype.captureStream); }
  // host is the element of the picture; name is that of the file.
  constructor(host, name) {
    this.host = host;
    this.name = name;
    this.recorder = null;
  }
  get on() { return this.recorder !== null; }
  start() {
    const { width, height } = this.host.querySelector('canvas');
    this.canvas = document.createElement('canvas');
    // a picture keeps its size: even numbers, as encoders need them
    [this.canvas.width, this.canvas.height] = [width - width % 2, height - height % 2];
    this.g = this.canvas.getContext('2d');
    this.pieces = [];
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = e => this.pieces.push(e.data);
    this.recorder.onstop = () => this.save();
    this.recorder.start(1000);
  }
  stop() {
    this.recorder.stop();
    this.recorder = null;
  }
  // picture adds the present picture; call it where it has just been drawn.
  picture(text) {
    if (!this.on) return;
    const { g, canvas } = this, style = getComputedStyle(this.host), colour = name => style.getPropertyValue(name).trim();
    const horizon = Math.min(1, Math.max(0, parseFloat(style.getPropertyValue('--horizon')) / 100 || 0.45));
    const sky = g.createLinearGradient(0, 0, 0, canvas.height);
    sky.addColorStop(0, colour('--sky'));
    sky.addColorStop(horizon, colour('--haze'));
    sky.addColorStop(Math.min(1, horizon + 0.02), colour('--land'));
    g.fillStyle = sky;
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.drawImage(this.host.querySelector('canvas'), 0, 0, canvas.width, canvas.height);
    g.fillStyle = colour('--ink');
    g.font = `${Math.round(canvas.height / 32)}px system-ui, sans-serif`;
    g.fillText(text, canvas.height / 40, canvas.height - canvas.height / 40);
  }
  save() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(this.pieces, { type: 'video/webm' }));
    link.download = `${this.name.replace(/[^A-Za-z0-9]+/g, '-')}-${new Date().toISOString().slice(0, 19).replace(/[-:T]/g, '')}.webm`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
};
