/**
 * @file The server's command buffer under construction: launches in one compute pass, their parameters in one uniform buffer.
 * @original A stream of CUDA takes launches one by one; WebGPU takes lists of commands.
 */
import type { Protocol } from "../protocol.ts";
import type { Kernel } from "./kernels.ts";
import type { Segments } from "./segments.ts";

export interface Batch {
  /** Adds a launch: the command begins at `at` of the ring and has `length` words. Precondition: the kernel is compiled. */
  launch(kernel: Kernel, ring: Int32Array, at: number, length: number): void;
  /** The command encoder, outside any pass. */
  encoder(): GPUCommandEncoder;
  /** Records the device's clock as the time of event `seq`. */
  mark(seq: number): void;
  /** Number of the latest submission that contains a launch or copy on the segment; 0 for none. */
  last_touch(segment: number): number;
  touch(segment: number): void;
  readonly full: boolean;
  /** Submits the buffer if it is not empty. */
  submit(reason: number): void;
  /** Promises for the times of earlier submissions that have not arrived yet, in order. */
  readonly recordings: Promise<void>[];
  /** Number of submissions so far. */
  readonly number: number;
  /** Whether each launch gets a pass of its own, with its times. */
  timed: boolean;
}

export type TellRecord = (kind: number, a: number, b?: number, c?: number, d?: number) => void;

/** Makes the batch. Sent to workers as text: uses nothing from outside but its arguments. */
export function device_batch(device: GPUDevice, protocol: Protocol, segments: Segments, tell: TellRecord): Batch {
  const { PLACE, RecordKind } = protocol;
  const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, QUERY_RESOLVE] = [0x1, 0x4, 0x8, 0x40, 0x200];
  const STRIDE_WORDS = 64; // 256 bytes: the alignment of uniform offsets
  const PARAMS_AT = 7;
  const mask = PLACE.RING_WORDS - 1;

  const words = new Int32Array(PLACE.BATCH * STRIDE_WORDS + PLACE.PARAMS_NBYTES / 4);
  const most_words = PLACE.BATCH * STRIDE_WORDS;
  const uniforms = device.createBuffer({ label: "parameters", size: words.byteLength, usage: UNIFORM | COPY_DST });
  const params = device.createBindGroup({
    layout: segments.params_layout,
    entries: [{ binding: 0, resource: { buffer: uniforms, size: PLACE.PARAMS_NBYTES } }],
  });
  const offset = new Uint32Array(1);

  let used = 0;
  let launches = 0;
  let encoder: GPUCommandEncoder | null = null;
  let pass: GPUComputePassEncoder | null = null;
  let pipeline: GPUComputePipeline | null = null;
  let group: GPUBindGroup | null = null;
  /** By segment: number of the submission that will touch it. */
  const touched: number[] = [];

  const can_time = device.features.has("timestamp-query");
  const most_times = 2 * PLACE.BATCH + 2;
  let times: { readonly queries: GPUQuerySet; readonly resolved: GPUBuffer } | null = null;
  /** The launches and events of this submission's query pairs: kind and number. */
  let timed_things: number[] = [];

  const end_pass = (): void => {
    pass?.end();
    pass = pipeline = group = null;
  };

  const timestamps = (kind: number, number: number): GPUComputePassDescriptor => {
    times ??= {
      queries: device.createQuerySet({ type: "timestamp", count: most_times }),
      resolved: device.createBuffer({ size: most_times * 8, usage: QUERY_RESOLVE | COPY_SRC }),
    };
    const at = timed_things.length;
    timed_things.push(kind, number);
    return {
      timestampWrites: { querySet: times.queries, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 },
    };
  };

  /** Encodes the copy of the times to a mappable buffer. The returned function reports them when they have arrived. */
  const resolve_times = (into: GPUCommandEncoder): (() => Promise<void>) | null => {
    const things = timed_things;
    if (times === null || things.length === 0) return null;
    timed_things = [];
    const nbytes = things.length * 8;
    into.resolveQuerySet(times.queries, 0, things.length, times.resolved, 0);
    const staging = device.createBuffer({ size: nbytes, usage: MAP_READ | COPY_DST });
    into.copyBufferToBuffer(times.resolved, 0, staging, 0, nbytes);
    const batch = self.number;
    return async () => {
      await staging.mapAsync(1);
      const ns = new BigUint64Array(staging.getMappedRange());
      for (let k = 0; k < things.length; k += 2) {
        if (things[k] === RecordKind.EVENT) tell(RecordKind.EVENT, things[k + 1], Number(ns[k + 1]));
        else tell(things[k], things[k + 1], Number(ns[k]), Number(ns[k + 1]), batch);
      }
      staging.destroy();
    };
  };

  let number = 1;
  const self: Batch = {
    recordings: [],
    get number() {
      return number;
    },
    timed: false,
    get full() {
      return launches >= PLACE.BATCH || used >= most_words || timed_things.length + 2 > most_times - 2;
    },
    launch(kernel, ring, at, length) {
      const nslots = ring[(at + 6) & mask];
      const segments_at = at + PARAMS_AT;
      const { slots, written } = kernel.source;
      encoder ??= device.createCommandEncoder();
      if (self.timed && can_time) {
        end_pass();
        pass = encoder.beginComputePass(timestamps(RecordKind.LAUNCH, ring[(at + 2) & mask]));
      }
      pass ??= encoder.beginComputePass();
      if (pipeline !== kernel.pipeline) {
        pipeline = kernel.pipeline as GPUComputePipeline;
        pass.setPipeline(pipeline);
      }
      const begin = used;
      for (let from = segments_at + nslots; from < at + length; from++) words[used++] = ring[from & mask];
      used = (used + STRIDE_WORDS - 1) & -STRIDE_WORDS;
      offset[0] = begin * 4;
      pass.setBindGroup(0, params, offset, 0, 1);
      if (slots > 0) {
        const wanted = segments.group(slots, written, ring, segments_at, mask);
        if (wanted !== group) pass.setBindGroup(1, wanted);
        group = wanted;
      }
      for (let k = 0; k < nslots; k++) touched[ring[(segments_at + k) & mask]] = self.number;
      pass.dispatchWorkgroups(ring[(at + 3) & mask], ring[(at + 4) & mask], ring[(at + 5) & mask]);
      launches++;
    },
    encoder() {
      end_pass();
      encoder ??= device.createCommandEncoder();
      return encoder;
    },
    mark(seq) {
      if (can_time) self.encoder().beginComputePass(timestamps(RecordKind.EVENT, seq)).end();
      else tell(RecordKind.EVENT, seq, (performance.timeOrigin + performance.now()) * 1e6);
    },
    last_touch: (segment) => touched[segment] ?? 0,
    touch(segment) {
      touched[segment] = self.number;
    },
    submit(reason) {
      if (encoder === null) return;
      end_pass();
      const tell_times = resolve_times(encoder);
      if (used > 0) device.queue.writeBuffer(uniforms, 0, words, 0, used);
      device.queue.submit([encoder.finish()]);
      if (self.timed)
        tell(RecordKind.SUBMIT, self.number, launches, reason, performance.timeOrigin + performance.now());
      if (tell_times !== null) self.recordings.push(tell_times());
      encoder = null;
      used = launches = 0;
      number++;
    },
  };
  return self;
}
