/**
 * @file The syntax tree of a script: strings, and compounds of a kind, a range and subtrees. It prints as an S-expression.
 * @mirrors torch/csrc/jit/frontend/tree.h
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { type Kind, kindToString } from "./lexer.ts";
import { SourceRange } from "./source_range.ts";

export type TreeRef = Compound | StringTree;

abstract class Tree {
  private readonly kind_: Kind;

  constructor(kind: Kind) {
    this.kind_ = kind;
  }

  kind(): Kind {
    return this.kind_;
  }

  abstract isAtom(): boolean;

  toString(): string {
    const lines = tree_lines(this as Tree as TreeRef);
    return `${lines.map(([text]) => text).join("\n")}\n`;
  }
}

export class StringTree extends Tree {
  private readonly value_: string;

  constructor(value: string) {
    super("string");
    this.value_ = value;
  }

  isAtom(): boolean {
    return true;
  }

  stringValue(): string {
    return this.value_;
  }

  trees(): readonly TreeRef[] {
    return [];
  }
}

/** The smallest range that holds `range` and the ranges of all subtrees. */
function mergeRanges(range: SourceRange, trees: readonly TreeRef[]): SourceRange {
  let { start, end } = range;
  for (const tree of trees) {
    if (!(tree instanceof Compound)) continue;
    start = Math.min(start, tree.range().start);
    end = Math.max(end, tree.range().end);
  }
  return start === range.start && end === range.end ? range : new SourceRange(range.source_view, start, end);
}

export class Compound extends Tree {
  private readonly range_: SourceRange;
  private readonly trees_: readonly TreeRef[];

  constructor(kind: Kind, range: SourceRange, trees: readonly TreeRef[]) {
    super(kind);
    this.range_ = mergeRanges(range, trees);
    this.trees_ = trees;
  }

  static create(kind: Kind, range: SourceRange, trees: readonly TreeRef[] = []): Compound {
    return new Compound(kind, range, trees);
  }

  isAtom(): boolean {
    return false;
  }

  range(): SourceRange {
    return this.range_;
  }

  trees(): readonly TreeRef[] {
    return this.trees_;
  }

  /** @throws RuntimeError if the kind is another or there are fewer subtrees */
  match(kind: Kind, subtrees = 0): void {
    const found = kindToString(this.kind());
    TORCH_CHECK(this.kind() === kind, `unknown:0: expecting kind '${kindToString(kind)}' but found '${found}'\n`);
    if (this.trees_.length < subtrees) {
      const message = `unknown:0: expected at least ${subtrees} subtrees, but found only ${this.trees_.length}\n`;
      throw new RuntimeError(message + this.range_.highlight());
    }
  }
}

/** Texts shorter than this stand on one line. */
const COLUMNS = 40;

function flat(tree: TreeRef): string {
  if (tree instanceof StringTree) return tree.stringValue();
  return `(${[kindToString(tree.kind()), ...tree.trees().map(flat)].join(" ")})`;
}

/** The lines of a tree as it prints, each with its line of the program; 0 if that is not known. */
export function tree_lines(tree: TreeRef): [text: string, source_line: number][] {
  const lines: [string, number][] = [];
  const write = (at: TreeRef, indent: number): void => {
    const text = flat(at);
    const source_line = at instanceof Compound ? (at.range().file_line_col()?.line ?? 0) : 0;
    if (indent + text.length < COLUMNS || at.isAtom()) {
      lines.push([" ".repeat(indent) + text, source_line]);
      return;
    }
    lines.push([`${" ".repeat(indent)}(${kindToString(at.kind())}`, source_line]);
    for (const subtree of at.trees()) write(subtree, indent + 2);
    lines[lines.length - 1][0] += ")";
  };
  write(tree, 0);
  return lines;
}
