/**
 * @file Note [The common case in one pass]: an iterator is left in the same state as by the phases.
 * @see src/aten/iterator/TensorIteratorBuild.ts
 */
import fc from "fast-check";
import torch from "glasstorch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { TensorIteratorBuild } from "#aten/iterator/TensorIteratorBuild";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";
import { setWarningHandler } from "#c10/util/Exception";

// Outputs are resized on purpose.
let handler: ReturnType<typeof setWarningHandler>;
beforeAll(() => {
  handler = setWarningHandler(() => undefined);
});
afterAll(() => {
  setWarningHandler(handler);
});

/** The ways of one pass. */
const ways = ["common_set_up", "set_up_beside_number", "set_up_conversion"] as const;
type Way = (typeof ways)[number];
type Phases = Record<Way, (...args: unknown[]) => boolean>;

type Outcome = { error: string } | { way: Way | null; state: unknown };

/** Everything an iterator holds, tensors by shape, strides and storage. */
function stateOf(iter: TensorIteratorBuild, names: Map<unknown, string>): unknown {
  const {
    outputs_: _outputs,
    operands_,
    ...rest
  } = iter as unknown as Record<string, unknown> & { operands_: object[] };
  const tensor = (t: Tensor | null) =>
    t === null
      ? null
      : { name: names.get(t.impl_) ?? "made", sizes: t.sizes(), strides: t.strides(), dtype: t.scalar_type() };
  const operand = (op: Record<string, unknown>) => ({
    ...op,
    tensor_: tensor(op["tensor_"] as Tensor | null),
    original_tensor_: tensor(op["original_tensor_"] as Tensor | null),
    data: (op["data"] as object | null)?.constructor.name ?? null,
    offset: names.has((op["tensor_"] as Tensor | null)?.impl_) ? op["offset"] : "made",
    device: String(op["device"]),
  });
  return {
    ...rest,
    common_device_: String(rest["common_device_"]),
    operands: operands_.map((op) => operand(op as Record<string, unknown>)),
  };
}

/** Has been through many builds of either kind: nothing of an earlier use may show (Note [Operators are used again]). */
let used = new TensorIterator();

function built(config: TensorIteratorConfig, names: Map<unknown, string>, allow_common: boolean): Outcome {
  const iter = allow_common ? used : new TensorIterator();
  const phases = iter.iter_ as unknown as Phases;
  let way: Way | null = null;
  for (const name of ways) {
    const one_pass = phases[name].bind(phases);
    phases[name] = (...args) => {
      const done = allow_common && one_pass(...args);
      if (done) way ??= name;
      return done;
    };
  }
  try {
    iter.build(config);
  } catch (error) {
    used = new TensorIterator();
    return { error: String(error) };
  }
  for (const name of ways) delete (phases as Partial<Phases>)[name];
  const state = stateOf(iter.iter_, names);
  if (allow_common) used.iter_.release();
  return { way, state };
}

const dtype = fc.constantFrom(torch.float32, torch.float64, torch.int64, torch.bool);
const shape = fc.constantFrom([], [1], [4], [0], [2, 3], [3, 1], [2, 0, 3]);
const operand = fc.record({ dtype, shape, layout: fc.constantFrom("row", "column", "offset"), wrapped: fc.boolean() });
const flags = fc.record({
  check_all_same_dtype: fc.boolean(),
  check_all_same_device: fc.boolean(),
  promote_inputs_to_common_dtype: fc.boolean(),
  promote_integer_inputs_to_float: fc.boolean(),
  cast_common_dtype_to_outputs: fc.boolean(),
  enforce_safe_casting_to_output: fc.boolean(),
  allow_cpu_scalars: fc.boolean(),
  enforce_linear_iteration: fc.boolean(),
  resize_outputs: fc.boolean(),
  set_check_mem_overlap: fc.boolean(),
});

/** As `copy_` wishes. */
const keeps_dtypes = {
  promote_inputs_to_common_dtype: false,
  promote_integer_inputs_to_float: false,
  cast_common_dtype_to_outputs: false,
  enforce_safe_casting_to_output: false,
  check_all_same_dtype: false,
};

