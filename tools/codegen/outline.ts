/**
 * @file The functions, classes and methods of a file by its lines alone, ten times faster than a parser. It leans on the formatter:
 * declarations start a line, members of a class are indented by two spaces. A test holds it against the parser for every source.
 * @original
 */

export interface OutlineEntry {
  /** `name`, or `Class.member`. */
  readonly name: string;
  readonly kind: "function" | "class" | "method" | "const";
  /** 1-based. */
  readonly line: number;
  /** The comment lines right above, joined; "" if there are none. */
  readonly comment: string;
}

const TOP_LEVEL =
  /^(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(function\*?|class|const) ([A-Za-z_$][\w$]*)/;
const MEMBER =
  /^ {2}(?:(?:public|private|protected|static|override|async|readonly|get|set) )*\*?([A-Za-z_$][\w$]*)(?:<.*>)?\(/;

export function outline(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const seen = new Set<string>();
  let owner: string | null = null;
  let comment: string[] = [];
  let in_comment = false;
  let in_template = false;
  const lines = text.split("\n");
  /** An overload's signature has no body; the implementation follows. Its parameters may run over lines. */
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
    // A template literal that runs over lines may hold anything.
    const ticks = in_comment || !line.includes("`") ? 0 : (line.replace(/\\./g, "").match(/`/g)?.length ?? 0);
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
      owner = kind === "class" && !line.endsWith("}") ? top[2] : null;
    } else if (line.startsWith("}")) owner = null;
    else if (owner !== null) {
      const member = line.startsWith("   ") ? null : MEMBER.exec(line);
      if (member !== null && has_body(line, i)) add(`${owner}.${member[1]}`, "method", i);
    }
    comment = [];
  });
  return entries;
}

/** How many parameters the function declared in `line` takes: how many it must be given, how many it may. */
export function parameters_at(text: string, line: number): { required: number; parameters: number } {
  const { parameters } = signature_at(text, line);
  return {
    required: parameters.filter((p) => !p.optional).length,
    parameters: parameters.some((p) => p.rest) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}

export interface SourceParameter {
  readonly name: string;
  /** As it stands there; of a parameter that has only a default, the default's. */
  readonly type: string;
  readonly optional: boolean;
  readonly rest: boolean;
}

export interface SourceSignature {
  readonly parameters: readonly SourceParameter[];
  /** As it stands there; "" if nothing does. */
  readonly returns: string;
}

/** Parameters and result of the function or method declared in `line`. */
export function signature_at(text: string, line: number): SourceSignature {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf("\n", start) + 1;
  const { list, after } = parameter_list(text, start);
  const returns = /^\s*:\s*([^\n]*?)\s*\{?\s*$/m.exec(text.slice(after, text.indexOf("\n", after)))?.[1] ?? "";
  return { parameters: split_parameters(list).map(source_parameter), returns };
}

function source_parameter(text: string): SourceParameter {
  const rest = text.startsWith("...");
  const [, name = "", mark = "", type = ""] = /^(?:\.\.\.)?(\w+)(\??)(?::\s*([\s\S]*))?/.exec(text) ?? [];
  const has_default_ = has_default(text);
  const written = type.replace(/\s+=\s[\s\S]*$/, "");
  return {
    name,
    type: written !== "" ? written : type_of_default(/=\s*(.*)$/.exec(text)?.[1] ?? ""),
    optional: rest || mark === "?" || has_default_,
    rest,
  };
}

function type_of_default(value: string): string {
  if (/^(true|false)$/.test(value)) return "boolean";
  return /^["'`]/.test(value) ? "string" : /^[-\d]/.test(value) ? "number" : "";
}

/** The text between the parentheses that open after `start`, and where they end. */
function parameter_list(text: string, start: number): { list: string; after: number } {
  const open = text.indexOf("(", start);
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c) && --depth === 0) return { list: text.slice(open + 1, i), after: i + 1 };
  }
  return { list: "", after: text.length };
}

function split_parameters(list: string): string[] {
  const code = list.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < code.length; i++) {
    const c = code[i];
    if ("([{<".includes(c)) depth++;
    else if (")]}".includes(c) || (c === ">" && code[i - 1] !== "=")) depth--;
    else if (c === "," && depth === 0) {
      parts.push(code.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(code.slice(from));
  return parts.map((p) => p.trim()).filter((p) => p !== "");
}

/** An `=` that is no arrow and stands in no brackets. */
function has_default(parameter: string): boolean {
  let plain = parameter;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, "");
  }
  return /(?<![=<>!])=(?![=>])/.test(plain);
}
