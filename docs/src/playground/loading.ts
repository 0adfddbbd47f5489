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
  /** Folder of the texts one by one, with their list. */
  readonly sources: string;
  /** Folder of the symbol index, file by file. */
  readonly symbols: string;
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

const regenerate = codegen();

/** A library without any text: what is opened and what is edited comes file by file. */
export const emptyLibrary = (): Library => new Library(compilers.compile, regenerate);

/** The sources that are read and edited, all of them; an exercise makes a fork. */
export const libraryOnce = once(async ({ archive }: ArchiveAddress) => {
  const library = emptyLibrary();
  const answer = await fetch(archive);
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${answer.statusText}`);
  await library.fill(readTexts(answer.body));
  return library;
});
