/**
 * @file Work that a trace does not record, although it calls operators.
 * @mirrors aten/src/ATen/TracerMode.h
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { ExcludeDispatchKeyGuard, tls_is_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";

/** Whether operators are recorded, unless a guard excludes the key. */
export function is_dispatch_enabled(): boolean {
  return tls_is_dispatch_key_included(DispatchKey.Tracer);
}

/** `NoTracerDispatchMode` around a function. */
export function without_tracer_dispatch<R>(fn: () => R): R {
  if (!is_dispatch_enabled()) return fn();
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.Tracer);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}
