/**
 * @file `torch.webgpu.Stream` and `Event`: the classes of `torch`, with the WebGPU device as default.
 * @mirrors torch/cuda/streams.py
 * @differs Ours has one stream, since WebGPU has one queue: a new `Stream` is that stream, priorities have no effect, and no stream has to
 * wait for
 *   another. It has no graphs and no handles for other processes; PyTorch's `torch.cuda` has them.
 */
import { _C, type THPEvent, type THPStream } from "#torch/_C";
import { Init, type InitArgs, split_keywords, types } from "#torch/_signature";
import type { DeviceLike } from "#torch/types";

const Stream_init = new Init(
  "Stream.__init__(self, device=None, priority=0)",
  types<[device: DeviceLike | null, priority: number]>,
);

/** A queue of work for the device. */
export class Stream extends _C.Stream {
  /** `Stream(device=None, priority=0)`; `Stream({ stream_id, device_index, device_type })`: the stream with these numbers. */
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

/** A position in a stream, with the time at which it is reached. It is created when it is first recorded. */
export class Event extends _C.Event {
  /** `Event(enable_timing=False, blocking=False, interprocess=False)`: `elapsed_time` is available only with `enable_timing`. */
  constructor(...args: InitArgs<typeof Event_init>) {
    const [enable_timing, blocking, interprocess] = Event_init.bind(args);
    super("webgpu", { enable_timing, blocking, interprocess });
  }

  override toString(): string {
    return `<torch.webgpu.Event ${this.event_id === 0 ? "uninitialized" : this.event_id}>`;
  }
}

/** A stream of any device as an instance of this class. */
export function as_webgpu({ stream_id, device_index, device_type }: THPStream): Stream {
  return new Stream({ stream_id, device_index, device_type });
}
