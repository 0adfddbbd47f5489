/**
 * @file One operator's registrations and its table: what stands where, how it is shown, what is refused.
 * Against recorded PyTorch: fuzz.test.ts, test/paths/dispatch_tables.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import "./all_fallbacks.ts";
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { AnnotatedKernel, type OperatorEntry } from "#aten/core/dispatch/OperatorEntry";
import { CppFunction, Library } from "#aten/core/library";
import { OperatorName } from "#aten/core/operator_name";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { set_warnAlways, setWarningHandler } from "#c10/util/Exception";

const where = "OperatorEntry.test.ts:1";
const libraries: Library[] = [];
const warnings: string[] = [];
let previous: ReturnType<typeof setWarningHandler>;

/** `place` stands for the file and line that dumps and warnings name. */
function library(kind: "DEF" | "IMPL" | "FRAGMENT", key: DispatchKey | null = null, place = where): Library {
  const made = new Library(kind, "t", key, place);
  libraries.push(made);
  return made;
}
const define = (line = "op(Tensor x) -> Tensor", tags: string[] = []) => library("DEF").def(line, tags);
function implement(key: DispatchKey | null, name: string): Library {
  const made = library("IMPL", key, name);
  made.impl("op", () => name);
  return made;
}
const handle = (): OperatorHandle => Dispatcher.singleton().findOp(new OperatorName("t::op")) as OperatorHandle;
const entry = (): OperatorEntry => handle().entry;
const cell = (key: DispatchKey): string => {
  const ks = key === DispatchKey.Undefined ? DispatchKeySet.EMPTY : DispatchKeySet.of(key);
  const { debug, origin } = entry().lookupEntry(ks);
  return place(`${debug} [${origin}]`);
};
const place = (text: string): string => text.replaceAll("registered at ", "");

beforeEach(() => {
  set_warnAlways(true);
  previous = setWarningHandler(({ msg }) => {
    warnings.push(msg);
  });
});
afterEach(() => {
  while (libraries.length > 0) libraries.pop()?.reset();
  setWarningHandler(previous);
  set_warnAlways(false);
  warnings.length = 0;
});

describe("the schema", () => {
  test("may come after the kernels", () => {
    implement(DispatchKey.CPU, "cpu");
    expect(handle().hasSchema()).toBe(false);
    expect(() => entry().schema()).toThrow(
      "Tried to access the schema for t::op which doesn't have a schema registered yet",
    );
    expect(() => handle().debug()).toThrow("INTERNAL ASSERT FAILED");
    expect(() => entry().deregisterSchema()).toThrow("INTERNAL ASSERT FAILED");
    expect(entry().dumpState()).toBe(
      "name: t::op\nschema: (none)\nCPU: registered at cpu :: (none) [ boxed unboxed ]\n",
    );
    expect(entry().checkInvariants()).toBeUndefined();
    expect(entry().dispatchKeyExtractor()).toBeDefined();
    define("op(Tensor x) -> Tensor", ["pointwise"]);
    expect([handle().hasSchema(), String(entry().schema()), handle().debug()]).toEqual([
      true,
      "t::op(Tensor x) -> Tensor",
      `registered at ${where}`,
    ]);
    expect([handle().tags(), handle().hasTag("pointwise"), handle().hasTag("core")]).toEqual([
      ["pointwise"],
      true,
      false,
    ]);
    expect(() => entry().registerSchema(entry().schema(), where, [])).toThrow("INTERNAL ASSERT FAILED");
  });

  test("is read from its line when somebody asks, once, and before the table tells where tensors stand", () => {
    define();
    const schema = entry().schema();
    let read = 0;
    const deferred = (): typeof schema => {
      read++;
      return schema;
    };
    const { singleton } = Dispatcher;
    const held = singleton().registerDef(new OperatorName("t::deferred"), deferred, "deferred");
    const op = singleton().findOp(new OperatorName("t::deferred")) as OperatorHandle;
    expect([op.hasSchema(), op.debug(), op.tags()]).toEqual([true, "deferred", []]);
    expect(op.entry.dispatchKeyExtractor().checkInvariants(schema)).toBe(true);
    expect([op.entry.schema(), op.entry.schema(), op.debug(), read]).toEqual([schema, schema, "deferred", 1]);
    held.destroy();
    const kernel = singleton().registerImpl(
      new OperatorName("t::deferred"),
      null,
      CppFunction.makeFallthrough().func_,
      "k",
    );
    const again = singleton().findOp(new OperatorName("t::deferred")) as OperatorHandle;
    again.entry.callables();
    const late = singleton().registerDef(new OperatorName("t::deferred"), deferred, "late");
    expect(read).toBe(2); // the table stands
    late.destroy();
    kernel.destroy();
  });

  test("goes with its library", () => {
    implement(DispatchKey.CPU, "cpu");
    const made = library("FRAGMENT");
    made.def("op(Tensor x) -> Tensor");
    made.reset();
    expect(handle().hasSchema()).toBe(false);
    expect(handle().entry.dumpState()).toContain("schema: (none)");
  });
});

