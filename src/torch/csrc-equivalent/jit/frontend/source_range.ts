/**
 * @file A source text with its file name, a range of it, and the traceback of a script that failed.
 * @mirrors torch/csrc/jit/frontend/source_range.h
 * @differs Offsets count UTF-16 units and become bytes only where a column or a mark is printed; PyTorch's are bytes.
 */
import { SourceRange as TextRange } from "#aten/core/source_range";

/** Number of bytes that a text has in UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Finds the range of the original source from which a range of a printed archive's code was made. */
export interface SourceRangeUnpickler {
  findSourceRangeThatGenerated(range: SourceRange): SourceRange | null;
}

/** A piece of code, the file that it is from, and the number of its first line in that file, counted from 1. */
export class Source {
  readonly text: string;
  private readonly filename_: string | null;
  private readonly starting_line_no_: number;
  private readonly gen_ranges_: SourceRangeUnpickler | null;
  private readonly line_starting_offsets_: readonly number[];

  constructor(
    text: string,
    filename: string | null = null,
    starting_line_no = 0,
    gen_ranges: SourceRangeUnpickler | null = null,
  ) {
    this.text = text;
    this.filename_ = filename;
    this.starting_line_no_ = starting_line_no;
    this.gen_ranges_ = gen_ranges;
    const offsets = [0];
    for (let pos = text.indexOf("\n"); pos !== -1; pos = text.indexOf("\n", pos + 1)) offsets.push(pos + 1);
    this.line_starting_offsets_ = offsets;
  }

  filename(): string | null {
    return this.filename_;
  }

  starting_line_no(): number {
    return this.starting_line_no_;
  }

  num_lines(): number {
    return this.line_starting_offsets_.length;
  }

  size(): number {
    return this.text.length;
  }

  offset_for_line(line: number): number {
    return this.line_starting_offsets_[line];
  }

  /** Line of this text in which an offset lies, counted from 0. */
  lineno_for_offset(offset: number): number {
    let low = 0;
    let high = this.line_starting_offsets_.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.line_starting_offsets_[middle] <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The line's number in the file. */
  lineno_to_source_lineno(lineno: number): number {
    return this.filename_ === null ? lineno : lineno + this.starting_line_no_;
  }

  findSourceRangeThatGenerated(range: SourceRange): SourceRange | null {
    return this.gen_ranges_?.findSourceRangeThatGenerated(range) ?? null;
  }
}

export class SourceRange extends TextRange {
  /** Number of lines that are shown before the marked ones, and after them. */
  static readonly CONTEXT = 3;

  /** Null for a range that marks nothing: it prints as an empty text. */
  readonly source_view: Source | null;

  constructor(source_view: Source | null, start: number, end: number) {
    super(source_view?.text ?? "", start, end);
    this.source_view = source_view;
  }

  /** A range that marks nothing. */
  static empty(): SourceRange {
    return new SourceRange(null, 0, 0);
  }

  /** The range that stands for a whole text, such as a Python traceback. */
  static ofText(text: string): SourceRange {
    return new SourceRange(new Source(text), 0, text.length);
  }

  size(): number {
    return this.end - this.start;
  }

  withEnd(end: number): SourceRange {
    return new SourceRange(this.source_view, this.start, end);
  }

  equals(other: SourceRange): boolean {
    return this.source_view === other.source_view && this.start === other.start && this.end === other.end;
  }

  /** File name, line counted from 1, column in bytes counted from 0; null if the source has no file name. */
  file_line_col(): { file: string; line: number; col: number } | null {
    const source = this.source_view;
    const file = source?.filename() ?? null;
    if (source === null || file === null) return null;
    const lineno = source.lineno_for_offset(this.start);
    const col = byteLength(source.text.slice(source.offset_for_line(lineno), this.start));
    return { file, line: source.lineno_to_source_lineno(lineno), col };
  }

  findSourceRangeThatGenerated(): SourceRange | null {
    return this.source_view?.findSourceRangeThatGenerated(this) ?? null;
  }

  /** The text of an error's mark, for warnings. */
  str(): string {
    return this.highlight();
  }

