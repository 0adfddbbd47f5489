/**
 * @file Finds the tensors that a function given to `torch.cond` reads: it runs once without data, and the tensors of its closure become arguments.
 * @original In PyTorch Dynamo reads the function's bytecode (`torch/_dynamo/variables/higher_order_ops.py#speculate_subgraph`).
 *
 *     lambda a: a + y   with a, y tensors    ->    a graph(a, y), and the names and tensors of a and y outside
 */
import { TypeError_ } from "#c10/util/Exception";
import { FUNCTION } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import { is_function } from "#python/Objects/funcobject";
import { tuple } from "#python/Objects/tupleobject";
import { UncapturedHigherOrderOpError } from "#torch/_dynamo/exc";
import { from_fun, without_functionalization } from "#torch/_functorch/functionalize";
import { detect_fake_mode, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { copy_symbols, example_sizes, example_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { trace } from "#torch/fx/experimental/proxy_tensor/index";
import { without_modes } from "#torch/fx/experimental/proxy_tensor/tracer";
import type { GraphModule } from "#torch/fx/graph_module";
import { name_of } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { without_proxy_modes } from "./higher_order_operator.ts";

/** A function that was run without data. */
export interface Speculated {
  /** Tensors of the outside by the names of their sources. */
  readonly free: ReadonlyMap<string, Tensor>;
  /** Tensors of the outside in the order in which the graph takes them. */
  readonly order: readonly Tensor[];
  /** Gives the leaves of the result. */
  readonly graph: GraphModule;
  readonly out_spec: TreeSpec;
  /** The operands, fake. */
  readonly given: readonly unknown[];
  /** Fake leaves of the result. */
  readonly outs: readonly unknown[];
}

/** Where a function's tensors are: PyTorch's names of them, by which it orders the arguments. */
function closure_names(fn: unknown, source: string): Map<object, string> {
  const names = new Map<object, string>();
  const add = (value: unknown, name: string): void => {
    if (value instanceof Tensor && !names.has(impl_of(value))) names.set(impl_of(value), name);
    else if (value instanceof Module)
      for (const [kind, members] of [
        ["parameters", value.named_parameters()],
        ["buffers", value.named_buffers()],
      ] as const)
        for (const [path, tensor] of members) {
          const parts = path.split(".");
          const modules = parts.slice(0, -1).map((part) => `_modules_${part}`);
          add(tensor, `${name}${modules.join("")}_${kind}_${parts.at(-1)}_`);
        }
  };
  if (!is_function(fn)) return names;
  const { closure, globals, code } = fn[FUNCTION];
  for (const [i, cell] of (closure ?? []).entries()) add(cell.value, `${source}_closure_${i}_cell_contents`);
  for (const name of code.co_names) add(globals.get(name), `g_${name}_`);
  return names;
}

function refused(op: string, what: string, explanation: string, hints: readonly string[]): never {
  const lines = [what, `  Higher Order Operator: torch.${op}`, `  Explanation: ${explanation}`];
  throw new UncapturedHigherOrderOpError(
    `This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph break/error:\n\n${[...lines, ...hints.map((hint) => `  Hint: ${hint}`)].join("\n")}`,
  );
}

const device_of = (t: Tensor): Tensor["device"] => (from_fun(t) as Tensor).device;
const impl_of = (t: Tensor): object => t.cdata.unsafeGetTensorImpl();
const storage_of = (t: Tensor): unknown => t.cdata.storage().unsafeGetStorageImpl();

/** The call, whose arguments must fit. */
function bound_call(op: string, fn: unknown, args: readonly unknown[]): unknown {
  const name = is_function(fn) ? fn[FUNCTION].qualname : (name_of(fn) ?? "");
  try {
    return call_function(fn, args);
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof TypeError_) || !message.startsWith(`${name}() `)) throw error;
    return refused(
      op,
      "failed to bind arguments when attempting to inline",
      `Argument mismatch when attempting to trace function ${name.split(".").at(-1)}.`,
      [],
    );
  }
}

