/**
 * @file Reading from a file, only the requested bytes each time.
 * @mirrors caffe2/serialize/file_adapter.h
 */
import { RuntimeError } from "#c10/util/Exception";
import { OSError } from "#python/Objects/library_exceptions";
import { node_fs } from "./node_fs.ts";
import { with_os_errors } from "./os_error.ts";
import type { ReadAdapterInterface } from "./read_adapter_interface.ts";

/** Node reads at most 2 GB at once. */
const LARGEST_READ = 2 ** 30;

function opened(file_name: string): number {
  try {
    return with_os_errors(file_name, () => node_fs().openSync(file_name, "r"));
  } catch (error) {
    if (!(error instanceof OSError)) throw error;
    const { errno, strerror } = error;
    throw new RuntimeError(`open file failed because of errno ${errno} on fopen: ${strerror}, file path: ${file_name}`);
  }
}

export class FileAdapter implements ReadAdapterInterface {
  private readonly fd_: number;
  private readonly size_: number;
  private readonly file_name_: string;

  constructor(file_name: string) {
    const fs = node_fs();
    this.file_name_ = file_name;
    this.fd_ = opened(file_name);
    this.size_ = fs.fstatSync(this.fd_).size;
  }

  size(): number {
    return this.size_;
  }

  read(pos: number, n: number, what: string): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(n, this.size_ - pos)));
    let done = 0;
    while (done < bytes.length) {
      const length = Math.min(LARGEST_READ, bytes.length - done);
      const read = with_os_errors(this.file_name_, () => node_fs().readSync(this.fd_, bytes, done, length, pos + done));
      if (read === 0) throw new RuntimeError(`PytorchStreamReader failed reading ${what}: the file became shorter`);
      done += read;
    }
    return bytes;
  }

  close(): void {
    node_fs().closeSync(this.fd_);
  }
}
