/**
 * @file `vmap`: a level of vmap around one run of the function on batched tensors.
 * @mirrors torch/_functorch/vmap.py
 * @differs In `in_dims` and `out_dims` a list counts as a tuple, because TypeScript has no tuples; PyTorch refuses lists.
 */
import { lazy_load_decompositions } from "#aten/functorch/BatchRulesLoss";
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { getattr_or_undefined, repr, str } from "#python/Objects/object";
import { pack, tuple } from "#python/Objects/tupleobject";
import * as C from "#torch/_functorch/_C_functorch";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { call_function } from "#torch/fx/callables";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { node_of } from "#torch/utils/_pytree/registry";
import type { dims_t } from "./apis.ts";
import type { Kwargs } from "./transformed.ts";

/** Runs `fn`, in which autograd refuses hooks on saved tensors. */
export function without_saved_tensors_hooks<R>(fn: () => R): R {
  const message =
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an issue with your use case.";
  return torch.autograd.graph.disable_saved_tensors_hooks(message)(fn)() as R;
}

// The structure of dims ------------------------------------------------------------------------------------------------------

/** A list as a tuple, also inside. */
function as_tuples(dims: unknown): unknown {
  return Array.isArray(dims) ? tuple(dims.map(as_tuples)) : dims;
}

const is_sequence = (type: unknown): boolean => {
  const name = (type as { readonly name?: string } | null)?.name;
  return name === "tuple" || name === "list";
};

/** `dims`, a prefix of a tree, for every leaf of the tree; null if it is no prefix. */
export function _broadcast_to_and_flatten(dims: unknown, spec: TreeSpec): unknown[] | null {
  const found = node_of(dims);
  if (found === null) return new Array<unknown>(spec.num_leaves).fill(dims);
  const [type, node] = found;
  const [children, keys] = node.flatten(dims as never);
  const of_spec = spec.type;
  if (spec.is_leaf() && of_spec === null) return null;
  if (type !== of_spec && !(Array.isArray(dims) && is_sequence_spec(spec))) return null;
  if (children.length !== spec.num_children) return null;
  if (!Array.isArray(dims) && repr(keys) !== repr(spec.context)) return null;
  const flat: unknown[] = [];
  for (const [i, child] of children.entries()) {
    const inner = _broadcast_to_and_flatten(child, spec.children_specs[i]);
    if (inner === null) return null;
    flat.push(...inner);
  }
  return flat;
}

const is_sequence_spec = (spec: TreeSpec): boolean =>
  spec.type === node_of([])?.[0] || spec.type === node_of(tuple([]))?.[0] || is_sequence(spec.type);

const is_int = (value: unknown): value is number => typeof value === "number" || typeof value === "boolean";

function check_int_or_none_leaves(out_dims: unknown, func: unknown): void {
  for (const x of flatten(out_dims)[0])
    if (!is_int(x) && x !== null)
      throw new ValueError(
        `vmap(${_get_name(func)}, ..., out_dims=${str(as_tuples(out_dims))}): \`out_dims\` must be ` +
          "an int, None or a python collection of ints representing where in the outputs the vmapped dimension should appear.",
      );
}

export function _get_name(func: unknown): string {
  const { name } = func as { readonly name?: unknown };
  const __name__ = getattr_or_undefined(func, "__name__"); // a program's function has it
  if (typeof __name__ === "string") return __name__;
  if (typeof func === "function" && typeof name === "string") return name === "" ? "<lambda>" : name;
  return repr(func);
}

/** Inputs, flat, with their batch dimensions. */
interface Batched {
  readonly batch_size: number;
  readonly in_dims: readonly (number | null)[];
  readonly args: readonly unknown[];
  readonly spec: TreeSpec;
}

function _validate_and_get_batch_size(in_dims: readonly (number | null)[], args: readonly unknown[]): number {
  const batch_sizes = in_dims.flatMap((in_dim, i) => (in_dim === null ? [] : [(args[i] as Tensor).size(in_dim)]));
  if (batch_sizes.length === 0) throw new ValueError("vmap: Expected at least one Tensor to vmap over");
  if (batch_sizes.some((size) => size !== batch_sizes[0]))
    throw new ValueError(
      "vmap: Expected all tensors to have the same size in the mapped " +
        `dimension, got sizes [${batch_sizes.join(", ")}] for the mapped dimension`,
    );
  return batch_sizes[0];
}

