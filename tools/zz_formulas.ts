import "../src/jit.ts";
import { CompilationUnit } from "../src/torch/csrc-equivalent/jit/api/compilation_unit.ts";
import { nativeResolver } from "../src/torch/csrc-equivalent/jit/frontend/resolver.ts";
import { functions } from "../src/torch/csrc-equivalent/jit/runtime/symbolic_script/formulas.ts";
for (const text of functions) {
  const defs = text.split(/^(?=def )/m).filter((d) => d.startsWith("def "));
  const helpers = defs.filter((d) => d.startsWith("def AD_")).join("");
  for (const d of defs.filter((d) => !d.startsWith("def AD_"))) {
    try { new CompilationUnit().define_source(null, helpers + d, nativeResolver(), null); }
    catch (e) { console.log("FAIL", d.split("\n")[0], "::", (e as Error).message.slice(0, 300)); }
  }
}
