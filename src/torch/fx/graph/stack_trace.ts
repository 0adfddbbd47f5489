/**
 * @file The last place of a program in the text of a stack trace.
 * @mirrors torch/fx/graph.py#_parse_stack_trace
 */

export class _ParsedStackTrace {
  readonly file: string;
  readonly lineno: string;
  readonly name: string;
  readonly code: string;

  constructor(file: string, lineno: string, name: string, code: string) {
    this.file = file;
    this.lineno = lineno;
    this.name = name;
    this.code = code;
  }

  get_summary_str(): string {
    return `File: ${this.file}:${this.lineno} in ${this.name}, code: ${this.code}`;
  }
}

/** The innermost frame of the trace that `filter_fn` accepts; null if there is none. */
export function _parse_stack_trace(
  stack_trace: string,
  filter_fn: ((file: string, name: string, code: string) => boolean) | null = null,
): _ParsedStackTrace | null {
  const lines = stack_trace.trim().split("\n");
  for (let i = lines.length - 2; i >= 0; i--) {
    const found = /^File "(.+)", line (\d+), in (.+)$/.exec((lines[i] as string).trim());
    if (found === null) continue;
    const [, file, lineno, name] = found as unknown as [string, string, string, string];
    const code = (lines[i + 1] as string).trim();
    if (filter_fn === null || filter_fn(file, name, code)) return new _ParsedStackTrace(file, lineno, name, code);
  }
  return null;
}
