/**
 * @file The index of declarations in our own sources, by file, in which kernels are found by name.
 * @original C++ finds kernels when it links; here codegen looks them up, so that a missing one is reported before anything runs.
 */

import { type OutlineEntry, outline } from "#trace/outline";
import type { Files } from "./context.ts";
import { parameters_at, type SourceSignature, signature_at } from "./parameters.ts";

export interface Declaration extends OutlineEntry {
  readonly file: string;
  readonly exported: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly declarations: readonly Declaration[];
}

export class SourceIndex {
  private readonly files: Files;
  private readonly known = new Map<string, SourceFile>();

  constructor(files: Files) {
    this.files = files;
  }

  file(path: string): SourceFile {
    let found = this.known.get(path);
    if (found !== undefined) return found;
    const text = this.files.get(path) ?? "";
    const lines = text.split("\n");
    const declarations = outline(text).map((d) => ({
      ...d,
      file: path,
      exported: lines[d.line - 1].startsWith("export "),
    }));
    this.known.set(path, (found = { path, declarations }));
    return found;
  }

  /** Declarations in all source files below `folder` whose path is `wanted`, in path order. */
  *under(folder: string, wanted: (path: string) => boolean): Generator<Declaration> {
    for (const path of [...this.files.keys()].sort())
      if (path.startsWith(folder) && path.endsWith(".ts") && wanted(path)) yield* this.file(path).declarations;
  }

  parameters(d: Declaration): { required: number; parameters: number } {
    return parameters_at(this.files.get(d.file) ?? "", d.line);
  }

  /** The first line of the declaration. */
  line(d: Declaration): string {
    return (this.files.get(d.file) ?? "").split("\n")[d.line - 1];
  }

  signature(d: Declaration): SourceSignature {
    return signature_at(this.files.get(d.file) ?? "", d.line);
  }
}
