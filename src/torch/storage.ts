/**
 * @file `torch.UntypedStorage`: the bytes behind tensors.
 * @mirrors torch/storage.py
 */
import { StorageBase, THPStorage_postInit } from "./_C.ts";
import { def_methods, Signature } from "./_signature.ts";

/** The bytes behind tensors. Tensors that share memory hold the same storage. */
export class UntypedStorage extends StorageBase {
  static {
    // What it is given goes to the constructor in C++.
    def_methods(UntypedStorage, { __init__: new Signature("UntypedStorage.__new__(cls, *args, **kwargs)") });
  }

  static override readonly __name__ = "torch.storage.UntypedStorage";

  /** Every tensor on this storage lives where it does. */
  get is_cpu(): boolean {
    return this.cdata.device().is_cpu();
  }

  __len__(): number {
    return this.nbytes();
  }

  __repr__(): string {
    const data = this.cdata.device().is_meta() ? "..." : [...this.cdata.bytes()].map((byte) => ` ${byte}`).join("\n");
    return `${data}\n[torch.storage.UntypedStorage(device=${this.device}) of size ${this.nbytes()}]`;
  }

  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

THPStorage_postInit(UntypedStorage);
