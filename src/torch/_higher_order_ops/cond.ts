/**
 * @file `torch.cond`: one of two functions runs, and a graph keeps both.
 * @mirrors torch/_higher_order_ops/cond.py
 * @differs Ours runs both functions without data to see what they read; in PyTorch Dynamo reads their bytecode. Results of the two functions with
 * different sizes are refused in a capture; PyTorch makes symbols of them. With gradients PyTorch's AOTAutograd refuses functions whose result may
 * be an argument's memory; ours does not ask.
 *
 *     torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x * w, (x,))
 *       ->  cond(gt, true_graph_0, false_graph_0, (x, w))     both graphs take x and w
 */
import { same_ints } from "#c10/core/SymInt";
import { NotImplementedError, RuntimeError, warn } from "#c10/util/Exception";
import { FloatValue } from "#python/Objects/floatobject";
import { repr, str, truth } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { TorchRuntimeError } from "#torch/_dynamo/exc";
import { _is_functional_tensor } from "#torch/_functorch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Function as AutogradFunction } from "#torch/autograd/function";
import { call_function, is_callable } from "#torch/fx/callables";
import { flatten } from "#torch/utils/_pytree/index";
import { HigherOrderOperator } from "./higher_order_operator.ts";
import { mode_of, type Speculated, speculate } from "./speculate.ts";
import {
  functionalized_call,
  noted_call,
  reenter_make_fx,
  register_graphs,
  validate_subgraph_args_types,
} from "./utils.ts";

type Operands = readonly unknown[];
type CondArgs = [pred: unknown, true_fn: unknown, false_fn: unknown, operands: Operands];

/** The fake result that stands for both branches. */
function _merge_output(a: unknown, b: unknown): unknown {
  if (!(a instanceof Tensor && b instanceof Tensor)) {
    if (a === b) return a;
    throw new NotImplementedError(
      `torch.cond is not implemented in a capture for branches that return different numbers (${repr(a)} and ${repr(b)})`,
    );
  }
  for (const name of ["dtype", "device", "layout"] as const)
    if (String(a[name]) !== String(b[name]))
      throw new RuntimeError(
        `When merging two branches' output in torch.cond,  expected same ${name} but got ${str(a[name])} and ${str(b[name])}.`,
      );
  if (a.dim() !== b.dim())
    throw new RuntimeError(
      `When merging two branches' output in torch.cond,  expected same dim but got ${a.dim()} and ${b.dim()}.`,
    );
  return a;
}

/** Refuses different sizes, which only symbols could describe. */
function merged_in_capture(a: unknown, b: unknown): unknown {
  const merged = _merge_output(a, b);
  if (a instanceof Tensor && b instanceof Tensor && !same_ints(a.cdata.sizes(), b.cdata.sizes()))
    throw new NotImplementedError(
      `torch.cond is not implemented in a capture for branches that return different sizes (${repr(a.shape)} and ${repr(b.shape)})`,
    );
  return merged;
}

interface Context {
  save_for_backward(...tensors: unknown[]): void;
  readonly saved_tensors: unknown[];
  readonly needs_input_grad: readonly boolean[];
  pred: unknown;
  branches: readonly unknown[];
  /** Operands that are no tensors, at their places. */
  others: unknown[];
}

/** Runs `fn` on tensors that need gradients: these tensors themselves if that can be undone, so that a graph sees no copies. */
function with_gradients<R>(args: readonly unknown[], wants: readonly boolean[], fn: (leaves: unknown[]) => R): R {
  const lent = args.filter((arg, i): arg is Tensor => wants[i] && arg instanceof Tensor && !arg.requires_grad);
  const is_own = (t: Tensor): boolean => lent.includes(t) || (t.is_leaf && _is_functional_tensor(t));
  const leaf = (t: Tensor): Tensor => (is_own(t) ? t : t.detach()).requires_grad_();
  try {
    return torch.enable_grad(() => fn(args.map((arg, i) => (wants[i] ? leaf(arg as Tensor) : arg))));
  } finally {
    for (const t of lent) t.requires_grad_(false);
  }
}

/**
 * A branch of backward: gradients of the tensors among the operands of `fn`, zeros where there is none. (`create_bw_fn`)
 * @param wants which operands need a gradient
 */
