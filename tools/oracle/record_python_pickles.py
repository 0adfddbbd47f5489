"""What PyTorch prints for the programs in pickle_programs/: objects of a program through files, pickles and copies.

    python tools/oracle/record_python_pickles.py      writes test/fixtures/python/pickles.json
"""

import json
import pathlib
import subprocess
import sys

import torch

ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = ROOT / 'tools/oracle/pickle_programs'

programs = []
for path in sorted(PROGRAMS.glob('*.py')):
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    programs.append({'name': path.name, 'text': path.read_text(), 'stdout': run.stdout})
out = {'torch': torch.__version__, 'python': sys.version.split()[0], 'programs': programs}
target = ROOT / 'test/fixtures/python/pickles.json'
target.write_text(json.dumps(out, indent=1) + '\n')
print(target, len(programs), 'programs')
