/**
 * The boxed way gives what the unboxed way gives. A boxed fallback that only redispatches is put before every operator; PyTorch's OpInfo
 * samples and their gradients come out as without it. And every operator that is registered is called both ways, with arguments made
 * from its schema: the same results, or the same error.
 * @mirrors aten/src/ATen/test/backend_fallback_test.cpp
 */
import { readdirSync } from "node:fs";
import torch from "glasstorch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Argument } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { CppFunction, type Library, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as _ops from "#aten/generated/Operators";
import { Allocator, type DataPtr } from "#c10/core/Allocator";
import { GetCPUAllocator, GetDefaultCPUAllocator, SetCPUAllocator } from "#c10/core/CPUAllocator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { IncludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { Storage } from "#c10/core/Storage";
import { TensorOptions } from "#c10/core/TensorOptions";
import { setWarningHandler } from "#c10/util/Exception";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { identifier } from "../../tools/codegen/operator_name.ts";
import { type Any, decode, elementsOf, readFixture } from "../helpers/recorded.ts";

const MODE = DispatchKey.TESTING_ONLY_GenericMode;
const met = new Set<string>();

/** Sees the call, boxed, and hands it on: what is called below comes by here again. */
function generic_mode_fallback(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
  const schema = op.schema();
  met.add(String(op.operator_name()));
  const below = stack.length - schema.arguments().length;
  op.redispatchBoxed(ks.remove(MODE), stack);
  // Without `expect`, which takes longer than the call: it comes by here half a million times.
  const returned = stack.length - below;
  if (returned !== schema.returns().length) throw new Error(`${schema.name()} left ${returned} values on the stack`);
}

/** Elements that nobody writes would keep older values, which differ from call to call: here they are zero. */
class ZeroingAllocator extends Allocator {
  override allocate(nbytes: number): DataPtr {
    const data = GetDefaultCPUAllocator().allocate(nbytes);
    if (nbytes > 0) data.block?.u8().fill(0, data.byteOffset, data.byteOffset + nbytes);
    return data;
  }

  override copy_data(dest: DataPtr, src: DataPtr, count: number): void {
    this.default_copy_data(dest, src, count);
  }
}

let library: Library;
let allocator: Allocator;
let warnings: ReturnType<typeof setWarningHandler>;
beforeAll(() => {
  warnings = setWarningHandler(() => undefined); // outputs that are resized, thousands of them
  allocator = GetCPUAllocator();
  SetCPUAllocator(new ZeroingAllocator());
  library = TORCH_LIBRARY_IMPL("_", "TESTING_ONLY_GenericMode", (m) =>
    m.fallback(CppFunction.makeFromBoxedFunction(generic_mode_fallback, "generic_mode_fallback")),
  );
});

afterAll(() => {
  library.reset(); // other files share this worker's dispatcher
  SetCPUAllocator(allocator);
  setWarningHandler(warnings);
});

function boxed<R>(fn: () => R): R {
  const guard = new IncludeDispatchKeyGuard(MODE);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

interface Sample {
  readonly args: readonly Any[];
  readonly kwargs: Readonly<Record<string, Any>>;
  readonly grads?: { readonly of: readonly number[] };
}
interface Recorded {
  readonly name: string;
  readonly dtypes: Readonly<Record<string, readonly Sample[]>>;
  readonly errors: readonly Sample[];
}

function operator(name: string): (...args: Any[]) => Any {
  const place = name.startsWith("nn.functional.")
    ? (torch.nn.functional as Any)[name.slice("nn.functional.".length)]
    : (torch as Any)[name];
  if (typeof place === "function") return place;
  return (self: Any, ...rest: Any[]) => (typeof self[name] === "function" ? self[name](...rest) : self[name]);
}

function tensorsOf(value: Any): Any[] {
  if (value instanceof torch.Tensor) return (value as Any).is_floating_point() ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(tensorsOf);
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).flatMap(tensorsOf)
    : [];
}

/** A result in words: what a tensor is and holds, what was thrown. */
function told(value: Any): Any {
  if (value instanceof torch.Tensor) {
    const t = value as Any;
    const is = [
      String(t.dtype),
      String(t.device),
      [...t.shape],
      [...t.stride()],
      t.storage_offset(),
      t.requires_grad,
      t._is_view(),
    ];
    return t.device.type === "cpu" ? [...is, elementsOf(t).map(String)] : is;
  }
  if (value !== null && typeof value === "object" && Symbol.iterator in value) return [...value].map(told);
  return String(value);
}

