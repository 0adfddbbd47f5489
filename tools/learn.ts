/**
 * @file `npm run learn [EXERCISE]`: the guided exercises in watch mode. Each save runs the checks; single keys show
 * hints, traces, the next exercise.
 * @original
 */
import { ExerciseError } from "./learn/exercise.ts";
import { Watch } from "./learn/node/watch.ts";

try {
  new Watch(process.argv[2]).begin();
} catch (error) {
  if (!(error instanceof ExerciseError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
