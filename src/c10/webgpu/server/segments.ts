/**
 * @file The server's segments: buffers by number, and the bind groups over sets of them.
 * @original CUDA passes pointers to kernels; WebGPU binds buffers.
 */
import type { Protocol } from "../protocol.ts";

export interface Segments {
  /** The buffer is there at once; whether it is any good is told later. */
  make(id: number, nbytes: number): Promise<GPUError | null>;
  release(id: number): void;
  buffer(id: number): GPUBuffer;
  pipeline_layout(slots: number, written: number): GPUPipelineLayout;
  /** The bind group over `slots` segments, whose numbers stand in `ring` from `at` on, modulo `mask`. */
  group(slots: number, written: number, ring: Int32Array, at: number, mask: number): GPUBindGroup;
  /** Where a launch's parameters are bound, with their offset. */
  readonly params_layout: GPUBindGroupLayout;
  clear(): void;
}

/** Sent to workers as text: uses nothing from outside but its arguments. */
export function device_segments(device: GPUDevice, { PLACE }: Protocol): Segments {
  // GPUBufferUsage and GPUShaderStage, which Node does not define.
  const [COPY_SRC, COPY_DST, STORAGE, COMPUTE] = [0x4, 0x8, 0x80, 0x4];
  const MOST_GROUPS = 4096;
  const buffers: (GPUBuffer | undefined)[] = [];
  const layouts = new Map<number, GPUBindGroupLayout>();
  const pipeline_layouts = new Map<number, GPUPipelineLayout>();
  let groups = new Map<number | string, GPUBindGroup>();
  const params_layout = device.createBindGroupLayout({
    label: "parameters",
    entries: [{ binding: 0, visibility: COMPUTE, buffer: { type: "uniform", hasDynamicOffset: true } }],
  });

  const layout_of = (slots: number, written: number): GPUBindGroupLayout => {
    const key = slots | (written << 8);
    let layout = layouts.get(key);
    if (layout === undefined) {
      const entries = Array.from({ length: slots }, (_, slot): GPUBindGroupLayoutEntry => {
        const type = ((written >> slot) & 1) === 1 ? "storage" : "read-only-storage";
        return { binding: slot, visibility: COMPUTE, buffer: { type } };
      });
      layout = device.createBindGroupLayout({ label: "segments", entries });
      layouts.set(key, layout);
    }
    return layout;
  };

  /** A number where that is enough: making a text for every launch would cost more than the launch. */
  const group_key = (slots: number, written: number, ring: Int32Array, at: number, mask: number): number | string => {
    let key = slots * 8 + written;
    let small = slots <= 3;
    for (let k = 0; k < slots; k++) {
      const id = ring[(at + k) & mask];
      key = key * 4096 + id;
      small &&= id < 4096;
    }
    if (small) return key;
    return `${slots} ${written} ${Array.from({ length: slots }, (_, k) => ring[(at + k) & mask]).join(" ")}`;
  };

  const make_group = (slots: number, written: number, ring: Int32Array, at: number, mask: number): GPUBindGroup => {
    const entries = Array.from({ length: slots }, (_, slot): GPUBindGroupEntry => {
      return { binding: slot, resource: { buffer: buffers[ring[(at + slot) & mask]] as GPUBuffer } };
    });
    return device.createBindGroup({ label: "segments", layout: layout_of(slots, written), entries });
  };

  const release = (id: number): void => {
    buffers[id]?.destroy();
    buffers[id] = undefined;
    groups = new Map(); // some of them name it, and the number will be another's
  };

  return {
    params_layout,
    release,
    make(id, nbytes) {
      device.pushErrorScope("out-of-memory");
      device.pushErrorScope("validation");
      const usage = STORAGE | COPY_SRC | COPY_DST;
      try {
        buffers[id] = device.createBuffer({ label: `segment ${id}`, size: nbytes, usage });
      } catch (error) {
        // A size past all limits is thrown by some.
        device.popErrorScope();
        device.popErrorScope();
        return Promise.resolve({ message: String(error) });
      }
      const [invalid, no_memory] = [device.popErrorScope(), device.popErrorScope()];
      return Promise.all([invalid, no_memory]).then(([a, b]) => a ?? b);
    },
    buffer(id) {
      return buffers[id] as GPUBuffer;
    },
    pipeline_layout(slots, written) {
      const key = slots | (written << 8);
      let layout = pipeline_layouts.get(key);
      if (layout === undefined) {
        const bindGroupLayouts = slots === 0 ? [params_layout] : [params_layout, layout_of(slots, written)];
        layout = device.createPipelineLayout({ bindGroupLayouts });
        pipeline_layouts.set(key, layout);
      }
      return layout;
    },
    group(slots, written, ring, at, mask) {
      const key = group_key(slots, written, ring, at, mask);
      let group = groups.get(key);
      if (group === undefined) {
        if (groups.size >= MOST_GROUPS) groups = new Map();
        group = make_group(slots, written, ring, at, mask);
        groups.set(key, group);
      }
      return group;
    },
    clear() {
      for (let id = 0; id < buffers.length; id++) if (id !== PLACE.ASSERTION_SEGMENT) release(id);
    },
  };
}
