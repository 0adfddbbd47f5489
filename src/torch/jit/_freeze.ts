/**
 * @file `torch.jit.freeze`: a module whose submodules are inlined and whose attributes are constants, and what makes such modules faster.
 * @mirrors torch/jit/_freeze.py
 * @differs There is no oneDNN and no CUDA here, so `optimize_for_inference` changes no layouts and fuses no convolutions with what follows. There is
 * no DeprecationWarning, which Python's default filters hide.
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { repr } from "#python/Objects/object";
import { def } from "#torch/_signature";
import { ScriptModule as CppModule, freeze_module, jit_passes } from "./_C.ts";
import { RecursiveScriptModule, ScriptModule } from "./_script/script_module.ts";

/** Names of attributes and methods. */
function names_of(value: unknown, argument: string): string[] {
  if (value === null) return [];
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) {
    throw new TypeError_(`${argument} must be a list of str, not ${repr(value)}`);
  }
  return value;
}

/** Optimizes the graphs of a frozen module: its `forward`, and the methods that freezing kept. */
function optimize_graphs(mod: ScriptModule, optimize_numerics: boolean, methods: readonly string[]): void {
  const forward = mod._c._has_method("forward") ? ["forward"] : [];
  for (const name of [...forward, ...methods]) {
    jit_passes.optimize_frozen_graph(mod._c._get_method(name).graph, optimize_numerics);
  }
}

/**
 * Makes a copy of a scripted module whose attributes are constants of its graphs.
 * @param preserved_attrs attributes and methods that stay, such as `version` or `encoder.scale`
 * @param optimize_numerics whether results may differ in their last bits, so that layers can be folded
 */
export const freeze = def(
  "freeze(mod, preserved_attrs=None, optimize_numerics=True)",
  (mod: unknown, preserved_attrs: unknown, optimize_numerics: unknown): RecursiveScriptModule => {
    if (!(mod instanceof ScriptModule)) {
      throw new RuntimeError(
        "Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'.",
      );
    }
    if (mod.training) {
      throw new RuntimeError(
        "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing.",
      );
    }
    const names = names_of(preserved_attrs, "preserved_attrs");
    const frozen = freeze_module(mod._c.module, { preserved_attrs: names });
    const out = RecursiveScriptModule.wrap(CppModule.of(frozen.object));
    const preserved_methods = names.filter((name) => mod._c._has_method(name));
    optimize_graphs(out, optimize_numerics === true, preserved_methods);
    return out;
  },
);

/** Removes dropout and folds batch normalization and other operators into the layers in front of them. `freeze` does this already. */
export const run_frozen_optimizations = def(
  "run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None)",
  (mod: unknown, optimize_numerics: unknown, preserved_methods: unknown): null => {
    if (!(mod instanceof ScriptModule)) {
      throw new TypeError_(`run_frozen_optimizations takes a ScriptModule, not ${repr(mod)}`);
    }
    optimize_graphs(mod, optimize_numerics === true, names_of(preserved_methods, "preserved_methods"));
    return null;
  },
);

/** Prepares a module for runs without gradients; a module that is not frozen is frozen first. */
export const optimize_for_inference = def(
  "optimize_for_inference(mod, other_methods=None)",
  (mod: unknown, other_methods: unknown): ScriptModule => {
    if (!(mod instanceof ScriptModule)) {
      throw new RuntimeError(
        "optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'.",
      );
    }
    const methods = names_of(other_methods, "other_methods");
    const frozen = mod._c.hasattr("training") ? freeze(mod.eval(), methods) : mod;
    optimize_graphs(frozen, true, methods);
    return frozen;
  },
);
