/**
 * @file `torch.webgpu.Stream` and `Event`: those of `torch`, on the device without its being named.
 * @mirrors torch/cuda/streams.py
 * @differs WebGPU has one queue, so there is one stream: a new `Stream` is the one that there is, priorities do not count, and nothing has to wait for
 *   another stream. No graphs, no handles of other processes.
 */
import { _C, type THPEvent, type THPStream } from "#torch/_C";
import { Init, type InitArgs, split_keywords, types } from "#torch/_signature";
import type { DeviceLike } from "#torch/types";

const Stream_init = new Init(
  "Stream.__init__(self, device=None, priority=0)",
  types<[device: DeviceLike | null, priority: number]>,
);

/** Work for the device, in order. */
export class Stream extends _C.Stream {
  /** `Stream(device=None, priority=0)`; `Stream({ stream_id, device_index, device_type })`: the one with these numbers. */
  constructor(...args: InitArgs<typeof Stream_init> | [numbers: Numbers]) {
    const [, kwargs] = split_keywords(args);
    if ("stream_id" in kwargs) super(kwargs);
    else {
      const [device, priority] = Stream_init.bind(args);
      super(typeof device === "number" ? `webgpu:${device}` : (device ?? "webgpu"), { priority });
    }
  }

  override record_event(event: THPEvent | { event?: THPEvent | null } | null = null): THPEvent {
    const given = event !== null && "record" in event ? event : (event?.event ?? null);
    return super.record_event(given ?? new Event());
  }

  override toString(): string {
    return `<torch.webgpu.Stream device=${this.device}>`;
  }
}

interface Numbers {
  readonly stream_id: number;
  readonly device_index: number;
  readonly device_type: number;
}

const Event_init = new Init(
  "Event.__init__(self, enable_timing=False, blocking=False, interprocess=False)",
  types<[enable_timing: boolean, blocking: boolean, interprocess: boolean]>,
);

/** A place in a stream: whether it was reached, and when. It is made when it is first recorded. */
export class Event extends _C.Event {
  /** `Event(enable_timing=False, blocking=False, interprocess=False)`: only with `enable_timing` is there an `elapsed_time`. */
  constructor(...args: InitArgs<typeof Event_init>) {
    const [enable_timing, blocking, interprocess] = Event_init.bind(args);
    super("webgpu", { enable_timing, blocking, interprocess });
  }

  override toString(): string {
    return `<torch.webgpu.Event ${this.event_id === 0 ? "uninitialized" : this.event_id}>`;
  }
}

/** A stream of any device, as the device's. */
export function as_webgpu({ stream_id, device_index, device_type }: THPStream): Stream {
  return new Stream({ stream_id, device_index, device_type });
}
