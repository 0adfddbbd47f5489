/**
 * @file The error that a `raise` statement in TorchScript throws: `torch.jit.Error`.
 * @mirrors torch/csrc/jit/runtime/jit_exception.cpp
 */
import { named, RuntimeError } from "#c10/util/Exception";

/** An exception that a script raised, and nobody caught in it. */
export class JITException extends RuntimeError {
  private readonly python_class_name_: string | null;
  private readonly original_msg_: string | null;

  /**
   * @param python_class_name the qualified name of the exception's class in the program: `builtins.ValueError`
   * @param original_msg the program's own message, if `msg` has a traceback around it
   */
  constructor(msg: string, python_class_name: string | null = null, original_msg: string | null = null) {
    super(msg);
    this.python_class_name_ = python_class_name;
    this.original_msg_ = original_msg;
  }

  getPythonClassName(): string | null {
    return this.python_class_name_;
  }
  getOriginalMsg(): string | null {
    return this.original_msg_;
  }
}
named(JITException, "Error");
Object.defineProperty(JITException, "__module__", { value: "torch.jit" });
