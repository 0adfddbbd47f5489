/**
 * @file The warnings of traces.
 * @mirrors torch/jit/_trace.py#TracerWarning
 */
import { warn as warn_typescript } from "#c10/util/Exception";
import { call_with_keywords } from "#python/Objects/call";
import { UserWarning, Warning } from "#python/Objects/exceptions";
import { getattr } from "#python/Objects/object";
import { frame_above } from "#python/vm/frame";
import { import_module } from "#python/vm/import";
import { warn_callback } from "../_C.ts";
import { type LibraryFrame, library_frame, place_in_library } from "./library_frames.ts";

/** The category of warnings about what a trace cannot record. */
export class TracerWarning extends Warning {
  static readonly __module__: string = "torch.jit._trace";
}
Object.defineProperty(TracerWarning.prototype, "name", { value: "TracerWarning", configurable: true, writable: true });

export const WARN_ITERATION =
  "Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape won't change the number of iterations executed (and might lead to errors or silently give incorrect results).";

function warn_python(name: string, args: readonly unknown[], keywords: readonly (readonly [string, unknown])[]): void {
  call_with_keywords(getattr(import_module("warnings"), name), args, new Map(keywords));
}

/** Warns at a line of PyTorch's Python code, as it is in version 2.13.0. */
export function warn_in_library(
  module: string,
  line: number,
  message: string,
  category: "TracerWarning" | "UserWarning" = "TracerWarning",
): void {
  if (frame_above(0) === null) warn_typescript(category, message);
  else {
    const filename = `${module.replaceAll(".", "/")}.py`;
    warn_python(
      "warn_explicit",
      [message, category === "TracerWarning" ? TracerWarning : UserWarning, filename, line],
      [["module", module]],
    );
  }
}

/** Warnings of PyTorch's own code, apart from `torch.jit`, are shown only if a program asks for them. */
export function ignore_lib_warnings(): void {
  if (frame_above(0) === null) return;
  const filter: [string, unknown][] = [
    ["category", TracerWarning],
    ["module", "torch.(?!jit)"],
    ["append", true],
  ];
  warn_python("filterwarnings", ["ignore"], filter);
}

/** The call of the tracer in `torch/jit/_trace.py`, and the frame of the program that led to it. */
export const call_of_tracer: { line: number; function_name: string; frame: unknown } = {
  line: 0,
  function_name: "",
  frame: null,
};

/** Runs a trace that PyTorch calls in this function, at this line of `torch/jit/_trace.py`. */
export function at_line<T>(line: number, function_name: string, run: () => T): T {
  const before = { ...call_of_tracer };
  Object.assign(call_of_tracer, { line, function_name, frame: frame_above(0) });
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
    warn_in_library(place_in_library((library_frame() as LibraryFrame).name).module, 1, message);
  } else if (frame === call_of_tracer.frame) warn_at(call_of_tracer.line, message);
  else warn_python("warn", [message, TracerWarning], []);
}

/**
 * Warns at a line of PyTorch's file `torch/jit/_trace.py`.
 * @param line the line in PyTorch 2.13.0
 */
export function warn_at(line: number, message: string): void {
  warn_in_library("torch.jit._trace", line, message);
}

warn_callback.warn = warn;
