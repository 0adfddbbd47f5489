/**
 * @file Variables by name, with a table for each block: what is set in a block hides what was set around it.
 * @mirrors torch/csrc/jit/frontend/mini_environment.h
 */
import type { Block } from "../ir/ir.ts";

export class MiniEnvironment<T> {
  readonly b: Block;
  readonly next: MiniEnvironment<T> | null;
  private readonly table = new Map<string, T>();

  constructor(b: Block, next: MiniEnvironment<T> | null = null) {
    this.b = b;
    this.next = next;
  }

  findInThisFrame(name: string): T | null {
    return this.table.get(name) ?? null;
  }

  findInAnyFrame(name: string): T | null {
    for (let runner: MiniEnvironment<T> | null = this; runner !== null; runner = runner.next) {
      const found = runner.findInThisFrame(name);
      if (found !== null) return found;
    }
    return null;
  }

  setVar(name: string, value: T): void {
    this.table.set(name, value);
  }

  /** Names that this frame sets, in alphabetical order. */
  definedVariables(): string[] {
    return [...this.table.keys()].sort((a, b) => (a < b ? -1 : 1));
  }
}
