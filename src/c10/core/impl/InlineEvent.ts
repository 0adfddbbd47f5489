/**
 * @file Events: a mark in a stream's queue, on top of the backend's own event object.
 * @mirrors c10/core/impl/InlineEvent.h
 */
import { TORCH_CHECK, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { DeviceType, DeviceTypeName } from "../DeviceType.ts";
import type { Stream } from "../Stream.ts";
import { type DeviceGuardImplInterface, EventFlag } from "./DeviceGuardImplInterface.ts";

export class InlineEvent {
  /** The backend's object; null before the first `record`. */
  private event_: unknown = null;
  private readonly backend_: DeviceGuardImplInterface;
  private readonly device_type_: DeviceType;
  private device_index_ = -1;
  private readonly flag_: EventFlag;
  private was_marked_for_recording_ = false;

  constructor(backend: DeviceGuardImplInterface, device_type: DeviceType, flag: EventFlag) {
    this.backend_ = backend;
    this.device_type_ = device_type;
    this.flag_ = flag;
  }

  device_type(): DeviceType {
    return this.device_type_;
  }

  /** -1 before the first `record`. */
  device_index(): number {
    return this.device_index_;
  }

  flag(): EventFlag {
    return this.flag_;
  }

  was_marked_for_recording(): boolean {
    return this.was_marked_for_recording_;
  }

  recordOnce(stream: Stream): void {
    if (!this.was_marked_for_recording_) this.record(stream);
  }

  /**
   * Puts the event at the end of the stream's queue. An earlier record is forgotten, except by those that already wait for it.
   */
  record(stream: Stream): void {
    this.check_type(stream.device_type(), "recording stream's");
    this.event_ = this.backend_.record(this.event_, stream, this.device_index_, this.flag_);
    this.was_marked_for_recording_ = true;
    this.device_index_ = stream.device_index();
  }

  /** Makes work queued on `stream` from now on wait for the event. */
  block(stream: Stream): void {
    if (!this.was_marked_for_recording_) return;
    this.check_type(stream.device_type(), "blocking stream's");
    this.backend_.block(this.event_, stream);
  }

  /** Whether the event was reached, or was never recorded. */
  query(): boolean {
    return !this.was_marked_for_recording_ || this.backend_.queryEvent(this.event_);
  }

  eventId(): unknown {
    return this.event_;
  }

  /** Milliseconds from this event to the other. */
  elapsedTime(other: InlineEvent): number {
    this.check_type(other.device_type(), "other's");
    TORCH_CHECK_VALUE(
      this.flag_ === EventFlag.BACKEND_DEFAULT && other.flag_ === EventFlag.BACKEND_DEFAULT,
      "Both events must be created with argument 'enable_timing=True'.",
    );
    TORCH_CHECK_VALUE(
      this.was_marked_for_recording() && other.was_marked_for_recording(),
      "Both events must be recorded before calculating elapsed time.",
    );
    TORCH_CHECK(
      (this.query() && other.query()) || this.device_type_ === DeviceType.MPS,
      "Both events must be completed before calculating elapsed time.",
    );
    return this.backend_.elapsedTime(this.event_, other.event_, this.device_index_);
  }

  synchronize(): void {
    if (this.was_marked_for_recording_) this.backend_.synchronizeEvent(this.event_);
  }

  private check_type(other: DeviceType, whose: string): void {
    TORCH_CHECK(
      other === this.device_type_,
      "Event device type ",
      DeviceTypeName(this.device_type_),
      ` does not match ${whose} device type `,
      DeviceTypeName(other),
      ".",
    );
  }
}
