/**
 * @file `torch._check` and its relatives: conditions that a program promises, with the message of the error where one does not hold.
 * @mirrors torch/__init__.py#_check
 */
import { IndexError, NotImplementedError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { py_str, python_type } from "#torch/_C";
import { def } from "./_signature.ts";
import { Tensor } from "./_tensor/index.ts";

type ErrorClass = new (message: string) => Error;

/** A symbol that stands for a boolean notes the promise. */
const is_bool = (cond: unknown): boolean => typeof cond === "boolean" || python_type(cond) === "SymBool";

function check(error_type: ErrorClass, cond: unknown, message: unknown): void {
  if (!is_bool(cond)) {
    if (cond instanceof Tensor)
      throw new TypeError_(
        "cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() to assert that all elements are true.",
      );
    throw new TypeError_(`cond must be a bool, but got <class '${python_type(cond)}'>`);
  }
  if (typeof cond === "boolean" ? cond : (cond as { expect_true(): boolean }).expect_true()) return;
  if (message === null)
    throw new error_type(
      "Expected cond to be True, but got False. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)",
    );
  if (typeof message !== "function") throw new TypeError_("message must be a callable");
  throw new error_type(py_str((message as () => unknown)()));
}

const checked = <const Name extends string>(name: Name, error_type: ErrorClass) =>
  def(`${name}(cond: object, message: object=None)`, (cond: unknown, message: unknown): void =>
    check(error_type, cond, message),
  );

/** Raises RuntimeError unless `cond` holds. `message()` gives its text. */
export const _check = checked("_check", RuntimeError);
export const _check_index = checked("_check_index", IndexError);
export const _check_value = checked("_check_value", ValueError);
export const _check_type = checked("_check_type", TypeError_);
export const _check_not_implemented = checked("_check_not_implemented", NotImplementedError);

/** Raises RuntimeError unless `i` can be the size of a dimension, at most `max`. */
export const _check_is_size = def(
  "_check_is_size(i: object, message: object=None, *, max: object=None)",
  (i: unknown, message: unknown, max: unknown): void => {
    warn(
      "FutureWarning",
      "_check_is_size will be removed in a future PyTorch release along with guard_size_oblivious.     Use _check(i >= 0) instead.",
    );
    const compared = (name: "__ge__" | "__le__", to: number): unknown =>
      typeof i === "number"
        ? name === "__ge__"
          ? i >= to
          : i <= to
        : (i as Record<typeof name, (to: number) => unknown>)[name](to);
    check(RuntimeError, compared("__ge__", 0), message);
    if (max !== null) check(RuntimeError, compared("__le__", max as number), message);
  },
);

/** Raises RuntimeError unless all elements of a boolean tensor hold. */
export const _check_tensor_all = def(
  "_check_tensor_all(cond: object, message: object=None)",
  (cond: unknown, message: unknown): void => {
    if (!(cond instanceof Tensor))
      throw new TypeError_(`cond must be a tensor, but got <class '${python_type(cond)}'>`);
    if (String(cond.dtype) !== "torch.bool")
      throw new TypeError_(`cond tensor must have dtype torch.bool, but got ${String(cond.dtype)}`);
    check(RuntimeError, cond.all().item(), message);
  },
);
