/**
 * @file One YAML entry in the code generator: the generator runs, and each filling of a template is recorded. The record has the text that the
 * entry put into each hole of each template, and the file it went to; nothing of it is written by hand.
 * @original
 */

import { join } from "node:path";
import { CodeTemplate, type Substitutions } from "../../tools/codegen/code_template.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import { generate } from "../../tools/codegen/generate.ts";
import type { Context } from "./context.ts";
import { coloured } from "./figure.ts";
import { findRegion } from "./regions.ts";
import { fileText, mirrorsOf, upstreamPath } from "./repository.ts";

/** One template, and the file that was made with it. */
export interface FilledTemplate {
  readonly template: string;
  /** PyTorch's template. */
  readonly upstream: string;
  readonly output: string;
  /** The template's lines, coloured; of a hole its name. */
  readonly lines: readonly { readonly html: string; readonly hole?: string }[];
  /** The text that the entry put into each hole, coloured, and how many other entries did so. */
  readonly holes: readonly { readonly name: string; readonly filled: readonly string[]; readonly others: number }[];
}

export interface CodegenExample {
  readonly entry: string;
  readonly yaml: readonly string[];
  readonly derivative: readonly string[];
  readonly templates: readonly FilledTemplate[];
}

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";

export async function codegenExample(context: Context): Promise<string> {
  const example = await watch(context.root, "dot");
  context.write(join(context.generated, "codegen/dot.json"), JSON.stringify(example));
  return `${example.templates.length} templates filled from ${example.entry}`;
}

interface Call {
  readonly template: CodeTemplate;
  readonly values: Substitutions;
  readonly text: string;
}

/** Runs the generator and keeps every filling of a template. */
function fillings(root: string): { calls: Call[]; outputs: ReadonlyMap<string, string> } {
  const calls: Call[] = [];
  const { substitute } = CodeTemplate.prototype;
  CodeTemplate.prototype.substitute = function (values) {
    const text = substitute.call(this, values);
    calls.push({ template: this, values, text });
    return text;
  };
  try {
    return { calls, outputs: generate(read_tree(root)).outputs };
  } finally {
    CodeTemplate.prototype.substitute = substitute;
  }
}

async function watch(root: string, entry: string): Promise<CodegenExample> {
  const { calls, outputs } = fillings(root);
  // Generated text cites the entry it was made from; a table names the function that does.
  const cites = new RegExp(
    `(?:native_functions|derivatives)\\.yaml#${entry}(?![\\w.])|\\bTHPVariable_${entry}\\b|\\b${entry}_parser\\b`,
  );
  const templates: FilledTemplate[] = [];
  for (const { template, values } of calls) {
    const holes = Object.entries(values).flatMap(([name, value]) => {
      const items = Array.isArray(value) ? pieces(value as readonly string[]) : [];
      const own = items.filter((item) => cites.test(item));
      return own.length === 0 ? [] : [{ name, own, others: items.length - own.length }];
    });
    const first = holes[0]?.own[0];
    if (first === undefined) continue;
    const wanted = first.split("\n").map((line) => line.trim());
    const output = [...outputs].find(([, written]) => wanted.every((line) => written.includes(line)))?.[0];
    if (output === undefined) continue; // a part of another template
    templates.push({
      template: template.filename,
      upstream: upstreamPath(mirrorsOf(template.filename) ?? ""),
      output,
      lines: await linesOf(template.pattern),
      holes: await Promise.all(
        holes.map(async ({ name, own, others }) => ({ name, filled: await coloured(own.join("\n")), others })),
      ),
    });
  }
  if (templates.length < 5) throw new Error(`only ${templates.length} templates take anything from the entry ${entry}`);
  return {
    entry,
    yaml: await coloured(findRegion(YAML, fileText(YAML) ?? "", `- func: ${entry}`).text, "yaml"),
    derivative: await coloured(findRegion(DERIVATIVES, fileText(DERIVATIVES) ?? "", `- name: ${entry}`).text, "yaml"),
    templates,
  };
}

/** The pieces that an entry puts into a hole: one text of a list, or one declaration of a list of single lines. */
function pieces(items: readonly string[]): string[] {
  if (items.some((item) => item.includes("\n")) || !items.includes(""))
    // A text of many entries is a list of its lines.
    return items.flatMap((item) =>
      new Set(Array.from(item.matchAll(/\.yaml#([\w.]+)/g), (m) => m[1])).size > 4 ? item.split("\n") : [item],
    );
  return items
    .join("\n")
    .split(/\n{2,}/)
    .filter((piece) => piece.trim() !== "");
}

async function linesOf(pattern: string): Promise<FilledTemplate["lines"]> {
  const html = await coloured(pattern.trimEnd());
  return pattern
    .trimEnd()
    .split("\n")
    .map((line, i) => {
      const hole = /^\s*\$\{(\w+)\}\s*$/.exec(line)?.[1];
      return { html: html[i] ?? "", ...(hole === undefined ? {} : { hole }) };
    });
}
