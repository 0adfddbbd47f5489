/**
 * @file Two states of the thread: operators run without modes and classes, or they run their Meta kernels on fake tensors.
 * @mirrors torch/_subclasses/fake_tensor.py#in_kernel_invocation_manager
 *
 * A fake tensor on the CPU carries the CPU's keys over memory of the device "meta". Inside a kernel invocation the thread includes the key Meta,
 * which outranks CPU, so that every operator takes its Meta kernel; and the tensors say that their device is "meta", because those kernels ask.
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet, python_ks } from "#c10/core/DispatchKeySet";
import { ForceDispatchKeyGuard, tls_local_dispatch_key_set } from "#c10/core/impl/LocalDispatchKeySet";

const meta_ks = DispatchKeySet.of(DispatchKey.Meta);

/** Runs `fn` as if no class and no mode had a `__torch_dispatch__`. */
export function no_dispatch<R>(fn: () => R): R {
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  const guard = new ForceDispatchKeyGuard(included_, excluded_.or(python_ks));
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

/** Runs `fn` with Meta kernels. */
export function in_kernel_invocation<R>(fake_mode: { in_kernel_invocation: boolean }, fn: () => R): R {
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  const guard = new ForceDispatchKeyGuard(included_.or(meta_ks), excluded_.or(python_ks));
  const before = fake_mode.in_kernel_invocation;
  fake_mode.in_kernel_invocation = true;
  try {
    return fn();
  } finally {
    fake_mode.in_kernel_invocation = before;
    guard.restore();
  }
}
