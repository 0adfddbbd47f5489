"""
Exported programs that are written as `.pt2` archives. `python tools/oracle/pt2_cases.py` writes test/fixtures/export_archive.pt2 and what PyTorch finds in
it; test/torch/export compares. `python tools/oracle/pt2_cases.py FILE` reads an archive and prints what it finds.
"""
import json
import sys
import warnings

import torch
import torch.fx
from torch import nn
from torch.export import Dim, export, load, save


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 2)
        self.tied = self.l.weight
        self.register_buffer('count', torch.zeros(2))
        self.register_buffer('offset', torch.ones(2), persistent=False)
        self.scale = torch.tensor([1.5, 2.5])

    def forward(self, x, n=2, *, extra, mode='sum'):
        z = self.l(x) + self.scale * n
        self.count.add_(1)
        a, b = torch.split(z, 1, dim=-1)
        chosen = torch.cond(z.sum() > 0, lambda z: z.sin(), lambda z: z.cos(), (z,))
        with torch.no_grad():
            frozen = (z * 2).tanh()
        top, where = z.max(0)
        return {'split': (a, b[0]), 'none': None, 'extra': extra['q'] + self.offset, 'chosen': chosen, 'cat': torch.cat([a, b], 1), 'frozen': frozen,
                'top': [top, where], 'clamp': torch.clamp(z, min=0.5), 'index': x[[0, 2]], 'zeros': x.new_zeros([2], dtype=torch.int64),
                'number': 3}


def model():
    m = Model()
    with torch.no_grad():
        for parameter in m.parameters():
            parameter.copy_(torch.linspace(-1, 1, parameter.numel()).reshape(parameter.shape))
    return m


def inputs():
    return (torch.linspace(-2, 1, 12).reshape(4, 3),), {'extra': {'q': torch.ones(2)}}


def program():
    args, kwargs = inputs()
    return export(model(), args, kwargs, strict=False)


class Varied(nn.Module):
    def forward(self, x, n):
        y = torch.cat([x, x[1:]])
        return y.view(y.shape[0] * 3), x.new_zeros(x.shape[0] // 2), x.shape[0], y * n, x.numel() / 2


def varied():
    """A program with sizes that vary."""
    shapes = ({0: Dim('batch', min=4, max=64)}, Dim.DYNAMIC)
    return export(Varied(), (torch.linspace(-1, 1, 12).reshape(4, 3), 5), dynamic_shapes=shapes, strict=False)


def plain(value):
    if isinstance(value, torch.Tensor):
        value = torch.view_as_real(value) if value.is_complex() else value
        return [str(value.dtype), [round(float(x), 4) for x in value.detach().flatten()]]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (tuple, list)) else value


def found(ep):
    """What a program is and does: its graph, its signature, and two calls."""
    args, kwargs = ep.example_inputs
    m = ep.module()
    return {'graph': str(ep.graph), 'signature': str(ep.graph_signature), 'modules': [entry.fqn for entry in ep.module_call_graph],
            'runs': [plain(m(*args, **kwargs)), plain(m(*args, **kwargs))], 'state': sorted(ep.state_dict), 'constants': sorted(ep.constants),
            'in_spec': str(ep.call_spec.in_spec), 'dialect': ep.dialect, 'lowered': str(ep.run_decompositions().graph)}


def read(path):
    return found(load(path))


def found_varied(path):
    """What is read of a program with sizes that vary, and what it does with other sizes."""
    ep = load(path)
    m = ep.module()
    runs = [plain(m(torch.ones(size, 3), n)) for size, n in ((4, 5), (7, 2))]
    return {'graph': str(ep.graph), 'signature': str(ep.graph_signature), 'ranges': {str(k): str(v) for k, v in ep.range_constraints.items()}, 'runs': runs}


def written(path):
    save(program(), path, extra_files={'note.txt': 'hello'})


def written_varied(path):
    save(varied(), path)


def record():
    written('test/fixtures/export_archive.pt2')
    written_varied('test/fixtures/export_archive_varied.pt2')
    facts = {'torch': torch.__version__.split('+')[0], **read('test/fixtures/export_archive.pt2'), 'varied': found_varied('test/fixtures/export_archive_varied.pt2')}
    with open('test/fixtures/export_archive.json', 'w') as file:
        json.dump(facts, file, sort_keys=True, indent=1)
        file.write('\n')


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    print(json.dumps(read(sys.argv[1]), sort_keys=True)) if len(sys.argv) > 1 else record()