describe("one key twice", () => {
  const warned = (operator: string, schema_at: string): string =>
    `Warning only once for all operators,  other operators may also be overridden.
  Overriding a previously registered kernel for the same operator and the same dispatch key
  operator: ${operator}
    ${schema_at}
  dispatch key: CPU
  previous kernel: registered at first
       new kernel: registered at second`;

  test.each([true, false])("the newer one counts, and PyTorch warns; the table stands already: %s", (stands) => {
    define();
    if (stands) entry().callables();
    implement(DispatchKey.Meta, "other");
    implement(DispatchKey.CPU, "first");
    expect(warnings).toEqual([]);
    const second = implement(DispatchKey.CPU, "second");
    expect(warnings).toEqual([warned("t::op(Tensor x) -> Tensor", `registered at ${where}`)]);
    implement(DispatchKey.Meta, "another"); // those of Meta are replaced on purpose
    expect(warnings.length).toBe(1);
    expect([cell(DispatchKey.CPU), cell(DispatchKey.Meta)]).toEqual(["second [kernel]", "another [kernel]"]);
    second.reset();
    expect(cell(DispatchKey.CPU)).toBe("first [kernel]");
  });

  test("an operator without a schema is named", () => {
    implement(DispatchKey.CPU, "first");
    implement(DispatchKey.CPU, "second");
    expect(warnings).toEqual([warned("t::op", "no debug info")]);
  });

  test("no key is CompositeImplicitAutograd", () => {
    define();
    const made = implement(null, "composite");
    expect([cell(DispatchKey.CPU), cell(DispatchKey.AutogradCPU), cell(DispatchKey.Undefined)]).toEqual([
      "composite [math kernel]",
      "composite [math kernel]",
      "composite [math kernel]",
    ]);
    made.reset();
    expect([cell(DispatchKey.CPU), cell(DispatchKey.Undefined)]).toEqual(["missing [missing]", "missing [missing]"]);
  });
});

