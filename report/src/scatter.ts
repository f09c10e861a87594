// Points on a canvas: by WebGL where there is one, else drawn one by one. Both take the same calls.

import { Rgb, SHAPES } from './palette';

// Screen = (place - centre) * scale + half the size; coordinates lie in the unit square.
export interface View { x: number; y: number; scale: number }
export interface Points {
  coordinates: Float32Array;   // x0 y0 x1 y1 ...
  colors: Rgb[];          // the kinds of points
  shapes: number[];
  kind: Uint16Array;      // kind of each node
  faint: Uint8Array;      // 1: pushed back
  order: Uint32Array;     // back to front
  radius: number;         // CSS pixels
}
export interface Scatter {
  readonly backend: 'webgl' | 'canvas';
  draw(p: Points, view: View, width: number, height: number, density: number): void;
}
const FAINT = 0.13, FULL = 0.86;

const VERTEX = `#version 300 es
in vec2 place; in vec4 color; in float shape;
uniform vec2 centre, zoom; uniform float size;
out vec4 tint; flat out int form;
void main() {
  gl_Position = vec4((place - centre) * zoom, 0, 1);
  gl_PointSize = size; tint = color; form = int(shape + 0.5);
}`;
// Signed distance to the outline, in radii, smoothed over one pixel.
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint; flat in int form; uniform float size; out vec4 result;
void main() {
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * 1.25;
  float d = form == 0 ? length(p) - 1.0
          : form == 1 ? max(abs(p.x), abs(p.y)) - 0.88
          : max(abs(p.x) * 0.87 + p.y * -0.5, p.y) - 0.62;
  float a = tint.a * clamp(0.5 - d * size / 2.5, 0.0, 1.0);
  result = vec4(tint.rgb * a, a);
}`;

class GlScatter implements Scatter {
  readonly backend = 'webgl';
  private program: WebGLProgram;
  private buffers: Record<'place' | 'color' | 'shape' | 'order', WebGLBuffer>;
  private bytes = new Uint8Array(0);
  private shapes = new Uint8Array(0);
  private last: Partial<Points> = {};

  constructor(private gl: WebGL2RenderingContext) {
    const compiled = (kind: number, source: string) => {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? 'shader');
      return shader;
    };
    this.program = gl.createProgram()!;
    gl.attachShader(this.program, compiled(gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(this.program, compiled(gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error('link');
    const buffer = () => gl.createBuffer()!;
    this.buffers = { place: buffer(), color: buffer(), shape: buffer(), order: buffer() };
  }

  private attribute(name: string, size: number, type: number, normalized: boolean) {
    const at = this.gl.getAttribLocation(this.program, name);
    this.gl.enableVertexAttribArray(at);
    this.gl.vertexAttribPointer(at, size, type, normalized, 0, 0);
  }

  draw(p: Points, view: View, width: number, height: number, density: number) {
    const gl = this.gl, n = p.kind.length;
    gl.viewport(0, 0, width * density, height * density);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.place);
    gl.bufferData(gl.ARRAY_BUFFER, p.coordinates, gl.DYNAMIC_DRAW);
    this.attribute('place', 2, gl.FLOAT, false);
    // The look is sent again only when it has changed.
    const changed = p.kind !== this.last.kind || p.faint !== this.last.faint || p.colors !== this.last.colors;
    if (changed) {
      this.bytes = new Uint8Array(4 * n);
      this.shapes = new Uint8Array(n);
      for (let i = 0; i < n; ++i) {
        this.bytes.set(p.colors[p.kind[i]], 4 * i);
        this.bytes[4 * i + 3] = 255 * (p.faint[i] ? FAINT : FULL);
        this.shapes[i] = p.shapes[p.kind[i]];
      }
      this.last = { kind: p.kind, faint: p.faint, colors: p.colors };
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.color);
    if (changed) gl.bufferData(gl.ARRAY_BUFFER, this.bytes, gl.DYNAMIC_DRAW);
    this.attribute('color', 4, gl.UNSIGNED_BYTE, true);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.shape);
    if (changed) gl.bufferData(gl.ARRAY_BUFFER, this.shapes, gl.DYNAMIC_DRAW);
    this.attribute('shape', 1, gl.UNSIGNED_BYTE, false);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.order);
    if (changed) gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, p.order, gl.DYNAMIC_DRAW);
    const at = (name: string) => gl.getUniformLocation(this.program, name);
    gl.uniform2f(at('centre'), view.x, view.y);
    gl.uniform2f(at('zoom'), 2 * view.scale / width, -2 * view.scale / height);
    gl.uniform1f(at('size'), 2.5 * p.radius * density);
    gl.drawElements(gl.POINTS, n, gl.UNSIGNED_INT, 0);
  }
}

export function shapePath(c: CanvasRenderingContext2D, shape: number, x: number, y: number, r: number) {
  c.beginPath();
  if (SHAPES[shape] === 'square') c.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  else if (SHAPES[shape] === 'triangle') {
    c.moveTo(x, y - 1.24 * r);
    c.lineTo(x + 1.07 * r, y + 0.62 * r);
    c.lineTo(x - 1.07 * r, y + 0.62 * r);
    c.closePath();
  } else c.arc(x, y, r, 0, 2 * Math.PI);
}

// Pixels mixed by hand: a mask per shape, laid over the picture point by point. Twenty thousand points
// take a few milliseconds, which twenty thousand calls of the canvas do not.
class CanvasScatter implements Scatter {
  readonly backend = 'canvas';
  private picture: ImageData | null = null;
  constructor(private c: CanvasRenderingContext2D) {}

  // How much of each pixel a shape covers, 0 to 255.
  private mask(shape: number, radius: number): { size: number; cover: Uint8ClampedArray } {
    const canvas = document.createElement('canvas'), size = Math.ceil(2.5 * radius) + 2;
    canvas.width = canvas.height = size;
    const c = canvas.getContext('2d')!;
    shapePath(c, shape, size / 2, size / 2, radius);
    c.fill();
    return { size, cover: c.getImageData(0, 0, size, size).data.filter((_, i) => i % 4 === 3) };
  }

  draw(p: Points, view: View, width: number, height: number, density: number) {
    const w = this.c.canvas.width, h = this.c.canvas.height;
    if (this.picture?.width !== w || this.picture.height !== h) this.picture = this.c.createImageData(w, h);
    const data = this.picture.data;
    const [r, g, b] = (getComputedStyle(this.c.canvas.parentElement!).backgroundColor.match(/\d+/g) ?? ['255', '255', '255']).map(Number);
    new Uint32Array(data.buffer).fill(0xff000000 | b << 16 | g << 8 | r);
    const masks = SHAPES.map((_, shape) => this.mask(shape, p.radius * density));
    for (const i of p.order) {
      const { size, cover } = masks[p.shapes[p.kind[i]]], color = p.colors[p.kind[i]];
      const left = Math.round(((p.coordinates[2 * i] - view.x) * view.scale + width / 2) * density - size / 2);
      const top = Math.round(((p.coordinates[2 * i + 1] - view.y) * view.scale + height / 2) * density - size / 2);
      if (left < 0 || top < 0 || left + size > w || top + size > h) continue;
      const weight = (p.faint[i] ? FAINT : FULL) / 255;
      for (let y = 0, m = 0; y < size; ++y) {
        for (let x = 0, at = 4 * ((top + y) * w + left); x < size; ++x, ++m, at += 4) {
          if (cover[m] === 0) continue;
          const t = cover[m] * weight;
          data[at] += (color[0] - data[at]) * t;
          data[at + 1] += (color[1] - data[at + 1]) * t;
          data[at + 2] += (color[2] - data[at + 2]) * t;
        }
      }
    }
    this.c.putImageData(this.picture, 0, 0);
  }
}

// Draws on `canvas`, or on a new one put in its place when WebGL began and failed; `lost` is called
// when the system takes WebGL away later.
export function makeScatter(canvas: HTMLCanvasElement, lost: () => void): Scatter {
  try {
    const gl = canvas.getContext('webgl2', { antialias: false, preserveDrawingBuffer: true });
    if (gl) {
      canvas.addEventListener('webglcontextlost', lost, { once: true });
      return new GlScatter(gl);
    }
  } catch { /* the other way then */ }
  return plainScatter(canvas);
}

export function plainScatter(canvas: HTMLCanvasElement): Scatter {
  let context = canvas.getContext('2d');
  if (!context) {
    const fresh = canvas.cloneNode() as HTMLCanvasElement;
    canvas.replaceWith(fresh);
    context = fresh.getContext('2d')!;
  }
  return new CanvasScatter(context);
}
