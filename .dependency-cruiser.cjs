/**
 * Runs on the compiled JavaScript in `.layers/` (see tools/check.ts): what is left there is what really runs, type-only imports are gone.
 *
 * The layers of the house: c10 <- aten <- torch/csrc-equivalent <- torch; imports go down only, never in a circle.
 * Lower layers reach upwards as PyTorch's do: through hooks and registries. Type-only imports are no circle.
 */
const up = (name, from, to, why) => ({ name, severity: "error", comment: why, from: { path: from }, to: { path: to } });

module.exports = {
  forbidden: [
    up("c10-knows-nothing-above", "^\\.layers[^/]*/c10/", "^\\.layers[^/]*/(aten|torch|trace|caffe2|index)", "c10 is the lowest layer; it reaches autograd through AutogradMetaFactory and the trace through c10/util/Trace.ts."),
    up("aten-below-torch", "^\\.layers[^/]*/aten/", "^\\.layers[^/]*/(torch|trace|index)", "aten calls upwards only through hook interfaces (VariableHooksInterface, ...)."),
    up("csrc-below-python", "^\\.layers[^/]*/torch/csrc-equivalent/", "^\\.layers[^/]*/(index|trace)|^\\.layers[^/]*/torch/(?!csrc-equivalent)", "csrc is what Python imports; where PyTorch's C++ calls Python it does so through a registered callable."),
    up("trace-knows-only-the-hook", "^\\.layers[^/]*/trace/", "^\\.layers[^/]*/(aten|torch|index|c10/(?!util/Trace))", "recording must be possible before the library is imported."),
    up("one-door", "^\\.layers[^/]*/torch/(?!csrc-equivalent|_C\\.js)", "^\\.layers[^/]*/torch/csrc-equivalent/", "the front end reaches the engine through src/torch/_C.ts, as Python does through torch._C."),
    {
      name: "no-circles",
      severity: "error",
      comment: "A circle means the layers are not layers; split header and body (X.ts, X.impl.ts) or use a hook.",
      from: { path: "^\\.layers[^/]*/" },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    moduleSystems: ["es6"],
  },
};