function make(o: { dtype: typeof torch.float32; shape: readonly number[]; layout: string; wrapped: boolean }): Tensor {
  const size = o.shape.length === 2 && o.layout === "column" ? [...o.shape].reverse() : o.shape;
  const numel = size.reduce((p, q) => p * q, 1);
  const flat = torch.zeros([numel + 2], { dtype: o.dtype });
  const cut = o.layout === "offset" ? flat.narrow(0, 1, numel) : flat.narrow(0, 0, numel);
  const t = cut.view(size);
  const made = (size === o.shape ? t : t.t()).cdata;
  if (o.shape.length === 0) made.impl_.set_wrapped_number(o.wrapped);
  return made;
}

test("one pass or all phases: the same iterator", () => {
  const seen = new Map<Way | null, number>();
  fc.assert(
    fc.property(
      fc.array(operand, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("agree", "beside a number", "a copy", "differ"),
      fc.constantFrom("undefined", "first", "like", "other"),
      fc.option(fc.constantFrom(ScalarType.Bool, ScalarType.Float)),
      operand,
      flags,
      (given, relation, output, static_dtype, other, wishes) => {
        const model = given[0];
        const inputs =
          relation === "beside a number" ? [model, { ...other, shape: [] }] : relation === "a copy" ? [model] : given;
        const tensors = inputs.map((o) =>
          make(relation === "agree" ? { ...model, layout: o.layout === "column" ? "row" : o.layout } : o),
        );
        const first = tensors[0];
        const outputs: Record<string, () => Tensor> = {
          undefined: () => new Tensor(),
          first: () => first,
          like: () => make({ ...model, layout: "row" }),
          other: () => make(other),
        };
        const out =
          relation === "a copy" && output === "other" ? make({ ...model, dtype: other.dtype }) : outputs[output]();
        const names = new Map<unknown, string>(tensors.map((t, i) => [t.impl_, `input ${i}`]));
        if (out.defined() && out !== first) names.set(out.impl_, "output");
        const config = (): TensorIteratorConfig => {
          const result = new TensorIteratorConfig();
          for (const [name, value] of Object.entries(relation === "a copy" ? { ...wishes, ...keeps_dtypes } : wishes))
            (result as unknown as Record<string, (v: boolean) => void>)[name]?.(value);
          if (static_dtype !== null) result.declare_static_dtype(static_dtype);
          result.add_output(out);
          for (const t of tensors) result.add_const_input(t);
          return result;
        };
        const sizes = out.defined() ? [out.sizes(), out.strides()] : null;
        const one = built(config(), names, true);
        if (out.defined() && String(sizes) !== String([out.sizes(), out.strides()])) return; // resized: the second would see another tensor
        const all = built(config(), names, false);
        if ("state" in one && "state" in all) {
          seen.set(one.way, (seen.get(one.way) ?? 0) + 1);
          expect(one.state).toEqual(all.state);
        } else expect(one).toEqual(all);
      },
    ),
    { numRuns: 3000, seed: 20 },
  );
  for (const way of ways) expect(seen.get(way), way).toBeGreaterThan(100);
});

test("a released iterator holds no tensor and no memory", () => {
  const [a, b] = [torch.ones([2, 3]).cdata, torch.ones([3]).cdata];
  const iter = new TensorIterator();
  for (const other of [a, b]) {
    iter.build(new TensorIteratorConfig().add_output(new Tensor()).add_input(a).add_input(other));
    expect(iter.iter_.operands().map((op) => op.tensor_ !== null && op.data !== null)).toEqual([true, true, true]);
    iter.iter_.release();
    for (const op of iter.iter_.operands())
      expect([op.tensor_, op.original_tensor_, op.data]).toEqual([null, null, null]);
  }
});

test("an operator that threw leaves the next call alone", () => {
  const a = torch.ones([2, 3]);
  const expected = torch.add(a, a).tolist();
  expect(() => torch.add(a, torch.ones([4]))).toThrow("must match the size of tensor b (4)");
  expect(torch.add(a, a).tolist()).toEqual(expected);
  expect(torch.add(a, torch.ones([3], { dtype: torch.int64 })).tolist()).toEqual(expected);
});
