/**
 * @file Declarations of our own sources: every exported function, class, method and constant with its line and doc comment.
 * Parsed once per run; kernels are found here by name, and the symbol index is printed from it.
 * @original C++ finds kernels by linking; here codegen looks them up, so that a missing one is named before anything runs.
 */
import { parse } from "@babel/parser";
import type { Files } from "./context.ts";
import { CodegenError } from "./errors.ts";

export interface Declaration {
  /** `mul_out`, or `Class.method`. */
  readonly name: string;
  readonly kind: "function" | "class" | "method" | "const";
  readonly file: string;
  readonly line: number;
  readonly exported: boolean;
  /** Parameters: how many must be given, how many may be. */
  readonly required: number;
  readonly parameters: number;
  /** The doc comment above, without its frame; empty if there is none. */
  readonly doc: string;
}

export interface SourceFile {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  /** The file's `@mirrors` path, or null for `@original`. */
  readonly mirrors: string | null;
}

/** Parsed lazily and kept by text, so that a second run in one process (the page) parses only what changed. */
const cache = new Map<string, { text: string; file: SourceFile }>();

export class SourceIndex {
  private readonly files: Files;

  constructor(files: Files) {
    this.files = files;
  }

  file(path: string): SourceFile {
    const text = this.files.get(path) as string;
    const known = cache.get(path);
    if (known !== undefined && known.text === text) return known.file;
    const file = { path, declarations: declarations_of(path, text), mirrors: mirrors_of(text) };
    cache.set(path, { text, file });
    return file;
  }

  /** Parsed source files below `folder`, in path order. */
  *under(folder: string, wanted: (path: string) => boolean = () => true): Generator<SourceFile> {
    for (const path of [...this.files.keys()].sort())
      if (path.startsWith(folder) && path.endsWith(".ts") && wanted(path)) yield this.file(path);
  }
}

/** Path and optional `#name`. */
export function mirrors_of(text: string): string | null {
  return /@mirrors\s+(\S+)/.exec(text.slice(0, 4000))?.[1]?.replace(/[;,.]$/, "") ?? null;
}

/** The parts of a Babel node that are read here. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly leadingComments?: readonly { readonly type: string; readonly value: string }[];
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string };
  readonly computed?: boolean;
  readonly params?: readonly Node[];
  readonly optional?: boolean;
  readonly body?: { readonly body?: readonly Node[] };
}

function declarations_of(path: string, text: string): Declaration[] {
  let program: { body: readonly Node[] };
  try {
    program = parse(text, { sourceType: "module", plugins: ["typescript"], attachComment: true }).program as never;
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    throw new CodegenError({ file: path, line: loc?.line ?? 0 }, "source", message, "mend the syntax");
  }
  const found: Declaration[] = [];
  for (const statement of program.body) {
    const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const node = exported ? statement.declaration : statement;
    if (node === null || node === undefined) continue;
    const doc = doc_of(statement) || doc_of(node);
    const add = (name: string, kind: Declaration["kind"], at: Node, params: readonly Node[], comment: string): void => {
      const required = params.filter((p) => p.type !== "AssignmentPattern" && p.type !== "RestElement" && p.optional !== true).length;
      const rest = params.some((p) => p.type === "RestElement");
      found.push({ name, kind, file: path, line: at.loc.start.line, exported, required, parameters: rest ? Number.POSITIVE_INFINITY : params.length, doc: comment });
    };
    if (node.type === "FunctionDeclaration" && node.id?.name !== undefined) add(node.id.name, "function", node, node.params ?? [], doc);
    else if (node.type === "ClassDeclaration" && node.id?.name !== undefined) {
      add(node.id.name, "class", node, [], doc);
      for (const member of node.body?.body ?? [])
        if (member.type === "ClassMethod" && member.computed !== true && member.key?.name !== undefined)
          add(`${node.id.name}.${member.key.name}`, "method", member, member.params ?? [], doc_of(member));
    } else if (node.type === "VariableDeclaration")
      for (const d of node.declarations ?? []) if (d.id?.name !== undefined) add(d.id.name, "const", d, [], doc);
  }
  return found;
}

function doc_of(node: Node): string {
  const comments = node.leadingComments ?? [];
  const last = comments[comments.length - 1];
  return last !== undefined && last.type === "CommentBlock" && last.value.startsWith("*") ? last.value.slice(1) : "";
}
