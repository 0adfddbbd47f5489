/**
 * @file Errors of the systems that capture programs.
 * @mirrors torch/_dynamo/exc.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { type_of } from "#python/Objects/typeobject";
import { Member } from "#torch/export/records";
import { counters } from "./utils.ts";

export class TorchDynamoException extends RuntimeError {
  static readonly __module__ = "torch._dynamo.exc";
}

export class UserErrorType extends Member {
  static override readonly __module__ = "torch._dynamo.exc";
  static readonly DYNAMIC_CONTROL_FLOW = new UserErrorType("DYNAMIC_CONTROL_FLOW", 1);
  static readonly ANTI_PATTERN = new UserErrorType("ANTI_PATTERN", 2);
  static readonly STANDARD_LIBRARY = new UserErrorType("STANDARD_LIBRARY", 3);
  static readonly CONSTRAINT_VIOLATION = new UserErrorType("CONSTRAINT_VIOLATION", 4);
  static readonly DYNAMIC_DIM = new UserErrorType("DYNAMIC_DIM", 5);
  static readonly INVALID_INPUT = new UserErrorType("INVALID_INPUT", 6);
  static readonly INVALID_OUTPUT = new UserErrorType("INVALID_OUTPUT", 7);
}

const EXPORTDB =
  "For more information about this error, see: https://pytorch.org/docs/main/generated/exportdb/index.html";

/** A program that runs, but cannot be captured in this way. */
export class UserError extends TorchDynamoException {
  readonly error_type: UserErrorType;

  /** @param case_name the example in PyTorch's documentation that explains it */
  constructor(error_type: UserErrorType, msg: string, case_name: string | null = null) {
    super(
      case_name === null ? msg : `${msg}${msg.endsWith(".") ? " " : "\n"}${EXPORTDB}#${case_name.replaceAll("_", "-")}`,
    );
    this.error_type = error_type;
  }
}

/** One frame of the user's program, as a message names it. */
export interface FrameSummary {
  readonly filename: string;
  readonly lineno: number;
  readonly name: string;
}

/** A part of a program that cannot be captured. It breaks the graph, unless the program must be captured as a whole. */
export class Unsupported extends TorchDynamoException {
  readonly msg: string;
  readonly gb_type: string;
  /** Whether the frame runs as it is, without any graph. */
  readonly skip_frame: boolean;
  /** Where the program stood, the outermost frame first; null until the translator knows. */
  real_stack: readonly FrameSummary[] | null = null;
  private category: string | null = null;

  constructor(msg: string, gb_type = "", skip_frame = false) {
    super(msg);
    this.msg = msg;
    this.gb_type = gb_type;
    this.skip_frame = skip_frame;
    this.add_to_stats("unimplemented");
  }

  /** It did not end the frame. */
  remove_from_stats(): void {
    const counter = counters.of(this.category as string);
    counter.set(this.msg, (counter.get(this.msg) as number) - 1);
    if (counter.get(this.msg) === 0) counter.delete(this.msg);
  }

  add_to_stats(category: string): void {
    this.category = category;
    counters.increment(category, this.msg);
  }
}

/** The frame is translated once more, because something was learnt that the beginning must know. */
export class RestartAnalysis extends TorchDynamoException {}
export class SpeculationRestartAnalysis extends RestartAnalysis {}
/** The frame runs as it is. */
export class SkipFrame extends TorchDynamoException {}
/** The frame has too many compiled forms. */
export class RecompileLimitExceeded extends Unsupported {}
export class FailOnRecompileLimitHit extends TorchDynamoException {}
/** A backend could not compile a graph. */
export class BackendCompilerFailed extends TorchDynamoException {
  readonly inner_exception: unknown;

  constructor(backend: string, inner: unknown) {
    const [name, text] = inner instanceof Error ? [inner.name, inner.message] : [type_of(inner).name, String(inner)];
    super(`backend='${backend}' raised:\n${name}: ${text}`);
    this.inner_exception = inner;
  }
}
export class UncapturedHigherOrderOpError extends TorchDynamoException {}
/** An operator that refuses its arguments while a program is captured. */
export class TorchRuntimeError extends TorchDynamoException {}
/** Branches of `torch.cond` that do not fit together. */
export class CondOpArgsMismatchError extends RuntimeError {
  static readonly __module__ = "torch._dynamo.exc";
}

for (const cls of [
  TorchDynamoException,
  UserError,
  Unsupported,
  RestartAnalysis,
  SpeculationRestartAnalysis,
  SkipFrame,
  RecompileLimitExceeded,
  FailOnRecompileLimitHit,
  BackendCompilerFailed,
  UncapturedHigherOrderOpError,
  TorchRuntimeError,
  CondOpArgsMismatchError,
])
  Object.defineProperty(cls.prototype, "name", { value: cls.name, configurable: true, writable: true });
