/**
 * @file The functions, classes and methods of a file, found from its lines alone, ten times faster than a parser. It
 * depends on the formatter: declarations begin a line, members of a class are indented by two spaces. A test compares
 * it with the parser for every source.
 * @original
 */

export interface OutlineEntry {
  /** `name`, or `Class.member`. */
  readonly name: string;
  readonly kind: "function" | "class" | "method" | "const";
  /** 1-based. */
  readonly line: number;
  /** The comment lines directly above, joined; "" if there are none. */
  readonly comment: string;
}

const TOP_LEVEL =
  /^(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(function\*?|class|const) ([A-Za-z_$][\w$]*)/;
const MEMBER =
  /^ {2}(?:(?:public|private|protected|static|override|async|readonly|get|set) )*\*?([A-Za-z_$][\w$]*)(?:<.*>)?\(/;
/** An object whose members follow: `const add_Tensor = {`. */
const OBJECT = /^(?:export )?const \w+ = \{$/;

/** Number of backticks that begin or end a template literal. An odd number may be due to a backtick inside a string. */
function ticks_of(line: string, in_template: boolean): number {
  const plain = line.replace(/\\./g, "");
  const count = (text: string): number => text.match(/`/g)?.length ?? 0;
  return in_template || count(plain) % 2 === 0 ? count(plain) : count(plain.replace(/"[^"`]*`[^"`]*"/g, ""));
}

export function outline(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const seen = new Set<string>();
  let owner: string | null = null;
  let comment: string[] = [];
  let in_comment = false;
  let in_template = false;
  const lines = text.split("\n");
  /** Whether the function has a body: an overload's signature has none. Parameters may take several lines. */
  const has_body = (line: string, i: number): boolean => {
    if (!line.endsWith("(")) return !line.endsWith(";");
    const close = `${/^ */.exec(line)?.[0]})`;
    return !(lines.slice(i + 1).find((l) => l.startsWith(close)) ?? "").endsWith(";");
  };
  const add = (name: string, kind: OutlineEntry["kind"], i: number): void => {
    if (!seen.has(name)) entries.push({ name, kind, line: i + 1, comment: comment.join("\n") });
    seen.add(name);
  };
  lines.forEach((line, i) => {
    // A template literal of several lines may contain anything.
    const ticks = in_comment || !line.includes("`") ? 0 : ticks_of(line, in_template);
    const literal = in_template;
    if (ticks % 2 === 1) in_template = !in_template;
    if (literal) return;
    const trimmed = line.trimStart();
    if (in_comment || trimmed.startsWith("/*") || trimmed.startsWith("//")) {
      comment.push(trimmed);
      if (!in_comment && trimmed.startsWith("/*")) in_comment = true;
      if (in_comment && trimmed.includes("*/")) in_comment = false;
      return;
    }
    const top = line.startsWith(" ") ? null : TOP_LEVEL.exec(line);
    if (top !== null) {
      const kind = top[1].startsWith("function") ? "function" : top[1] === "class" ? "class" : "const";
      if (kind !== "function" || has_body(line, i)) add(top[2], kind, i);
      owner = (kind === "class" && !line.endsWith("}")) || OBJECT.test(line) ? top[2] : null;
    } else if (line.startsWith("}")) owner = null;
    else if (owner !== null) {
      const member = line.startsWith("   ") ? null : MEMBER.exec(line);
      if (member !== null && has_body(line, i)) add(`${owner}.${member[1]}`, "method", i);
    }
    comment = [];
  });
  return entries;
}
