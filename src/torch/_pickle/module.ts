/**
 * @file The pickle module of `torch.save`, and of `torch.load` with `weights_only=False`.
 * @mirrors torch/serialization.py#save (the argument `pickle_module`)
 * @differs A program in TypeScript has one pickle module. A Python program has Python's, and may give another one.
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Pickler, type PicklerHooks } from "./index.ts";
import { Unpickler } from "./unpickler.ts";

/** Reads pickles from an array of bytes, one after the other. */
export interface PickleReader {
  /** The value that stands for a reference to something outside of the pickle. */
  persistent_load: (pid: unknown) => unknown;
  /** The position after the pickle that was read last. */
  readonly pos: number;
  load(): unknown;
}

export type ReaderClass = new (data: Uint8Array, pos?: number) => PickleReader;

export interface PickleModule {
  /** The pickle of `obj`, in which `hooks` name the storages. */
  dumps(obj: unknown, hooks: PicklerHooks, protocol: number): Uint8Array;
  readonly Unpickler: ReaderClass;
}

const own: PickleModule = {
  dumps(obj, hooks, protocol) {
    if (protocol !== 2) throw new NotImplementedError(`save: pickle_protocol=${protocol}: only 2 is built`);
    return new Pickler(hooks).dump(obj);
  },
  Unpickler,
};

/** The module for the argument `pickle_module` of `save` or `load`, and the other arguments of its unpickler. */
export type FindModule = (given: unknown, load_args: Readonly<Record<string, unknown>>, what: string) => PickleModule;

/** While a Python program calls `save` or `load`, its modules count. */
export const pickle_modules: { find: FindModule } = {
  find(given, _load_args, what) {
    if (given !== null) throw new NotImplementedError(`${what}: there is one pickle module here; omit it`);
    return own;
  },
};
