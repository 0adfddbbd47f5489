/**
 * @file `FileCheck`: says which texts must stand in a printed graph, in which order, and which must not.
 * @mirrors torch/csrc/jit/testing/file_check.cpp
 * @differs An instance that never ran says nothing when it is collected; PyTorch's destructor prints a warning.
 *
 * An idea in miniature: each check begins to search behind the match before it.
 *
 *     FileCheck().check("relu").check_next("mul").check_not("dropout").check("return").run(str(graph))
 *                 anywhere      on the next line  not before the next  behind mul
 *
 * Neighbours of the kind DAG or NOT form a group: a DAG group matches in any order, a NOT group must not match before the group behind it does.
 */
import { printQuotedString } from "#aten/core/ivalue_repr";
import { RuntimeError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { incompatible_arguments } from "#torch/csrc-equivalent/utils/pybind";
import { take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import { Source, SourceRange } from "../frontend/source_range.ts";
import { Graph } from "../ir/ir.ts";

type CheckType = "" | "NEXT" | "SAME" | "NOT" | "COUNT" | "DAG" | "SOURCE-HIGHLIGHTED" | "REGEX";

class Check {
  readonly type_: CheckType;
  readonly search_str_: string;
  readonly count_: number;

  constructor(type: CheckType, search_str: string, count = 0) {
    this.type_ = type;
    this.search_str_ = search_str;
    this.count_ = count;
  }

  toString(): string {
    const type = this.type_ === "" ? "" : `-${this.type_}`;
    return `CHECK${type}${this.type_ === "COUNT" ? `-${this.count_}` : ""}: ${this.search_str_}`;
  }
}

/** The error of a text that was not found behind `start`. PyTorch marks up to the length of the text, from the beginning of the source. */
function not_found(source: Source, start: number, sub: string, what: string): RuntimeError {
  const searched = new SourceRange(source, start, sub.length).highlight();
  return new RuntimeError(
    `Expected to find ${printQuotedString(sub)} but did not find it\nSearched string:\n${searched}${what}`,
  );
}

/** Where `sub` begins, at `start` or behind it. @throws {RuntimeError} "Expected to find ..." */
function assertFind(source: Source, sub: string, start: number, check: Check): number {
  const pos = source.text.indexOf(sub, start);
  if (pos === -1) throw not_found(source, start, sub, `From ${check}\n`);
  return pos;
}

/** @throws {RuntimeError} "Expected to not find ..." if `sub` stands between `start` and `end` */
function assertNotFind(source: Source, sub: string, start: number, end: number, check: Check): void {
  const pos = source.text.indexOf(sub, start);
  if (pos === -1 || pos + sub.length > end) return;
  const found = new SourceRange(source, pos, pos + sub.length).highlight();
  throw new RuntimeError(`Expected to not find ${printQuotedString(sub)} but found it\n${found}From ${check}\n`);
}

interface Match {
  readonly start: number;
  readonly end: number;
}

function matchGroup(group: readonly Check[], source: Source, prev: Match): Match {
  const [check] = group as readonly [Check];
  const sub = check.search_str_;
  switch (check.type_) {
    case "DAG": {
      const found = group.map((each): Match => {
        const start = assertFind(source, each.search_str_, prev.end, each);
        return { start, end: start + each.search_str_.length };
      });
      return { start: Math.min(...found.map(({ start }) => start)), end: Math.max(...found.map(({ end }) => end)) };
    }
    case "SAME": {
      const start = assertFind(source, sub, prev.end, check);
      assertNotFind(source, "\n", prev.end, start, check);
      return { start, end: start + sub.length };
    }
    case "NEXT": {
      const line = assertFind(source, "\n", prev.end, check) + 1;
      const start = assertFind(source, sub, line, check);
      assertNotFind(source, "\n", line, start, check);
      return { start, end: start + sub.length };
    }
    case "COUNT": {
      let start = prev.end;
      let end = prev.end;
      for (let i = 0; i < check.count_; i++) {
        start = assertFind(source, sub, end, check);
        end = start + sub.length;
      }
      return { start, end };
    }
    case "SOURCE-HIGHLIGHTED":
      return highlighted(source, prev, check);
    case "REGEX":
      return regex_match(source, prev, check);
    default: {
      const start = assertFind(source, sub, prev.end, check);
      return { start, end: start + sub.length };
    }
  }
}

/** The first occurrence below which the next line has a row of `~` of exactly this length. */
function highlighted(source: Source, prev: Match, check: Check): Match {
  const { text } = source;
  const sub = check.search_str_;
  let start = assertFind(source, sub, prev.end, check);
  for (; start !== -1; start = text.indexOf(sub, start + 1)) {
    const line = text.lastIndexOf("\n", start - 1) + 1;
    const next = text.indexOf("\n", start);
    const below = next === -1 ? "" : text.slice(next + 1).split("\n")[0];
    const marks = (below ?? "").slice(start - line);
    if (
      marks.startsWith("~".repeat(sub.length)) &&
      marks[sub.length] !== "~" &&
      (below ?? "")[start - line - 1] !== "~"
    )
      return { start, end: prev.end }; // the next check searches from where this one did
  }
  const alone = text.trimEnd().indexOf("\n", prev.end) === -1; // no line follows that could have marks
  const range = new SourceRange(source, prev.end, alone ? text.length : sub.length).highlight();
  throw new RuntimeError(`Expected to find ${printQuotedString(sub)}highlighted but it is not.\n${range}`);
}

function regex_match(source: Source, prev: Match, check: Check): Match {
  const found = new RegExp(check.search_str_).exec(source.text.slice(prev.end));
  if (found === null)
    throw new RuntimeError(
      `Expected to find regex ${printQuotedString(check.search_str_)} but did not find it\nSearched string:\nFrom ${check}\n`,
    );
  const start = prev.end + found.index;
  return { start, end: start + found[0].length };
}

const SELF = "self: torch._C.FileCheck";
const returns_itself = (parameters: string): string => `(${SELF}, ${parameters}) -> torch._C.FileCheck`;
const RUN = [
  `(${SELF}, arg0: str) -> None`,
  `(${SELF}, arg0: torch._C.Graph) -> None`,
  `(${SELF}, checks_file: str, test_file: str) -> None`,
  `(${SELF}, checks_file: str, graph: torch._C.Graph) -> None`,
];
const COUNT = [
  returns_itself("arg0: str, arg1: typing.SupportsInt | typing.SupportsIndex, arg2: bool"),
  returns_itself("str: str, count: typing.SupportsInt | typing.SupportsIndex, exactly: bool = False"),
];

/** A list of checks; each method adds one and gives the object itself. */
export class FileCheck {
  static readonly __module__ = "torch";
  private readonly groups: Check[][] = [];

  private add(check: Check): this {
    const last = this.groups.at(-1);
    const joins = check.type_ === "NOT" || check.type_ === "DAG";
    if (joins && last?.[0]?.type_ === check.type_) last.push(check);
    else this.groups.push([check]);
    return this;
  }

  private text(name: string, given: readonly unknown[]): string {
    const [text] = given;
    if (given.length !== 1 || typeof text !== "string")
      throw incompatible_arguments(name, [returns_itself("arg0: str")], [this, ...given]);
    return text;
  }

  check(...given: [string]): this {
    return this.add(new Check("", this.text("check", given)));
  }

  check_not(...given: [string]): this {
    return this.add(new Check("NOT", this.text("check_not", given)));
  }

  check_same(...given: [string]): this {
    return this.add(new Check("SAME", this.text("check_same", given)));
  }

  check_next(...given: [string]): this {
    return this.add(new Check("NEXT", this.text("check_next", given)));
  }

  check_dag(...given: [string]): this {
    return this.add(new Check("DAG", this.text("check_dag", given)));
  }

  check_regex(...given: [string]): this {
    return this.add(new Check("REGEX", this.text("check_regex", given)));
  }

  check_source_highlighted(...given: [string]): this {
    return this.add(new Check("SOURCE-HIGHLIGHTED", this.text("check_source_highlighted", given)));
  }

  /** The text `count` times; with `exactly`, not once more before the next check. */
  check_count(...given: unknown[]): this {
    const positional = [...given];
    const { str, count, exactly, ...others } = take_kwargs(positional) ?? {};
    const [text, times, only = false] = [positional[0] ?? str, positional[1] ?? count, positional[2] ?? exactly];
    if (
      typeof text !== "string" ||
      !Number.isInteger(times) ||
      typeof only !== "boolean" ||
      Object.keys(others).length > 0
    )
      throw incompatible_arguments("check_count", COUNT, [this, ...given]);
    return this.count(text, times as number, only);
  }

  private count(text: string, count: number, exactly: boolean): this {
    TORCH_INTERNAL_ASSERT(count !== 0 || exactly, "Count == 0 && !exactly doesn't do anything");
    if (count !== 0) this.add(new Check("COUNT", text, count));
    return exactly ? this.add(new Check("NOT", text)) : this;
  }

  /** `run(text)`, or `run(checks, text)` with the checks as lines such as `# CHECK-NEXT: aten::mul`; a graph is printed. */
  run(...given: unknown[]): null {
    const positional = [...given];
    const { checks_file, test_file, graph } = take_kwargs(positional) ?? {};
    const all = [...positional, ...[checks_file, test_file, graph].filter((each) => each !== undefined)];
    const tested = all.at(-1);
    const is_text = typeof tested === "string" || tested instanceof Graph;
    if (!is_text || all.length > 2 || (all.length === 2 && typeof all[0] !== "string"))
      throw incompatible_arguments("run", RUN, [this, ...given]);
    const checks = all.length === 2 ? parse_checks(all[0] as string) : this;
    checks.doChecks(new Source(tested instanceof Graph ? tested.toString(false) : tested));
    return null;
  }

  private doChecks(source: Source): void {
    if (this.groups.length === 0)
      throw new RuntimeError("No checks have been added to this instance ofFilecheck! Check for bad input.");
    let prev: Match = { start: 0, end: 0 };
    for (const [i, group] of this.groups.entries()) {
      if (group[0]?.type_ === "NOT") {
        if (i === this.groups.length - 1) doCheckNot(group, source, prev.end, source.text.length + 1);
        continue;
      }
      const match = matchGroup(group, source, prev);
      const before = this.groups[i - 1];
      if (before?.[0]?.type_ === "NOT") doCheckNot(before, source, prev.end, match.start);
      prev = match;
    }
  }

  static from_lines(lines: Iterable<readonly [CheckType, string, number, boolean]>): FileCheck {
    const checks = new FileCheck();
    for (const [type, text, count, exactly] of lines)
      if (type === "COUNT") checks.count(text, count, exactly);
      else checks.add(new Check(type, text));
    return checks;
  }
}

function doCheckNot(nots: readonly Check[], source: Source, start: number, end: number): void {
  if (end >= start) for (const check of nots) assertNotFind(source, check.search_str_, start, end, check);
}

const LINE = /^(?:-(NEXT|SAME|NOT|DAG|SOURCE-HIGHLIGHTED|REGEX|COUNT-(EXACTLY-)?(\d+)))?: (.*)$/;

/** The checks in a text: what follows `# CHECK` in each of its lines. */
function parse_checks(text: string): FileCheck {
  const source = new Source(text);
  const lines: [CheckType, string, number, boolean][] = [];
  for (const { index } of text.matchAll(/# ?CHECK/g)) {
    const begin = text.indexOf("CHECK", index) + "CHECK".length;
    const rest = text.slice(begin).split("\n")[0] as string;
    const found = LINE.exec(rest);
    if (found === null)
      throw new RuntimeError(
        `Could not parse check at:\n${new SourceRange(source, begin, begin + 1).highlight()}Check for bad input.`,
      );
    const [, type = "", exactly, count, search = ""] = found;
    lines.push([
      (count === undefined ? type : "COUNT") as CheckType,
      search.trim(),
      Number(count),
      exactly !== undefined,
    ]);
  }
  return FileCheck.from_lines(lines);
}
