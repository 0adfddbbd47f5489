/**
 * @file A file that takes the place of an older one in one step.
 * @mirrors caffe2/serialize/inline_container.h#PyTorchStreamWriter
 * @differs The bytes go to a new file beside the old one, which is flushed and then renamed; PyTorch truncates the old file and writes into it.
 *
 * Note [A save is all or nothing]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A program that is killed while it saves, or that fills the disk, must not lose the checkpoint before:
 *
 *     open  .model.pt.5f3a.tmp      in the folder of `model.pt`, so that both lie in one file system
 *     write ...                     an error or a crash leaves `model.pt` as it was
 *     fsync                         the bytes are on the disk before the name is
 *     rename .model.pt.5f3a.tmp -> model.pt    one step for every reader: the old file or the new one
 *
 * A crash leaves the unfinished file behind. A user sees what an overwritten file would show: the permissions and the owner of the old
 * file stay, and a symbolic link stays a link, because the file that it names is replaced. Another hard link to the old file keeps the old bytes.
 * Where no file can be replaced, the bytes go straight into it: a device or a pipe, a folder in which nothing may be created, a file of another owner, a
 * file that is mounted by itself.
 */

import { node_fs } from "./node_fs.ts";
import { check_path, is_system_error, with_os_errors } from "./os_error.ts";

/** Node writes at most 2 GB at once. */
const LARGEST_WRITE = 2 ** 30;
/** Longest chain of symbolic links that Linux follows. */
const MAX_LINKS = 40;

/** Properties of the replaced file that the new file must have, too. */
interface OldFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export class ReplacedFile {
  /** As the caller gave it: errors name it. */
  private readonly path: string;
  private fd: number | null = null;
  /** The file that is replaced: behind the links at `path`. */
  private target = "";
  /** The new file while it has not its name yet; null if the bytes go into `target`. */
  private unfinished: string | null = null;

  constructor(path: string) {
    check_path(path);
    this.path = path;
  }

  /** The first call opens the file. */
  write(data: Uint8Array): void {
    with_os_errors(this.path, () => {
      this.fd ??= this.open();
      for (let done = 0; done < data.length; )
        done += node_fs().writeSync(this.fd, data, done, Math.min(LARGEST_WRITE, data.length - done));
    });
  }

  /** The bytes are all there: from now on they stand under the path. */
  finish(): void {
    if (this.fd === null) return;
    with_os_errors(this.path, () => {
      const fs = node_fs();
      if (this.unfinished !== null) fs.fsyncSync(this.fd as number);
      this.close();
      if (this.unfinished === null) return;
      if (renamed(this.unfinished, this.target)) this.unfinished = null;
      else fs.copyFileSync(this.unfinished, this.target);
      this.abandon();
      flush_folder(folder_of(this.target));
    });
  }

  /** Ends an attempt that failed: nothing new is left, if the system allows that. After `finish` it does nothing. */
  abandon(): void {
    const { unfinished } = this;
    this.unfinished = null;
    try {
      this.close();
      if (unfinished !== null) node_fs().rmSync(unfinished, { force: true });
    } catch {
      // The error that ended the attempt is the one to report.
    }
  }

  private close(): void {
    const { fd } = this;
    this.fd = null;
    if (fd !== null) node_fs().closeSync(fd);
  }

  private open(): number {
    const fs = node_fs();
    this.target = behind_links(this.path);
    const old = fs.statSync(this.target, { throwIfNoEntry: false });
    if (old !== undefined) {
      if (!old.isFile()) return fs.openSync(this.target, "w");
      fs.accessSync(this.target, fs.constants.W_OK); // a rename would replace a file that must not be written
    }
    return this.open_beside(old ?? null) ?? fs.openSync(this.target, "w");
  }

  /** Null if nothing can be created beside the target, or not with its owner. */
  private open_beside(old: OldFile | null): number | null {
    const fs = node_fs();
    const unfinished = name_beside(this.target);
    let fd: number;
    try {
      fd = fs.openSync(unfinished, "wx");
    } catch (error) {
      if (is_system_error(error) && ["EACCES", "EPERM", "EROFS"].includes(error.code)) return null;
      throw error;
    }
    this.unfinished = unfinished;
    if (old === null || keeps(fd, old)) return fd;
    fs.closeSync(fd);
    this.abandon();
    return null;
  }
}

/** False where a file can be written but its name cannot be given to another: it is mounted by itself, or open on Windows. */
function renamed(from: string, to: string): boolean {
  try {
    node_fs().renameSync(from, to);
    return true;
  } catch (error) {
    if (is_system_error(error) && ["EBUSY", "EPERM", "EACCES", "EXDEV"].includes(error.code)) return false;
    throw error;
  }
}

/** Gives a new file the owner and the permissions of the old one. False if it may not. */
function keeps(fd: number, old: OldFile): boolean {
  const fs = node_fs();
  try {
    const { uid, gid } = fs.fstatSync(fd);
    if (uid !== old.uid || gid !== old.gid) fs.fchownSync(fd, old.uid, old.gid);
    fs.fchmodSync(fd, old.mode & 0o7777);
    return true;
  } catch {
    return false;
  }
}

/** The path that a symbolic link leads to, even if nothing is there yet. */
function behind_links(path: string): string {
  const fs = node_fs();
  let target = path;
  for (let links = 0; links < MAX_LINKS && fs.lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    const link = fs.readlinkSync(target);
    target = /^(?:[/\\]|[A-Za-z]:)/.test(link) ? link : `${folder_of(target)}${link}`;
  }
  return target;
}

/** With its last slash; empty for a name alone. */
function folder_of(path: string): string {
  const windows = (globalThis as { process?: { platform?: string } }).process?.platform === "win32";
  return path.slice(0, Math.max(path.lastIndexOf("/"), windows ? path.lastIndexOf("\\") : -1) + 1);
}

/** A hidden name in the same folder. It begins as the file's does, and is short enough for every file system. */
function name_beside(target: string): string {
  const folder = folder_of(target);
  const start = [...target.slice(folder.length)].slice(0, 40).join("");
  return `${folder}.${start}.${Math.random().toString(16).slice(2, 10)}.tmp`;
}

/** The new name is on the disk too. Not every system opens folders. */
function flush_folder(folder: string): void {
  const fs = node_fs();
  try {
    const fd = fs.openSync(folder === "" ? "." : folder, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // The file is complete under its name all the same.
  }
}
