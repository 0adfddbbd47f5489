/**
 * @file Overload resolution: among functions that share a C++ name, the one that accepts the arguments with the least conversion.
 * @original In PyTorch the C++ compiler chooses.
 */
import { SchemaError } from "../errors.ts";
import { type Converted, convert } from "./formula_conversions.ts";
import type { Overload } from "./formula_scope.ts";
import { is_base, show_type } from "./formula_types.ts";
import type { Typed, TypedCall } from "./typed_formula.ts";

/** @throws {SchemaError} if no overload fits, or two fit equally */
export function choose_overload(name: string, overloads: readonly Overload[], args: readonly Typed[]): TypedCall {
  const fits = overloads
    .map((o) => ({ o, taken: take_arguments(o, args) }))
    .filter((f): f is { o: Overload; taken: Taken } => f.taken !== null)
    .sort((a, b) => a.taken.cost - b.taken.cost);
  const [best, second] = fits;
  if (best === undefined) throw refusal(name, overloads, args);
  const unknown = args.some((a) => a.type.kind === "unknown");
  if (!unknown && second !== undefined && second.taken.cost === best.taken.cost && second.o.name !== best.o.name)
    throw new SchemaError(
      `'${name}' fits ${best.o.name} and ${second.o.name} equally well`,
      "state the type: double(x), int64_t(x), Scalar(x)",
    );
  const { name: printed, from, returns, reads } = best.o;
  const call = { kind: "call", imports: null, object: null, infix: null } as const;
  return { ...call, type: returns, name: printed, from, args: best.taken.args, reads };
}

interface Taken {
  readonly args: readonly Typed[];
  readonly cost: number;
}

function take_arguments(o: Overload, args: readonly Typed[]): Taken | null {
  const required = o.parameters.filter((p) => !p.optional).length;
  if (args.length < required || args.length > o.parameters.length) return null;
  const found = args.map((a, i) => convert(a, o.parameters[i].type));
  if (found.includes(null)) return null;
  const converted = found as Converted[];
  return { args: converted.map((c) => c.value), cost: converted.reduce((n, c) => n + c.cost, 0) };
}

/** The error that says why no overload accepts `args`. */
function refusal(name: string, overloads: readonly Overload[], args: readonly Typed[]): SchemaError {
  const way_out = overloads
    .map(
      (o) =>
        `${o.name}(${o.parameters.map((p) => `${show_type(p.type)} ${p.name}${p.optional ? "=" : ""}`).join(", ")})`,
    )
    .join(" or ");
  const counts = [...new Set(overloads.flatMap((o) => counts_of(o)))].sort((a, b) => a - b);
  if (!counts.includes(args.length))
    return new SchemaError(
      `'${name}' takes ${counts.join(" or ")} arguments, not ${args.length}`,
      `there is ${way_out}`,
    );
  const only = overloads.length === 1 ? overloads[0] : null;
  const wrong = only?.parameters.findIndex((p, i) => i < args.length && convert(args[i], p.type) === null) ?? -1;
  if (only !== null && wrong >= 0) {
    const { name: parameter, type } = only.parameters[wrong];
    const given = args[wrong].type;
    return new SchemaError(
      `'${name}' expects ${show_type(type)} for '${parameter}', not ${show_type(given)}`,
      is_base(type, "Scalar") && is_base(given, "number")
        ? "state the type of the number: double(x) or int64_t(x)"
        : `there is ${way_out}`,
    );
  }
  return new SchemaError(
    `'${name}' does not take (${args.map((a) => show_type(a.type)).join(", ")})`,
    `there is ${way_out}`,
  );
}

function counts_of(o: Overload): number[] {
  const required = o.parameters.filter((p) => !p.optional).length;
  return Array.from({ length: o.parameters.length - required + 1 }, (_, i) => required + i);
}
