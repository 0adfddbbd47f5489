/**
 * @file Parameters and results of our functions, read from their text.
 * @original The C++ compiler checks a kernel's signature.
 */

/** Number of parameters of the function declared in `line`: required ones, and all. */
export function parameters_at(text: string, line: number): { required: number; parameters: number } {
  const { parameters } = signature_at(text, line);
  return {
    required: parameters.filter((p) => !p.optional).length,
    parameters: parameters.some((p) => p.rest) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}

export interface SourceParameter {
  readonly name: string;
  /** The type as it is written; if there is only a default, the type of the default. */
  readonly type: string;
  readonly optional: boolean;
  readonly rest: boolean;
}

export interface SourceSignature {
  readonly parameters: readonly SourceParameter[];
  /** The return type as it is written; "" if there is none. */
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

/**
 * The text between the parentheses that open after `start`, and the position after them. A type parameter may contain
 * parentheses too.
 */
function parameter_list(text: string, start: number): { list: string; after: number } {
  let open = start;
  for (let angles = 0; open < text.length && (angles > 0 || text[open] !== "("); open++) {
    if (text[open] === "<") angles++;
    else if (text[open] === ">" && text[open - 1] !== "=") angles--;
  }
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
  // A comma or a bracket in a string is no part of the list.
  const plain = code.replace(/(["'`])(?:\\.|(?!\1)[\s\S])*\1/g, (string) => "x".repeat(string.length));
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < code.length; i++) {
    const c = plain[i];
    if ("([{<".includes(c)) depth++;
    else if (")]}".includes(c) || (c === ">" && plain[i - 1] !== "=")) depth--;
    else if (c === "," && depth === 0) {
      parts.push(code.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(code.slice(from));
  return parts.map((p) => p.trim()).filter((p) => p !== "");
}

/** Whether there is an `=` that is neither part of an arrow nor inside brackets. */
function has_default(parameter: string): boolean {
  let plain = parameter;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, "");
  }
  return /(?<![=<>!])=(?![=>])/.test(plain);
}
