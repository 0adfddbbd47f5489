/**
 * @file The numbers of the arguments by which a function is differentiated.
 * @mirrors torch/_functorch/eager_transforms.py#_slice_argnums
 */
import { RuntimeError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { type_repr } from "#torch/_utils/index";
import type { argnums_t } from "../apis.ts";

function _validate_and_wrap_argnum(argnum: unknown, num_args: number): number {
  if (typeof argnum !== "number") throw new RuntimeError(`argnum must be int, got: ${type_repr(argnum, "class")}`);
  if (argnum >= 0 && argnum < num_args) return argnum;
  if (argnum < 0 && argnum >= -num_args) return argnum + num_args;
  throw new RuntimeError(`Got argnum=${argnum}, but only ${num_args} positional inputs`);
}

function validated(argnums: argnums_t, num_args: number): argnums_t {
  if (typeof argnums === "number") return _validate_and_wrap_argnum(argnums, num_args);
  if (!Array.isArray(argnums))
    throw new RuntimeError(`argnums must be int or Tuple[int, ...], got: ${type_repr(argnums, "class")}`);
  const wrapped = argnums.map((argnum) => _validate_and_wrap_argnum(argnum, num_args));
  if (wrapped.length === 0) throw new RuntimeError("argnums must be non-empty");
  if (new Set(wrapped).size !== wrapped.length)
    throw new RuntimeError(
      `argnums elements must be unique, got (${wrapped.join(", ")}${wrapped.length === 1 ? "," : ""})`,
    );
  return wrapped;
}

/** The arguments with these numbers. @param as_tuple whether one argument comes as a tuple */
export function _slice_argnums(args: readonly unknown[], argnums: argnums_t, as_tuple = true): unknown {
  const wrapped = validated(argnums, args.length);
  if (typeof wrapped === "number") return as_tuple ? tuple([args[wrapped]]) : args[wrapped];
  return tuple(wrapped.map((i) => args[i]));
}

/** The arguments with others in place of those with these numbers. */
export function _replace_args(
  old_args: readonly unknown[],
  new_args: readonly unknown[],
  argnums: argnums_t,
): readonly unknown[] {
  const wrapped = validated(argnums, old_args.length);
  const numbers = typeof wrapped === "number" ? [wrapped] : wrapped;
  return tuple(old_args.map((arg, i) => (numbers.includes(i) ? new_args[numbers.indexOf(i)] : arg)));
}
