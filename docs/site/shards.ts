/**
 * @file Pages name a generated file as PyTorch does, `RegisterCPU.ts`; codegen splits it into `RegisterCPU_0.ts` and so on. This file finds
 * the one that has the piece.
 * @original
 */
import { findRegion, type Region, RegionError, type RegionOptions } from "./regions";
import { fileText } from "./repository";

/** The file itself, or those it was shared out over. */
function partsOf(file: string): string[] {
  const parts: string[] = [];
  for (let i = 0; ; i++) {
    const part = file.replace(/\.ts$/, `_${i}.ts`);
    if (!file.includes("/generated/") || part === file || fileText(part) === null) break;
    parts.push(part);
  }
  return parts.length > 0 ? parts : [file];
}

/** A piece of `file`, with the file that has it. */
export function regionOf(file: string, name: string, options: RegionOptions = {}): Region & { readonly file: string } {
  const parts = partsOf(file);
  // The last part of `Class.member`; a file without it need not be parsed.
  const word = name.slice(name.lastIndexOf(".") + 1);
  const likely = parts.length === 1 ? parts : parts.filter((part) => fileText(part)?.includes(word));
  for (const part of likely) {
    try {
      return { ...findRegion(part, textOf(part), name, options), file: part };
    } catch (error) {
      if (!(error instanceof RegionError) || part === likely.at(-1)) throw error;
    }
  }
  throw new RegionError(`none of ${parts[0]} … ${parts.at(-1)} has a region "${name}"`);
}

/** Where a link to `file` leads: to itself, or to the first of its parts. */
export function linked(file: string): string {
  if (fileText(file) !== null) return file;
  const [part] = partsOf(file);
  textOf(part);
  return part;
}

export function textOf(file: string): string {
  const text = fileText(file);
  if (text === null) throw new RegionError(`there is no file ${file}`);
  return text;
}
