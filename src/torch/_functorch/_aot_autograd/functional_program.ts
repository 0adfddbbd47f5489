/**
 * @file The traced program as a function of a flat list of tensors, and what was learnt by running it once on fake tensors.
 * @mirrors torch/_functorch/_aot_autograd/collect_metadata_analysis.py
 * @differs Arguments are supposed not to share memory, and their shapes not to be changed in place.
 */
import { wrapper_of } from "#aten/FunctionalTensorWrapper";
import { THPVariable_Wrap } from "#torch/_C";
import { with_python_dispatcher } from "#torch/_dispatch/python";
import type { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import {
  attach_symbols,
  example_sizes,
  example_strides,
  has_symbolic_sizes,
  is_symbol,
  sizes_of,
  strides_of,
} from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { ZERO } from "#torch/utils/_sympy/expr";
import { _functionalize_are_all_mutations_under_no_grad_or_inference_mode } from "../_C.ts";
import { from_fun, to_fun, with_functionalization } from "../functionalize.ts";
import { view_at_run_time } from "./symbolic_views.ts";

/** Takes and gives flat lists. */
export type FlatFunction = (args: readonly unknown[]) => unknown[];

export interface OutputInfo {
  /** `input`: the argument itself. `view`: it shares an argument's memory. `own`: any other tensor. `constant`: no tensor. */
  readonly kind: "input" | "view" | "own" | "constant";
  /** The number of the argument. */
  readonly base_idx: number;
  /** Takes a view of the argument. @param out the view that the compiled code returned @param args of this call */
  readonly replay: ((base: Tensor, out: Tensor, args: readonly unknown[]) => Tensor) | null;
  readonly requires_grad: boolean;
}

/** `ViewAndMutationMeta`. */
export interface ProgramInfo {
  /** Numbers of the arguments that are written to. */
  readonly mutated_inputs: readonly number[];
  /** Whether autograd saw nothing of the writing, for each of them. */
  readonly mutated_without_grad: readonly boolean[];
  readonly outputs: readonly OutputInfo[];
  /** Whether backward gets a gradient, for each mutated argument, then for each output. */
  readonly needs_tangent: readonly boolean[];
  /** Fake gradients of those that get one. */
  readonly traced_tangents: readonly Tensor[];
}

const storage_of = (t: Tensor): unknown => t.cdata.storage().unsafeGetStorageImpl();

/** A gradient that lies in memory as the value does. */
function tangent_of(value: Tensor, fake_mode: FakeTensorMode): Tensor {
  const { dtype, device } = value;
  const tangent = torch.empty_strided([...example_sizes(value)], [...example_strides(value)], { dtype, device });
  if (has_symbolic_sizes(value) && fake_mode.shape_env !== null)
    attach_symbols(tangent, fake_mode.shape_env, {
      sizes: sizes_of(value),
      strides: strides_of(value),
      storage_offset: ZERO,
    });
  return tangent;
}

/** Runs the program once. @param fake_args with requires_grad as the real ones */
export function collect_metadata(
  fn: FlatFunction,
  fake_args: readonly unknown[],
  fake_mode: FakeTensorMode,
): ProgramInfo {
  const has_symbols = fake_args.some((arg) => is_symbol(arg) || (arg instanceof Tensor && has_symbolic_sizes(arg)));
  const run = (): ProgramInfo => {
    const args = fake_args.map((arg) => (arg instanceof Tensor ? to_fun(arg) : arg));
    const outs = with_functionalization(true, () => fn(args));
    const changed = (arg: unknown, i: number): boolean => arg instanceof Tensor && from_fun(arg) !== fake_args[i];
    const mutated_inputs = args.flatMap((arg, i) => (changed(arg, i) ? [i] : []));
    const by_storage = new Map(
      args.flatMap((arg, i) => (arg instanceof Tensor ? [[storage_of(arg), i] as const] : [])),
    );
    const outputs = outs.map((out): OutputInfo => {
      if (!(out instanceof Tensor)) return { kind: "constant", base_idx: -1, replay: null, requires_grad: false };
      const { requires_grad } = out;
      const itself = args.indexOf(out);
      if (itself !== -1) return { kind: "input", base_idx: itself, replay: null, requires_grad };
      const wrapper = wrapper_of(out.cdata);
      const base_idx = by_storage.get(storage_of(out)) ?? -1;
      if (base_idx === -1 || wrapper === null) return { kind: "own", base_idx: -1, replay: null, requires_grad };
      // The views that functionalization noted hold the numbers of this run.
      const replay =
        has_symbols || has_symbolic_sizes(from_fun(out) as Tensor)
          ? view_at_run_time(from_fun(out) as Tensor, fake_args[base_idx] as Tensor, fake_args, fake_mode.shape_env)
          : (base: Tensor): Tensor => THPVariable_Wrap(wrapper.replay_views(base.cdata)) as Tensor;
      return { kind: "view", base_idx, replay, requires_grad };
    });
    const written = mutated_inputs.map((i) => args[i] as Tensor);
    const mutated_without_grad = written.map(_functionalize_are_all_mutations_under_no_grad_or_inference_mode);
    const needs_tangent = [
      ...written.map((t, k) => t.requires_grad && !mutated_without_grad[k]),
      ...outputs.map(({ kind, requires_grad }) => kind === "own" && requires_grad),
    ];
    const values = [...written, ...outs].filter((_, i) => needs_tangent[i]).map((t) => from_fun(t) as Tensor);
    const traced_tangents = values.map((value) => tangent_of(value, fake_mode));
    return { mutated_inputs, mutated_without_grad, outputs, needs_tangent, traced_tangents };
  };
  fake_mode.epoch++;
  return fake_mode.with(() => with_python_dispatcher(run));
}
