/**
 * @file Functional tensors and the conversions of the Python dispatcher, as the front end sees them. Loading it registers functionalization.
 * @mirrors torch/csrc/functorch/init.cpp
 */
export * from "../csrc-equivalent/autograd/functional_tensors.ts";
export { handle_dispatch_mode } from "../csrc-equivalent/PyInterpreter.ts";
export {
  getTorchApiFunctionOf,
  parseIValuesToPyArgsKwargs,
  pushPyOutToStack,
} from "../csrc-equivalent/utils/PythonKernelHolder.ts";
