/**
 * @file The names that Python has for classes.
 * @original
 */

/** A class of the library says the module that PyTorch has it in. */
interface Class {
  readonly name: string;
  readonly __module__?: string;
}

/** `cls.__module__ + "." + cls.__name__`; a class that says no module is a script's. */
export function class_name(cls: object): string {
  const { name, __module__ } = cls as Class;
  return `${Object.hasOwn(cls, "__module__") ? __module__ : "__main__"}.${name}`;
}

/** `repr(cls)`: `<class 'torch.distributions.normal.Normal'>` */
export function class_repr(cls: object): string {
  return `<class '${class_name(cls)}'>`;
}
