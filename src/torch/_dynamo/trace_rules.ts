/**
 * @file The rule for each function of the library: it becomes a node, it is computed at once, or it breaks the graph.
 * @mirrors torch/_dynamo/trace_rules.py
 */
import type { PyFunction } from "#python/Objects/funcobject";
import { OpOverload, OpOverloadPacket } from "#torch/_ops";
import { torch } from "#torch/_torch";
import { library_name } from "#torch/fx/qualified_names";
import { data_dependent, type GraphBreak } from "./graph_break.ts";

/** Namespaces whose functions compute with tensors and nothing else. */
const NAMESPACES = [
  "torch.nn.functional.",
  "torch._C._nn.",
  "torch._C._linalg.",
  "torch._C._fft.",
  "torch._C._special.",
  "torch.functional.",
  "torch.linalg.",
  "torch.fft.",
  "torch.special.",
];
/** Functions of `torch` that are written in Python, and compute with tensors. */
const PYTHON_FUNCTIONS: ReadonlySet<string> = new Set([
  "torch._C._set_grad_enabled",
  "torch._refs.tensor",
  "torch.cond",
  "torch._check",
  "torch._check_index",
  "torch._check_value",
  "torch._check_type",
  "torch._check_not_implemented",
  "torch.sym_max",
  "torch.sym_min",
]);
/** Functions of `torch` that are no operators: they make tensors of values. */
const FACTORIES: ReadonlySet<string> = new Set([
  "tensor",
  "as_tensor",
  "from_numpy",
  "range",
  "sparse_coo_tensor",
  "sparse_csr_tensor",
  "asarray",
]);
/** Functions that answer without any tensor's data. */
const CONSTANT: ReadonlySet<string> = new Set([
  "is_tensor",
  "is_floating_point",
  "is_complex",
  "is_grad_enabled",
  "get_default_dtype",
  "is_storage",
  "numel",
  "result_type",
  "can_cast",
  "promote_types",
  "finfo",
  "iinfo",
  "is_autocast_enabled",
  "is_inference_mode_enabled",
  "broadcast_shapes",
  "is_signed",
  "get_default_device",
  "is_same_size",
]);
/** The reason of a function that has none of its own. */
const NO_REASON = (): null => null;
/** Functions whose results depend on data and are no tensors, or which do something outside, with the graph break of a call. */
const REFUSED: Readonly<Record<string, (operator: string) => GraphBreak | null>> = {
  is_nonzero: data_dependent,
  equal: data_dependent,
  allclose: data_dependent,
  save: NO_REASON,
  load: NO_REASON,
  manual_seed: NO_REASON,
  seed: NO_REASON,
  get_rng_state: NO_REASON,
  set_rng_state: NO_REASON,
  histogramdd: NO_REASON,
};
const NO_GRADIENTS: GraphBreak = {
  gb_type: "using `torch.autograd.grad` with `torch._dynamo.config.trace_autograd_ops=False`",
  context: "trace_autograd_ops=False",
  explanation:
    "Attempted to call `torch.autograd.grad` with config `torch._dynamo.config.trace_autograd_ops` set to `False`.",
  hints: ["Change `torch._dynamo.config.trace_autograd_ops` to `True`."],
};

/** The graph break of a call of a refused function; null if it has no reason of its own. */
export function refusal_of(fn: unknown): GraphBreak | null {
  const full = library_name(fn as object);
  if (full === "torch.autograd.grad") return NO_GRADIENTS;
  const name = /^torch\.(\w+)$/.exec(full ?? "")?.[1];
  return name !== undefined && Object.hasOwn(REFUSED, name) ? (REFUSED[name]?.(`aten.${name}.default`) ?? null) : null;
}

/** Functions that ask how the program runs: the answer inside of a compiled function. */
const ANSWERS: Readonly<Record<string, boolean>> = {
  "torch.compiler.is_compiling": true,
  "torch.compiler.is_dynamo_compiling": true,
  "torch.compiler.is_exporting": false,
  "torch._dynamo.is_compiling": true,
  "torch._dynamo.external_utils.is_compiling": true,
  "torch._utils.is_compiling": true,
  "torch.jit.is_scripting": false,
  "torch.jit.is_tracing": false,
  "torch.jit._trace.is_tracing": false,
  "torch._jit_internal.is_scripting": false,
};
export const answer_of = (fn: unknown): boolean | undefined => {
  if (fn === torch.overrides.has_torch_function) return false;
  const name = library_name(fn as object);
  return name !== undefined && Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
};

const last = (full: string): string => full.slice(full.lastIndexOf(".") + 1);
const is_operator = (name: string): boolean =>
  (torch.ops.aten as unknown as Record<string, unknown>)[name] !== undefined;

const kinds = new WeakMap<object, "graph" | "constant" | "skip" | "none">();

function kind_of(fn: object): "graph" | "constant" | "skip" | "none" {
  if (fn instanceof OpOverload || fn instanceof OpOverloadPacket) return "graph";
  // The answer of the first is a switch of the process, and no tensor of a graph has a function of its own.
  if (fn === torch.backends.mha.get_fastpath_enabled || fn === torch.overrides.has_torch_function) return "constant";
  const full = library_name(fn);
  if (full === undefined) return "none";
  const name = last(full);
  if (Object.hasOwn(ANSWERS, full)) return "constant";
  if (Object.hasOwn(REFUSED, name)) return "skip";
  if (CONSTANT.has(name)) return "constant";
  if (PYTHON_FUNCTIONS.has(full) || NAMESPACES.some((it) => full.startsWith(it))) return "graph";
  if (!/^torch\.\w+$/.test(full) && !full.startsWith("torch._C._VariableFunctions")) return "skip";
  if (FACTORIES.has(name)) return "graph";
  try {
    return is_operator(name) ? "graph" : "skip";
  } catch {
    return "skip";
  }
}

/** The rule for a call of `fn`; `none`: it is not the library's. */
export function lookup(fn: unknown): "graph" | "constant" | "skip" | "none" {
  if (typeof fn !== "function" && typeof fn !== "object") return "none";
  if (fn === null) return "none";
  let kind = kinds.get(fn);
  if (kind === undefined) {
    kind = kind_of(fn);
    kinds.set(fn, kind);
  }
  return kind;
}

/** Functions of programs that the user allowed in graphs, and those that must not be followed, with the reason. */
export const allowed_in_graph = new WeakSet<object>();
export const disabled = new WeakMap<object, string>();

/** The function that each compiled function was made of. */
export const compiled_functions = new WeakMap<object, PyFunction>();
