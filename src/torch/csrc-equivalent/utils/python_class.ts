/**
 * @file Python's names of classes.
 * @original
 */

/** A class of the library; it states the module in which PyTorch has it. */
interface Class {
  readonly name: string;
  readonly __module__?: string;
}

/** `cls.__module__ + "." + cls.__name__`; a class without a module belongs to a script. */
export function class_name(cls: object): string {
  const { name, __module__ } = cls as Class;
  return `${Object.hasOwn(cls, "__module__") ? __module__ : "__main__"}.${name}`;
}

/** `repr(cls)`: `<class 'torch.distributions.normal.Normal'>` */
export function class_repr(cls: object): string {
  return `<class '${class_name(cls)}'>`;
}
