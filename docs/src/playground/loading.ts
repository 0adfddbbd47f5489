/**
 * @file Loads the parts that all playgrounds and exercises of a page share: the compilers, the library that runs, and the sources that are read and edited. Each loads once.
 * @original
 */
import { readTexts } from "./engine/archive.ts";
import { Library } from "./engine/library.ts";
import { type RunAddresses, Sent } from "./engine/sent.ts";
import { Compilers, codegen } from "./engine/workers.ts";

export const compilers = new Compilers();

/** Where the library's texts are, all in one file. */
export interface ArchiveAddress {
  readonly archive: string;
}

/** Where the site keeps things; what has changed has another address. */
export interface Addresses extends RunAddresses, ArchiveAddress {
  /** Folder of the texts one by one. */
  readonly sources: string;
  /** The index of functions and operators. */
  readonly names: string;
  /** The lines that one PReLU step runs. */
  readonly road: string;
  /** Names of PyTorch's operators that are not built here. */
  readonly notBuilt: string;
}

/** After a failure the next attempt asks again. */
function once<A, T>(load: (addresses: A) => Promise<T>): (addresses: A) => Promise<T> {
  let loaded: Promise<T> | null = null;
  return (addresses) => {
    loaded ??= load(addresses).catch((error: Error) => {
      loaded = null;
      throw new Error(`The library could not be loaded: ${error.message}`);
    });
    return loaded;
  };
}

/** The library that runs. */
export const sentOnce = once((addresses: RunAddresses) => Sent.fetch(addresses));

/** The sources that are read and edited; an editor makes a fork. */
export const libraryOnce = once(async ({ archive }: ArchiveAddress) => {
  const library = new Library(compilers.compile, codegen());
  const answer = await fetch(archive);
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${answer.statusText}`);
  await library.fill(readTexts(answer.body));
  return library;
});
