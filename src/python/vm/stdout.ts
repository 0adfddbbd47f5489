/**
 * @file Where a program's output goes.
 * @original CPython writes to file descriptors; here the host says where text goes.
 */
export type Writer = (text: string) => void;

interface ProcessLike {
  readonly stdout?: { write: Writer };
  readonly stderr?: { write: Writer };
}

const { process } = globalThis as { process?: ProcessLike };

/** Where `print` writes, unless `sys.stdout` is another object. */
export const stdout: { write: Writer } = {
  write: (text) => {
    if (process?.stdout !== undefined) process.stdout.write(text);
    else console.log(text.replace(/\n$/, ""));
  },
};

export const stderr: { write: Writer } = {
  write: (text) => {
    if (process?.stderr !== undefined) process.stderr.write(text);
    else console.error(text.replace(/\n$/, ""));
  },
};
