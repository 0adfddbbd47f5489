/**
 * @file A guard that makes another stream, and its device, current from construction to `restore()`.
 * @mirrors c10/core/impl/InlineStreamGuard.h
 */
import { TORCH_CHECK_VALUE } from "#c10/util/Exception";
import type { Stream } from "../Stream.ts";
import { type DeviceGuardImplInterface, getDeviceGuardImpl } from "./DeviceGuardImplInterface.ts";
import { InlineDeviceGuard } from "./InlineDeviceGuard.ts";

export class InlineStreamGuard extends InlineDeviceGuard {
  /** The stream that was current on the device that was current: usually the one a user asks for. */
  private readonly original_stream_of_original_device_: Stream;
  /** The stream to restore on the stream's own device. */
  private original_stream_of_current_device_: Stream;
  private current_stream_: Stream;

  constructor(stream: Stream, impl: DeviceGuardImplInterface = getDeviceGuardImpl(stream.device_type())) {
    super(stream.device(), impl);
    this.original_stream_of_original_device_ = impl.getStream(this.original_device());
    this.original_stream_of_current_device_ = impl.exchangeStream(stream);
    this.current_stream_ = stream;
  }

  override restore(): void {
    this.impl_.exchangeStream(this.original_stream_of_current_device_);
    super.restore();
  }

  /** Changes to `stream`. If it is on another device, the stream of this device is restored first. */
  reset_stream(stream: Stream): void {
    if (stream.device().eq(this.current_device())) {
      this.impl_.exchangeStream(stream);
    } else {
      this.impl_.exchangeStream(this.original_stream_of_current_device_);
      this.reset_device(stream.device());
      this.original_stream_of_current_device_ = this.impl_.exchangeStream(stream);
    }
    this.current_stream_ = stream;
  }

  original_stream(): Stream {
    return this.original_stream_of_original_device_;
  }

  current_stream(): Stream {
    return this.current_stream_;
  }
}

/** Makes a stream current on each of several devices of one type; the current device stays. */
export class InlineMultiStreamGuard {
  private readonly impl_: DeviceGuardImplInterface | null;
  private readonly original_streams_: readonly Stream[];

  constructor(streams: readonly Stream[]) {
    const type = streams[0]?.device_type();
    for (const [i, stream] of streams.entries())
      TORCH_CHECK_VALUE(
        stream.device_type() === type,
        "Streams have a mix of device types: stream 0 is on ",
        streams[0].device(),
        " while stream ",
        i,
        " is on device ",
        stream.device(),
      );
    const impl = type === undefined ? null : getDeviceGuardImpl(type);
    this.impl_ = impl;
    this.original_streams_ = impl === null ? [] : streams.map((s) => impl.exchangeStream(s));
  }

  restore(): void {
    for (const s of this.original_streams_) this.impl_?.exchangeStream(s);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}
