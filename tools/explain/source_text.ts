/**
 * @file The text of a declaration, and the path from a native function through stubs to the arithmetic of its loops. It
 * is read line by line, and depends on the formatter like src/trace/outline.ts.
 * @original
 */
import type { Files } from "../codegen/context.ts";
import { file_of } from "../codegen/module_path.ts";
import type { Declaration, SourceIndex } from "../codegen/source_index.ts";

/** The line after the declaration that begins in line `first`; both from 0. */
export function endOfDeclaration(lines: readonly string[], first: number): number {
  const opening = lines[first].trimEnd();
  if (/[;}]$/.test(opening) && !/[{([]$/.test(opening)) return first + 1;
  const margin = /^ */.exec(opening)?.[0] ?? "";
  const closes = new RegExp(`^${margin}[})\\]][^{]*$`);
  for (let i = first + 1; i < lines.length; i++) if (closes.test(lines[i])) return i + 1;
  return first + 1;
}

/** The whole declaration that begins in `line` (from 1), without the comment before it. */
export function declarationText(text: string, line: number): string {
  const lines = text.split("\n");
  return lines.slice(line - 1, endOfDeclaration(lines, line - 1)).join("\n");
}

/** The place where a kernel of a stub is registered. */
interface Registration {
  readonly stub: string;
  readonly kernel: string;
  readonly file: string;
}

/** One declaration on the path. */
export interface Step {
  readonly role: "native" | "stub" | "kernel" | "loop" | "template";
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

const NATIVE = "src/aten/native/";
/** Files shared by every kernel: their functions belong to no single operator. */
const MACHINERY = /\/(Loops|Reduce|DispatchStub|Resize|Copy|RegisterKernels|AdvancedIndex|\w*Utils)\.ts$/;

export class KernelFinder {
  private readonly files: Files;
  private readonly sources: SourceIndex;
  private readonly registrations = new Map<string, Registration[]>();
  private readonly imports = new Map<string, Map<string, string>>();

  constructor(files: Files, sources: SourceIndex) {
    this.files = files;
    this.sources = sources;
    for (const [file, text] of files) {
      if (!file.endsWith(".ts") || !file.startsWith("src/aten/")) continue;
      for (const m of text.matchAll(/^REGISTER_(?:DEFAULT_)?DISPATCH\(\s*(?:\w+\.)?(\w+),\s*(\w+),/gm)) {
        const found = { stub: m[1], kernel: m[2], file };
        this.registrations.set(found.stub, [...(this.registrations.get(found.stub) ?? []), found]);
      }
    }
  }

  text(d: { readonly file: string; readonly line: number }): string {
    return declarationText(this.files.get(d.file) ?? "", d.line);
  }

  declaration(file: string, name: string): Declaration | null {
    return this.sources.file(file).declarations.find((d) => d.name === name) ?? null;
  }

  /** The file of each name that `file` imports. */
  private importsOf(file: string): Map<string, string> {
    let known = this.imports.get(file);
    if (known !== undefined) return known;
    known = new Map();
    for (const m of (this.files.get(file) ?? "").matchAll(/^import (?:type )?\{([^}]*)\} from "([#.][^"]+)";/gm)) {
      const target = file_of(file, m[2]);
      for (const part of m[1].split(",")) {
        const name = /(\w+)\s*$/.exec(part.trim())?.[1];
        if (name !== undefined && target !== null) known.set(name, target);
      }
    }
    this.imports.set(file, known);
    return known;
  }

  /**
   * The path from the function or class `start`: functions in `native/` that it calls, stubs, kernels, scalar
   * functions, templates.
   */
  way(start: Declaration): Step[] {
    const steps: Step[] = [];
    const seen = new Set<string>();
    const visit = (d: Declaration, role: Step["role"], depth: number): void => {
      const id = `${d.file}#${d.name}`;
      if (seen.has(id)) return;
      seen.add(id);
      if (role !== "native" || depth === 0) steps.push({ role, name: d.name, file: d.file, line: d.line });
      if (depth > 5) return;
      const text = this.text(d);
      const words = new Set(code(text).match(/(?<![\w.$"])[A-Za-z_]\w*/g) ?? []);
      for (const word of words)
        for (const r of this.registrations.get(word) ?? []) {
          const kernel = this.declaration(r.file, r.kernel);
          if (!steps.some((s) => s.role === "stub" && s.name === r.stub)) {
            const home = this.homeOf(d.file, r.stub);
            if (home !== null) steps.push({ role: "stub", name: r.stub, file: home.file, line: home.line });
          }
          if (kernel !== null) visit(kernel, "kernel", depth + 1);
        }
      const imports = this.importsOf(d.file);
      for (const word of words) {
        const loops = /^(\w+?)(_loops|_instances)$/.exec(word);
        const kernels = imports.get(word)?.replace("/generated/", "/");
        if (loops === null || kernels === undefined) continue;
        const scalar = this.declaration(kernels, loops[1]);
        if (scalar !== null) visit(scalar, loops[2] === "_loops" ? "loop" : "template", depth + 1);
      }
      for (const word of words) {
        const target = imports.get(word) ?? d.file;
        if (!target.startsWith(NATIVE) || target.includes("/generated/")) continue;
        if (MACHINERY.test(target) && target !== start.file) continue;
        const called = this.declaration(target, word);
        if (called === null || called.name === d.name || /@(?:loop|template)\b/.test(called.comment)) continue;
        const isBase = called.kind === "class" && new RegExp(`extends ${word}\\b`).test(text);
        if (called.kind === "function" || isBase) visit(called, "native", depth + 1);
      }
    };
    visit(start, "native", 0);
    return steps;
  }

  /** The definition of a stub, as seen from a file that calls it. */
  private homeOf(file: string, stub: string): { file: string; line: number } | null {
    const candidates = [
      file,
      this.importsOf(file).get(stub),
      ...[...this.files.keys()].filter((f) => f.startsWith(NATIVE) || f.startsWith("src/aten/generated/Ufunc")),
    ];
    for (const candidate of candidates) {
      if (candidate === undefined) continue;
      const text = this.files.get(candidate) ?? "";
      const at = text.search(new RegExp(`^(?:export )?const ${stub}\\b`, "m"));
      if (at >= 0) return { file: candidate, line: text.slice(0, at).split("\n").length };
    }
    return null;
  }

  /** Operators that a text calls through `at::` or as methods, in order. */
  operatorsCalled(text: string, known: ReadonlySet<string>): string[] {
    const found = new Set<string>();
    for (const m of code(text).matchAll(/(?<![\w$])(?:at|_ops|[\w\])]+)\.(\w+)(?:\.call)?\(/g))
      if (known.has(m[1])) found.add(m[1]);
    return [...found];
  }
}

function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}
