/**
 * @file Deterministic algorithms: `torch.use_deterministic_algorithms` and related functions.
 * @mirrors torch/__init__.py#use_deterministic_algorithms
 * @differs Ours has no Inductor; PyTorch's function also sets Inductor's `config.deterministic`.
 * @see aten/Context/index.ts, Note [Enabling Deterministic Operations]
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { _C, python_type } from "./_C.ts";
import { def } from "./_signature.ts";
import { type_repr } from "./_utils/index.ts";

/**
 * Requires that operations give the same result at every run, if necessary by another algorithm. Uninitialized memory is filled, too
 * (`torch.utils.deterministic`).
 * @param warn_only whether an operation without a deterministic algorithm only warns; otherwise it raises a RuntimeError.
 */
export const use_deterministic_algorithms: (mode: boolean, kwargs?: { warn_only?: boolean }) => void = def(
  "use_deterministic_algorithms(mode, *, warn_only=False)",
  (mode: boolean, warn_only: boolean): void => _C._set_deterministic_algorithms(mode, { warn_only }),
);

/** Whether operations must give the same result at every run. */
export const are_deterministic_algorithms_enabled = def("are_deterministic_algorithms_enabled()", (): boolean =>
  _C._get_deterministic_algorithms(),
);

/** Whether an operation without a deterministic algorithm only warns. */
export const is_deterministic_algorithms_warn_only_enabled = def(
  "is_deterministic_algorithms_warn_only_enabled()",
  (): boolean => _C._get_deterministic_algorithms_warn_only(),
);

const MODES = ["default", "warn", "error"];

/** `use_deterministic_algorithms` with one argument: `"default"` or 0 allows any algorithm, `"warn"` or 1 warns, `"error"` or 2 raises. */
export const set_deterministic_debug_mode = def(
  "set_deterministic_debug_mode(debug_mode)",
  (debug_mode: number | bigint | boolean | string): void => {
    const type = python_type(debug_mode);
    if (type !== "int" && type !== "bool" && type !== "str")
      throw new TypeError_(`debug_mode must be str or int, but got ${type_repr(debug_mode, "class")}`);
    const mode = type === "str" ? MODES.indexOf(debug_mode as string) : Number(debug_mode);
    if (MODES[mode] === undefined) {
      const expected = type === "str" ? "one of `default`, `warn`, `error`," : "0, 1, or 2,";
      throw new RuntimeError(`invalid value of debug_mode, expected ${expected} but got ${debug_mode}`);
    }
    _C._set_deterministic_algorithms(mode > 0, { warn_only: mode === 1 });
  },
);

/** The current mode, 0, 1 or 2; see `set_deterministic_debug_mode`. */
export const get_deterministic_debug_mode = def("get_deterministic_debug_mode()", (): number => {
  if (!_C._get_deterministic_algorithms()) return 0;
  return _C._get_deterministic_algorithms_warn_only() ? 1 : 2;
});
