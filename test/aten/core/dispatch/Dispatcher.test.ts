/**
 * @file The dispatcher by itself: what a cell holds and why, what a call's key set is, who is told of a call.
 */
import { afterEach, expect, test } from "vitest";
import "./all_fallbacks.ts";
import { Dispatcher } from "#aten/core/dispatch/Dispatcher";
import { DispatchKeyExtractor, type HasKeySet } from "#aten/core/dispatch/DispatchKeyExtractor";
import { IValue } from "#aten/core/ivalue";
import { CppFunction, Library } from "#aten/core/library";
import type { TensorBase } from "#aten/core/TensorBase";
import {
  addGlobalCallback,
  addThreadLocalCallback,
  hasStepCallbacks,
  RecordFunctionCallback,
  RecordFunctionGuard,
  RecordScope,
  removeCallback,
} from "#aten/record_function";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { setTracer, type TraceData, type TraceKind } from "#c10/util/Trace";

const libraries: Library[] = [];
function library(kind: "DEF" | "IMPL" | "FRAGMENT", key: DispatchKey | null = null): Library {
  const made = new Library(kind, "t", key, "Dispatcher.test.ts:1");
  libraries.push(made);
  return made;
}

afterEach(() => {
  setTracer(null);
  while (libraries.length > 0) libraries.pop()?.reset();
});

type Unary = (ks: DispatchKeySet, x: HasKeySet) => unknown;
const tensor = (...keys: DispatchKey[]): HasKeySet => ({ key_set: () => DispatchKeySet.of(...keys) });
const cpu = tensor(DispatchKey.CPU, DispatchKey.AutogradCPU, DispatchKey.ADInplaceOrView);

/** Does what the generated `at::_ops::op::call` does. */
function call(x: HasKeySet): unknown {
  const op = Dispatcher.singleton().findSchemaOrThrow("t::op", "").typed<Unary>();
  const ks = op.extractor.getDispatchKeySet1(x);
  return op.lookup(ks)(ks, x);
}

function origin(key: DispatchKey): string {
  return Dispatcher.singleton().findSchemaOrThrow("t::op", "").entry.lookupEntry(DispatchKeySet.of(key)).origin;
}

test("each rule of precedence gives its origin, and the cell follows every registration", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  expect([origin(DispatchKey.CPU), origin(DispatchKey.AutogradCPU), origin(DispatchKey.Meta)]).toEqual([
    "missing",
    "backend fallback",
    "backend fallback",
  ]);
  const implicit = library("IMPL", DispatchKey.CompositeImplicitAutograd);
  implicit.impl("op", () => "implicit", "implicit");
  expect([origin(DispatchKey.CPU), origin(DispatchKey.AutogradCPU), origin(DispatchKey.AutogradCUDA)]).toEqual([
    "math kernel",
    "math kernel",
    "math kernel",
  ]);
  const direct = library("IMPL", DispatchKey.CPU);
  direct.impl("op", () => "cpu", "cpu");
  // Autograd must see a call that has a kernel of its own for the backend.
  expect([origin(DispatchKey.CPU), origin(DispatchKey.AutogradCPU), origin(DispatchKey.AutogradCUDA)]).toEqual([
    "kernel",
    "backend fallback",
    "math kernel",
  ]);
  const autograd = library("IMPL", DispatchKey.Autograd);
  autograd.impl("op", () => "autograd", "autograd");
  expect(origin(DispatchKey.AutogradCPU)).toBe("autograd kernel");
  implicit.reset();
  const explicit = library("IMPL", DispatchKey.CompositeExplicitAutograd);
  explicit.impl("op", () => "explicit", "explicit");
  expect([origin(DispatchKey.CPU), origin(DispatchKey.CUDA), origin(DispatchKey.AutogradCUDA)]).toEqual([
    "kernel",
    "default backend kernel",
    "autograd kernel",
  ]);
  for (const lib of [explicit, autograd, direct]) lib.reset();
  expect([origin(DispatchKey.CPU), origin(DispatchKey.AutogradCPU)]).toEqual(["missing", "backend fallback"]);
  Dispatcher.singleton().checkInvariants();
});

test("a cell that PyTorch does not refresh stays as it was", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CompositeImplicitAutograd).impl("op", () => "implicit", "implicit");
  library("IMPL", DispatchKey.Autograd).impl("op", () => "autograd", "autograd");
  library("IMPL", DispatchKey.CompositeExplicitAutograd).impl("op", () => "explicit", "explicit");
  const { entry } = Dispatcher.singleton().findSchemaOrThrow("t::op", "");
  expect([origin(DispatchKey.AutogradCPU), entry.computeDispatchTableEntry(DispatchKey.AutogradCPU).origin]).toEqual([
    "math kernel",
    "autograd kernel",
  ]);
  expect(call(cpu)).toBe("implicit");
  expect(() => entry.checkInvariants()).toThrow("INTERNAL ASSERT FAILED");
});