describe("the table", () => {
  const cells = (...keys: DispatchKey[]): string[] => keys.map(cell);

  test("a kernel for Undefined serves only calls without a key", () => {
    define();
    entry().callables();
    const { func_ } = CppFunction.makeFromUnboxedFunction(() => 0, "none");
    const held = Dispatcher.singleton().registerImpl(new OperatorName("t::op"), DispatchKey.Undefined, func_, "none");
    expect(cells(DispatchKey.Undefined, DispatchKey.CPU)).toEqual(["none [kernel]", "missing [missing]"]);
    held.destroy();
    expect(cell(DispatchKey.Undefined)).toBe("missing [missing]");
  });

  test("kernels composed of other operators serve calls without a key, those of a backend do not", () => {
    define();
    const explicit = implement(DispatchKey.CompositeExplicitAutograd, "explicit");
    expect(cell(DispatchKey.Undefined)).toBe("explicit [default backend kernel]");
    explicit.reset();
    expect(cell(DispatchKey.Undefined)).toBe("missing [missing]");
    const cpu = implement(DispatchKey.CPU, "cpu");
    const autograd = implement(DispatchKey.Autograd, "autograd");
    expect(cells(DispatchKey.Undefined, DispatchKey.AutogradCPU)).toEqual([
      "missing [missing]",
      "autograd [autograd kernel]",
    ]);
    autograd.reset();
    cpu.reset();
    implement(DispatchKey.CompositeImplicitAutogradNestedTensor, "nested");
    expect(cells(DispatchKey.Undefined, DispatchKey.NestedTensorCPU, DispatchKey.AutogradNestedTensor)).toEqual([
      "missing [missing]",
      "nested [nested kernel]",
      "nested [nested kernel]",
    ]);
  });

  test("a decomposition for vmap serves FuncTorchBatched", () => {
    define();
    implement(DispatchKey.FuncTorchBatchedDecomposition, "decomposition");
    expect(cells(DispatchKey.FuncTorchBatched, DispatchKey.CPU)).toEqual([
      "decomposition [batched kernel]",
      "missing [missing]",
    ]);
  });

  test("a kernel of a backend keeps the composite one from its autograd, and from no other", () => {
    define();
    implement(DispatchKey.CompositeImplicitAutograd, "composite");
    expect(cells(DispatchKey.AutogradCPU, DispatchKey.AutogradOther)).toEqual([
      "composite [math kernel]",
      "composite [math kernel]",
    ]);
    implement(DispatchKey.CPU, "cpu");
    expect(cells(DispatchKey.AutogradCPU, DispatchKey.AutogradCUDA, DispatchKey.AutogradOther)[0]).not.toContain(
      "math",
    );
    expect(cells(DispatchKey.AutogradCUDA, DispatchKey.AutogradOther)).toEqual([
      "composite [math kernel]",
      "composite [math kernel]",
    ]);
  });

  test("what can be asked of it", () => {
    define();
    implement(DispatchKey.CPU, "cpu");
    library("IMPL", DispatchKey.AutogradCPU).impl("op", CppFunction.makeFallthrough());
    const e = entry();
    const { CPU, CUDA, AutogradCPU, AutogradMeta, CompositeImplicitAutograd } = DispatchKey;
    expect([CPU, CUDA, AutogradCPU].map((k) => handle().hasKernelForDispatchKey(k))).toEqual([true, false, true]);
    expect([CPU, CUDA, AutogradMeta].map((k) => handle().hasComputedKernelForDispatchKey(k))).toEqual([
      true,
      false,
      true,
    ]);
    expect([CPU, CUDA, AutogradCPU].map((k) => e.kernelForDispatchKeyIsFallthrough(k))).toEqual([false, false, true]);
    expect(e.getComputedKernelForDispatchKey(CPU)).toBe(e.getKernelForDispatchKey(CPU)?.kernel);
    expect(e.hasKernelForAnyDispatchKey(DispatchKeySet.of(CUDA, AutogradCPU))).toBe(true);
    expect(e.hasKernelForAnyDispatchKey(DispatchKeySet.of(CUDA))).toBe(false);
    expect(() => e.getComputedKernelForDispatchKey(CompositeImplicitAutograd)).toThrow(
      "Alias keys do not have runtime kernel registrations.",
    );
    const kernel = e.getKernelForDispatchKey(CPU) as AnnotatedKernel;
    expect(() => e.deregisterKernel_(CUDA, kernel)).toThrow(
      "Tried to deregister a kernel for dispatch key CUDA but there are no kernels registered for this dispatch key.",
    );
  });

  test("a cell is made once for one reason", () => {
    define();
    implement(DispatchKey.CPU, "cpu");
    const kernel = new AnnotatedKernel(
      (entry().getKernelForDispatchKey(DispatchKey.CPU) as AnnotatedKernel).kernel,
      "a",
    );
    const made = kernel.as("kernel");
    expect(made).toEqual({ kernel: kernel.kernel, debug: "a", origin: "kernel" });
    expect(kernel.as("kernel")).toBe(made);
    expect(kernel.as("math kernel")).toEqual({ ...made, origin: "math kernel" });
  });
});