  override highlight(): string {
    const original = this.findSourceRangeThatGenerated();
    const before = original === null ? "" : `${original.highlight()}Serialized `;
    return before + this.print_with_context(SourceRange.CONTEXT, true, "");
  }

  /** The lines of the range with `context` lines around them; under each line of the range a row of `~`. */
  print_with_context(context: number, highlight: boolean, funcname: string): string {
    if (this.source_view === null) return "";
    const str = this.source_view.text;
    if (this.size() === str.length) return str; // the whole text: nothing to mark
    const { start } = this;
    const range_end = Math.min(str.length, this.end);
    if (start > str.length) return "";
    const begin_line = str.lastIndexOf("\n", start - 1) + (start === 0 ? 0 : 1);
    let begin_context = start === 0 ? 0 : begin_line;
    for (let lines = 0; begin_context > 0; begin_context--) {
      if (str[begin_context - 1] === "\n") lines++;
      if (lines >= context) break;
    }
    let end_context = str.indexOf("\n", range_end);
    if (end_context === -1) end_context = str.length;
    for (let lines = 0; end_context < str.length; end_context++) {
      if (str[end_context] === "\n") lines++;
      if (lines >= context) break;
    }
    let out = "";
    const position = this.file_line_col();
    if (position !== null) {
      out += `  File "${position.file}", line ${position.line}${funcname === "" ? "" : `, in ${funcname}`}\n`;
    }
    out += str.slice(begin_context, start);
    let line_end = range_end;
    if (highlight) {
      const marked = this.markLines(str, range_end);
      out += marked.text;
      line_end = marked.line_end;
    } else {
      out += str.slice(start, range_end);
    }
    if (line_end <= str.length) {
      // A range that ends before it begins is shown to the end of the text: in C++ the difference of the two is a very great number.
      const rest = str.slice(line_end, end_context < line_end ? str.length : end_context);
      out += rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`;
    }
    return out;
  }

  /** The lines of the range, each followed by its marks, and the offset behind the last of them. */
  private markLines(str: string, range_end: number): { text: string; line_end: number } {
    let out = "";
    let line_start = this.start;
    let line_end = this.start;
    while (line_start < range_end) {
      while (line_end < str.length && str[line_end] !== "\n") line_end++;
      const line = str.slice(line_start, line_end + 1);
      out += line.endsWith("\n") ? line : `${line}\n`;
      const highlight_begin = line_start === 0 ? 0 : str.lastIndexOf("\n", line_start - 1) + 1;
      let highlight_end = line_start;
      while (highlight_end < range_end && str[highlight_end] !== "\n") highlight_end++;
      let first = highlight_begin; // the first character that gets a mark
      while (first < highlight_end && (str[first] === " " || first < this.start)) first++;
      if (first < highlight_end) {
        // A range may end in blank lines. They are not marked, so the last line with text is the one that says HERE.
        const more_lines = /[^\n ]/.test(str.slice(line_end, range_end + 1)) || range_end >= str.length;
        out += " ".repeat(byteLength(str.slice(highlight_begin, first)));
        out += "~".repeat(byteLength(str.slice(first, highlight_end)));
        out += more_lines && line_end !== range_end ? "\n" : " <--- HERE\n";
      }
      line_end++;
      line_start = line_end;
    }
    return { text: out, line_end };
  }
}

/** One frame of a script's traceback: the name of its function, and where it stands. */
export interface StackEntry {
  filename: string;
  range: SourceRange;
}

/** The traceback of a script, outermost call first; code from an archive is shown a second time as it was written. */
export function format_stack_trace(entries: readonly StackEntry[]): string {
  const originals = entries.map((entry) => entry.range.findSourceRangeThatGenerated());
  const serialized = originals.some((range) => range !== null);
  const print = (range: SourceRange, name: string) => range.print_with_context(SourceRange.CONTEXT, true, name);
  let out = `Traceback of TorchScript${serialized ? ", serialized code" : ""} (most recent call last):\n`;
  for (const { range, filename } of entries) out += print(range, filename);
  if (serialized) {
    out += "\nTraceback of TorchScript, original code (most recent call last):\n";
    entries.forEach(({ range, filename }, i) => {
      out += print(originals[i] ?? range, filename);
    });
  }
  return out;
}
