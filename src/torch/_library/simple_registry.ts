/**
 * @file What is registered for an operator outside the dispatcher's table.
 * @mirrors torch/_library/simple_registry.py
 */
import { FakeImplHolder } from "./fake_impl.ts";

export class SimpleOperatorEntry {
  readonly qualname: string;
  readonly fake_impl: FakeImplHolder;

  constructor(qualname: string) {
    this.qualname = qualname;
    this.fake_impl = new FakeImplHolder(qualname);
  }
}

/** Entries by qualified name, overload included. */
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
}

export const singleton = new SimpleLibraryRegistry();
