/**
 * @file Tells the trace where a Python program stands when it calls the library.
 * @original
 */
import { calling_program } from "#c10/util/Trace";
import { host } from "#python/Modules/host";
import { follow, path } from "#python/vm/follow";
import { text_of_file } from "#python/vm/traceback";

calling_program.interpreter = {
  follow,
  path,
  // A file below the working directory is named from there, as the files of the library are named from their root.
  name_of: (file) => {
    const folder = `${host.cwd().replace(/\/$/, "")}/`;
    return file.startsWith(folder) ? file.slice(folder.length) : file;
  },
  text_of: text_of_file,
  is_loop: (name, file) => name === "run" && file === "src/python/vm/ceval.ts",
};
