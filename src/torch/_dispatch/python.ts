/**
 * @file The Python dispatcher: while a program is traced, some composite operators have another body than in C++.
 * @mirrors torch/_dispatch/python.py
 * @differs Ours has the bodies that change which operators are recorded for dropout and batch normalization; PyTorch has more.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { set_python_dispatcher } from "#aten/core/PythonFallbackKernel";
import { popn, type Stack } from "#aten/core/stack";
import { DispatchKey, toFunctionalityKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_included, tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { isDict } from "#torch/_C";
import { ops } from "#torch/_ops";
import type { Tensor } from "#torch/_tensor/index";
import { parseIValuesToPyArgsKwargs, pushPyOutToStack } from "#torch/csrc-equivalent/utils/PythonKernelHolder";

// biome-ignore lint/suspicious/noExplicitAny: each body takes its operator's arguments
type Body = (...args: any[]) => unknown;

/** Bodies by the name of the operator. */
const bodies: Readonly<Record<string, Body>> = {
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

set_python_dispatcher((op: OperatorHandle, key: DispatchKey, stack: Stack): boolean => {
  const schema = op.schema();
  const body = schema.overload_name() === "" ? bodies[schema.name()] : undefined;
  if (body === undefined || toFunctionalityKey(key) !== DispatchKey.AutogradFunctionality) return false;
  const args = parseIValuesToPyArgsKwargs(op, popn(stack, schema.arguments().length));
  if (isDict(args.at(-1))) args.pop();
  pushPyOutToStack(op, stack, body(...args), "PythonDispatcher");
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
