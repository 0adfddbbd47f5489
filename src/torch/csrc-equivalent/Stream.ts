/**
 * @file `torch.Stream`: the Python class of a `c10::Stream`.
 * @mirrors torch/csrc/Stream.h
 */
import {
  getCurrentStream,
  getDeviceIndex,
  isAccelerator,
  setCurrentStream,
  setDeviceIndex,
} from "#aten/DeviceAccelerator";
import { type DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import { Stream } from "#c10/core/Stream";
import { type THPDevice, THPDevice_New } from "./Device.ts";
import type { THPEvent } from "./Event.ts";
import { AbstractContextManager } from "./utils/context_manager.ts";

let pynew: (args: unknown[]) => Stream;
/** Makes an event and records it in the stream. */
let make_event: (stream: Stream) => THPEvent;

/** Sets the functions that need the argument parser, which imports this class: called by Stream.impl.ts. */
export function set_THPStream_body(body: { pynew: typeof pynew; make_event: typeof make_event }): void {
  pynew = body.pynew;
  make_event = body.make_event;
}

export class THPStream extends AbstractContextManager {
  static readonly __name__ = "torch.Stream";
  readonly cdata: Stream;
  /** The device and stream that were current outside each open `with`; null if the scope changed nothing. */
  private readonly context: { readonly device_index: number; readonly stream: Stream }[] = [];

  /**
   * `Stream(device=None, priority=0)` makes a new one; `Stream(stream_id, device_index, device_type)` refers to an existing one.
   */
  constructor(...args: unknown[]) {
    super();
    this.cdata = args[0] instanceof Stream ? args[0] : pynew(args);
  }

  get stream_id(): number {
    return this.cdata.id();
  }

  get device_index(): number {
    return this.cdata.device_index();
  }

  get device_type(): number {
    return this.cdata.device_type();
  }

  get device(): THPDevice {
    return THPDevice_New(this.cdata.device());
  }

  get native_handle(): unknown {
    return this.cdata.native_handle();
  }

  /** Whether all queued work is done. */
  query(): boolean {
    return this.cdata.query();
  }

  /** Waits until all queued work is done. */
  synchronize(): void {
    this.cdata.synchronize();
  }

  is_capturing(): boolean {
    return this.cdata.is_capturing();
  }

  /** Makes work queued from now on wait for `event`. */
  wait_event(event: THPEvent): void {
    this.cdata.wait(event.event);
  }

  /** Makes work queued from now on wait for all work that is in `other` now. */
  wait_stream(other: THPStream): void {
    this.cdata.wait(make_event(other.cdata).event);
  }

  /** Records an event here, a new one if none is given. */
  record_event(event: THPEvent | { event?: THPEvent | null } | null = null): THPEvent {
    const given = event !== null && "record" in event ? event : (event?.event ?? null);
    if (given === null) return make_event(this.cdata);
    given.event.record(this.cdata);
    return given;
  }

  /** Makes the stream and its device current. */
  override __enter__(): this {
    if (!isAccelerator(this.device_type as DeviceType)) return this;
    const device_index = getDeviceIndex();
    if (device_index !== this.device_index) setDeviceIndex(this.device_index);
    this.context.push({ device_index, stream: getCurrentStream(this.device_index) });
    setCurrentStream(this.cdata);
    return this;
  }

  override __exit__(): void {
    const outside = this.context.pop();
    if (outside === undefined) return;
    setCurrentStream(outside.stream);
    if (outside.device_index !== this.device_index) setDeviceIndex(outside.device_index);
  }

  equals(other: unknown): boolean {
    return other instanceof THPStream && this.cdata.eq(other.cdata);
  }

  override toString(): string {
    const type = DeviceTypeName(this.cdata.device_type(), true);
    return `torch.Stream device_type=${type}, device_index=${this.device_index}, stream_id=${this.stream_id}`;
  }

  __repr__(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

export function THPStream_Wrap(stream: Stream): THPStream {
  return new THPStream(stream);
}

export function THPStream_Check(obj: unknown): obj is THPStream {
  return obj instanceof THPStream;
}