describe("as text", () => {
  test("registrations by key, newest first, with the types of the schema", () => {
    define("op(Tensor x, int n=2, *, str? s=None) -> (Tensor, Tensor)");
    implement(DispatchKey.CompositeImplicitAutograd, "composite");
    implement(DispatchKey.CPU, "first");
    implement(DispatchKey.CPU, "second");
    library("IMPL", DispatchKey.AutogradCPU, "boxed").impl(
      "op",
      CppFunction.makeFromBoxedFunction(() => {}, "boxed"),
    );
    const types = "(Tensor _0, int _1, str? _2) -> (Tensor _0, Tensor _1)";
    expect(place(entry().dumpState())).toBe(`name: t::op
schema: t::op(Tensor x, int n=2, *, str? s=None) -> (Tensor, Tensor)
debug: ${where}
alias analysis kind: FROM_SCHEMA
CPU: second :: ${types} [ boxed unboxed ]
CPU (inactive): first :: ${types} [ boxed unboxed ]
AutogradCPU: boxed :: (none) [ boxed ]
CompositeImplicitAutograd[alias]: composite :: ${types} [ boxed unboxed ]
`);
  });

  test("the table: every cell that holds something", () => {
    define();
    implement(DispatchKey.CPU, "cpu");
    library("IMPL", DispatchKey.AutogradCPU, "through").impl("op", CppFunction.makeFallthrough());
    const lines = place(entry().dumpComputedTable()).split("\n");
    expect(lines[0]).toBe("CPU: cpu [kernel]");
    expect(lines).toContain("AutogradCPU: fallthrough through [kernel]");
    expect(lines.some((line) => line.startsWith("CUDA:"))).toBe(false);
    expect(lines.at(-1)).toBe("");
  });

  test("a call that finds nothing shows all there is", () => {
    define();
    implement(DispatchKey.CPU, "cpu");
    const table = entry().dumpComputedTable();
    const available = `[${table
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(":")[0])
      .join(", ")}]`;
    expect(available).toMatch(/^\[CPU, Meta, BackendSelect, /);
    expect(entry().listAllDispatchKeys()).toBe(available);
    const refused = (ks: DispatchKeySet): string => {
      try {
        entry().lookup(ks);
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    expect(refused(DispatchKeySet.of(DispatchKey.CUDA))).toBe(
      `Could not run 't::op' with arguments from the 'CUDA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. 't::op' is only available for these backends: ${available}.\n\n${table}`,
    );
    expect(refused(DispatchKeySet.EMPTY)).toBe(
      `There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema t::op.  This usually means that this function requires a non-empty list of Tensors, or that you (the operator writer) forgot to register a fallback function.  Available functions are ${available}.\n\n${table}`,
    );
    expect(entry().lookup(DispatchKeySet.of(DispatchKey.CPU)).isValid()).toBe(true);
  });

  test("a cell that differs from what would be computed is shown with all there is", () => {
    define();
    implement(DispatchKey.CompositeImplicitAutograd, "implicit");
    implement(DispatchKey.Autograd, "autograd");
    entry().checkInvariants();
    implement(DispatchKey.CompositeExplicitAutograd, "explicit");
    expect(() => entry().checkInvariants()).toThrow(
      `Canonical state\n~~~~~~~~~~~\n${entry().dumpState()}\n\nComputed table:\n~~~~~~~~~~~\n${entry().dumpComputedTable()}`,
    );
  });
});