test("a call that finds no kernel names the key it was for", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CPU).impl("op", () => "cpu", "cpu");
  const backend = (x: HasKeySet) => {
    try {
      return call(x);
    } catch (error) {
      return [
        (error as Error).name,
        /^Could not run 't::op' with arguments from the '(\w+)' backend\. /.exec((error as Error).message)?.[1],
      ];
    }
  };
  expect(backend(tensor(DispatchKey.CPU))).toBe("cpu");
  expect(backend(tensor(DispatchKey.SparseCPU))).toEqual(["NotImplementedError", "SparseCPU"]);
  expect(backend(tensor(DispatchKey.QuantizedCPU))).toEqual(["NotImplementedError", "QuantizedCPU"]);
});

test("CompositeImplicitAutograd and a backend behind AutogradOther are ambiguous there", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CompositeImplicitAutograd).impl("op", () => 0, "implicit");
  library("IMPL", DispatchKey.MkldnnCPU).impl("op", () => 0, "mkldnn");
  expect(origin(DispatchKey.AutogradOther)).toBe("ambiguous autogradother");
  expect(() => call(tensor(DispatchKey.AutogradOther))).toThrow(
    "t::op has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable",
  );
});

test("a boxed kernel is called through an adapter, an unboxed one from a stack", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  const seen: string[] = [];
  const boxed = library("IMPL", DispatchKey.CPU);
  boxed.impl(
    "op",
    CppFunction.makeFromBoxedFunction(
      (op, ks, stack) => void seen.push(`${op} ${ks.has(DispatchKey.CPU)} ${stack.length}`),
      "boxed",
    ),
  );
  expect(call(tensor(DispatchKey.CPU))).toBeDefined();
  boxed.reset();
  library("IMPL", DispatchKey.CPU).impl(
    "op",
    (_ks: DispatchKeySet, x: HasKeySet) => {
      seen.push("unboxed");
      return x;
    },
    "unboxed",
  );
  const stack = [IValue.fromTensor(cpu as TensorBase)];
  Dispatcher.singleton().findSchemaOrThrow("t::op", "").redispatchBoxed(DispatchKeySet.of(DispatchKey.CPU), stack);
  expect(stack.map((value) => value.payload)).toEqual([cpu]);
  expect(seen).toEqual(["t::op true 1", "unboxed"]);
});

test("a fallthrough for one backend leaves the others' autograd alone", () => {
  const extractor = new DispatchKeyExtractor();
  extractor.setOperatorHasFallthroughForKey(DispatchKey.AutogradCPU, true);
  const cuda = DispatchKeySet.of(DispatchKey.CUDA, DispatchKey.AutogradCUDA);
  expect(extractor.getDispatchKeySet(cpu.key_set()).names()).toEqual(["CPU", "BackendSelect", "ADInplaceOrView"]);
  expect(extractor.getDispatchKeySet(cuda).names()).toEqual([
    "CUDA",
    "BackendSelect",
    "ADInplaceOrView",
    "AutogradCUDA",
  ]);
  extractor.setOperatorHasFallthroughForKey(DispatchKey.AutogradCPU, false);
  expect(extractor.getDispatchKeySet(cpu.key_set()).names()).toEqual([
    "CPU",
    "BackendSelect",
    "ADInplaceOrView",
    "AutogradCPU",
  ]);
});

test("an excluded key is not entered", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CPU).impl("op", () => "cpu", "cpu");
  library("IMPL", DispatchKey.Autograd).impl("op", () => "autograd", "autograd");
  expect(call(cpu)).toBe("autograd");
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.AutogradCPU);
  expect(call(cpu)).toBe("cpu");
  guard.restore();
  expect(call(cpu)).toBe("autograd");
});

