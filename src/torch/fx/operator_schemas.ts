/**
 * @file The schemas of a function of `torch`, and the check that a traced call changes none of its arguments.
 * @mirrors torch/fx/operator_schemas.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { OpOverload, OpOverloadPacket, ops } from "#torch/_ops";
import { name_of } from "./qualified_names.ts";

/** The overloads of the operator behind a function; empty if it has none. */
function overloads_of(target: unknown): OpOverload[] {
  if (target instanceof OpOverload) return [target];
  if (target instanceof OpOverloadPacket) return target.op_overloads();
  const name = name_of(target);
  if (name === undefined) return [];
  try {
    return (ops.aten[name] as OpOverloadPacket).op_overloads();
  } catch {
    return [];
  }
}

function fits(op: OpOverload, args: readonly unknown[], kwargs: ReadonlyMap<unknown, unknown>): boolean {
  const parameters = op._schema.arguments;
  const positional = parameters.filter((p) => !p.kwarg_only);
  if (args.length > positional.length) return false;
  const given = new Set([...positional.slice(0, args.length).map((p) => p.name), ...kwargs.keys()]);
  if ([...kwargs.keys()].some((name) => !parameters.some((p) => p.name === name))) return false;
  return parameters.every((p) => given.has(p.name) || p.has_default_value());
}

/** @throws {RuntimeError} "Tried to trace mutable operation ..." if the one schema that fits writes into an argument */
export function check_for_mutable_operation(
  target: unknown,
  args: readonly unknown[],
  kwargs: ReadonlyMap<unknown, unknown>,
): void {
  const matched = overloads_of(target).filter((op) => fits(op, args, kwargs));
  const [only] = matched;
  if (matched.length === 1 && only?._schema.is_mutable)
    throw new RuntimeError(
      `Tried to trace mutable operation ${String(only._schema)}. FX only supports functional code, so operations that mutate operands in-place (e.g. via \`out\` arguments) are not supported`,
    );
}
