/**
 * @file `torch.while_loop`: a function runs on its own results while another one says so, and a graph keeps both.
 * @mirrors torch/_higher_order_ops/while_loop.py
 * @differs A loop with gradients records every step as eager code does; PyTorch has one node, WhileLoopAutogradOp. Numbers that the loop carries
 * are refused in a capture; PyTorch makes symbols of them.
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { repr, truth } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { UncapturedHigherOrderOpError } from "#torch/_dynamo/exc";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { call_function, is_callable } from "#torch/fx/callables";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { HigherOrderOperator } from "./higher_order_operator.ts";
import { mode_of, type Speculated, speculate } from "./speculate.ts";
import {
  functionalized_call,
  noted_call,
  reenter_make_fx,
  register_graphs,
  validate_subgraph_args_types,
} from "./utils.ts";

type Values = readonly unknown[];
type LoopArgs = [cond_fn: unknown, body_fn: unknown, carried_inputs: Values, additional_inputs: Values];

/** Whether the loop goes on. @throws {RuntimeError} if the condition gives something else than one boolean */
function goes_on(pred: unknown): boolean {
  if (typeof pred === "boolean") return pred;
  if (pred instanceof Tensor && pred.numel() === 1 && String(pred.dtype) === "torch.bool") return truth(pred);
  throw new RuntimeError(
    `cond_fn must return a boolean scalar tensor or a boolean but got ${type_of(pred).toString()}`,
  );
}

/** `torch.ops.higher_order.while_loop(cond_fn, body_fn, carried_inputs, additional_inputs)` */
export const while_loop_op = new HigherOrderOperator("while_loop", {
  proxy(mode, args) {
    const [cond_fn, body_fn, carried_inputs, additional_inputs] = args as LoopArgs;
    for (const value of carried_inputs)
      if (!(value instanceof Tensor))
        throw new NotImplementedError(
          `torch.while_loop is not implemented in a capture for a number that the loop carries (${repr(value)}): give it as a tensor`,
        );
    const inputs = [...carried_inputs, ...additional_inputs];
    const graphs = [reenter_make_fx(mode, cond_fn, inputs), reenter_make_fx(mode, body_fn, inputs)] as const;
    register_graphs(mode, [
      ["while_loop_cond_graph", graphs[0]],
      ["while_loop_body_graph", graphs[1]],
    ]);
    return noted_call(mode, while_loop_op, [...graphs, carried_inputs, additional_inputs]);
  },
  functionalize: (args) => functionalized_call(while_loop_op, args, (i) => i < 2),
  fake(mode, args) {
    const [, body_fn, carried_inputs, additional_inputs] = args as LoopArgs;
    return mode.with(() => call_function(body_fn, [...carried_inputs, ...additional_inputs]));
  },
  dense(args) {
    const [cond_fn, body_fn, carried_inputs, additional_inputs] = args as LoopArgs;
    let carried = carried_inputs;
    while (goes_on(call_function(cond_fn, [...carried, ...additional_inputs])))
      carried = call_function(body_fn, [...carried, ...additional_inputs]) as Values;
    return tuple(carried);
  },
});

/** @throws {UncapturedHigherOrderOpError} unless the body gives what it takes */
function check_body(body: Speculated, carried: Values): void {
  if (body.outs.length !== carried.length)
    throw new UncapturedHigherOrderOpError(
      `Expected body_fn to return same number of outputs as carried_inputs but got ${body.outs.length} outputs and ${carried.length} carried_inputs.\n  Higher Order Operator: torch.while_loop`,
    );
  const lines = body.outs.flatMap((out, i) => {
    const input = body.given[i];
    if (!(out instanceof Tensor && input instanceof Tensor)) return [];
    const pairs = (["dtype", "device"] as const).map((name) => [name, String(out[name]), String(input[name])] as const);
    const shapes = ["shape", repr(out.shape), repr(input.shape)] as const;
    const differ = [shapes, ...pairs].filter(([, a, b]) => a !== b).map(([name, a, b]) => `'${name}: ${a} vs ${b}'`);
    return differ.length === 0
      ? []
      : [`pair[${i}] differ in ${differ.join(", ")}, where lhs is ${repr(out)} and rhs is ${repr(input)}`];
  });
  if (lines.length > 0)
    throw new UncapturedHigherOrderOpError(
      `Expected body_fn_output and carried_inputs to have same metadata but found:\n${lines.join("\n")}\n  Higher Order Operator: torch.while_loop`,
    );
}

