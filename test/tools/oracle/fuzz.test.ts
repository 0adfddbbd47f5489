/**
 * Programs that went wrong once, and random ones: after every step the whole state is PyTorch's (2.13.0, recorded by tools/oracle/fuzz.ts).
 */
import torch from "glasstorch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { compare } from "../../../tools/oracle/fuzz/compare.ts";
import type { Program, ProgramRecord } from "../../../tools/oracle/fuzz/program.ts";
import { inPython } from "../../../tools/oracle/fuzz/show.ts";
import { readFixture } from "../../helpers/recorded.ts";

const { programs } = readFixture<{ programs: { program: Program; record: ProgramRecord }[] }>(
  new URL("../../fixtures/oracle/programs.json.gz", import.meta.url),
);
const warn_always = torch.is_warn_always_enabled();
beforeAll(() => torch.set_warn_always(true));
const usual = setWarningHandler(null);
setWarningHandler(usual);
afterAll(() => {
  torch.set_warn_always(warn_always);
  setWarningHandler(usual);
});

test.each(programs.map(({ program, record }) => [program.seed, program, record] as const))(
  "%i",
  (_, program, record) => {
    const difference = compare({ torch, setWarningHandler, tuple }, program, record);
    expect(difference, inPython(program)).toBe(null);
  },
);
