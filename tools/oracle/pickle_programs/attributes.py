"""Attributes, options and defaults that are floats; typed storages."""

import inspect
import warnings

import torch
from torch import nn

warnings.simplefilter('ignore')
KINDS = {
    'ELU': (), 'CELU': (), 'Hardtanh': (), 'ReLU6': (), 'Threshold': (1.0, 2.0), 'HuberLoss': (), 'CrossEntropyLoss': (), 'PairwiseDistance': (),
    'LSTM': (1, 1), 'Embedding': (2, 1), 'LocalResponseNorm': (2,), 'Softplus': (), 'TripletMarginLoss': (), 'ZeroPad1d': (1,),
    'AdaptiveLogSoftmaxWithLoss': (2, 3, [1]), 'Softmax': (1,), 'ConstantPad1d': (1, 2.0), 'Dropout': (1.0,),
}
for name, args in KINDS.items():
    m = getattr(nn, name)(*args)
    print(name, m, {key: value for key, value in sorted(vars(m).items()) if key[0] != '_' and isinstance(value, (int, float))})
print(nn.ELU(alpha=2.0).alpha, nn.ELU(2).alpha, [*inspect.signature(nn.ELU.__init__).parameters])
for given in ('nn.MaxUnpool1d()', 'nn.Linear()', 'nn.Linear(1)'):
    try:
        eval(given)
    except TypeError as error:
        print(error)
p = [nn.Parameter(torch.ones(1))]
for name in ('ASGD', 'Adadelta', 'Adafactor', 'Adam', 'NAdam', 'RMSprop', 'Rprop', 'SGD'):
    o = getattr(torch.optim, name)(p)
    print(o.defaults)
    print(o.state_dict()['param_groups'])
o = torch.optim.SGD(p, lr=1.0)
for s in (torch.optim.lr_scheduler.StepLR(o, 1, 1.0), torch.optim.lr_scheduler.CosineAnnealingLR(o, 4), torch.optim.lr_scheduler.ExponentialLR(o, 1.0)):
    o.step()
    s.step()
    print(s.get_last_lr(), s.state_dict())

x = torch.ones(2)
for text in ('isinstance(x, torch.FloatTensor)', 'isinstance(x, torch.DoubleTensor)', 'x.type()', 'torch.FloatStorage([1, 2])', 'torch.LongStorage(3).size()',
             'isinstance(x.storage(), torch.FloatStorage)', 'isinstance(x.storage(), torch.DoubleStorage)', 'x.untyped_storage()[2]',
             'x.untyped_storage()[1:3].tolist()', 'x.untyped_storage()[::2]', 'x.untyped_storage()["a"]', 'x.untyped_storage()[100]',
             'x.untyped_storage().__setitem__(0, 3.5)', 'x.untyped_storage().__setitem__(100, 3)', 'x.storage()[0:1]', 'x.storage()["a"]', 'x.storage().double()',
             'x.storage().resize_(3)', 'x.storage().size()', 'x.storage().type()', 'x.storage().fill_(3)', 'torch.FloatStorage(1, 2)', 'torch.FloatStorage(3.5)',
             'torch.FloatStorage(dtype=torch.int)', 'torch.TypedStorage(wrap_storage=torch.UntypedStorage(8))', 'torch.TypedStorage([1, 2], dtype=torch.int32)',
             'torch.UntypedStorage.from_buffer(b"abcd", "big", dtype=torch.int16).tolist()', 'torch.UntypedStorage.from_buffer(b"abc", "big", dtype=torch.int16)',
             'torch.UntypedStorage.from_buffer(b"abcd", dtype=torch.int16)', 'torch.FloatStorage.from_buffer(b"\\0\\0\\x80?", "native")',
             'torch.is_storage(x.storage())', 'x.storage().tolist()', 'x.untyped_storage().is_shared()', 'torch.UntypedStorage(0)'):
    try:
        print(text, repr(eval(text)))
    except Exception as error:
        print(text, type(error).__name__, error)
