/**
 * @file The kernels of the Tracer key: for each operator, how `torch.jit.trace` records it.
 * @mirrors tools/autograd/gen_trace_type.py
 * @differs The kernels themselves are in src/torch/csrc-equivalent/jit/frontend/tracer/trace_kernels.ts; generated are lists of operators.
 */
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import type { NativeFunction } from "../model.ts";
import { is_tensor_like } from "../types.ts";
import { generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { MANUAL_AUTOGRAD_AND_TRACER, MANUAL_BACKEND } from "./view_info.ts";

/** Operators that are not recorded, so that what they call is. */
const DONT_RECORD_TRACE: readonly string[] = [
  "convolution",
  "conv1d",
  "conv2d",
  "conv3d",
  "conv_transpose1d",
  "conv_transpose2d",
  "conv_transpose3d",
  "lstm_cell",
  "gru_cell",
  "rnn_tanh_cell",
  "rnn_relu_cell",
  "_coalesced",
];

/** The kernels of trace_kernels.ts. */
const KINDS = ["functional", "inplace", "out", "factory_out", "untraced"] as const;
type Kind = (typeof KINDS)[number];

function should_trace(f: NativeFunction): boolean {
  if (f.func.arguments.flat_all.some((arg) => ["Storage", "Type"].includes(String(arg.type)))) return false;
  return f.func.returns.some((r) => is_tensor_like(r.type)) && !DONT_RECORD_TRACE.includes(f.func.name.name.base);
}

function kind_of(f: NativeFunction): Kind {
  if (!should_trace(f)) return "untraced";
  const { name } = f.func.name;
  if (f.func.is_out_fn()) {
    // `normal` has variants with and without tensors; PyTorch counts the whole family as factories.
    const is_factory = f.category_override === "factory" || !f.func.arguments.has_tensor_arg || name.base === "normal";
    return is_factory ? "factory_out" : "out";
  }
  return f.func.kind() === "inplace" && !name.dunder_method ? "inplace" : "functional";
}

export function gen_trace_type(input: CodegenInput, sorted: readonly NativeFunction[]): Outputs {
  const path = `${GENERATED_FOLDER}/TraceType.ts`;
  const lists = new Map<Kind, string[]>(KINDS.map((kind) => [kind, []]));
  for (const f of sorted) {
    const name = cpp.name(f.func);
    if (MANUAL_AUTOGRAD_AND_TRACER.includes(name) || MANUAL_BACKEND.includes(name)) continue;
    lists.get(kind_of(f))?.push(`"${f.func.name}",`);
  }
  const text = input.templates(`${TEMPLATES_FOLDER}/TraceType.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/TraceType.ts.tmpl and native_functions.yaml"),
    path,
    ...Object.fromEntries(lists),
  });
  return new Map([[path, text]]);
}
