/**
 * @file An operator's hand-written kernels, each with its path through stubs to the arithmetic of its loops.
 * @original
 */

import { mirrors_of } from "#trace/symbol_index";
import { NativeKernels } from "../codegen/api/native.ts";
import type { Files } from "../codegen/context.ts";
import { kernel_path } from "../codegen/dest/ufunc.ts";
import { CodegenError, ErrorList } from "../codegen/errors.ts";
import type { NativeFunction, NativeFunctionsGroup, ParsedYaml } from "../codegen/model.ts";
import { type Declaration, SourceIndex } from "../codegen/source_index.ts";
import type { Piece } from "./made_from.ts";
import type { FunctionPlace, Places } from "./places.ts";
import type { Registration } from "./registrations.ts";
import { KernelFinder, type Step } from "./source_text.ts";

export interface KernelFact extends FunctionPlace {
  /** Dispatch key in the YAML, or the part of a structured kernel. */
  readonly key: string;
  readonly name: string;
  readonly lines: number;
  readonly steps: readonly KernelStep[];
  /** Operators (in the spelling of `at::_ops`) that it calls through the dispatcher. */
  readonly calls: readonly string[];
}

export interface KernelStep extends Step {
  readonly mirrors: string;
  readonly lines: number;
}

export class Kernels {
  private readonly files: Files;
  private readonly yaml: ParsedYaml;
  private readonly places: Places;
  private readonly sources: SourceIndex;
  private readonly finder: KernelFinder;
  private readonly native: NativeKernels;
  private readonly unambiguousNames: ReadonlySet<string>;

  constructor(files: Files, yaml: ParsedYaml, places: Places) {
    this.files = files;
    this.yaml = yaml;
    this.places = places;
    this.sources = new SourceIndex(files);
    this.finder = new KernelFinder(files, this.sources);
    const templates = (): never => {
      throw new Error("no templates here");
    };
    this.native = new NativeKernels({
      yaml,
      files,
      sources: this.sources,
      templates,
      allow_missing: false,
      errors: new ErrorList(),
    });
    this.unambiguousNames = new Set(yaml.native_functions.map((f) => f.func.name.unambiguous_name()));
  }

  /** @param made the pieces that codegen made for `f`; @param registered all its registrations */
  of(
    f: NativeFunction,
    group: NativeFunctionsGroup | null,
    made: readonly Piece[],
    registered: readonly Registration[],
  ): KernelFact[] {
    const found: KernelFact[] = [];
    const add = (d: Declaration | null, key: string): void => {
      if (d === null || found.some((k) => k.file === d.file && k.line === d.line)) return;
      found.push(this.fact(d, key));
    };
    if (f.generated) {
      const own = made.find((p) => p.file.includes("CompositeViewCopyKernels"));
      if (own !== undefined) add(this.declarationAt(own), "CompositeExplicitAutograd");
      return found;
    }
    if (group?.structured && (f.structured || f.structured_delegate !== null)) {
      const metadata = this.yaml.backend_indices.get("CPU")?.get_kernel(group) ?? null;
      add(this.classNamed(`structured_${group.functional.func.name.unambiguous_name()}`, group, "meta"), "meta");
      if (group.out.ufunc_inner_loop.size > 0) found.push(...this.ufunc(group));
      else if (metadata !== null) add(this.classNamed(`structured_${metadata.kernel}`, group, "impl"), "impl");
    }
    for (const [key, index] of this.yaml.backend_indices) {
      const metadata = index.get_kernel(f);
      if (metadata === null || metadata.structured) continue;
      const place = this.unlessMissing(() => {
        const name = this.native.resolve(f, metadata);
        return { name, file: this.native.file_of(name) };
      });
      if (place?.file) add(this.finder.declaration(place.file, place.name), key);
    }
    for (const { file, fn, key } of registered)
      if (!file.includes("/generated/")) add(this.finder.declaration(file, fn), key);
    return found;
  }

  /** Null if codegen would throw: then there is no kernel to show. */
  private unlessMissing<T>(look: () => T): T | null {
    try {
      return look();
    } catch (error) {
      if (error instanceof CodegenError) return null;
      throw error;
    }
  }

  private declarationAt({ file, line }: { readonly file: string; readonly line: number }): Declaration | null {
    return this.sources.file(file).declarations.find((d) => d.line === line) ?? null;
  }

  private classNamed(name: string, group: NativeFunctionsGroup, role: "meta" | "impl"): Declaration | null {
    const file = this.unlessMissing(() => this.native.file_of(this.native.resolve_class(name, group, role)));
    return file === null ? null : this.finder.declaration(file, name);
  }

  /** `ufunc_inner_loop`: only the scalar function is hand-written. */
  private ufunc(group: NativeFunctionsGroup): KernelFact[] {
    const [{ name: scalar }] = group.out.ufunc_inner_loop.values();
    const file = `src/aten/native/ufunc/${scalar}.ts`;
    const d = this.finder.declaration(file, scalar);
    if (d === null) return [];
    const impl = this.places.ending(`src/aten/generated/UfuncCPU_${group.out.func.name.name}.ts`, ".impl");
    const path = kernel_path(group);
    const stub = this.sources.file(path).declarations.find((x) => x.kind === "function");
    const steps: Step[] = [
      ...(impl === null ? [] : [{ role: "native", name: impl.name, file: impl.file, line: impl.line } as const]),
      ...(stub === undefined ? [] : [{ role: "kernel", name: stub.name, file: path, line: stub.line } as const]),
      { role: "loop", name: scalar, file, line: d.line },
    ];
    return [{ ...this.fact(d, "ufunc"), steps: steps.map((s) => this.step(s)) }];
  }

  private mirrorsOf(file: string): string {
    return mirrors_of(this.files.get(file) ?? "") ?? "";
  }

  private step(s: Step): KernelStep {
    const mirrors = this.places.in(s.file, s.name)?.mirrors ?? this.mirrorsOf(s.file);
    return { ...s, mirrors, lines: this.finder.text(s).split("\n").length };
  }

  private fact(d: Declaration, key: string): KernelFact {
    const text = this.finder.text(d);
    const method = key === "meta" || key === "impl" ? `.${key}` : "";
    const place = this.places.in(d.file, d.name + method) ?? this.places.in(d.file, d.name);
    return {
      key,
      name: d.name,
      symbol: place?.symbol ?? `at::native::${d.name}`,
      file: d.file,
      line: d.line,
      mirrors: place?.mirrors ?? this.mirrorsOf(d.file),
      lines: text.split("\n").length,
      steps: (key === "meta" ? [] : this.finder.way(d).slice(1)).map((s) => this.step(s)),
      calls: this.finder.operatorsCalled(text, this.unambiguousNames),
    };
  }
}
