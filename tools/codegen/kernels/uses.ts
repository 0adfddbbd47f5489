/**
 * @file What a generated file needs from elsewhere, gathered while its text is printed.
 * @original A C++ translation unit includes headers whole.
 */
import type { Step } from "./element_types.ts";

/** Names that generated text needs; the file's head imports them. */
export class Uses {
  readonly helpers = new Map<string, string>();
  readonly types = new Map<string, string>();
  private readonly imports: ReadonlyMap<string, string>;

  /** `imports`: type name -> module, of the hand-written file. */
  constructor(imports: ReadonlyMap<string, string>) {
    this.imports = imports;
  }

  helper(name: string, module: string): string {
    this.helpers.set(name, module);
    return name;
  }

  /** `step` with `operand` in its place. */
  step(step: Step, operand: string): string {
    if (step.needs !== undefined) this.helper(step.needs.name, step.needs.module);
    return step.text.replace("$", () => operand);
  }

  /** A type that is not of kernel text stays as written. */
  foreignType(text: string): string {
    for (const name of text.match(/[A-Za-z_$][\w$]*/g) ?? []) {
      const module = this.imports.get(name);
      if (module !== undefined) this.types.set(name, module);
    }
    return text;
  }
}
