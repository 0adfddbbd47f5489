/**
 * @file A text that is being written, with the place in the original source from which each part comes.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#TaggedStringStream
 */
import type { SourceRange } from "../../frontend/source_range.ts";

/** From byte `bytes` of the text on, the text comes from `range`. */
export interface TaggedRange {
  readonly bytes: number;
  readonly range: SourceRange;
}

export class TaggedStringStream {
  private readonly source_ranges_: readonly SourceRange[];
  private readonly ranges_: TaggedRange[] = [];
  private text_ = "";

  /** @param source_ranges a stack, whose last range is that of the node that is being printed */
  constructor(source_ranges: readonly SourceRange[]) {
    this.source_ranges_ = source_ranges;
  }

  /** Appends a text, or another stream together with its ranges. */
  write(...parts: readonly (string | TaggedStringStream)[]): this {
    for (const part of parts) {
      if (part instanceof TaggedStringStream) {
        for (const { bytes, range } of part.ranges_) this.tag(this.text_.length + bytes, range);
        this.text_ += part.text_;
      } else if (part !== "") {
        this.tag(this.text_.length, this.source_ranges_[this.source_ranges_.length - 1]);
        this.text_ += part;
      }
    }
    return this;
  }

  /** Two parts in a row from one place share a tag. */
  private tag(bytes: number, range: SourceRange): void {
    if (this.ranges_.at(-1)?.range.equals(range) !== true) this.ranges_.push({ bytes, range });
  }

  /** The text; it is ASCII, so its length is its number of bytes. */
  str(): string {
    return this.text_;
  }

  ranges(): readonly TaggedRange[] {
    return this.ranges_;
  }
}
