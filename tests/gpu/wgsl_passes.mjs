// Passes: cases of marrow_wgsl_cases drawn on WebGPU, with the shaders' own vertex stage.
//
// Every vertex is a draw of one point into a pixel of its own, which the viewport is set to. Nothing is interpolated:
// what the fragment stage writes is what the vertex stage made.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {create, globals} from 'webgpu';

Object.assign(globalThis, globals);
const gpu = create([]);  // as long as there is this, there are its devices

const WIDTH = 64;  // of the targets: rows of 1024 bytes
const TEXEL = 16;
const OFFSET = 256;  // what parts of buffers begin at a multiple of, on every device

const FRAGMENT_SHADER = `
struct Texels {
  @location(0) position: vec4<f32>,
  @location(1) normal: vec4<f32>,
}

@fragment
fn fragment_main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) uv: vec2<f32>,
                 @location(3) depth: f32) -> Texels {
  return Texels(vec4<f32>(position, depth), vec4<f32>(normal, uv.x + 4.0 * uv.y));
}`;

const aligned = (size) => Math.ceil(size / OFFSET) * OFFSET;

export async function open_device() {
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('there is no WebGPU adapter: Vulkan found no device');
  const device = await adapter.requestDevice();
  device.lost.then((info) => {
    if (info.reason === 'destroyed') return;
    console.error(`the device was lost: ${info.message}`);
    process.exit(1);
  });
  return {device, description: adapter.info.description || adapter.info.vendor || 'of no name'};
}

export class Passes {
  // `change` has functions for what is uploaded in place of what should be, to see a test fail.
  constructor(device, folder, manifest, change) {
    const same = (x) => x;
    Object.assign(this, {device, folder, manifest, change: {bones: same, mode: same, offset: same, ...change}});
    this.modules = new Map();
    this.pipelines = new Map();
    device.addEventListener('uncapturederror', ({error}) => { this.uncaptured ??= error.message; });
  }

  // Draws cases that have the same shader, vertex by vertex in turn. Returns eight floats of each vertex for each case,
  // or throws what WebGPU says against it. `cut` bytes are missing where the bones are bound.
  async draw(cases, cut = 0) {
    const {device} = this;
    device.pushErrorScope('validation');
    const used = [];
    let result, error;
    try {
      result = await this.draw_unchecked(cases, cut, used);
    } catch (e) {
      error = e;
    }
    const invalid = await device.popErrorScope();
    for (const buffer of used) buffer.destroy();
    const message = invalid?.message ?? error?.message ?? this.uncaptured;
    this.uncaptured = undefined;
    if (message !== undefined) throw new Error(message);
    return result;
  }

