/**
 * @file The warnings of traces.
 * @mirrors torch/jit/_trace.py#TracerWarning
 */
import { warn as warn_typescript } from "#c10/util/Exception";
import { call_with_keywords } from "#python/Objects/call";
import { Warning } from "#python/Objects/exceptions";
import { getattr } from "#python/Objects/object";
import { frame_above } from "#python/vm/frame";
import { import_module } from "#python/vm/import";
import { warn_callback } from "../_C.ts";
import { type LibraryFrame, library_frame, place_in_library } from "./library_frames.ts";

export class TracerWarning extends Warning {
  static readonly __module__: string = "torch.jit._trace";
}
Object.defineProperty(TracerWarning.prototype, "name", { value: "TracerWarning", configurable: true, writable: true });

function warn_python(name: string, args: readonly unknown[], keywords: readonly (readonly [string, unknown])[]): void {
  call_with_keywords(getattr(import_module("warnings"), name), args, new Map(keywords));
}

/** The call of the tracer in `torch/jit/_trace.py`, and the frame of the program that led to it. */
const call_of_tracer: { line: number; frame: unknown } = { line: 0, frame: null };

/** Runs a trace that PyTorch calls at this line of `torch/jit/_trace.py`. */
export function at_line<T>(line: number, run: () => T): T {
  const before = { ...call_of_tracer };
  Object.assign(call_of_tracer, { line, frame: frame_above(0) });
  try {
    return run();
  } finally {
    Object.assign(call_of_tracer, before);
  }
}

/** Warns at the line that runs: of the traced program, of the library, or of the call of the tracer. */
export function warn(message: string): void {
  const frame = frame_above(0);
  if (frame === null) warn_typescript("TracerWarning", message);
  else if (library_frame() !== null) {
    const { filename, module } = place_in_library((library_frame() as LibraryFrame).name);
    warn_python("warn_explicit", [message, TracerWarning, filename, 1], [["module", module]]);
  } else if (frame === call_of_tracer.frame) warn_at(call_of_tracer.line, message);
  else warn_python("warn", [message, TracerWarning], []);
}

/**
 * Warns at a line of PyTorch's file `torch/jit/_trace.py`.
 * @param line the line in PyTorch 2.13.0
 */
export function warn_at(line: number, message: string): void {
  if (frame_above(0) === null) warn_typescript("TracerWarning", message);
  else {
    const place = ["torch/jit/_trace.py", line] as const;
    warn_python("warn_explicit", [message, TracerWarning, ...place], [["module", "torch.jit._trace"]]);
  }
}

warn_callback.warn = warn;
