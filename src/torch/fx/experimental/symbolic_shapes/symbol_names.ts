/**
 * @file Names of size symbols: `s77` for the first size of the argument `x`. The number comes from the text of the source, so that a program gives
 * the same names in every run.
 * @mirrors torch/fx/experimental/symbolic_shapes.py#_generate_unique_id
 */
import { sha256 } from "#python/Modules/hashmodule";

/** Gives out numbers; those in use are skipped. */
export class SymbolNames {
  private readonly unique_ids = new Set<number>();

  /** The number of a source: its SHA-256 hash as an integer, modulo 100. */
  generate_unique_id(source_name: string): number {
    let attempt = 0;
    for (const byte of sha256(new TextEncoder().encode(source_name))) attempt = (attempt * 256 + byte) % 100;
    while (this.unique_ids.has(attempt)) attempt++;
    this.unique_ids.add(attempt);
    return attempt;
  }
}