/** Refuses results that share memory with an argument or with each other, and writing to an argument. */
function check_aliases(op: string, inputs: readonly (readonly [Tensor, number])[], outs: readonly unknown[]): void {
  const found = `Found in <bound method HigherOrderOperator.name of torch.ops.higher_order.${op}>`;
  if (torch.is_grad_enabled() && inputs.some(([t, version]) => t._version !== version))
    refused(
      op,
      "Encountered input mutation during higher order op tracing",
      `Higher order ops do not support input mutation. ${found}`,
      ["Consider using the debug context to change user code to avoid mutation.", "Please open an issue."],
    );
  const used = new Set(inputs.map(([t]) => storage_of(t)));
  for (const out of outs) {
    if (!(out instanceof Tensor)) continue;
    if (used.has(storage_of(out)))
      refused(
        op,
        "Encountered aliasing during higher order op tracing",
        `Higher order ops do not support aliasing. ${found}`,
        [
          "Replace `return input` with `return input.clone()` to avoid aliasing.",
          "Consider using the debug context to change user code to avoid aliasing.",
          "Please open an issue.",
        ],
      );
    used.add(storage_of(out));
  }
}

/**
 * Runs `fn` on fake operands.
 * @param operands by their names
 * @param arguments_of the arguments of `fn` that these operands are the leaves of
 * @param source the name of `fn` among the arguments of the operator
 */
export function speculate(
  op: string,
  fn: unknown,
  operands: ReadonlyMap<string, unknown>,
  source: string,
  mode: FakeTensorMode,
  arguments_of: (flat: readonly unknown[]) => readonly unknown[] = (flat) => flat,
): Speculated {
  const names = closure_names(fn, source);
  const fake_of = (t: Tensor): Tensor =>
    mode.with(() => {
      const [sizes, strides] = [[...example_sizes(t)], [...example_strides(t)]];
      const fake = torch.empty_strided(sizes, strides, { dtype: t.dtype, device: device_of(t) });
      copy_symbols(fake, t);
      return fake;
    });
  /** The tensor outside and its name, by the object behind the fake one. */
  const outside = new Map<object, readonly [name: string, t: Tensor]>();
  const known = new Map<object, Tensor>();
  const inputs: [Tensor, number][] = [];
  const enter = (t: Tensor, name: string): Tensor => {
    const fake = fake_of(t);
    known.set(impl_of(t), fake);
    outside.set(impl_of(fake), [name, t]);
    inputs.push([fake, fake._version]);
    return fake;
  };
  const free = new Map<string, Tensor>();
  let result: [leaves: unknown[], spec: TreeSpec] = flatten(null);
  let given: readonly unknown[] = [];
  const run = (): GraphModule => {
    given = [...operands].map(([name, value]) =>
      value instanceof Tensor ? (known.get(impl_of(value)) ?? enter(value, name)) : value,
    );
    return trace(
      () => {
        result = flatten(bound_call(op, fn, arguments_of(given)));
        return tuple(result[0]);
      },
      tuple([]),
      {
        fake_mode: mode,
        pre_dispatch: true,
        inside: (t, tracer) => {
          const fake = outside.has(impl_of(t))
            ? t
            : (known.get(impl_of(t)) ?? enter(t, names.get(impl_of(t)) ?? `${source}_tensor_${known.size}`));
          if (tracer.tracked(fake) !== undefined) return fake;
          const [name, original] = outside.get(impl_of(fake)) as readonly [string, Tensor];
          free.set(name, original);
          const proxy = tracer.before_operations(() =>
            tracer.create_proxy("placeholder", name, tuple([]), new PyDict(), name, null, null),
          );
          tracer.track(fake, proxy, null);
          return fake;
        },
      },
    );
  };
  const graph = without_proxy_modes(() => without_modes(() => without_functionalization(run)));
  const [outs, out_spec] = result;
  check_aliases(op, inputs, outs);
  return { free, order: [...free.values()], graph, out_spec, given, outs };
}

/** The mode in which functions given to an operator run without data. */
export const mode_of = (operands: readonly unknown[]): FakeTensorMode =>
  detect_fake_mode(operands.map(from_fun)) ?? new FakeTensorMode();