function _process_batched_inputs(in_dims: unknown, args: readonly unknown[], func: unknown): Batched {
  const called = `vmap(${_get_name(func)}, in_dims=${str(as_tuples(in_dims))}, ...)(<inputs>): `;
  if (!is_int(in_dims) && !Array.isArray(in_dims))
    throw new ValueError(
      `${called}expected \`in_dims\` to be int or a (potentially nested) tuple ` +
        `matching the structure of inputs, got: ${type_repr(in_dims, "class")}.`,
    );
  if (args.length === 0)
    throw new ValueError(
      `vmap(${_get_name(func)})(<inputs>): got no inputs. Maybe you forgot to add ` +
        "inputs, or you are trying to vmap over a function with no inputs. The latter is unsupported.",
    );
  const [flat_args, spec] = flatten(tuple(args));
  const flat_in_dims = _broadcast_to_and_flatten(in_dims, spec);
  if (flat_in_dims === null)
    throw new ValueError(
      `${called}in_dims is not compatible with the structure of \`inputs\`. ` +
        `in_dims has structure ${flatten(as_tuples(in_dims))[1]} but inputs has structure ${spec}.`,
    );
  const wrapped = flat_in_dims.map((given, i) => {
    const in_dim = typeof given === "boolean" ? Number(given) : given;
    const arg = flat_args[i];
    if (in_dim === null) return null;
    if (typeof in_dim !== "number")
      throw new ValueError(
        `${called}Got in_dim=${str(in_dim)} for an input but in_dim must be either an integer dimension or None.`,
      );
    if (!(arg instanceof Tensor))
      throw new ValueError(
        `${called}Got in_dim=${in_dim} for an input but the input is of type ` +
          `${type_repr(arg, "class")}. We cannot vmap over non-Tensor arguments, ` +
          "please use None as the respective in_dim",
      );
    const ndim = arg.dim();
    if (in_dim < -ndim || in_dim >= ndim)
      throw new ValueError(
        `${called}Got in_dim=${in_dim} for some input, but that input is a Tensor ` +
          `of dimensionality ${ndim} so expected in_dim to satisfy -${ndim} <= in_dim < ${ndim}.`,
      );
    return in_dim < 0 ? in_dim + ndim : in_dim;
  });
  return { batch_size: _validate_and_get_batch_size(wrapped, flat_args), in_dims: wrapped, args: flat_args, spec };
}

// One level ------------------------------------------------------------------------------------------------------------------

/** Runs `fn` with a new level of vmap. */
export function vmap_increment_nesting<R>(batch_size: number, randomness: string, fn: (level: number) => R): R {
  const level = C._vmap_increment_nesting(batch_size, randomness);
  try {
    return fn(level);
  } finally {
    C._vmap_decrement_nesting();
  }
}

function _create_batched_inputs({ in_dims, args, spec }: Omit<Batched, "batch_size">, level: number): unknown[] {
  const batched = args.map((arg, i) => {
    const in_dim = in_dims[i];
    return in_dim === null ? arg : C._add_batch_dim(arg as Tensor, in_dim, level);
  });
  return spec.unflatten(batched) as unknown[];
}

function _maybe_remove_batch_dim(
  name: string,
  output: unknown,
  level: number,
  batch_size: number,
  out_dim: number | null,
): unknown {
  if (out_dim === null) {
    if (output instanceof Tensor && C.is_batchedtensor(output))
      throw new ValueError(`vmap(${name}, ...): \`${name}\` can not return a BatchedTensor when out_dim is None`);
    return output;
  }
  if (!(output instanceof Tensor))
    throw new ValueError(
      `vmap(${name}, ...): \`${name}\` must only return Tensors, got type ${type_repr(output, "class")}. ` +
        "Did you mean to set out_dims= to None for output?",
    );
  return C._remove_batch_dim(output, level, batch_size, out_dim);
}

function _unwrap_batched(
  outputs: unknown,
  out_dims: unknown,
  level: number,
  batch_size: number,
  func: unknown,
): unknown {
  const [flat_outputs, spec] = flatten(outputs);
  const alone =
    outputs instanceof Tensor && Array.isArray(out_dims) && out_dims.length === 1 ? (out_dims[0] as unknown) : out_dims;
  const flat_out_dims = _broadcast_to_and_flatten(alone, spec);
  if (flat_out_dims === null)
    throw new ValueError(
      `vmap(${_get_name(func)}, ..., out_dims=${str(as_tuples(out_dims))})(<inputs>): ` +
        "out_dims is not compatible with the structure of `outputs`. " +
        `out_dims has structure ${flatten(as_tuples(out_dims))[1]} but outputs has structure ${spec}.`,
    );
  const name = _get_name(func);
  return spec.unflatten(
    flat_outputs.map((output, i) =>
      _maybe_remove_batch_dim(name, output, level, batch_size, flat_out_dims[i] as number | null),
    ),
  );
}

/** The arguments of `torch.vmap` besides the function. */
export interface VmapOptions {
  readonly in_dims: dims_t;
  readonly out_dims: dims_t;
  readonly randomness: string;
  readonly chunk_size: number | null;
}

function _flat_vmap(func: unknown, inputs: Batched, { out_dims, randomness }: VmapOptions, kwargs: Kwargs): unknown {
  const { batch_size } = inputs;
  return vmap_increment_nesting(batch_size, randomness, (level) => {
    const outputs = call_function(func, _create_batched_inputs(inputs, level), kwargs);
    return _unwrap_batched(outputs, out_dims, level, batch_size, func);
  });
}

