/**
 * The layers of the house: c10 <- aten <- torch/csrc-equivalent <- torch; imports go down only, never in a circle.
 * Lower layers reach upwards as PyTorch's do: through hooks and registries. Type-only imports make no circle.
 */
const up = (name, from, to, why) => ({
  name,
  severity: "error",
  comment: why,
  from: { path: from },
  to: { path: to, dependencyTypesNot: ["type-only"] },
});

module.exports = {
  forbidden: [
    up("c10-knows-nothing-above", "^src/c10/", "^src/(aten|torch|trace|caffe2|index)", "c10 is the lowest layer; it reaches autograd through AutogradMetaFactory and the trace through c10/util/Trace.ts."),
    up("aten-below-torch", "^src/aten/", "^src/(torch|trace|index)", "aten calls upwards only through hook interfaces (VariableHooksInterface, ...)."),
    up("csrc-below-python", "^src/torch/csrc-equivalent/", "^src/(index|trace)|^src/torch/(?!csrc-equivalent)", "csrc is what Python imports; where PyTorch's C++ calls Python it does so through a registered callable."),
    up("trace-knows-only-the-hook", "^src/trace/", "^src/(aten|torch|index|c10/(?!util/Trace))", "recording must be possible before the library is imported."),
    up("one-door", "^src/torch/(?!csrc-equivalent|_C\\.ts)", "^src/torch/csrc-equivalent/", "the front end reaches the engine through src/torch/_C.ts, as Python does through torch._C."),
    up("src-stands-alone", "^src/", "^(tools|test|walkthroughs|docs|bench)/", "the library needs nothing outside src."),
    {
      name: "no-circles",
      severity: "error",
      comment: "A circle means the layers are not layers; split header and body (X.ts, X.impl.ts) or use a hook.",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: "specify",
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
    moduleSystems: ["es6"],
  },
};
