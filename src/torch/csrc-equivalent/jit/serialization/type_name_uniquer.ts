/**
 * @file Gives each type of an archive a name that no other one has.
 * @mirrors torch/csrc/jit/serialization/type_name_uniquer.cpp
 */
import { mangle } from "../frontend/name_mangler.ts";

export class TypeNameUniquer {
  private readonly names_ = new Map<object, string>();
  private readonly used_names_ = new Set<string>();

  /** The type's own name, or one made from it if another type of that name was met before. */
  getUniqueName(type: { name(): string | null }): string {
    const known = this.names_.get(type);
    if (known !== undefined) return known;
    let name = type.name() ?? "";
    while (this.used_names_.has(name)) name = mangle(name);
    this.names_.set(type, name);
    this.used_names_.add(name);
    return name;
  }
}
