/**
 * @file The request with which a worker checks an answer: the learner's compiled files, and a library of their own if they replace files of the library.
 * @original
 */
import { changesTheTree, type Exercise } from "../../../tools/learn/exercise.ts";
import { lay, toldOf } from "../../../tools/learn/laying.ts";
import { type CheckRequest, yoursAt } from "../playground/engine/checking.ts";
import type { Compile, Library } from "../playground/engine/library.ts";
import { type Module, SyntaxProblem } from "../playground/engine/transpile.ts";
import { CodegenProblem } from "../playground/engine/workers.ts";
import type { ExerciseData, Texts } from "./data.ts";

/** The learner's files as modules; one that cannot be compiled says so when it is asked for. */
export async function modulesOf({ id }: Exercise, files: Texts, compile: Compile): Promise<Module[]> {
  const sources = files.filter(([file]) => file.endsWith(".ts"));
  return Promise.all(
    sources.map(async ([file, text]): Promise<Module> => {
      const path = yoursAt(id, file);
      try {
        const [module] = await compile([[path, text]]);
        return module as Module;
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error;
        return refusing(path, { ...error.problem, file });
      }
    }),
  );
}

function refusing(path: string, { file, line, message }: SyntaxProblem["problem"]): Module {
  const told = `${file}${line === 0 ? "" : `:${line}`}: ${message}`;
  return { path, js: `throw new SyntaxError(${JSON.stringify(told)});` };
}

/** A library with the learner's files in it. */
export interface OwnLibrary extends Pick<CheckRequest, "generated" | "texts"> {
  readonly modules: readonly Module[];
}

/** Null where the exercise leaves the library as it is. */
export async function libraryOf(
  { exercise }: Pick<ExerciseData, "exercise">,
  files: Texts,
  pristine: () => Promise<Library>,
): Promise<OwnLibrary | null> {
  if (!changesTheTree(exercise)) return null;
  const library = (await pristine()).fork();
  const laid = lay(exercise, new Map(files), (file) => library.pristine.get(file) as string);
  for (const [file, { text }] of laid) library.edit(file, text);
  const textsOf = (): [string, string][] => library.paths().map((path) => [path, library.text(path) as string]);
  try {
    const modules = await library.modules();
    const made = library.regenerated().map((path): [string, string] => [path, library.text(path) as string]);
    return { modules, generated: { files: made, error: null }, texts: textsOf() };
  } catch (error) {
    if (error instanceof CodegenProblem) {
      const told = toldOf(error.problem.told ?? error.message, laid);
      return { modules: library.unchanged, generated: { files: [], error: told }, texts: [] };
    }
    if (!(error instanceof SyntaxProblem)) throw error;
    const modules = [...library.unchanged, refusing(error.problem.file, error.problem)];
    return { modules, generated: { files: [], error: null }, texts: textsOf() };
  }
}
