/**
 * @file Composite operators on symbols, which the Python dispatcher calls in place of their kernels: the kernels compute with numbers.
 * @original In PyTorch the kernels compute with symbols themselves.
 *
 * Nobody sees the operators inside if no tracer stands below autograd: the composite then runs on the examples, as any other operator. If one does,
 * a body written with symbols calls those operators; a composite without a body fixes the symbols that it reads.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import { FunctionalTensorWrapper } from "#aten/FunctionalTensorWrapper";
import { SymbolicTensorImpl } from "#c10/core/SymbolicShapeMeta";
import { is_symbolic } from "#c10/core/SymInt";
import { _get_dispatch_mode, _TorchDispatchModeKey } from "#torch/_C";
import { getTorchApiFunctionOf } from "#torch/_functorch/_C";
import { type OpOverload, ops } from "#torch/_ops";
import { shape_rule_of } from "../shape_rules/index.ts";
import { call, flat_arguments, type Keywords, map_arguments } from "./call_arguments.ts";
import { detect_fake_mode } from "./index.ts";
import { bodies } from "./symbolic_bodies.ts";
import { call_with_symbols } from "./symbolic_call.ts";

/** Composites whose kernels pass ints on as they are. */
const PASS_SYMBOLS: ReadonlySet<string> = new Set([
  "aten::value_selecting_reduction_backward",
  "aten::index_select_backward",
]);

type Run = (args: readonly unknown[], kwargs: Keywords) => unknown;

function has_symbols(value: IValue): boolean {
  if (value.isTensor()) {
    const impl = value.toTensor().defined() ? value.toTensor().impl_ : null;
    const may = impl instanceof SymbolicTensorImpl || impl instanceof FunctionalTensorWrapper;
    return may && impl.symbolic_shape_meta() !== null;
  }
  if (value.isList()) return value.toList().vec().some(has_symbols);
  return value.isInt() && is_symbolic(value.payload);
}

/** The function that runs in the place of a composite operator; null if its kernel may. */
export function composite_on_symbols(op: OperatorHandle, stack: Stack): Run | null {
  const count = op.schema().arguments().length;
  if (!stack.slice(stack.length - count).some(has_symbols)) return null;
  const func = getTorchApiFunctionOf(op) as OpOverload;
  if (!func._can_decompose()) return null;
  const traced = _get_dispatch_mode(_TorchDispatchModeKey.PROXY) !== null;
  const name = func.name();
  const body = bodies[name];
  return (args, kwargs) => {
    if (!traced && shape_rule_of(func) !== undefined) {
      const env = detect_fake_mode(flat_arguments(args, kwargs))?.shape_env ?? null;
      if (env !== null)
        return call_with_symbols(
          env,
          func,
          args,
          kwargs,
          (...numbers) => call(func, ...numbers),
          (...given) => ops.aten.as_strided.default(...given),
        );
    }
    if (body !== undefined) return body(...args);
    if (PASS_SYMBOLS.has(name)) return call(func.decompose.bind(func), args, kwargs);
    const numbers = map_arguments(args, kwargs, (leaf) => (is_symbolic(leaf) ? leaf.guard() : leaf));
    return call(func.decompose.bind(func), ...numbers);
  };
}
