/** How deep backward may be called inside backward, on the stack that Node has by itself. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { WITH_LIBRARY } from "../../../../tools/module_loader/with_library.ts";

test("380 deep runs; deeper is one RuntimeError with the number, and nothing is left behind", () => {
  const program = fileURLToPath(new URL("./reentrance.ts", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [...WITH_LIBRARY, program], { encoding: "utf8" });
  expect(stderr).toBe("");
  // Node 20 has room for 405, other versions for some more or less.
  const { deepest, too_deep, state, again } = JSON.parse(stdout);
  expect(deepest).toBe("ok");
  const [name, message, limit] = too_deep;
  expect(name).toBe("RuntimeError");
  expect(message).toBe(
    "Too many backward calls inside backward calls: N of them fill JavaScript's stack (Maximum call stack size exceeded). In Node, `node --stack-size=N` moves this limit (N is in KB, 984 by default).",
  );
  expect(limit).toBeGreaterThanOrEqual(380);
  expect(state).toEqual([true, -1, null, [3, 5]]);
  expect(again).toBe("ok");
});
