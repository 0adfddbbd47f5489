/**
 * @file The error of the script compiler: its message, the marked source, and why that function was being compiled.
 * @mirrors torch/csrc/jit/frontend/error_report.h
 */
import { named, RuntimeError } from "#c10/util/Exception";
import type { SourceRange } from "./source_range.ts";

/** A function that is being compiled; the range moves along while its expressions are compiled. */
interface Call {
  fn_name: string;
  caller_range: SourceRange;
}

/** Functions that are being compiled now, outermost first. */
const calls: Call[] = [];

function get_stacked_errors(): string {
  let out = "";
  for (let i = calls.length - 1; i > 0; i--) {
    out += `'${calls[i].fn_name}' is being compiled since it was called from '${calls[i - 1].fn_name}'\n`;
    out += calls[i - 1].caller_range.highlight();
  }
  return out;
}

export class ErrorReport extends RuntimeError {
  constructor(where: SourceRange | { range(): SourceRange }, ...message: readonly unknown[]) {
    const range = "range" in where ? where.range() : where;
    super(`\n${message.join("")}:\n${range.highlight()}${get_stacked_errors()}`);
  }

  static current_call_stack(): string {
    return get_stacked_errors();
  }

  /** Runs `compile` as the compilation of `name`; errors inside say from which function it was called. */
  static withCall<T>(name: string, range: SourceRange, compile: () => T): T {
    calls.push({ fn_name: name, caller_range: range });
    try {
      return compile();
    } finally {
      calls.pop();
    }
  }

  /** Puts a function on the stack; `pop_call` removes it. */
  static push_call(name: string, range: SourceRange): void {
    calls.push({ fn_name: name, caller_range: range });
  }

  static pop_call(): void {
    calls.pop();
  }

  /** Says which expression of the innermost function is being compiled. */
  static update_pending_range(range: SourceRange): void {
    const call = calls.at(-1);
    if (call !== undefined) call.caller_range = range;
  }
}
named(ErrorReport, "RuntimeError");
