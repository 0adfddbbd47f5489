"""The .pt file of a script: code, numbers and structure, and nothing of Python.

Here:                  npm run python -- walkthroughs/archive.py
In your own PyTorch:   python walkthroughs/archive.py
"""

import io
import struct
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", category=DeprecationWarning)


# ## Step 1. A module with a method, a submodule, and a choice
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        self.register_buffer("shift", torch.tensor([0.5]))

    def forward(self, x):
        y = self.layer(x)
        if self.training:
            y = y + self.shift
        return torch.relu(y)


torch.manual_seed(0)
net = torch.jit.script(Net()).eval()
buffer = io.BytesIO()
torch.jit.save(net, buffer)

# ## Step 2. The file is a zip of records
# The bytes of tensors, then the structure as a pickle, then a text for each class. No record is Python's: neither its byte code nor an import.
reader = torch._C.PyTorchFileReader(io.BytesIO(buffer.getvalue()))
for name in reader.get_all_records():
    if name.endswith((".debug_pkl", "serialization_id")):
        print(name)
    else:
        print(name, len(reader.get_record(name)), "bytes")

# ## Step 3. The code
# `code/` holds the program in TorchScript's language: the graph printed as text that the compiler reads again. Attributes stand before the methods, with
# their types. Names are those of the compiler's values, and every line is an operator or a call.
print(reader.get_record("code/__torch__.py").decode().rstrip())
assert b"import" not in reader.get_record("code/__torch__.py")

# ## Step 4. The structure
# `data.pkl` is a pickle with a small vocabulary. It names classes of the file's own code, so that a loader makes their objects without running anything.
pickle = reader.get_record("data.pkl")
for part in (b"__torch__ Net", b"__torch__.torch.nn.modules.linear Linear", b"torch._utils _rebuild_tensor_v2"):
    assert b"c" + part.replace(b" ", b"\n") + b"\n" in pickle
print("tensors:", {name: list(tensor.shape) for name, tensor in net.state_dict().items()})
assert list(struct.unpack("<2f", reader.get_record("data/1"))) == net.layer.weight[0].tolist()

# ## Step 5. Loaded, it is a program again
# The class `Net` is not needed. The loader parses the text, makes a class of it, and fills the attributes from the pickle.
del Net
again = torch.jit.load(io.BytesIO(buffer.getvalue()))
x = torch.tensor([[1.0, -2.0]])
assert torch.equal(again(x), net(x)) and not again.training
print("loaded:", again.original_name, [name for name, _ in again.named_parameters()])
assert torch.equal(again.train()(x), torch.relu(again.layer(x) + again.shift))  # the branch is in the file
print(again.code.rstrip())

# ## Step 6. What a file cannot hold
# A method that no scripted method calls is not compiled, so it is not in the file. Neither is a plain attribute of Python.
class Partly(nn.Module):
    def forward(self, x):
        return x + 1

    def helper(self, x):
        return open(x)


saved = io.BytesIO()
torch.jit.save(torch.jit.script(Partly()), saved)
loaded = torch.jit.load(io.BytesIO(saved.getvalue()))
assert not hasattr(loaded, "helper")
print("methods:", loaded._c._method_names())

# ## Step 7. Extra files travel along
# Anything that is text or bytes can be put beside the program, for instance the names of classes.
labelled = io.BytesIO()
torch.jit.save(net, labelled, _extra_files={"labels.txt": "cat\ndog"})
reader = torch._C.PyTorchFileReader(io.BytesIO(labelled.getvalue()))
assert reader.get_all_records()[0] == "extra/labels.txt"
print("labels:", reader.get_record("extra/labels.txt").decode().split())
