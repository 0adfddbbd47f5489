/**
 * @file The server's segments: buffers by number, and the bind groups over sets of them.
 * @original CUDA passes pointers to kernels; WebGPU binds buffers.
 */
export interface Segments {
  /** Makes a buffer, usable at once; the promise says later whether the device had room. */
  make(id: number, nbytes: number): Promise<GPUError | null>;
  release(id: number): void;
  buffer(id: number): GPUBuffer;
  pipeline_layout(slots: number, written: number): GPUPipelineLayout;
  /** The bind group over `slots` segments, whose numbers are in `ring` from `at` on, modulo `mask`. */
  group(slots: number, written: number, ring: Int32Array, at: number, mask: number): GPUBindGroup;
  /** The layout of the bind group that holds a launch's parameters, with their offset. */
  readonly params_layout: GPUBindGroupLayout;
  release_all(): void;
}

/** Makes the segments. Sent to workers as text: uses nothing from outside but its arguments. */
export function device_segments(device: GPUDevice): Segments {
  // Constants of GPUBufferUsage and GPUShaderStage, which Node does not define.
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

  /** The cache key of a bind group: a number if possible. A string for every launch would cost more than the launch. */
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
    groups = new Map(); // some groups contain the released buffer, and its number will be given to another
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
        // Some implementations throw for a size beyond all limits.
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
    release_all() {
      for (let id = 0; id < buffers.length; id++) release(id);
    },
  };
}
