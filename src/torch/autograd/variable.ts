/**
 * @file The engine object that the front end calls.
 * @mirrors torch/autograd/variable.py
 * @differs `torch.autograd.Variable`, a name of the time when tensors and variables were two things, is not here.
 */
import { _ImperativeEngine } from "#torch/_C";

/** `Variable._execution_engine`. */
export const _execution_engine = new _ImperativeEngine();
