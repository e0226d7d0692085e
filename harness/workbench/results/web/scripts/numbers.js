// numbers: the columns of numbers of a page.

// unpack inflates base64 text to bytes.
Skidpad.unpack = async text => {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
};

// Reader reads columns of n numbers, one behind the other.
Skidpad.Reader = class {
  constructor(buffer) { this.view = new DataView(buffer); this.at = 0; }
  doubles(n) {
    const list = new Float64Array(n);
    for (let i = 0; i < n; i++, this.at += 8) list[i] = this.view.getFloat64(this.at, true);
    return list;
  }
  singles(n) {
    const list = new Float32Array(n);
    for (let i = 0; i < n; i++, this.at += 4) list[i] = this.view.getFloat32(this.at, true);
    return list;
  }
  // codes are multiples of the step, as second differences, their lower bytes in front of the upper ones
  codes(n, low, step) {
    const list = new Float64Array(n), first = Math.round(low / step);
    for (let i = 0, code = 0, rise = 0; i < n; i++) {
      const bend = this.view.getUint8(this.at + i) + 256 * this.view.getUint8(this.at + n + i);
      rise = (rise + bend) & 0xffff;
      code = (code + rise) & 0xffff;
      list[i] = (first + code) * step;
    }
    this.at += 2 * n;
    return list;
  }
  column(c, n) {
    switch (c.kind) {
      case 0: return new Float64Array(n).fill(c.low);
      case 1: return this.codes(n, c.low, c.step);
      case 2: return this.doubles(n);
      case 3: return this.singles(n);
    }
    return Float64Array.from({ length: n }, (_, i) => c.low + i * c.step);
  }
};
