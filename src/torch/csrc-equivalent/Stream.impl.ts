/**
 * @file The constructor of a stream: a new one on a device, or an existing one from its numbers.
 * @mirrors torch/csrc/Stream.cpp
 */
import { getAccelerator } from "#aten/DeviceAccelerator";
import { DeviceGuard } from "#c10/core/DeviceGuard";
import { DeviceType } from "#c10/core/DeviceType";
import { Event } from "#c10/core/Event";
import { VirtualGuardImpl } from "#c10/core/impl/VirtualGuardImpl";
import { Stream } from "#c10/core/Stream";
import { THPEvent } from "./Event.ts";
import { set_THPStream_body, THPStream } from "./Stream.ts";
import { PythonArgParser, take_kwargs } from "./utils/python_arg_parser.ts";

const parser = new PythonArgParser([
  "Stream(Device? device=None, *, int64_t priority=0)",
  "Stream(int64_t stream_id, int64_t device_index, int64_t device_type, *, int64_t priority=0)",
]);

function THPStream_pynew(args: unknown[]): Stream {
  const kwargs = take_kwargs(args);
  const r = parser.parse(null, args, kwargs);
  if (r.idx === 1) return Stream.unpack3(r.guard_int(0), r.guard_int(1), r.guard_int(2));
  const device = r.deviceOptional(0);
  const priority = r.guard_int(1);
  const impl = VirtualGuardImpl(device?.type() ?? getAccelerator() ?? DeviceType.CPU);
  if (device === null) return impl.getNewStream(impl.getDevice(), priority);
  const guard = new DeviceGuard(device);
  try {
    return impl.getNewStream(device, priority);
  } finally {
    guard.restore();
  }
}

function make_event(stream: Stream): THPEvent {
  const made = new THPEvent(new Event(stream.device_type()));
  made.event.record(stream);
  return made;
}

set_THPStream_body({ pynew: THPStream_pynew, make_event });

export function THPStream_init(module: Record<string, unknown>): void {
  module["Stream"] = THPStream;
}