function outcome(recorded: Recorded, sample: Sample): Any {
  const args = sample.args.map((arg, i) =>
    recorded.name === "__getitem__" && i === 1 && Array.isArray(arg) ? [decode(arg)] : decode(arg),
  );
  const kwargs = decode(sample.kwargs);
  torch.manual_seed(5);
  try {
    const all = tensorsOf([...args, ...Object.values(kwargs)]);
    const inputs = (sample.grads?.of ?? []).map((i) => all[i].requires_grad_(true));
    const out =
      Object.keys(kwargs).length === 0 ? operator(recorded.name)(...args) : operator(recorded.name)(...args, kwargs);
    if (inputs.length === 0) return told(out);
    const outs = tensorsOf(Array.isArray(out) || out instanceof torch.Tensor ? out : [...out]).filter(
      (o) => o.requires_grad,
    );
    const grads =
      outs.length === 0
        ? []
        : torch.autograd.grad(
            outs,
            inputs,
            outs.map((o) => torch.ones_like(o)),
            { allow_unused: true },
          );
    return [told(out), told(grads)];
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

describe("OpInfo samples through a boxed fallback", () => {
  const folder = new URL("../fixtures/opinfo/", import.meta.url);
  for (const file of cases_in_turn("operators through a boxed fallback", readdirSync(folder), 20)) {
    test(file.replace(".json.gz", ""), () => {
      const recorded = readFixture<Recorded>(new URL(file, folder));
      const before = met.size;
      for (const [dtype, samples] of [...Object.entries(recorded.dtypes), ["errors", recorded.errors] as const])
        samples.forEach((sample, i) => {
          const there = boxed(() => outcome(recorded, sample));
          expect(there, `${dtype}, sample ${i}`).toEqual(outcome(recorded, sample));
        });
      expect(met.size).toBeGreaterThanOrEqual(before);
    });
  }
});

// Every operator ---------------------------------------------------------------------------------------------------------

const options = TensorOptions.EMPTY.dtype(ScalarType.Float);
const matrix = (): Tensor => at.arange(Scalar.fromInt(6), options).add_Scalar(Scalar.ONE).view([2, 3]);
const square = (): Tensor => at.arange(Scalar.fromInt(4), options).add_Scalar(Scalar.fromDouble(0.5)).view([2, 2]);
const indices = (): Tensor => at.zeros([2], TensorOptions.EMPTY.dtype(ScalarType.Long));
const mask = (): Tensor => matrix().gt_Scalar(Scalar.fromInt(3));
const scalar = (): Tensor => at.full([], Scalar.fromInt(2), options);
/** Several tries, since no one tensor suits every operator: the same for all tensors, or another for those after the first. */
const tensors: readonly (() => Tensor)[][] = [
  [matrix],
  [square],
  [matrix, indices],
  [scalar],
  [matrix, mask],
  [square, scalar],
  [indices],
  [() => square().view([4])],
  [() => matrix().unsqueeze(0)],
];

/** Operators that check nothing and would read beside the memory of what does not fit; `.out` gets one tensor more. */
const fitting: Readonly<Record<string, () => unknown[]>> = {
  "aten::_compute_linear_combination": () => [matrix(), square()],
  "aten::unfold_backward": () => [at.ones([1, 2, 2], options), [2, 2], 0, 2, 1],
};

function argument(
  arg: Argument,
  type: Type,
  tries: readonly (() => Tensor)[],
  given: boolean,
  nth: { n: number },
): unknown {
  const fallback = arg.default_value();
  if (!given && fallback !== null && fallback !== undefined) return fallback.toJS(arg.type());
  switch (type.kind()) {
    case "TensorType":
      return tries[Math.min(nth.n++, tries.length - 1)]();
    case "OptionalType":
      return given ? argument(arg, type.containedType(), tries, given, nth) : null;
    case "ListType":
      return Array.from({ length: arg.N() ?? 2 }, () => argument(arg, type.containedType(), tries, given, nth));
    case "NumberType":
      return Scalar.fromInt(2);
    case "IntType":
    case "SymIntType":
      return /size|length|n|high|end|chunks|groups/.test(arg.name()) ? 2 : 0;
    case "FloatType":
      return 0.5;
    case "BoolType":
      return given;
    case "StringType":
      return "floor";
    case "ScalarTypeType":
      return ScalarType.Float;
    case "LayoutType":
      return Layout.Strided;
    case "MemoryFormatType":
      return 0;
    case "DeviceObjType":
      return new Device(DeviceType.CPU);
    case "GeneratorType":
      return getDefaultCPUGenerator();
    case "StorageType":
      return matrix().storage();
    default:
      return null;
  }
}

/** As they lie in memory, in words: NaN is NaN, and minus zero is not zero. */
function elements(value: Tensor): string[] {
  const dense = (value._is_zerotensor() ? value.clone() : value).contiguous(); // a tensor of zeros has no memory
  const [all, from]: [ArrayLike<number | bigint>, number] = [dense.data_view(), dense.data_offset()];
  return Array.from({ length: dense.numel() }, (_, i) => (Object.is(all[from + i], -0) ? "-0" : String(all[from + i])));
}

function describe_result(value: unknown): unknown {
  if (value instanceof Tensor) {
    if (!value.defined()) return "undefined tensor";
    return [
      value.scalar_type(),
      value.sizes(),
      value.strides(),
      value.storage_offset(),
      value._version(),
      elements(value),
    ];
  }
  if (Array.isArray(value)) return value.map(describe_result);
  if (value instanceof Storage) return ["Storage", value.nbytes()];
  if (value instanceof Scalar) return ["Scalar", value.type(), String(value.toNumber())];
  return value === undefined ? null : value;
}

describe("every operator, called both ways", () => {
  const aten = [...Dispatcher.singleton().operators()].filter(
    (op) => op.hasSchema() && op.schema().name().startsWith("aten::"),
  );
  let answered = 0;
  afterAll(() => expect(answered).toBeGreaterThan(aten.length * 0.75));

  test.each(aten.map((op) => [String(op.operator_name()), op] as const))("%s", (_name, op) => {
    const schema = op.schema();
    const key = `${schema.name().slice("aten::".length)}${schema.overload_name() === "" ? "" : `_${schema.overload_name()}`}`;
    const unboxed = (_ops as unknown as Record<string, { call(...args: unknown[]): unknown }>)[identifier(key)];
    expect(unboxed, key).toBeDefined();
    let ok = false;
    const fits = fitting[schema.name()];
    for (const tries of fits === undefined ? tensors : [[matrix]])
      for (const given of [false, true]) {
        const make = () => {
          if (fits !== undefined) return schema.overload_name() === "out" ? [...fits(), matrix()] : fits();
          const nth = { n: 0 };
          return schema.arguments().map((arg) => argument(arg, arg.type(), tries, given, nth));
        };
        const run = (call: (args: unknown[]) => unknown): unknown => {
          torch.manual_seed(3);
          const args = make();
          try {
            const result = call(args);
            return [describe_result(result), describe_result(args), isOneOf(result, args)];
          } catch (error) {
            return [(error as Error).name, (error as Error).message];
          }
        };
        const call = (args: unknown[]) => unboxed.call(...args);
        const plain = run(call);
        const stacked = run((args) => {
          const bottom = IValue.fromInt(7);
          const stack: Stack = [bottom, ...args.map((a, i) => IValue.from(a, schema.arguments()[i].type()))];
          op.callBoxed(stack);
          expect(stack[0]).toBe(bottom);
          const results = stack.slice(1).map((v, i) => v.toJS(schema.returns()[i].type()));
          expect(results.length).toBe(schema.returns().length);
          return results.length === 0 ? undefined : results.length === 1 ? results[0] : results;
        });
        expect(stacked).toEqual(plain);
        expect(run((args) => boxed(() => call(args)))).toEqual(plain);
        ok ||= typeof (plain as unknown[])[0] !== "string" || (plain as unknown[]).length === 3;
      }
    if (ok) answered++;
  });

  test("the fallback met every one of them", () => {
    expect(aten.map((op) => String(op.operator_name())).filter((name) => !met.has(name))).toEqual([]);
  });
});

/** Which argument came back, for operators that return what they were given. */
function isOneOf(result: unknown, args: readonly unknown[]): number {
  return args.findIndex(
    (a) => a instanceof Tensor && result instanceof Tensor && a.unsafeGetTensorImpl() === result.unsafeGetTensorImpl(),
  );
}