function create_bw_fn(fn: unknown, wants: readonly boolean[]): (...args: unknown[]) => unknown {
  const count = wants.length;
  return (...args) =>
    with_gradients(args.slice(0, count), wants, (operands) => {
      const outs = flatten(call_function(fn, operands))[0];
      const pairs = outs.flatMap((out, i) =>
        out instanceof Tensor && out.requires_grad ? [[out, args[count + i] as Tensor] as const] : [],
      );
      const primals = operands.filter((_, i) => wants[i]) as Tensor[];
      const [of_outs, tangents] = [pairs.map(([out]) => out), pairs.map(([, tangent]) => tangent)];
      const found = pairs.length === 0 ? [] : torch.autograd.grad(of_outs, primals, tangents, { allow_unused: true });
      let k = 0;
      const grad_of = (t: Tensor, i: number): Tensor => (wants[i] ? found[k++] : null) ?? torch.zeros_like(t);
      return operands.flatMap((t, i) => (t instanceof Tensor ? [grad_of(t, i)] : []));
    });
}

class CondAutogradOp extends AutogradFunction {
  static override forward(ctx: Context, pred: unknown, true_fn: unknown, false_fn: unknown, ...operands: unknown[]) {
    const wants = [...ctx.needs_input_grad].slice(3);
    ctx.pred = pred;
    ctx.branches = [create_bw_fn(true_fn, wants), create_bw_fn(false_fn, wants)];
    ctx.save_for_backward(...operands.map((value) => (value instanceof Tensor ? value : null)));
    ctx.others = operands.map((value) => (value instanceof Tensor ? null : value));
    return cond_op(pred, true_fn, false_fn, tuple(operands));
  }

  static override backward(ctx: Context, ...grads: unknown[]): unknown {
    const operands = ctx.saved_tensors.map((value, i) => value ?? ctx.others[i]);
    const found = cond_op(ctx.pred, ctx.branches[0], ctx.branches[1], tuple([...operands, ...grads])) as unknown[];
    let i = 0;
    const of_operands = operands.map((t) => (t instanceof Tensor ? found[i++] : null));
    const wanted = of_operands.map((grad, k) => (ctx.needs_input_grad[k + 3] ? grad : null));
    return tuple([null, null, null, ...wanted]);
  }
}

/** `torch.ops.higher_order.cond(pred, true_fn, false_fn, operands)`, whose functions give tuples. */
export const cond_op = new HigherOrderOperator("cond", {
  proxy(mode, args) {
    const [pred, true_fn, false_fn, operands] = args as CondArgs;
    validate_subgraph_args_types(operands);
    const true_graph = reenter_make_fx(mode, true_fn, operands);
    const false_graph = reenter_make_fx(mode, false_fn, operands);
    register_graphs(mode, [
      ["true_graph", true_graph],
      ["false_graph", false_graph],
    ]);
    return noted_call(mode, cond_op, [pred, true_graph, false_graph, operands]);
  },
  autograd(args) {
    const [pred, true_fn, false_fn, operands] = args as CondArgs;
    const out = (CondAutogradOp as unknown as { apply(...all: unknown[]): unknown }).apply(
      pred,
      true_fn,
      false_fn,
      ...operands,
    );
    return Array.isArray(out) ? out : tuple([out]);
  },
  functionalize: (args) => functionalized_call(cond_op, args, (i) => i === 1 || i === 2),
  fake(mode, args) {
    const [, true_fn, false_fn, operands] = args as CondArgs;
    return mode.with(() => {
      const [true_outs, spec] = flatten(call_function(true_fn, operands));
      const [false_outs, false_spec] = flatten(call_function(false_fn, operands));
      if (!spec.__eq__(false_spec))
        throw new RuntimeError(
          `Unmatched output spec from torch.cond branches: true branch tree_spec ${str(spec)} vs false branch tree_spec ${str(false_spec)}.`,
        );
      return spec.unflatten(true_outs.map((out, i) => merged_in_capture(out, false_outs[i])));
    });
  },
  dense(args) {
    const [pred, true_fn, false_fn, operands] = args as CondArgs;
    return call_function(truth(pred) ? true_fn : false_fn, operands);
  },
});

