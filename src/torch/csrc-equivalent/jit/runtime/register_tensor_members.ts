/**
 * @file Members of a tensor that answer with a number or a truth value and are no operators of native_functions.yaml, for scripts.
 * @original PyTorch has them in the dispatcher too; here the table of register_metadata_ops.ts has them.
 */
import { Operator, registerOperator } from "./operator.ts";
import { metadata_operators } from "./register_metadata_ops.ts";

const NAMES = ["aten::dim", "aten::numel", "aten::get_device", "aten::storage_offset", "aten::is_contiguous"];

for (const op of NAMES.flatMap(metadata_operators)) {
  const schema = op.schema();
  schema.setAliasAnalysis("FROM_SCHEMA");
  registerOperator(Operator.ofOperation(schema, (stack) => op.callBoxed(stack)));
}