test("the backend fallbacks are PyTorch's, key by key", () => {
  const words =
    "Meta BackendSelect Python FuncTorchDynamicLayerBackMode Functionalize Conjugate Negative ZeroTensor ADInplaceOrView AutogradOther AutogradCPU AutogradCUDA AutogradXLA AutogradMPS AutogradXPU AutogradHPU AutogradLazy AutogradMTIA AutogradMAIA AutogradPrivateUse1 AutogradMeta Tracer AutocastCPU AutocastMTIA AutocastMAIA AutocastXPU AutocastMPS AutocastCUDA FuncTorchBatched BatchedNestedTensor FuncTorchVmapMode Batched VmapMode FuncTorchGradWrapper PythonTLSSnapshot FuncTorchDynamicLayerFrontMode PreDispatch PythonDispatcher".split(
      " ",
    );
  expect(Dispatcher.singleton().fallbackKeys()).toEqual(
    words.map((word) => DispatchKey[word as keyof typeof DispatchKey]),
  );
  const fallthrough = words.filter((word) =>
    Dispatcher.singleton()
      .backendFallback(DispatchKey[word as keyof typeof DispatchKey])
      ?.kernel.isFallthrough(),
  );
  expect(fallthrough).toEqual([
    "BackendSelect",
    "ADInplaceOrView",
    ...words.filter((word) => word.startsWith("Autocast")),
    "FuncTorchVmapMode",
    "VmapMode",
  ]);
  expect(() => new Library("IMPL", "_", DispatchKey.Meta, "x.ts:1").fallback(CppFunction.makeFallthrough())).toThrow(
    "Tried to register multiple backend fallbacks for the same dispatch key Meta; previous registration registered at ",
  );
});

test("RecordFunction callbacks see a call's name, inputs, outputs; a handle takes them back", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CPU).impl("op", (_ks: DispatchKeySet, x: HasKeySet) => x, "cpu");
  const op = Dispatcher.singleton().findSchemaOrThrow("t::op", "");
  const seen: unknown[] = [];
  const x = tensor(DispatchKey.CPU);
  const run = (): void => Dispatcher.singleton().callBoxed(op, [IValue.fromTensor(x as TensorBase)]);
  expect(hasStepCallbacks).toBe(false);
  const local = addThreadLocalCallback(
    new RecordFunctionCallback(
      (fn) => {
        seen.push(["start", fn.name(), fn.seqNr(), fn.inputs().length]);
        return "context";
      },
      (fn, context) => seen.push(["end", fn.name(), context]),
    )
      .needsInputs()
      .scopes([RecordScope.FUNCTION]),
  );
  const other = addGlobalCallback(
    new RecordFunctionCallback(() => seen.push("other scope")).scopes([RecordScope.BACKWARD_FUNCTION]),
  );
  expect(hasStepCallbacks).toBe(true);
  run();
  expect(seen).toEqual([
    ["start", "t::op", -1, 1],
    ["end", "t::op", "context"],
  ]);
  const guard = new RecordFunctionGuard(false);
  run();
  guard.restore();
  expect(seen).toHaveLength(2);
  removeCallback(local);
  removeCallback(other);
  expect(hasStepCallbacks).toBe(false);
});

test("a traced call tells its key set, key, kernel and origin, and the kernel it entered", () => {
  library("DEF").def("op(Tensor x) -> Tensor");
  library("IMPL", DispatchKey.CPU).impl("op", (_ks: DispatchKeySet, x: HasKeySet) => x, "wrapper_CPU__op");
  const events: [TraceKind, string, TraceData][] = [];
  setTracer({ begin: (kind, name, data) => events.push([kind, name, data ?? {}]), end() {} });
  const op = Dispatcher.singleton().findSchemaOrThrow("t::op", "");
  const x = tensor(DispatchKey.CPU, DispatchKey.ADInplaceOrView);
  Dispatcher.callSlow(op, "call", op.extractor.getDispatchKeySet1(x), [x]);
  setTracer(null);
  expect(events.map(([kind, name]) => [kind, name])).toEqual([
    ["op", "at::_ops::op::call"],
    ["kernel", "wrapper_CPU__op"],
  ]);
  expect(events[0]?.[2]).toMatchObject({
    op: "t::op",
    operator: "op",
    how: "call",
    args: [{ name: "x", keys: ["CPU", "ADInplaceOrView"] }],
    keyset: ["CPU"],
    key: "CPU",
    kernel: "wrapper_CPU__op",
    origin: "kernel",
    tls: { included: ["BackendSelect", "ADInplaceOrView"] },
  });
  expect(events[1]?.[2]).toMatchObject({ key: "CPU" });
});

test("boxing and unboxing give the same value back", () => {
  const parse = library("DEF");
  parse.def(
    "types(int a, float b, bool c, str d, Scalar e, int[] f, Tensor? g, Tensor?[] h, (int, str) i, ScalarType? j) -> ()",
  );
  const schema = Dispatcher.singleton().findSchemaOrThrow("t::types", "").schema();
  const values = [3, 2.5, true, "s", null, [1, 2], null, [null, cpu], [1, "x"], null];
  schema.arguments().forEach((arg, i) => {
    if (arg.name() === "e") return; // a Scalar is made anew
    expect(IValue.from(values[i], arg.type()).toJS(arg.type())).toEqual(values[i]);
  });
});
