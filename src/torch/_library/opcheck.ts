/**
 * @file `opcheck`: tests whether an operator behaves as its schema and registrations promise.
 * @mirrors torch/library.py#opcheck
 * @differs Ours has two of PyTorch's four tests, on the schema (mutation, aliasing) and on the autograd registration, and tests fake
 * tensors through meta tensors; PyTorch also has a test with AOT dispatch (one more default of `test_utils`), which compiles and compares
 * gradients within `atol` and `rtol`.
 */
import { AssertionError, Exception, named, RuntimeError, TypeError_ } from "#c10/util/Exception";
import {
  _dispatch_has_kernel_for_any_dispatch_key,
  _dispatch_has_kernel_for_dispatch_key,
  DispatchKey,
  DispatchKeySet,
  isDict,
  PySequence_Tuple,
  python_type,
  type TensorBase,
} from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { def } from "#torch/_signature";
import { CustomOpDef } from "./custom_ops.ts";
import { iter_tensors, split_args } from "./utils.ts";

export type TestUtil = "test_schema" | "test_autograd_registration" | "test_faketensor";

const tests: Readonly<Record<TestUtil, (op: OpOverload, args: readonly unknown[]) => void>> = {
  test_schema,
  test_autograd_registration,
  test_faketensor,
};

/** @mirrors torch/testing/_internal/optests/generate_tests.py#OpCheckError */
export class OpCheckError extends Exception {}
named(OpCheckError, "OpCheckError");

/**
 * Runs the tests on one call of the operator.
 * @returns "SUCCESS" or the error for each test; with `raise_exception` (the default) the first error is thrown
 */
export const opcheck = def(
  "opcheck(op, args, kwargs: dict=None, *, test_utils=('test_schema', 'test_autograd_registration', 'test_faketensor'), raise_exception=True, atol=None, rtol=None)",
  run_tests,
);

function run_tests(
  op: OpOverload | CustomOpDef,
  args: readonly unknown[],
  kwargs: Record<string, unknown> | null,
  test_utils: readonly TestUtil[] | TestUtil,
  raise_exception: boolean,
  _atol: number | null,
  _rtol: number | null,
): Record<string, string | Error> {
  const overload = op instanceof CustomOpDef ? op._opoverload : op;
  if (kwargs !== null && !isDict(kwargs)) throw new TypeError_(`kwargs must be a dict, not ${python_type(kwargs)}`);
  const all =
    kwargs === null || Object.keys(kwargs).length === 0 ? PySequence_Tuple(args) : [...PySequence_Tuple(args), kwargs];
  const chosen = typeof test_utils === "string" ? [test_utils] : test_utils;
  const results: Record<string, string | Error> = {};
  for (const name of chosen) {
    try {
      tests[name](overload, all);
      results[name] = "SUCCESS";
    } catch (error) {
      if (raise_exception) throw new OpCheckError(`opcheck(op, ...): ${name} failed with ${(error as Error).message}`);
      results[name] = error as Error;
    }
  }
  return results;
}

function storageOf(tensor: TensorBase): unknown {
  return tensor.cdata.storage().unsafeGetStorageImpl();
}

/**
 * An argument that is not declared as mutable must keep its version; a result that is not declared as an alias must have its own memory.
 */
function test_schema(op: OpOverload, args: readonly unknown[]): void {
  const [positional, kwargs] = split_args(args);
  const inputs = op._schema.arguments.map((arg, i) => ({
    arg,
    value: arg.kwarg_only ? kwargs[arg.name] : positional[i],
  }));
  const before = inputs.map(({ value }) =>
    [...iter_tensors([value])].map((tensor) =>
      String(tensor.cdata.is_meta() ? "" : (tensor as unknown as { tolist(): unknown }).tolist()),
    ),
  );
  const result = op(...args);
  inputs.forEach(({ arg, value }, i) => {
    if (arg.is_write) return;
    const after = [...iter_tensors([value])].map((tensor) =>
      String(tensor.cdata.is_meta() ? "" : (tensor as unknown as { tolist(): unknown }).tolist()),
    );
    if (after.join("|") !== before[i].join("|"))
      throw new RuntimeError(`Argument ${arg.name} is not defined as mutable but was mutated`);
  });
  const outputs = op._schema.returns.length === 1 ? [result] : Array.isArray(result) ? result : [];
  outputs.forEach((output, i) => {
    if (op._schema.returns[i]?.alias_info !== null) return;
    for (const tensor of iter_tensors([output])) {
      for (const { arg, value } of inputs) {
        if ([...iter_tensors([value])].some((input) => storageOf(input) === storageOf(tensor))) {
          throw new RuntimeError(`Argument ${arg.name} is not defined to alias output but was aliasing`);
        }
      }
    }
  });
}

/** A differentiable call needs an autograd kernel, or must consist of operators that have one. */
function test_autograd_registration(op: OpOverload, args: readonly unknown[]): void {
  const tensors = [...iter_tensors(args)];
  if (!tensors.some((tensor) => tensor.cdata.requires_grad())) return;
  const name = op.__qualname__;
  const keys = DispatchKeySet.of(DispatchKey.AutogradCPU);
  const registered =
    _dispatch_has_kernel_for_any_dispatch_key(name, keys) ||
    _dispatch_has_kernel_for_dispatch_key(name, DispatchKey.Autograd) ||
    _dispatch_has_kernel_for_dispatch_key(name, DispatchKey.CompositeImplicitAutograd);
  if (registered) return;
  const results = [op(...args)].flat();
  if ([...iter_tensors(results)].some((tensor) => tensor.cdata.requires_grad())) {
    throw new AssertionError(
      `${name}: at least one output of this operator has requires_grad=True but the operator does not have an autograd kernel defined at an ` +
        "autograd key (e.g. DispatchKey::Autograd). This could mean that you have incorrectly registered an autograd kernel to a non-Autograd " +
        "DispatchKey, which may lead to silently incorrect results.",
    );
  }
}

/** The fake implementation must return the shapes and dtypes of the real one. */
function test_faketensor(op: OpOverload, args: readonly unknown[]): void {
  const toMeta = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(toMeta);
    return iter_tensors([value]).next().done === false ? (value as { to(device: string): unknown }).to("meta") : value;
  };
  const real = [...iter_tensors([op(...args)])];
  const fake = [...iter_tensors([op(...args.map(toMeta))])];
  real.forEach((tensor, i) => {
    const other = fake[i];
    const same =
      other !== undefined &&
      tensor.cdata.scalar_type() === other.cdata.scalar_type() &&
      tensor.cdata.sizes().join() === other.cdata.sizes().join();
    if (!same)
      throw new AssertionError(`output ${i}: the fake implementation disagrees with the real one about shape or dtype`);
  });
}
