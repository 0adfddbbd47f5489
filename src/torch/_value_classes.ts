/**
 * @file `torch.dtype`, `torch.layout` and `torch.memory_format`: classes whose objects are made once, with the library.
 * @original In PyTorch these are type objects of the extension module.
 */
import { TypeError_ } from "#c10/util/Exception";
import { THPDtype, THPLayout, THPMemoryFormat } from "./_C.ts";

interface Class<T> {
  readonly prototype: T;
  readonly __name__: string;
}

/** The class for `value instanceof torch.dtype`. No object can be made with it, as in Python. */
function class_of<T>(cls: Class<T>): abstract new () => T {
  const refuse = function (): never {
    throw new TypeError_(`cannot create '${cls.__name__}' instances`);
  };
  refuse.prototype = cls.prototype;
  return Object.assign(refuse, { __name__: cls.__name__ }) as unknown as abstract new () => T;
}

/** The type of dtypes: `torch.float32 instanceof torch.dtype` is true. */
export const dtype = class_of(THPDtype);
/** The type of layouts, for example `torch.strided`. */
export const layout = class_of(THPLayout);
/** The type of memory formats, for example `torch.channels_last`. */
export const memory_format = class_of(THPMemoryFormat);
