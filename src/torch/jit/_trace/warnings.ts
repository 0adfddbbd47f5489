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

export class TracerWarning extends Warning {
  static readonly __module__: string = "torch.jit._trace";
}
Object.defineProperty(TracerWarning.prototype, "name", { value: "TracerWarning", configurable: true, writable: true });

function warn_python(name: string, args: readonly unknown[], keywords: readonly (readonly [string, unknown])[]): void {
  call_with_keywords(getattr(import_module("warnings"), name), args, new Map(keywords));
}

/** Warns at the line of the program that runs. */
export function warn(message: string): void {
  if (frame_above(0) === null) warn_typescript("TracerWarning", message);
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