/** @throws {RuntimeError} for arguments of the wrong kinds */
function _validate_input(pred: unknown, true_fn: unknown, false_fn: unknown, operands: unknown): void {
  if (!(pred instanceof Tensor)) throw new RuntimeError(`Expected pred to be bool or tensor, but got ${str(pred)}.`);
  if (pred.numel() !== 1)
    throw new RuntimeError(`Expected pred to be bool or single-element tensor, but got ${str(pred)}.`);
  if (!is_callable(true_fn) || !is_callable(false_fn)) throw new RuntimeError("Expect both branches to be callable.");
  if (!Array.isArray(operands) || flatten(operands)[0].some((leaf) => !(leaf instanceof Tensor)))
    throw new RuntimeError(
      `Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves, but got ${str(operands)}.`,
    );
}

/** The branches must give the same structure and tensors of one kind. */
function check_outputs(on: Speculated, off: Speculated): void {
  if (!on.out_spec.__eq__(off.out_spec))
    throw new TorchRuntimeError(
      `Unmatched output spec from torch.cond branches: true branch tree_spec ${str(on.out_spec)} vs false branch tree_spec ${str(off.out_spec)}.`,
    );
  try {
    for (const [i, out] of on.outs.entries()) if (out instanceof Tensor) _merge_output(out, off.outs[i]);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error instanceof NotImplementedError) throw error;
    throw new TorchRuntimeError(
      `RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: call_function cond: got RuntimeError(${repr(error.message)})`,
    );
  }
}

const by_name = (names: Iterable<string>): string[] => [...names].sort();

/** The tensors that the branches read: first those of both, then those of the first, then those of the second; each group in the order of names. */
function merged_inputs(on: Speculated, off: Speculated): Tensor[] {
  const impl = (t: Tensor | undefined): unknown => t?.cdata.unsafeGetTensorImpl();
  const in_off = new Set([...off.free.values()].map(impl));
  const in_on = new Set([...on.free.values()].map(impl));
  const names_on = by_name(on.free.keys());
  const shared = names_on.filter((name) => in_off.has(impl(on.free.get(name))));
  const only_on = names_on.filter((name) => !shared.includes(name));
  const only_off = by_name(off.free.keys()).filter((name) => !in_on.has(impl(off.free.get(name))));
  return [
    ...[...shared, ...only_on].map((name) => on.free.get(name) as Tensor),
    ...only_off.map((name) => off.free.get(name) as Tensor),
  ];
}

/** The speculated function, for the tensors that both branches take. */
export function lifted(branch: Speculated, inputs: readonly Tensor[]): (...args: unknown[]) => unknown {
  const impls = inputs.map((t) => t.cdata.unsafeGetTensorImpl());
  const places = branch.order.map((t) => impls.indexOf(t.cdata.unsafeGetTensorImpl()));
  return (...args) =>
    call_function(
      branch.graph,
      places.map((place) => args[place]),
    );
}

/**
 * `true_fn(*operands)` if `pred` holds, and `false_fn(*operands)` if it does not.
 * @param pred a number or a boolean, which chooses now, or a tensor with one element, for which a graph keeps both functions
 */
export const cond = def(
  "cond(pred: object, true_fn: object, false_fn: object, operands: object=())",
  (pred: unknown, true_fn: unknown, false_fn: unknown, operands: unknown): unknown => {
    if (
      typeof pred === "boolean" ||
      typeof pred === "number" ||
      typeof pred === "bigint" ||
      pred instanceof FloatValue
    ) {
      if (torch.compiler.is_exporting())
        warn(
          "UserWarning",
          "Pred is a Python constant. When used with torch.cond, it specializes on one of the branches. If you want torch.cond to preserve two branches, please make the predicate a boolean tensor or a SymBool.",
        );
      return call_function(truth(pred) ? true_fn : false_fn, operands as unknown[]);
    }
    _validate_input(pred, true_fn, false_fn, operands);
    const [flat, spec] = flatten(tuple(operands as unknown[]));
    const given = new Map(flat.map((value, i) => [`l_args_3_${i}_`, value]));
    const mode = mode_of([pred, ...flat]);
    const run = (fn: unknown, source: string): Speculated =>
      speculate("cond", fn, given, source, mode, (values) => spec.unflatten([...values]) as unknown[]);
    const on = run(true_fn, "l_args_1");
    const off = run(false_fn, "l_args_2");
    check_outputs(on, off);
    const inputs = merged_inputs(on, off);
    const out = cond_op(pred, lifted(on, inputs), lifted(off, inputs), tuple(inputs)) as unknown[];
    return on.out_spec.unflatten([...out]);
  },
);
