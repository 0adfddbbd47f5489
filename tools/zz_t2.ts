import { jit } from "../src/jit.ts";
const f = (new jit.CompilationUnit(`def f(x):
    with torch.no_grad():
        y = x * 2 + x
    return y * x + x * x
`) as any).f;
console.log(String(f.graph), String(f.inlined_graph));
import { jit_passes } from "../src/torch/csrc-equivalent/jit/python/passes.ts";
import { AliasDb } from "../src/torch/csrc-equivalent/jit/ir/alias_analysis.ts";
const g = f.inlined_graph;
console.log(String(new AliasDb(g)));
for (const n of ["peephole", "constant_propagation_immutable_types", "constant_pooling", "dce_graph"]) { const c = g.copy(); (jit_passes as any)[n](c, true); console.log(n, String(c).includes("SetAttr")); }
