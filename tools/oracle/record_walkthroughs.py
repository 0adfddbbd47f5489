"""Records what the Python walkthroughs print in real PyTorch; their asserts hold there, or it stops.

    python tools/oracle/record_walkthroughs.py test/fixtures/walkthroughs.json
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import torch

FOLDER = Path(__file__).resolve().parents[2] / "walkthroughs"

printed = {}
for path in sorted(FOLDER.glob("*.py")):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, env={"OMP_NUM_THREADS": "1", "PATH": os.environ["PATH"]})
    # PyTorch logs a graph that it refuses; only an error or a warning of the walkthrough itself counts.
    if done.returncode != 0 or path.name in done.stderr.replace(f"File: {path}", ""):
        sys.exit(f"{path.name}:\n{done.stderr}")
    printed[path.name] = done.stdout.splitlines()

with open(sys.argv[1], "w") as file:
    json.dump({"torch": torch.__version__.split("+")[0], "script": "tools/oracle/record_walkthroughs.py", "printed": printed}, file, indent=1)
    file.write("\n")
