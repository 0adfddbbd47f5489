/**
 * @file Programs of a few steps, run with the learner's tensors in place of PyTorch's.
 * @original
 */
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

/** `[what, name, of]`: `["view", "v", "x"]` is `v = x.view(...)`. */
type Step = readonly [what: string, name: string, of?: string];

export function open(yours: Yours): Session {
  const run = (...steps: Step[]): string[] => {
    const tensors = new Map<string, unknown>();
    const saved = new Map<string, { unpack(): unknown; reset_data(): void }>();
    const said: string[] = [];
    const of = (name: string | undefined): unknown => tensors.get(name as string);
    const does: Readonly<Record<string, (name: string, from?: string) => void>> = {
      tensor: (name) => tensors.set(name, yours["tensor"]()),
      inference: (name) => tensors.set(name, yours["inference_tensor"]()),
      view: (name, from) => tensors.set(name, yours["view"](of(from))),
      detach: (name, from) => tensors.set(name, yours["detach"](of(from))),
      data: (name, from) => tensors.set(name, yours["data"](of(from))),
      clone: (name, from) => tensors.set(name, yours["clone"](of(from))),
      add_: (name) => yours["add_"](of(name)),
      // sin and mul keep their input, exp its result.
      sin: (name, from) => {
        saved.set(name, new yours["SavedVariable"](of(from)));
        tensors.set(name, yours["tensor"]("Sin"));
      },
      mul: (name, from) => {
        saved.set(name, new yours["SavedVariable"](of(from)));
        tensors.set(name, yours["tensor"]("Mul"));
      },
      exp: (name) => {
        tensors.set(name, yours["tensor"]("Exp"));
        saved.set(name, new yours["SavedVariable"](of(name)));
      },
      version: (name) => said.push(`${name} ${yours["version"](of(name))}`),
      unpack: (name) => {
        if (saved.get(name)?.unpack() === undefined) throw new Error("unpack returned nothing");
        said.push(`${name} unpacked`);
      },
      backward: (name) => {
        saved.get(name)?.unpack();
        saved.get(name)?.reset_data();
      },
    };
    try {
      for (const [what, name, from] of steps) (does[what] as (name: string, from?: string) => void)(name, from);
    } catch (error) {
      // PyTorch's RuntimeError, which TypeScript does not have.
      const { name, message } = error as Error;
      said.push(`${name === "Error" ? "RuntimeError" : name}: ${message}`);
    }
    return said;
  };
  return { calls: { "a program": { inputs: () => [], run } } };
}
