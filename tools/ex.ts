/**
 * @file `npm run ex -- COMMAND [EXERCISE]`: the guided exercises, one command at a time.
 * @original
 */
import { parseArgs } from "node:util";
import { ExerciseError } from "./learn/exercise.ts";
import { commands } from "./learn/node/commands.ts";

const usage = `npm run ex -- COMMAND [EXERCISE] [--json]

  list                 all exercises, and which are done
  start 06             its text, and its files into workspace/
  check 06             run its checks; the first that fails is explained
  check 22 [erf]       whether the operators that you added are complete: those that git shows, or erf
                       --base BRANCH: where your branch began (main); --ci: checks that cannot run here fail
  hint 06 [2]          1: where to look; 2: what to do; 3: almost the lines
  trace 06             the path of the call that the check is about
  diff 06              expected and yours, from the first to the last line
  reset 06             begin again; your files are kept in workspace/backups
  solution 06          the solution, once the exercise has passed
  status               checks all passed exercises again
  doctor               whether this machine has everything that is needed
  verify [06] [--write]   for authors: checks the exercises themselves

Without EXERCISE: the first that is not done. npm run learn watches your files and checks by itself.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      ci: { type: "boolean", default: false },
      base: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const [name = "", ...args] = positionals;
  const command = commands[name];
  if (command === undefined || values.help) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const { base, ...options } = values;
  return (await command(args, base === undefined ? options : { ...options, base })) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ExerciseError) && !(error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS"))
    throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}
