/**
 * @file The names in Python of the classes and functions of the library. The library registers its answers; without them a thing has its JavaScript name.
 * @original
 */

/** The name of a class or function as CPython sees PyTorch's. */
export interface PythonName {
  /** `__module__`. */
  readonly module: string;
  readonly qualname: string;
  /** Whether it is written in C: CPython then knows no code of it, and messages name a class with its module. */
  readonly in_c: boolean;
  /** Whether PyTorch has a function: the library may have a class in its place, as for a context that `contextlib` makes. */
  readonly is_function: boolean;
}

export const naming: {
  /** The name of a class or a function; undefined if the library does not say. */
  of: (value: object) => PythonName | undefined;
  /** Whether a method of a class that is written in C is written in Python. */
  is_python_method: (cls: string, method: string) => boolean;
  /** The object that a module of the library has under this name in Python alone; undefined if there is nothing. */
  member: (module: string, name: string) => unknown;
} = { of: () => undefined, is_python_method: () => false, member: () => undefined };

/** The last part of a qualified name: `__name__`. */
export const last_part = (qualname: string): string => qualname.slice(qualname.lastIndexOf(".") + 1);
