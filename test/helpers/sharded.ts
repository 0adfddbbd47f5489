/**
 * @file A generated output as one text, be it one file or several: tests name it as PyTorch does, without the shard's number.
 */
import { NUM_SHARDS, root_of, shard_of, shard_path } from "../../tools/codegen/shards.ts";

/** The key of `NUM_SHARDS` that the file at `path` falls under, or null for a file that is one. */
function sharded(path: string): keyof typeof NUM_SHARDS | null {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.ts$/, "");
  const key = path.endsWith("autograd/generated/Functions.ts") ? "autograd/Functions" : name;
  return key in NUM_SHARDS ? (key as keyof typeof NUM_SHARDS) : null;
}

/** The file that holds operator `name` (`add_`, `add.out`) of the output at `path`: `RegisterCPU.ts`, `exp` -> `RegisterCPU_9.ts`. */
export function shard_with(path: string, name: string): string {
  const key = sharded(path);
  return key === null ? path : shard_path(path, shard_of(root_of(name.replace(/\..*/, "")), NUM_SHARDS[key]));
}

/** The output at `path`: its text, or those of its shards one after the other. One that is missing is an error. */
export function text_of(path: string, read: (path: string) => string | undefined): string {
  const key = sharded(path);
  const paths = key === null ? [path] : Array.from({ length: NUM_SHARDS[key] }, (_, i) => shard_path(path, i));
  return paths
    .map((each) => {
      const text = read(each);
      if (text === undefined) throw new Error(`no generated file ${each}`);
      return text;
    })
    .join("\n");
}
