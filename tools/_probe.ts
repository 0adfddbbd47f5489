import { ROOT, read_tree } from "./codegen/file_system.ts";
import { askPyTorch, compared } from "./learn/node/gate_pytorch.ts";
import { runs } from "./learn/node/gate_runs.ts";
import { samplesOf } from "./learn/node/gate_samples.ts";
import { knowledge } from "./new_op/knowledge.ts";
import { baseOf, nameOf } from "./pytorch/operators.ts";

const known = knowledge(read_tree(ROOT));
const bases = [...new Set([...known.ours].map(baseOf))];
const [from, step] = [Number(process.argv[2]), Number(process.argv[3])];
for (let i = from; i < bases.length; i += step) {
  const base = bases[i];
  const theirs = known.operators.operators.filter((e) => baseOf(nameOf(e)) === base);
  try {
    const asked = askPyTorch(base);
    const s = samplesOf(base, theirs, typeof asked === "string" ? [] : asked.opinfo);
    const r = runs(base, theirs, s, known.names),
      c = compared(base, asked);
    console.log(
      base,
      "|",
      s.from,
      "|",
      c.ran,
      "|",
      [...r.wrong.slice(0, 2), ...c.wrong.slice(0, 2)].map((x) => x.slice(0, 260).replace(/\n/g, " ")).join("\n     "),
    );
  } catch (e) {
    console.log(base, "THROWS", (e as Error).message.split("\n").slice(0, 2).join(" "));
  }
}
