/**
 * @file Frames of the traced program: the name of a tensor, the line of a call.
 * @mirrors torch/jit/_trace.py#_create_interpreter_name_lookup_fn
 */
import { frame_above } from "#python/vm/frame";
import { Tensor } from "../../_tensor/index.ts";
import { python_callstack, type StackEntry } from "../_C.ts";
import { library_frame, library_frames_of, place_in_library } from "./library_frames.ts";
import { call_of_tracer } from "./warnings.ts";

type Implemented = { readonly impl_: object };

/** The name of the local variable that holds a tensor, where the program stands; empty if there is none. */
export function name_of_tensor(tensor: Implemented): string {
  const locals: Iterable<[unknown, unknown]> = library_frame()?.locals ?? frame_above(0)?.f_locals ?? [];
  for (const [name, value] of locals) {
    if (value instanceof Tensor && (value.cdata as Implemented).impl_ === tensor.impl_) {
      return name === "self" ? "" : String(name);
    }
  }
  return "";
}

/** The calls of `torch.jit.trace` itself. */
function calls_of_trace(): StackEntry[] {
  const filename = "torch/jit/_trace.py";
  const { function_name, line } = call_of_tracer;
  return [
    { funcname: function_name, filename, line },
    { funcname: "trace", filename, line: 1022 },
  ];
}

python_callstack.of = () => {
  const calls: StackEntry[] = [];
  for (let frame = frame_above(0); frame !== null; frame = frame.back) {
    if (frame === call_of_tracer.frame) calls.push(...calls_of_trace());
    for (const { name } of library_frames_of(frame)) calls.push({ ...place_in_library(name), line: 1 });
    calls.push({ funcname: frame.f_code.co_name, filename: frame.f_code.co_filename, line: frame.f_lineno });
  }
  return calls;
};
