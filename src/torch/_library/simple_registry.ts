/**
 * @file Registrations for an operator that are stored outside the dispatcher's table.
 * @mirrors torch/_library/simple_registry.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { class_repr, type PythonFunction, setFindTorchDispatchRule } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { FakeImplHolder } from "./fake_impl.ts";
import { RegistrationHandle } from "./utils.ts";

/** The rules of one operator for modes, by class of the mode. */
export class GenericTorchDispatchRuleHolder {
  private readonly _data = new Map<unknown, PythonFunction>();
  private readonly qualname: string;

  constructor(qualname: string) {
    this.qualname = qualname;
  }

  register(torch_dispatch_class: object, func: PythonFunction): RegistrationHandle {
    if (this._data.has(torch_dispatch_class)) {
      throw new RuntimeError(
        `${class_repr(torch_dispatch_class)} already has a \`__torch_dispatch__\` rule registered for ${this.qualname}`,
      );
    }
    this._data.set(torch_dispatch_class, func);
    return new RegistrationHandle(() => this._data.delete(torch_dispatch_class));
  }

  find(torch_dispatch_class: object): PythonFunction | null {
    return this._data.get(torch_dispatch_class) ?? null;
  }
}

export class SimpleOperatorEntry {
  readonly qualname: string;
  readonly fake_impl: FakeImplHolder;
  readonly torch_dispatch_rules: GenericTorchDispatchRuleHolder;

  constructor(qualname: string) {
    this.qualname = qualname;
    this.fake_impl = new FakeImplHolder(qualname);
    this.torch_dispatch_rules = new GenericTorchDispatchRuleHolder(qualname);
  }
}

/** Entries by qualified name, including the overload. */
export class SimpleLibraryRegistry {
  private readonly _data = new Map<string, SimpleOperatorEntry>();

  find(qualname: string): SimpleOperatorEntry {
    let entry = this._data.get(qualname);
    if (entry === undefined) {
      entry = new SimpleOperatorEntry(qualname);
      this._data.set(qualname, entry);
    }
    return entry;
  }

  get(qualname: string): SimpleOperatorEntry | null {
    return this._data.get(qualname) ?? null;
  }
}

export const singleton = new SimpleLibraryRegistry();

setFindTorchDispatchRule((op, mode) => {
  const entry = singleton.get((op as OpOverload).__qualname__);
  return entry === null ? null : entry.torch_dispatch_rules.find(mode.constructor);
});
