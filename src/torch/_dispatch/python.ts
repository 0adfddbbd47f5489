/**
 * @file The Python dispatcher: while a program is traced, some composite operators have another body than in C++.
 * @mirrors torch/_dispatch/python.py
 * @differs Ours has bodies of dropout, batch normalization and matrix products; PyTorch has more.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { set_python_dispatcher } from "#aten/core/PythonFallbackKernel";
import { popn, type Stack } from "#aten/core/stack";
import { DispatchKey, toFunctionalityKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_included, tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { is_settled } from "#c10/core/SymbolicShapeMeta";
import { same_int } from "#c10/core/SymInt";
import { isDict } from "#torch/_C";
import { parseIValuesToPyArgsKwargs, pushPyOutToStack } from "#torch/_functorch/_C";
import { ops } from "#torch/_ops";
import { product, type Size } from "#torch/_subclasses/fake_tensor/symbolic_bodies";
import { composite_on_symbols } from "#torch/_subclasses/fake_tensor/symbolic_composites";
import { sym_sizes } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_past_autograd, is_overridden } from "./composite_override.ts";
import { dispatch_to_pre_dispatch_mode } from "./pre_dispatch.ts";

// biome-ignore lint/suspicious/noExplicitAny: each body takes its operator's arguments
type Body = (...args: any[]) => unknown;

/** Whether a product of many matrices with one is computed as one product. */
function should_fold(tensor1: Tensor, tensor2: Tensor): boolean {
  const [t1, t2] = tensor1.dim() >= tensor2.dim() ? [tensor1, tensor2] : [tensor2, tensor1];
  if (t1.dim() < 3 || t2.dim() > 2) return false;
  if (t2.requires_grad) return true;
  if (tensor1.dim() === 2) return false;
  return t1.numel() === 0 || t1.is_contiguous();
}

/** The sizes, symbols among them. */
const shape_of = (t: Tensor): Size[] => [...(is_settled() ? t.cdata.sizes() : sym_sizes(t))] as Size[];

/** The matrices of the higher dimension stand in rows below each other. */
function folded_matmul(tensor1: Tensor, tensor2: Tensor): Tensor {
  const transpose = tensor2.dim() > tensor1.dim();
  const t1 = transpose ? tensor2.mT : tensor1;
  const t2 = transpose ? (tensor1.dim() === 2 ? tensor1.t() : tensor1) : tensor2;
  const shape = shape_of(t1);
  const output_shape = shape.slice(0, -1);
  const rows = ops.aten.reshape.default(t1, [product(output_shape), shape.at(-1)]) as Tensor;
  if (t2.dim() !== 2) return ops.aten._unsafe_view.default(rows.mv(t2), output_shape);
  const output: Tensor = ops.aten._unsafe_view.default(rows.mm(t2), [...output_shape, shape_of(t2)[1]]);
  return transpose ? output.mT.contiguous() : output;
}

function matmul(tensor1: Tensor, tensor2: Tensor): Tensor {
  const [dim1, dim2] = [tensor1.dim(), tensor2.dim()];
  if (dim1 === 1 && dim2 === 1) return torch.dot(tensor1, tensor2);
  if (dim1 === 2 && dim2 === 1) return torch.mv(tensor1, tensor2);
  if (dim1 === 1 && dim2 === 2) return tensor1.unsqueeze(0).mm(tensor2).squeeze(0);
  if (dim1 === 2 && dim2 === 2) return torch.mm(tensor1, tensor2);
  if (should_fold(tensor1, tensor2)) return folded_matmul(tensor1, tensor2);
  const [shape1, shape2] = [shape_of(tensor1), shape_of(tensor2)];
  const [batch1, batch2] = [shape1.slice(0, -2), shape2.slice(0, -2)];
  if (dim1 === 3 && dim2 === 3 && !same_int(batch1[0] as never, batch2[0] as never)) {
    if (batch1[0] === 1 && tensor1.requires_grad) return matmul(tensor1.squeeze(0), tensor2);
    if (batch2[0] === 1 && tensor2.requires_grad) return matmul(tensor1, tensor2.squeeze(0));
  }
  const batch = broadcast_sizes(batch1, batch2);
  const rows = dim1 > 1 ? (shape1.at(-2) as Size) : 1;
  const left = flat_batch(tensor1, batch, [rows, shape1.at(-1) as Size]);
  const output_shape = dim1 > 1 ? [...batch, rows] : batch;
  if (dim2 === 1) {
    const length = shape2[0] as Size;
    const right = flat_batch(tensor2, batch, [length]).unsqueeze(2);
    return ops.aten.view.default(left.bmm(right).squeeze(-1), output_shape) as Tensor;
  }
  const [depth, columns] = shape2.slice(-2) as [Size, Size];
  const right = flat_batch(tensor2, batch, [depth, columns]);
  return ops.aten.view.default(left.bmm(right), [...output_shape, columns]) as Tensor;
}

