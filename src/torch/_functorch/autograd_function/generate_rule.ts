/**
 * @file The rule for vmap that is made from a Function's `forward` and `backward` (`generate_vmap_rule = true`): a Function over the whole
 * batch, whose forward and backward are those of the given one under vmap.
 * @mirrors torch/_functorch/autograd_function.py#vmapify_autograd_function
 */
import { pack, tuple } from "#python/Objects/tupleobject";
import * as C from "#torch/_functorch/_C_functorch";
import { Tensor } from "#torch/_tensor/index";
import { Function } from "#torch/autograd/function";
import { vmap } from "../apis.ts";
import { restore_vmap, unwrap_batched } from "../vmap.ts";

// biome-ignore lint/suspicious/noExplicitAny: a Function may take and return anything
type Any = any;

/** The members of a Function's class that transforms use. */
export interface FunctionLike {
  readonly name: string;
  readonly generate_vmap_rule?: boolean;
  forward(...args: Any[]): Any;
  setup_context(ctx: Any, inputs: Any, output: Any): Any;
  backward(ctx: Any, ...grads: Any[]): Any;
  jvp?(ctx: Any, ...tangents: Any[]): Any;
  vmap(...args: Any[]): Any;
}

type Members = Pick<FunctionLike, "forward" | "setup_context" | "backward"> & Partial<FunctionLike>;

/** A subclass of `Function` with these static members. */
export function generated_class(name: string, members: Members): FunctionLike {
  const made = class extends Function {};
  for (const [key, value] of Object.entries({ ...members, name }))
    Object.defineProperty(made, key, { value, writable: true, configurable: true });
  return made as unknown as FunctionLike;
}

/** The outputs of a generated Function, whose last output is the tree of out_dims. */
export function unpack_outputs(outputs: readonly Any[]): [outputs: Any, out_dims: Any] {
  const out_dims = outputs.at(-1);
  return Array.isArray(out_dims) ? [tuple(outputs.slice(0, -1)), out_dims] : [outputs[0], out_dims];
}

/** Runs `fn` while `ctx.saved_tensors` are these. */
function with_saved_tensors<R>(ctx: Any, saved_tensors: Any, fn: () => R): R {
  const before = ctx.new_saved_tensors;
  ctx.new_saved_tensors = saved_tensors;
  try {
    return fn();
  } finally {
    ctx.new_saved_tensors = before;
  }
}

/** Notes of setup_context for backward; a context serves one call. */
interface Notes {
  saved_bdims: Any;
  input_shapes: (readonly number[] | null)[];
  out_dims: Any;
}

export function vmapify_autograd_function(
  autograd_function: FunctionLike,
  in_dims: readonly Any[],
  batch_size: number,
  randomness: string,
): FunctionLike {
  const notes = new WeakMap<object, Notes>();
  const run = (fn: (...args: Any[]) => Any, dims: unknown) => restore_vmap(fn, dims, batch_size, randomness);
  return generated_class(`Vmapped${autograd_function.name}`, {
    generate_vmap_rule: true,
    forward(...operands: unknown[]) {
      const forward = (...args: unknown[]): unknown => autograd_function.forward(...args);
      const [outputs, out_dims] = run(forward, tuple(in_dims))(...operands) as [Any, Any];
      return outputs instanceof Tensor ? pack(outputs, out_dims) : tuple([...outputs, out_dims]);
    },
    setup_context(ctx: Any, inputs: Any, all_outputs: Any) {
      const [outputs, out_dims] = unpack_outputs(all_outputs);
      const note: Notes = { saved_bdims: tuple([]), input_shapes: [], out_dims };
      const inner = (own_inputs: Any, own_outputs: Any): null => {
        autograd_function.setup_context(ctx, own_inputs, own_outputs);
        // What was saved is batched here; the node keeps the values, and the note their batch dimensions.
        for (const saved of ["to_save", "saved_for_forward"]) {
          if (ctx[saved] === null) continue;
          const [values, bdims] = unwrap_batched(tuple(ctx[saved]), C.current_level());
          ctx[saved] = values;
          note.saved_bdims = bdims;
        }
        note.input_shapes = own_inputs.map((inp: unknown) => (inp instanceof Tensor ? [...inp.shape] : null));
        return null;
      };
      run(inner, tuple([tuple(in_dims), out_dims]))(tuple(inputs), outputs);
      notes.set(ctx.cdata, note);
    },
    backward(ctx: Any, ...all_grads: Any[]) {
      const note = notes.get(ctx.cdata) as Notes;
      const grads = all_grads.slice(0, -1);
      const out_dims = Array.isArray(note.out_dims) ? note.out_dims : [note.out_dims];
      const grad_dims = tuple(grads.map((grad, i) => (grad === null ? null : (out_dims[i] as unknown))));
      const backward_no_context = (saved_tensors: Any, own_grads: Any): Any =>
        with_saved_tensors(ctx, saved_tensors, () => autograd_function.backward(ctx, ...own_grads));
      const [grad_ins, grad_ins_dims] = run(backward_no_context, tuple([note.saved_bdims, grad_dims]))(
        tuple(ctx.saved_tensors),
        tuple(grads),
      );
      return reductify(grad_ins, grad_ins_dims, in_dims, batch_size, note.input_shapes);
    },
    jvp(ctx: Any, ...tangents: Any[]) {
      const note = notes.get(ctx.cdata) as Notes;
      const dims = tuple(tangents.map((tangent, i) => (tangent === null ? null : (in_dims[i] as unknown))));
      const jvp_no_context = (saved_tensors: Any, own: Any): Any =>
        with_saved_tensors(ctx, saved_tensors, () => autograd_function.jvp?.(ctx, ...own));
      const [out, out_dims] = run(jvp_no_context, tuple([note.saved_bdims, dims]))(
        tuple(ctx.saved_tensors),
        tuple(tangents),
      );
      const wanted = Array.isArray(note.out_dims) ? note.out_dims : [note.out_dims];
      return tuple([...reductify(out, out_dims, wanted, batch_size, null), null]);
    },
  });
}

const as_list = (value: Any): readonly Any[] => (Array.isArray(value) ? value : [value]);

/** Gradients with the batch dimension of their inputs: summed over the batch for an input that all samples share. */
function reductify(
  grads: Any,
  bdims: Any,
  input_bdims: readonly Any[],
  batch_size: number,
  shapes: readonly (readonly number[] | null)[] | null,
): Any[] {
  return tuple(
    as_list(grads).map((grad, i) =>
      reductify_leaf(grad, as_list(bdims)[i], input_bdims[i], batch_size, shapes?.[i] ?? null),
    ),
  );
}

function reductify_leaf(
  given: Tensor | null,
  given_bdim: number | null,
  input_bdim: number | null,
  batch_size: number,
  shape: readonly number[] | null,
): Tensor | null {
  if (given === null || (given_bdim === null && input_bdim === null)) return given;
  if (input_bdim === null) return given.sum(given_bdim as number);
  let [grad, bdim] = [given, given_bdim];
  if (bdim === null) {
    const sizes = [...grad.shape];
    sizes.splice(input_bdim, 0, batch_size);
    grad = grad.unsqueeze(input_bdim).expand(sizes);
    bdim = input_bdim;
  }
  if (shape !== null) return vmap((t: Tensor) => t.sum_to_size([...shape]), bdim, input_bdim)(grad) as Tensor;
  return bdim === input_bdim ? grad : grad.movedim(bdim, input_bdim);
}
