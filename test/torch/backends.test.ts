/** Switches of libraries as PyTorch's: tools/oracle/user_programs/backends.py in TypeScript, line for line. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const { mkldnn, nnpack, mkl, openmp, opt_einsum } = torch.backends as Any;

user_programs("backends", {
  "switches of libraries"({ say, fails }) {
    const switches = () => say(mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32);
    switches();
    say(...mkldnn.set_flags());
    say(...mkldnn.set_flags({ _enabled: false, _deterministic: true, _allow_tf32: true }));
    switches();
    say(...mkldnn.set_flags(true, false, false));
    mkldnn.flags({ enabled: false }, switches);
    switches();
    mkldnn.enabled = false;
    say(mkldnn.enabled);
    mkldnn.enabled = true;
    for (const [name, value] of [
      ["enabled", 1],
      ["deterministic", "a"],
      ["allow_tf32", null],
    ] as const) {
      fails(() => {
        mkldnn[name] = value;
      });
    }
    fails(() => mkldnn.set_flags({ _enabled: 5 }));
    say(
      mkldnn.is_acl_available(),
      ...[mkldnn.VERBOSE_OFF, mkldnn.VERBOSE_ON, mkldnn.VERBOSE_ON_CREATION],
      ...[mkl.VERBOSE_OFF, mkl.VERBOSE_ON],
    );
    mkldnn.verbose(mkldnn.VERBOSE_OFF, () => mkl.verbose(mkl.VERBOSE_OFF, () => say("quiet")));
    say(...nnpack.set_flags(false));
    nnpack.flags(true, () => say(...nnpack.set_flags(true)));
    say(...nnpack.set_flags(true));
    fails(() => nnpack.set_flags(1));
    fails(() => nnpack.set_flags());
  },

  "einsum without opt_einsum"({ say, fails }) {
    say(opt_einsum.is_available(), opt_einsum.enabled, opt_einsum.strategy, opt_einsum.get_opt_einsum());
    say(...opt_einsum.set_flags(), ...opt_einsum.set_flags(false));
    fails(() => opt_einsum.set_flags(true));
    fails(() => opt_einsum.set_flags({ _strategy: "greedy" }));
    fails(() => opt_einsum.set_flags(false, 5));
    opt_einsum.flags({ enabled: false }, () => say("the same"));
    fails(() => opt_einsum.flags(true, () => {}));
    opt_einsum.enabled = true;
    say(opt_einsum.enabled, ...opt_einsum.set_flags());
    opt_einsum.enabled = false;
  },
});

test("none of the libraries is here", () => {
  for (const library of [mkl, mkldnn, nnpack, openmp]) expect(library.is_available()).toBe(false);
  expect(() => mkl.verbose(mkl.VERBOSE_ON, () => {})).toThrow("Failed to set MKL into verbose mode.");
  expect(() => mkldnn.verbose(mkldnn.VERBOSE_ON, () => {})).toThrow("Failed to set MKLDNN into verbose mode.");
});
