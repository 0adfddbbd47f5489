/**
 * @file `torch.Event`: the Python class of a `c10::Event`.
 * @mirrors torch/csrc/Event.h
 * @differs `event_id` is the `id` of the backend's event object, or 1 if it has none; PyTorch prints its address.
 */
import { getAccelerator } from "#aten/DeviceAccelerator";
import { DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import { Event } from "#c10/core/Event";
import { EventFlag } from "#c10/core/impl/DeviceGuardImplInterface";
import { VirtualGuardImpl } from "#c10/core/impl/VirtualGuardImpl";
import type { Stream } from "#c10/core/Stream";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { type THPDevice, THPDevice_New } from "./Device.ts";
import { type THPStream, THPStream_Check } from "./Stream.ts";
import { PythonArgParser, take_kwargs } from "./utils/python_arg_parser.ts";

const parser = new PythonArgParser([
  "Event(Device? device=None, *, bool enable_timing=False, bool blocking=False, bool interprocess=False)",
]);

function THPEvent_pynew(args: unknown[]): Event {
  const kwargs = take_kwargs(args);
  const r = parser.parse(null, args, kwargs);
  const device_type = r.deviceOptional(0)?.type() ?? getAccelerator() ?? DeviceType.CPU;
  return new Event(device_type, r.toBool(1) ? EventFlag.BACKEND_DEFAULT : EventFlag.PYTORCH_DEFAULT);
}

/** `stream`, or keywords that contain it; by default the current stream of the event's device. */
type GivenStream = THPStream | { stream?: THPStream | null } | null;

export class THPEvent {
  static readonly __name__ = "torch.Event";
  readonly event: Event;

  /** `Event(device=None, enable_timing=False, blocking=False, interprocess=False)` */
  constructor(...args: unknown[]) {
    this.event = args[0] instanceof Event ? args[0] : THPEvent_pynew(args);
  }

  /** The device; it has no index before the event is recorded. */
  get device(): THPDevice {
    return THPDevice_New(this.event.device());
  }

  /** 0 before the event is recorded. */
  get event_id(): number {
    const event = this.event.eventId() as { readonly id?: number } | null;
    return event === null ? 0 : (event.id ?? 1);
  }

  record(stream: GivenStream = null): void {
    this.event.record(this.stream_of(stream));
  }

  /** Makes work put into `stream` from now on wait for this event. */
  wait(stream: GivenStream = null): void {
    this.event.block(this.stream_of(stream));
  }

  query(): boolean {
    return this.event.query();
  }

  /** Milliseconds from this event to `other`. */
  elapsed_time(other: THPEvent): number {
    return this.event.elapsedTime(other.event);
  }

  synchronize(): void {
    this.event.synchronize();
  }

  ipc_handle(): never {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "torch.Event ipc is not supported yet, please open an issue if you need this!");
  }

  static from_ipc_handle(_device: unknown, _ipc_handle: unknown): never {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "torch.Event ipc is not supported yet, please open an issue if you need this!");
  }

  private stream_of(given: GivenStream): Stream {
    const stream = given === null || THPStream_Check(given) ? given : (given.stream ?? null);
    if (stream !== null) return stream.cdata;
    const impl = VirtualGuardImpl(this.event.device_type());
    return impl.getStream(impl.getDevice());
  }

  toString(): string {
    const type = DeviceTypeName(this.event.device_type(), true);
    return `torch.Event device_type=${type}, device_index=${this.event.device_index()}, event_flag=${this.event.flag()}, event_id=${this.event_id}`;
  }

  __repr__(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

export function THPEvent_init(module: Record<string, unknown>): void {
  module["Event"] = THPEvent;
}