  async draw_unchecked(cases, cut, used) {
    const {device} = this;
    const pipeline = await this.pipeline(cases[0]);
    const draws = this.bind(cases, pipeline, cut, used);
    const height = Math.ceil(cases.reduce((sum, c) => sum + c.vertices, 0) / WIDTH);
    const targets = [0, 1].map(() => device.createTexture({
      size: [WIDTH, height],
      format: 'rgba32float',
      usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
    }));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: targets.map((t) => ({
        view: t.createView(), loadOp: 'clear', storeOp: 'store', clearValue: [3e38, 3e38, 3e38, 3e38],
      })),
    });
    pass.setPipeline(pipeline.pipeline);
    const most = Math.max(...cases.map((c) => c.vertices));
    let pixel = 0;
    for (let vertex = 0; vertex < most; ++vertex) {
      for (const draw of draws) {
        if (vertex >= draw.pixels.length) continue;
        if (vertex === 0 || draws.length > 1) {
          for (const [index, group, offsets] of draw.groups) pass.setBindGroup(index, group, offsets);
          pass.setVertexBuffer(0, draw.vertices);
        }
        draw.pixels[vertex] = pixel;
        pass.setViewport(pixel % WIDTH, Math.floor(pixel / WIDTH), 1, 1, 0, 1);
        pass.draw(1, 1, vertex);
        ++pixel;
      }
    }
    pass.end();
    const texels = await this.read(encoder, targets, height, used);
    for (const target of targets) target.destroy();
    return draws.map(({pixels}) => {
      const out = new Float32Array(8 * pixels.length);
      pixels.forEach((at, i) => {
        for (const part of [0, 1]) out.set(texels[part].subarray(4 * at, 4 * at + 4), 8 * i + 4 * part);
      });
      return out;
    });
  }

  async read(encoder, targets, height, used) {
    const buffers = targets.map((target) => {
      const buffer = this.device.createBuffer({
        size: WIDTH * TEXEL * height, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      });
      used.push(buffer);
      encoder.copyTextureToBuffer({texture: target}, {buffer, bytesPerRow: WIDTH * TEXEL}, [WIDTH, height]);
      return buffer;
    });
    this.device.queue.submit([encoder.finish()]);
    await Promise.all(buffers.map((buffer) => buffer.mapAsync(GPUMapMode.READ)));
    return buffers.map((buffer) => new Float32Array(buffer.getMappedRange().slice(0)));
  }

  // ---- Shaders ----------------------------------------------------------------------------------------------------

  async module(name, code) {
    if (!this.modules.has(name)) {
      const module = this.device.createShaderModule({code});
      const errors = (await module.getCompilationInfo()).messages.filter(({type}) => type === 'error');
      if (errors.length > 0) {
        throw new Error(errors.map((m) => `${name}:${m.lineNum}:${m.linePos}: ${m.message}`).join('\n'));
      }
      this.modules.set(name, module);
    }
    return this.modules.get(name);
  }

  async pipeline(c) {
    const key = JSON.stringify([c.shader, c.layout]);
    if (!this.pipelines.has(key)) {
      const module = await this.module(c.shader, readFileSync(join(this.folder, c.shader), 'utf8'));
      const groups = this.group_layouts(c);
      const pipeline = this.device.createRenderPipeline({
        layout: this.device.createPipelineLayout({bindGroupLayouts: groups}),
        vertex: {module, entryPoint: 'vertex_main', buffers: [c.layout]},
        fragment: {
          module: await this.module('fragment', FRAGMENT_SHADER),
          entryPoint: 'fragment_main',
          targets: [{format: 'rgba32float'}, {format: 'rgba32float'}],
        },
        primitive: {topology: 'point-list'},
      });
      this.pipelines.set(key, {pipeline, groups});
    }
    return this.pipelines.get(key);
  }

  // The four groups: frame (and bones in storage buffers), nothing, object and morphs, bones in a uniform buffer.
  group_layouts(c) {
    const entry = (binding, type, hasDynamicOffset = false) =>
        ({binding, visibility: GPUShaderStage.VERTEX, buffer: {type, hasDynamicOffset}});
    const storage = 'read-only-storage';
    const frame = [entry(0, 'uniform')], object = [entry(0, 'uniform')], bones = [];
    if (c.uniform) {
      bones.push(entry(0, 'uniform', true));
    } else {
      frame.push(entry(5, storage, true), entry(6, storage, true), entry(7, 'uniform', true));
    }
    if (c.sections.morphs) object.push(entry(1, storage), entry(2, storage));
    return [frame, [], object, bones].map((entries) => this.device.createBindGroupLayout({entries}));
  }

  // ---- Buffers ----------------------------------------------------------------------------------------------------

  buffer(bytes, usage, used) {
    const buffer = this.device.createBuffer({size: Math.ceil(bytes.byteLength / 4) * 4, usage, mappedAtCreation: true});
    new Uint8Array(buffer.getMappedRange()).set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    buffer.unmap();
    used.push(buffer);
    return buffer;
  }

  section(c, name) {
    c.bytes ??= readFileSync(join(this.folder, c.data));
    const {offset, size} = c.sections[name];
    return new Uint8Array(c.bytes.buffer.slice(c.bytes.byteOffset + offset, c.bytes.byteOffset + offset + size));
  }

  // One buffer with a part for each of the arrays.
  shared(arrays, usage, used) {
    const offsets = [];
    let size = 0;
    for (const array of arrays) {
      offsets.push(size);
      size += aligned(array.byteLength);
    }
    const bytes = new Uint8Array(size);
    arrays.forEach((array, i) => bytes.set(array, offsets[i]));
    return {buffer: this.buffer(bytes, usage, used), offsets, sizes: arrays.map((array) => array.byteLength)};
  }

  // Everything that the draws of the cases need. What characters have of their own are parts of the same buffers.
  bind(cases, {groups}, cut, used) {
    const {UNIFORM, STORAGE, VERTEX} = GPUBufferUsage;
    const first = cases[0];
    const {change} = this;
    const bones_of = (name) => cases.map((c) => change.bones(this.section(c, name), c));
    const part = (binding, from, i, less = 0) =>
        ({binding, resource: {buffer: from.buffer, size: from.sizes[i] - less}});
    const whole = (binding, bytes, usage) => ({binding, resource: {buffer: this.buffer(bytes, usage, used)}});
    const group = (index, entries) => this.device.createBindGroup({layout: groups[index], entries});

    // All vertices come out at (0, 0, 0.5, 1).
    const projection = new Float32Array(16);
    projection.set([0, 0, 0.5, 1], 12);
    const frame = new Float32Array(52);
    frame.set(this.manifest.view, 0);
    frame.set(projection, 16);
    frame.set(projection, 32);
    const object = new Float32Array(this.manifest.world);

    const bones = this.shared(bones_of('bones'), first.uniform ? UNIFORM : STORAGE, used);
    const binds = first.uniform ? null : this.shared(bones_of('inverse_binds'), STORAGE, used);
    const mode = (c) => new Uint8Array(Uint32Array.of(change.mode(c.mode)).buffer);
    const modes = this.shared(cases.map(mode), UNIFORM, used);
    return cases.map((c, i) => {
      const frame_entries = [whole(0, frame, UNIFORM)], object_entries = [whole(0, object, UNIFORM)], bone_entries = [];
      let frame_offsets = [], bone_offsets = [];
      if (c.uniform) {
        bone_entries.push(part(0, bones, i, cut));
        bone_offsets = [change.offset(bones.offsets[i])];
      } else {
        frame_entries.push(part(5, bones, i, cut), part(6, binds, i), part(7, modes, i));
        frame_offsets = [change.offset(bones.offsets[i]), binds.offsets[i], modes.offsets[i]];
      }
      if (c.sections.morphs) {
        object_entries.push(whole(1, this.section(c, 'morph_deltas'), STORAGE),
                           whole(2, this.section(c, 'morphs'), STORAGE));
      }
      return {
        pixels: new Uint32Array(c.vertices),
        vertices: this.buffer(this.section(c, 'vertices'), VERTEX, used),
        groups: [[0, group(0, frame_entries), frame_offsets], [1, group(1, []), []], [2, group(2, object_entries), []],
                 [3, group(3, bone_entries), bone_offsets]],
      };
    });
  }
}