/** The tensor repeated for all of `batch`, whose dimensions become one. */
function flat_batch(t: Tensor, batch: readonly Size[], rest: readonly Size[]): Tensor {
  const whole = ops.aten.expand.default(t, [...batch, ...rest]) as Tensor;
  return ops.aten.reshape.default(whole, [product(batch), ...rest]) as Tensor;
}

/** The sizes of both together. @throws {RuntimeError} in PyTorch's words if they do not fit */
function broadcast_sizes(a: readonly Size[], b: readonly Size[]): Size[] {
  if ([...a, ...b].every((size) => typeof size === "number"))
    return [...torch.broadcast_shapes(a as number[], b as number[])];
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  const shift = longer.length - shorter.length;
  return longer.map((size, i) => (same_int(size as never, 1) ? (shorter[i - shift] ?? size) : size));
}

/** Bodies by the name of the operator. */
const bodies: Readonly<Record<string, Body>> = {
  "aten::matmul": matmul,
  "aten::dropout": (input: Tensor, p: number, train: boolean) =>
    train && p !== 0 ? (ops.aten.native_dropout.default(input, p, train) as Tensor[])[0] : input.clone(),
  "aten::native_batch_norm"(input: Tensor, weight, bias, running_mean, running_var, training: boolean, momentum, eps) {
    if (running_mean === null && running_var === null)
      return ops.aten._native_batch_norm_legit.no_stats(input, weight, bias, training, momentum, eps);
    return training
      ? ops.aten._native_batch_norm_legit.default(
          input,
          weight,
          bias,
          running_mean,
          running_var,
          training,
          momentum,
          eps,
        )
      : ops.aten._native_batch_norm_legit_no_training.default(
          input,
          weight,
          bias,
          running_mean,
          running_var,
          momentum,
          eps,
        );
  },
};

const qualified_name = (name: string, overload: string): string => (overload === "" ? name : `${name}.${overload}`);

set_python_dispatcher((op: OperatorHandle, key: DispatchKey, stack: Stack): boolean => {
  if (key === DispatchKey.PreDispatch) return dispatch_to_pre_dispatch_mode(op, stack);
  if (toFunctionalityKey(key) !== DispatchKey.AutogradFunctionality) return false;
  const schema = op.schema();
  if (is_overridden(qualified_name(schema.name(), schema.overload_name()))) {
    call_past_autograd(op, stack);
    return true;
  }
  const body = schema.overload_name() === "" ? bodies[schema.name()] : undefined;
  const symbolic = body === undefined && !is_settled() ? composite_on_symbols(op, stack) : null;
  if (body === undefined && symbolic === null) return false;
  const args = parseIValuesToPyArgsKwargs(op, popn(stack, schema.arguments().length));
  const kwargs = isDict(args.at(-1)) ? (args.pop() as Record<string, unknown>) : {};
  pushPyOutToStack(op, stack, body === undefined ? symbolic?.(args, kwargs) : body(...args), "PythonDispatcher");
  return true;
});

/** Runs `fn` with the Python dispatcher. */
export function with_python_dispatcher<R>(fn: () => R): R {
  const before = tls_is_dispatch_key_included(DispatchKey.PythonDispatcher);
  tls_set_dispatch_key_included(DispatchKey.PythonDispatcher, true);
  try {
    return fn();
  } finally {
    tls_set_dispatch_key_included(DispatchKey.PythonDispatcher, before);
  }
}
