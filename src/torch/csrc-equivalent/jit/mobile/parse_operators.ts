/**
 * @file Finds the operators of bytecode, and gives each call the arguments that the file leaves out.
 * @mirrors torch/csrc/jit/mobile/parse_operators.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_CHECK } from "#c10/util/Exception";
import { findOperatorFor, type Operation, type Operator } from "../runtime/operator.ts";

/** The operation for calls with this many arguments; the last ones before `out=` arguments have their defaults. */
function with_defaults(op: Operator, num_specified_args: number): Operation {
  const operation = op.getOperation();
  const args = op.schema().arguments();
  const missing = args.length - num_specified_args;
  if (num_specified_args < 0 || missing === 0 || op.schema().is_vararg()) return operation;
  TORCH_CHECK(missing > 0, `${op.schema().operator_name()} takes at most ${args.length} arguments`);
  const num_out = args.filter((arg) => arg.is_out()).length;
  const end = args.length - num_out;
  const defaults = args.slice(end - missing, end).map((arg) => arg.default_value());
  TORCH_CHECK(
    defaults.every((value) => value !== null),
    "Error happened at preparing for default values for the argument. The ",
    op.schema().operator_name(),
    " has an argument without a default value",
  );
  return (stack) => {
    stack.splice(stack.length - num_out, 0, ...(defaults as IValue[]));
    operation(stack);
  };
}

/** Elements are `(name, overload, number of arguments that are written)`. */
export function parseOperators(ops_list: readonly IValue[]): Operation[] {
  const unsupported: string[] = [];
  const operations = ops_list.map((item): Operation => {
    const [name, overload, num_args] = item.toTuple();
    TORCH_CHECK(
      overload !== undefined,
      "There should be either two parts (name and overload name), ",
      "or three parts (name, overload name and number of specified args) ",
      "for an operator",
    );
    const full = new OperatorName(name.toStringRef(), overload.toStringRef());
    const op = findOperatorFor(full);
    if (op === null) unsupported.push(String(full));
    else return with_defaults(op, num_args === undefined ? -1 : Number(num_args.toInt()));
    return () => {};
  });
  TORCH_CHECK(
    unsupported.length === 0,
    "Following ops cannot be found: {",
    unsupported.map((name) => `${name}, `).join(""),
    "}. Please check if the operator library is included in the build. If built with selected ops, check if these ops are in the list. ",
    "If you are a Meta employee, please see fburl.com/missing_ops for a fix. Or post it in https://discuss.pytorch.org/c/mobile/",
  );
  return operations;
}
