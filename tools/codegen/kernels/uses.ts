/**
 * @file The imports of a generated file, collected while its text is printed.
 * @original A C++ translation unit includes whole headers.
 */
import type { Step } from "./element_types.ts";

/** Names used by the generated text, which the file imports. */
export class Uses {
  readonly helpers = new Map<string, string>();
  readonly types = new Map<string, string>();
  private readonly imports: ReadonlyMap<string, string>;

  /** @param imports the module of each type that the hand-written file imports */
  constructor(imports: ReadonlyMap<string, string>) {
    this.imports = imports;
  }

  helper(name: string, module: string): string {
    this.helpers.set(name, module);
    return name;
  }

  /** `step` with its operand filled in. */
  step(step: Step, operand: string): string {
    if (step.needs !== undefined) this.helper(step.needs.name, step.needs.module);
    return step.text.replace("$", () => operand);
  }

  /** A type that does not belong to kernel text; it stays as written. */
  foreignType(text: string): string {
    for (const name of text.match(/[A-Za-z_$][\w$]*/g) ?? []) {
      const module = this.imports.get(name);
      if (module !== undefined) this.types.set(name, module);
    }
    return text;
  }
}
