/**
 * PyTorch's own OpInfo samples: values, dtypes, shapes, strides, in-place variants, gradients, error types and texts, as PyTorch 2.13.0
 * answered them. Recorded by tools/oracle/record_opinfo.py into test/fixtures/opinfo.
 */
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { complaintsOf, errorComplaintsOf, type Recorded } from "../helpers/opinfo.ts";
import { readFixture } from "../helpers/recorded.ts";

/** Elsewhere when asked: `npm run test:oracle` records other samples and runs these tests over them. */
const elsewhere = process.env["OPINFO_FIXTURES"];
const folder =
  elsewhere === undefined ? new URL("../fixtures/opinfo/", import.meta.url) : pathToFileURL(`${elsewhere}/`);

const files = readdirSync(folder);
for (const file of elsewhere === undefined ? cases_in_turn("operators with PyTorch's samples", files, 16) : files) {
  const read = (): Recorded => readFixture<Recorded>(new URL(file, folder));
  const { dtypes, errors } = read();
  const counts = Object.entries(dtypes).map(([dtype, samples]) => [dtype, samples.length] as const);
  describe(file.replace(".json.gz", ""), () => {
    // Read anew and dropped: all of them together are more than the collector should have to look at, again and again.
    let recorded: Recorded;
    beforeAll(() => {
      recorded = read();
    });
    afterAll(() => {
      (recorded as unknown) = null;
    });
    for (const [dtype, count] of counts) {
      test(dtype, () => {
        const complaints = complaintsOf(recorded, dtype);
        if (complaints.length > 0)
          throw new Error(
            `${complaints.length} complaints over ${count} samples\n${complaints.slice(0, 4).join("\n")}`,
          );
      });
    }
    if (errors.length > 0)
      test("errors", () => {
        const complaints = errorComplaintsOf(recorded);
        if (complaints.length > 0) throw new Error(complaints.slice(0, 4).join("\n"));
      });
  });
}
