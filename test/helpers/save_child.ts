/**
 * @file A process that replaces a file and is killed before one of its calls to the file system: `save_child.ts PATH CALL`. With `never` for the
 * number it is not killed, and prints how many calls there are. It loads only what writes the archive, so that it starts quickly.
 */
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import { ReplacedFile } from "#caffe2/serialize/replaced_file";

const [path, kill_before] = process.argv.slice(2) as [string, string];
const fs = process.getBuiltinModule("node:fs") as unknown as Record<string, (...args: unknown[]) => unknown>;
let calls = 0;
for (const name of ["openSync", "fchmodSync", "writeSync", "fsyncSync", "closeSync", "renameSync"]) {
  const real = fs[name]!;
  fs[name] = (...args) => {
    if (calls++ === Number(kill_before)) process.kill(process.pid, "SIGKILL");
    return real(...args);
  };
}

const file = new ReplacedFile(path);
const writer = new PyTorchStreamWriter((data) => file.write(data), "archive");
for (let i = 0; i < 3; i++) writer.writeRecord(`data/${i}`, new Uint8Array(100_000).fill(i));
writer.writeEndOfFile();
file.finish();
console.log(calls);
