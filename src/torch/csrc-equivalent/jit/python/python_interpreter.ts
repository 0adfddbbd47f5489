/**
 * @file Runs the calls of Python that a script contains.
 * @mirrors torch/csrc/jit/python/python_ir.h#ConcretePythonOp
 */
import { call } from "#python/Objects/call";
import { register_operation_creators } from "../runtime/operator.ts";
import { toIValue } from "./pybind_utils.ts";
import type { ConcretePythonOp } from "./python_op.ts";
import { toPythonObject } from "./script_values.ts";

register_operation_creators({
  "prim::PythonOp": (node) => {
    const op = node as ConcretePythonOp;
    const n = op.inputs().length;
    const type = op.output().type();
    return (stack) => {
      const args = stack.splice(stack.length - n, n).map(toPythonObject);
      stack.push(toIValue(call(op.pyobj, ...args), type));
    };
  },
});
