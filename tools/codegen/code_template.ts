/**
 * @file A text template. `$name` and `${name}` are replaced. A list that is alone on its line gives one line (or block)
 * per element, with the same indentation; inside a line it is joined by ", ", and `${,name}` / `${name,}` add a comma
 * before / after unless it is empty.
 * @mirrors torchgen/code_template.py
 */
import { CodegenError } from "./errors.ts";

export type Substitution = string | number | readonly string[];
export type Substitutions = Readonly<Record<string, Substitution>>;

const HOLE = /\$\{(,?)([A-Za-z_]\w*)(,?)\}|\$([A-Za-z_]\w*)/g;
const HOLE_LINE = /^([ \t]*)\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})[ \t]*$/;

export class CodeTemplate {
  readonly pattern: string;
  /** The template's path, for messages. */
  readonly filename: string;

  constructor(pattern: string, filename = "<string>") {
    this.pattern = pattern;
    this.filename = filename;
  }

  substitute(values: Substitutions): string {
    return this.pattern
      .split("\n")
      .flatMap((line, i) => this.substitute_line(line, i + 1, values))
      .join("\n");
  }

  private substitute_line(line: string, number: number, values: Substitutions): string[] {
    const whole = HOLE_LINE.exec(line);
    if (whole !== null) {
      const indent = whole[1];
      const value = this.lookup(whole[2] ?? whole[3], number, values);
      const texts = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
      return texts.flatMap((text) => text.split("\n")).map((text) => (text === "" ? "" : indent + text));
    }
    const text = line.replace(HOLE, (_, before?: string, braced?: string, after?: string, bare?: string) => {
      const value = this.lookup((bare ?? braced) as string, number, values);
      const joined = Array.isArray(value) ? value.join(", ") : String(value);
      if (joined === "") return "";
      return (before ? ", " : "") + joined + (after ? ", " : "");
    });
    return [text];
  }

  private lookup(name: string, line: number, values: Substitutions): Substitution {
    const value = values[name];
    if (value === undefined)
      throw new CodegenError(
        { file: this.filename, line },
        `\${${name}}`,
        "the generator provides no value for it",
        `use one of ${Object.keys(values).join(", ")}`,
      );
    return value;
  }
}
