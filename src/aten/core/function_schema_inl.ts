/**
 * @file Checks the arguments of a call against a schema, and adds the default values of those that are missing.
 * @mirrors aten/src/ATen/core/function_schema_inl.h#checkAndNormalizeInputs
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { FunctionSchema } from "./function_schema.ts";
import { type_of } from "./ivalue.impl.ts";
import type { Stack } from "./stack.ts";

export function checkAndNormalizeInputs(schema: FunctionSchema, inputs: Stack): void {
  const args = schema.arguments();
  const name = String(schema.operator_name());
  TORCH_CHECK(
    inputs.length <= args.length,
    `Expected at most ${args.length} argument(s) for operator '${name}', but received ${inputs.length} argument(s). Declaration: ${schema}`,
  );
  for (const [i, value] of inputs.entries()) {
    const type = args[i].type();
    TORCH_CHECK(
      type_of(value).isSubtypeOf(type),
      `${name}() Expected a value of type '${type}' for argument '${args[i].name()}' but instead found type '${type_of(value)}'.\n`,
      `Position: ${i}\nDeclaration: ${schema}`,
    );
  }
  for (const arg of args.slice(inputs.length)) {
    const value = arg.default_value();
    TORCH_CHECK(value !== null, `${name}() is missing value for argument '${arg.name()}'. Declaration: ${schema}`);
    inputs.push(value);
  }
}
