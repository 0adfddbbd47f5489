/**
 * @file The text of a Python function or class, with the lines and columns of its file.
 * @mirrors torch/_sources.py
 */
import { text_of_file } from "#python/vm/traceback";
import { Source, SourceRange } from "../_C.ts";

/** Number of characters that the first `bytes` bytes of a line have as UTF-8. */
function characters(line: string, bytes: number): number {
  let seen = 0;
  let count = 0;
  for (const char of line) {
    if (seen >= bytes) break;
    const code = char.codePointAt(0) as number;
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    count += char.length;
  }
  return bytes > seen ? count + bytes - seen : count;
}

/** Makes ranges of one text. Lines and columns are those of the file. */
export class SourceContext {
  readonly source: Source;
  readonly funcname: string | null;
  private readonly first_line: number;

  constructor(text: string, filename: string, first_line: number, funcname: string | null = null) {
    this.source = new Source(text, filename, first_line);
    this.funcname = funcname;
    this.first_line = first_line;
  }

  /** Columns are bytes, as in syntax trees. */
  make_range(line: number, start_col: number, end_col: number): SourceRange {
    const offset = this.source.offset_for_line(line - this.first_line);
    const end_of_line = this.source.text.indexOf("\n", offset);
    const text = this.source.text.slice(offset, end_of_line === -1 ? undefined : end_of_line);
    const start = offset + characters(text, start_col);
    return new SourceRange(this.source, start, start + end_col - start_col);
  }

  make_raw_range(start: number, end: number): SourceRange {
    return new SourceRange(this.source, start, end);
  }
}

/**
 * Lines of a file from `first` to `last`, and the comments behind them that are indented like the body, as `inspect.getblock` finds them.
 */
export function lines_of_block(filename: string, first: number, last: number, body_column: number): string {
  const lines = text_of_file(filename).split(/(?<=\n)/);
  let end = last;
  for (let i = last; i < lines.length; i++) {
    const text = lines[i].trimStart();
    if (text === "") continue;
    if (!text.startsWith("#") || lines[i].length - text.length < body_column) break;
    end = i + 1;
  }
  return lines.slice(first - 1, end).join("");
}
