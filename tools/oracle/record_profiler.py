"""Records the Chrome trace that PyTorch 2.13.0's profiler writes of nn.PReLU forward and backward.

    python tools/oracle/record_profiler.py test/fixtures/profiler/prelu.json.gz

Times, process and thread ids, addresses and names of the machine are zeroed; events that are not operators, arrows or memory are left out.
"""

import gzip
import json
import sys
import tempfile

import torch


def main(target):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    net, x = torch.nn.PReLU(), torch.randn(3, 4, requires_grad=True)

    def step():
        net(x).backward(torch.ones(3, 4))

    step()
    net.zero_grad()
    x.grad = None
    y, g = net(x), torch.ones(3, 4)  # one node each before, so that sequence numbers have a known start
    with torch.profiler.profile(record_shapes=True, profile_memory=True) as prof:
        net(x).backward(g)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        prof.export_chrome_trace(file.name)
        trace = json.load(open(file.name))
    first = min(e["args"]["Sequence number"] for e in trace["traceEvents"] if "Sequence number" in e.get("args", {}))
    events = []
    for e in trace["traceEvents"]:
        if e.get("cat") not in ("cpu_op", "fwdbwd", "cpu_instant_event"):
            continue
        if e["cat"] == "cpu_instant_event" and e["args"]["Bytes"] < 0:
            continue  # frees: a collected language gives no notice of them
        e = {k: v for k, v in e.items() if k not in ("pid", "tid", "ts", "dur")}
        if "Sequence number" in e.get("args", {}):
            e["args"]["Sequence number"] -= first
        for field in ("Addr", "Total Allocated", "Ev Idx"):
            e.get("args", {}).pop(field, None)
        events.append(e)
    made = {"torch": torch.__version__, "script": "tools/oracle/record_profiler.py", "keys": sorted(k for k in trace if k != "traceEvents"), "events": events}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(events), "events")


if __name__ == "__main__":
    main(*sys.argv[1:])
