/**
 * @file How many arguments a function of ours takes, read off its text.
 * @original C++ has the compiler check a kernel's signature.
 */

/** How many parameters the function declared in `line` takes: how many it must be given, how many it may. */
export function parameters_at(text: string, line: number): { required: number; parameters: number } {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf("\n", start) + 1;
  const list = parameter_list(text, start);
  const parts = split_parameters(list);
  const rest = parts.some((p) => p.startsWith("..."));
  const required = parts.filter((p) => !p.startsWith("...") && !/^\w+\?/.test(p) && !has_default(p)).length;
  return { required, parameters: rest ? Number.POSITIVE_INFINITY : parts.length };
}

/** The text between the parentheses that open after `start`. */
function parameter_list(text: string, start: number): string {
  const open = text.indexOf("(", start);
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c) && --depth === 0) return text.slice(open + 1, i);
  }
  return "";
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
