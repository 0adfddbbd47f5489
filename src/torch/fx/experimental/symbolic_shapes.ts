/**
 * @file `ShapeEnv`: gives names to the numbers that a traced program reads, and raises when the program decides by one of them.
 * @mirrors torch/fx/experimental/symbolic_shapes.py
 * @differs Ours names numbers that depend on data (`u0`); PyTorch also has symbols for sizes, with ranges and guards.
 */
import { RuntimeError } from "#c10/util/Exception";
import { frame_above } from "#python/vm/frame";
import { source_line } from "#python/vm/traceback";
import { SymBool, SymFloat, SymInt, SymNode } from "./sym_node.ts";

const MODULE = "torch.fx.experimental.symbolic_shapes";

/** A program decided by a number that depends on data. */
export class GuardOnDataDependentSymNode extends RuntimeError {
  static readonly __module__ = MODULE;
  readonly cond: string;

  constructor(cond: string, message: string) {
    super(message);
    this.cond = cond;
  }
}
Object.defineProperty(GuardOnDataDependentSymNode.prototype, "name", {
  value: "GuardOnDataDependentSymNode",
  configurable: true,
  writable: true,
});

/** The line of the program that runs, as the message shows it. */
function user_code(): string {
  const frame = frame_above(0);
  if (frame === null) return "";
  const { co_filename, co_name } = frame.f_code;
  const line = (source_line(co_filename, frame.f_lineno) ?? "").trim();
  return `\n\nThe following call raised this error:\n  File "${co_filename}", line ${frame.f_lineno}, in ${co_name}\n    ${line}\n`;
}

export class ShapeEnv {
  static readonly __module__ = MODULE;
  private ints = 0;
  private floats = 0;

  create_unbacked_symint(): SymInt {
    return new SymInt(new SymNode(`u${this.ints++}`, this));
  }
  create_unbacked_symfloat(): SymFloat {
    return new SymFloat(new SymNode(`zuf${this.floats++}`, this));
  }
  create_unbacked_symbool(): SymBool {
    return new SymBool(new SymNode(`Eq(u${this.ints++}, 1)`, this));
  }

  /** @throws {GuardOnDataDependentSymNode} always */
  refuse_guard(expr: string, is_integer: boolean): never {
    const what = is_integer
      ? "Could not extract specialized integer from data-dependent expression"
      : "Could not guard on data-dependent expression";
    const advice = is_integer
      ? ""
      : "consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true.";
    const symbols = [...new Set(expr.match(/\b(?:u|zuf)\d+/g) ?? [])].join(",");
    throw new GuardOnDataDependentSymNode(
      expr,
      `${what} ${expr} (unhinted: ${expr}).  (Size-like symbols: none)\n\n${advice}\nFor more information, run with TORCH_LOGS="dynamic"\nFor extended logs when we create symbols, also add TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL="${symbols}"${user_code()}`,
    );
  }
}
