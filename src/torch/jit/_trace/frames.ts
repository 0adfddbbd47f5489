/**
 * @file What a trace asks the frames of the traced program: the name of a tensor, the line of a call.
 * @mirrors torch/jit/_trace.py#_create_interpreter_name_lookup_fn
 */
import { frame_above } from "#python/vm/frame";
import { Tensor } from "../../_tensor/index.ts";
import { python_callstack, type StackEntry } from "../_C.ts";
import { library_frame, library_frames_of } from "./library_frames.ts";

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

python_callstack.of = () => {
  const calls: StackEntry[] = [];
  for (let frame = frame_above(0); frame !== null; frame = frame.back) {
    for (const { name } of library_frames_of(frame)) calls.push(place_in_library(name));
    calls.push({ funcname: frame.f_code.co_name, filename: frame.f_code.co_filename, line: frame.f_lineno });
  }
  return calls;
};

/** The file of PyTorch in which a function of the library stands. Its line there is not known. */
function place_in_library(name: string): StackEntry {
  const parts = name.split(".");
  const funcname = parts.pop() as string; // a qualified name has a last part
  return { funcname, filename: `${parts.join("/")}.py`, line: 0 };
}