function check_condition(condition: Speculated): void {
  const [out] = condition.outs;
  const refuse = (what: string, explanation: string): never => {
    throw new UncapturedHigherOrderOpError(
      `This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph break/error:\n\n${what}\n  Higher Order Operator: torch.while_loop\n  Explanation: ${explanation}`,
    );
  };
  if (!(out instanceof Tensor)) {
    if (truth(out))
      refuse(
        "torch.while_loop: infinite loop detected",
        `Infinite loop detected because while_loop's cond_fn always returns the same value ${repr(out)}.`,
      );
  } else if (out.dim() > 0)
    refuse(
      "torch.while_loop: unsupported cond_fn return type",
      `Expected cond_fn to return a scalar tensor or a bool but got ${repr(out.shape)}.`,
    );
}

/** The order of the names is the order of the arguments. */
function additional_inputs_of(parts: readonly Speculated[], carried: ReadonlySet<unknown>): Tensor[] {
  const found = new Map<unknown, readonly [string, Tensor]>();
  for (const { free } of parts)
    for (const [name, t] of free) {
      const impl = t.cdata.unsafeGetTensorImpl();
      if (!carried.has(impl) && !found.has(impl)) found.set(impl, [name, t]);
    }
  return [...found.values()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, t]) => t);
}

/** A function of all values of the loop that runs a graph of some of them. */
function of_all(part: Speculated, tensors: readonly unknown[], leaves: Values | null): (...args: unknown[]) => unknown {
  const impl = (value: unknown): unknown => (value instanceof Tensor ? value.cdata.unsafeGetTensorImpl() : value);
  const impls = tensors.map(impl);
  const places = part.order.map((t) => impls.indexOf(impl(t)));
  return (...args) => {
    const outs = call_function(
      part.graph,
      places.map((place) => args[place]),
    ) as unknown[];
    return leaves === null ? outs[0] : tuple(outs);
  };
}

/** Whether the loop carries numbers: then nothing is captured, because each step has other ones. */
const carries_numbers = (flat: Values): boolean => flat.some((value) => !(value instanceof Tensor));

/**
 * `body_fn(*carried)` again and again, from `carried_inputs`, while `cond_fn(*carried)` holds.
 * @returns the last results, or `carried_inputs` if there is none
 */
export const while_loop = def(
  "while_loop(cond_fn: object, body_fn: object, carried_inputs: object)",
  (cond_fn: unknown, body_fn: unknown, carried_inputs: unknown): unknown => {
    if (!is_callable(cond_fn) || !is_callable(body_fn))
      throw new RuntimeError("Expect cond_fn and body_fn to be callable.");
    const [flat, spec] = flatten(carried_inputs);
    validate_subgraph_args_types(flat);
    if (!Array.isArray(carried_inputs))
      throw new RuntimeError(`carried_inputs must be a tuple or list, got ${type_of(carried_inputs).toString()}`);
    const positional = (values: Values): unknown[] => [...(spec.unflatten([...values]) as unknown[])];
    const flat_cond = (...values: unknown[]): unknown => call_function(cond_fn, positional(values));
    const flat_body = (...values: unknown[]): unknown => tuple(flatten(call_function(body_fn, positional(values)))[0]);
    if (carries_numbers(flat)) return unflattened(spec, while_loop_op(flat_cond, flat_body, tuple(flat), tuple([])));
    const operands = new Map(flat.map((value, i) => [`l_args_2_${i}_`, value]));
    const mode = mode_of(flat);
    const run = (fn: unknown, source: string): Speculated =>
      speculate("while_loop", fn, operands, source, mode, positional);
    const condition = run(cond_fn, "l_args_0_closure_0_cell_contents");
    check_condition(condition);
    const body = run(body_fn, "l_args_1_closure_0_cell_contents");
    check_body(body, flat);
    const carried = new Set(flat.map((t) => (t as Tensor).cdata.unsafeGetTensorImpl()));
    const additional = additional_inputs_of([condition, body], carried);
    const all = [...flat, ...additional];
    const loop_args = [of_all(condition, all, null), of_all(body, all, flat), tuple(flat), tuple(additional)];
    return unflattened(body.out_spec, while_loop_op(...loop_args));
  },
);

const unflattened = (spec: TreeSpec, values: unknown): unknown => spec.unflatten([...(values as unknown[])]);