export function _check_randomness_arg(randomness: unknown): void {
  if (!["error", "different", "same"].includes(randomness as string))
    throw new RuntimeError(`Only allowed values for randomness are 'error', 'different', or 'same'. Got ${randomness}`);
}

export function vmap_impl(func: unknown, options: VmapOptions, args: readonly unknown[], kwargs: Kwargs): unknown {
  lazy_load_decompositions();
  check_int_or_none_leaves(options.out_dims, func);
  const inputs = _process_batched_inputs(options.in_dims, args, func);
  if (options.chunk_size === null) return _flat_vmap(func, inputs, options, kwargs);
  return _chunked_vmap(func, inputs, options, options.chunk_size, kwargs);
}

/**
 * One run of backward for a batch of gradients: `fn(grads)` for gradients of which each is a batch; those that are null stay so.
 * (`torch/_vmap_internals.py#_vmap`)
 */
export function _vmap_internals<T extends Tensor | null>(fn: (grads: readonly T[]) => T[], grads: readonly T[]): T[] {
  const options = { in_dims: [0], out_dims: 0, randomness: "error", chunk_size: null };
  const given = grads.filter((grad) => grad !== null);
  const with_all = (own: readonly unknown[]): T[] => {
    let next = 0;
    return fn(grads.map((grad) => (grad === null ? grad : (own[next++] as T))));
  };
  let outputs: T[] = [];
  const run = (own: readonly unknown[]): unknown => {
    outputs = with_all(own);
    return outputs.filter((output) => output !== null);
  };
  const batched = vmap_impl(run, options, [given], new Map()) as T[];
  let next = 0;
  return outputs.map((output) => (output === null ? output : batched[next++]));
}

// Chunks ---------------------------------------------------------------------------------------------------------------------

/** The sizes of the parts of `total_elems` samples, each `chunk_size` but the last. */
export function get_chunk_sizes(total_elems: number, chunk_size: number): number[] {
  const sizes = new Array<number>(Math.floor(total_elems / chunk_size)).fill(chunk_size);
  const remainder = total_elems % chunk_size;
  return remainder === 0 ? sizes : [...sizes, remainder];
}

function _chunked_vmap(
  func: unknown,
  { batch_size, in_dims, args, spec }: Batched,
  options: VmapOptions,
  chunk_size: number,
  kwargs: Kwargs,
): unknown {
  const state = options.randomness === "same" ? torch.get_rng_state() : null;
  const outputs: unknown[][] = [];
  let out_spec: TreeSpec | null = null;
  let start = 0;
  for (const size of get_chunk_sizes(batch_size, chunk_size)) {
    const from = start;
    const chunk = args.map((arg, i) => {
      const in_dim = in_dims[i];
      return in_dim === null ? arg : (arg as Tensor).narrow(in_dim, from, size);
    });
    start += size;
    if (state !== null) torch.set_rng_state(state);
    const result = _flat_vmap(func, { batch_size: size, in_dims, args: chunk, spec }, options, kwargs);
    const [flat, found] = flatten(result);
    outputs.push(flat);
    out_spec ??= found;
  }
  const all_spec = out_spec as TreeSpec;
  const flat_out_dims = _broadcast_to_and_flatten(options.out_dims, all_spec) as number[];
  return all_spec.unflatten(
    flat_out_dims.map((out_dim, i) =>
      torch.cat(
        outputs.map((flat) => flat[i] as Tensor),
        out_dim,
      ),
    ),
  );
}

// Pause and resume -----------------------------------------------------------------------------------------------------------

/**
 * vmap that checks nothing, takes inputs of which none is batched, and returns `(outputs, out_dims)` without moving dimensions.
 * The rules that are generated for `autograd.Function` are made of it.
 */
export function restore_vmap(
  func: unknown,
  in_dims: unknown,
  batch_size: number,
  randomness: string,
): (...args: unknown[]) => [outputs: unknown, out_dims: unknown] {
  return (...args) =>
    vmap_increment_nesting(batch_size, randomness, (level) => {
      const batched = wrap_batched(args, in_dims, level);
      return unwrap_batched(call_function(func, batched), level);
    });
}

export function wrap_batched(args: readonly unknown[], bdims: unknown, level: number): unknown[] {
  const [flat_args, spec] = flatten(tuple(args));
  const in_dims = _broadcast_to_and_flatten(bdims, spec) as (number | null)[];
  return _create_batched_inputs({ in_dims, args: flat_args, spec }, level);
}

export function unwrap_batched(args: unknown, level: number): [outputs: unknown, out_dims: unknown] {
  const [flat_args, spec] = flatten(args);
  if (flat_args.length === 0) return pack(args, tuple([]));
  const result = flat_args.map((arg) =>
    arg instanceof Tensor ? C._unwrap_batched(arg, level) : ([arg, null] as const),
  );
  return pack(spec.unflatten(result.map(([output]) => output)), spec.unflatten(result.map(([, bdim]) => bdim)));
}
