"""Records what torch.fx makes of the programs in fx_cases.py.

python tools/oracle/record_fx.py test/fixtures/fx.json.gz
"""
import gzip
import json
import sys
import warnings

import torch

import fx_cases

warnings.simplefilter("ignore")


def main(out):
    recorded = {"torch": torch.__version__.split("+")[0], **fx_cases.everything()}
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(json.dumps(recorded, sort_keys=True).encode())


main(sys.argv[1])
