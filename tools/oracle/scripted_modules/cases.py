"""Modules of torch.nn with arguments, as programs: each row is the module, and the arguments of a call. Numbers, not random ones, stand in parameters and arguments."""

from typing import Tuple

import torch
from torch import nn


def line(*size, dtype=torch.float32):
    n = 1
    for extent in size:
        n *= extent
    return torch.linspace(-1, 1, n, dtype=dtype).reshape(size)


def words(*size, below=5):
    return torch.arange(line(*size).numel()).reshape(size) % below


rows = line(2, 6)
signals = line(2, 4, 8)
images = line(2, 4, 8, 8)
volumes = line(2, 4, 4, 4, 4)
probabilities = (line(2, 6) + 1.5) / 3
classes = torch.tensor([0, 3])
signs = torch.tensor([1.0, -1.0])

class Runs(nn.Module):
    """A recurrent network has two forwards, one for packed sequences, and only a module around it says which one is meant."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


class RunsFrom(Runs):
    def forward(self, x, state):
        return self.inner(x, state)


class RunsFromPair(Runs):
    def forward(self, x, state: Tuple[torch.Tensor, torch.Tensor]):
        return self.inner(x, state)


activations = {
    **{name: [getattr(nn, name)(), rows] for name in (
        "CELU ELU GELU Hardshrink Hardsigmoid Hardswish Hardtanh Identity LeakyReLU LogSigmoid Mish PReLU ReLU ReLU6 RReLU SELU SiLU Sigmoid Softplus Softshrink Softsign Tanh Tanhshrink Dropout AlphaDropout FeatureAlphaDropout"
    ).split()},
    "GLU": [nn.GLU(), rows],
    "Threshold": [nn.Threshold(0.1, 20.0), rows],
    "Softmax": [nn.Softmax(1), rows],
    "Softmin": [nn.Softmin(1), rows],
    "LogSoftmax": [nn.LogSoftmax(1), rows],
    "Softmax2d": [nn.Softmax2d(), images],
    "ReLU inplace": [nn.ReLU(True), rows],
    "Hardtanh inplace": [nn.Hardtanh(-0.5, 0.5, True), rows],
    "GELU tanh": [nn.GELU(approximate="tanh"), rows],
    "PReLU channels": [nn.PReLU(6), rows],
    "Softmax without dim": [nn.Softmax(), rows],
}

shapes = {
    "Linear": [nn.Linear(6, 3), rows],
    "Linear without bias": [nn.Linear(6, 3, bias=False), rows],
    "Bilinear": [nn.Bilinear(6, 6, 3), rows, rows],
    "Flatten": [nn.Flatten(), images],
    "Unflatten": [nn.Unflatten(1, (2, 3)), rows],
    "Embedding": [nn.Embedding(5, 3), words(2, 4)],
    "Embedding padding": [nn.Embedding(5, 3, padding_idx=0, max_norm=1.0), words(2, 4)],
    "EmbeddingBag": [nn.EmbeddingBag(5, 3), words(2, 4)],
    "EmbeddingBag offsets": [nn.EmbeddingBag(5, 3, mode="sum"), words(8), torch.tensor([0, 4])],
    "ChannelShuffle": [nn.ChannelShuffle(2), images],
    "PixelShuffle": [nn.PixelShuffle(2), images],
    "PixelUnshuffle": [nn.PixelUnshuffle(2), images],
    "Fold": [nn.Fold((4, 5), (2, 2)), line(1, 8, 12)],
    "Unfold": [nn.Unfold((2, 2)), images],
    "Upsample": [nn.Upsample(scale_factor=2), images],
    "Upsample bilinear": [nn.Upsample(scale_factor=2.0, mode="bilinear", align_corners=True), images],
    "Upsample size": [nn.Upsample(size=(5, 5), mode="nearest"), images],
    "UpsamplingNearest2d": [nn.UpsamplingNearest2d(scale_factor=2), images],
    "UpsamplingBilinear2d": [nn.UpsamplingBilinear2d(scale_factor=2), images],
    "Sequential": [nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2)), rows],
    "CosineSimilarity": [nn.CosineSimilarity(), rows, rows * 2],
    "PairwiseDistance": [nn.PairwiseDistance(), rows, rows * 2],
}

convolutions = {
    "Conv1d": [nn.Conv1d(4, 2, 3), signals],
    "Conv2d": [nn.Conv2d(4, 2, 3, stride=2, padding=1), images],
    "Conv2d same": [nn.Conv2d(4, 2, 3, padding="same"), images],
    "Conv2d reflect": [nn.Conv2d(4, 2, 3, padding=1, padding_mode="reflect"), images],
    "Conv3d": [nn.Conv3d(4, 2, 2), volumes],
    "ConvTranspose1d": [nn.ConvTranspose1d(4, 2, 3), signals],
    "ConvTranspose2d": [nn.ConvTranspose2d(4, 2, 3, stride=2), images],
    "ConvTranspose3d": [nn.ConvTranspose3d(4, 2, 2), volumes],
    **{f"{name}{n}d": [getattr(nn, f"{name}{n}d")(1), of] for name, numbers in {"ConstantPad": (), "ReflectionPad": (1, 2, 3), "ReplicationPad": (1, 2, 3), "ZeroPad": (1, 2, 3), "CircularPad": (1, 2, 3)}.items() for n, of in zip((1, 2, 3), (signals, images, volumes)) if n in numbers},
    **{f"ConstantPad{n}d": [getattr(nn, f"ConstantPad{n}d")(1, 0.5), of] for n, of in ((1, signals), (2, images), (3, volumes))},
}

pools = {
    **{f"{name}{n}d": [getattr(nn, f"{name}{n}d")(2), of] for name in ("MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool") for n, of in ((1, signals), (2, images), (3, volumes))},
    **{f"LPPool{n}d": [getattr(nn, f"LPPool{n}d")(2, 2), of] for n, of in ((1, signals), (2, images), (3, volumes))},
    "FractionalMaxPool2d": [nn.FractionalMaxPool2d(2, output_size=3, _random_samples=torch.full((2, 4, 2), 0.5)), images],
    "FractionalMaxPool3d": [nn.FractionalMaxPool3d(2, output_size=2, _random_samples=torch.full((2, 4, 3), 0.5)), volumes],
    "MaxPool2d indices": [nn.MaxPool2d(2, return_indices=True), images],
    "MaxUnpool1d": [nn.MaxUnpool1d(2), line(2, 4, 4), (torch.arange(32).reshape(2, 4, 4) % 4) * 2],
    "MaxUnpool2d": [nn.MaxUnpool2d(2), line(1, 1, 2, 2), torch.tensor([[[[0, 3], [8, 11]]]])],
    "MaxUnpool3d": [nn.MaxUnpool3d(2), line(1, 1, 1, 1, 2), torch.tensor([[[[[0, 3]]]]])],
}

norms = {
    **{f"{name}{n}d": [getattr(nn, f"{name}{n}d")(4), of] for name in ("BatchNorm", "InstanceNorm") for n, of in ((1, signals), (2, images), (3, volumes))},
    "InstanceNorm2d affine": [nn.InstanceNorm2d(4, affine=True, track_running_stats=True), images],
    "BatchNorm2d without statistics": [nn.BatchNorm2d(4, track_running_stats=False), images],
    "BatchNorm2d cumulative": [nn.BatchNorm2d(4, momentum=None), images],
    "LayerNorm": [nn.LayerNorm(6), rows],
    "GroupNorm": [nn.GroupNorm(2, 4), images],
    "RMSNorm": [nn.RMSNorm(6), rows],
    "LocalResponseNorm": [nn.LocalResponseNorm(2), images],
    "CrossMapLRN2d": [nn.CrossMapLRN2d(2), images],
    "Dropout1d": [nn.Dropout1d(), signals],
    "Dropout2d": [nn.Dropout2d(), images],
    "Dropout3d": [nn.Dropout3d(), volumes],
    "SyncBatchNorm": [nn.SyncBatchNorm(4), images],
}

losses = {
    **{name: [getattr(nn, name)(), rows, rows * 2] for name in "L1Loss MSELoss SmoothL1Loss HuberLoss SoftMarginLoss PoissonNLLLoss KLDivLoss".split()},
    "BCELoss": [nn.BCELoss(), probabilities, probabilities],
    "BCELoss weight": [nn.BCELoss(weight=probabilities), probabilities, probabilities],
    "BCEWithLogitsLoss": [nn.BCEWithLogitsLoss(), rows, probabilities],
    "BCEWithLogitsLoss pos_weight": [nn.BCEWithLogitsLoss(pos_weight=torch.ones(6)), rows, probabilities],
    "CrossEntropyLoss": [nn.CrossEntropyLoss(), rows, classes],
    "CrossEntropyLoss smoothing": [nn.CrossEntropyLoss(weight=torch.ones(6), label_smoothing=0.1), rows, classes],
    "NLLLoss": [nn.NLLLoss(), rows, classes],
    "NLLLoss2d": [nn.NLLLoss2d(), images, words(2, 8, 8, below=4)],
    "GaussianNLLLoss": [nn.GaussianNLLLoss(), rows, rows * 2, probabilities],
    "HingeEmbeddingLoss": [nn.HingeEmbeddingLoss(), rows, torch.sign(rows)],
    "CosineEmbeddingLoss": [nn.CosineEmbeddingLoss(), rows, rows * 2, signs],
    "MarginRankingLoss": [nn.MarginRankingLoss(), line(2), line(2) * 2, signs],
    "MultiLabelMarginLoss": [nn.MultiLabelMarginLoss(), rows, torch.tensor([[0, 2, -1, 0, 0, 0], [1, -1, 0, 0, 0, 0]])],
    "MultiLabelSoftMarginLoss": [nn.MultiLabelSoftMarginLoss(), rows, probabilities],
    "MultiMarginLoss": [nn.MultiMarginLoss(), rows, classes],
    "TripletMarginLoss": [nn.TripletMarginLoss(), rows, rows * 2, rows * -1],
    "TripletMarginWithDistanceLoss": [nn.TripletMarginWithDistanceLoss(), rows, rows * 2, rows * -1],
    "CTCLoss": [nn.CTCLoss(), line(6, 2, 5).log_softmax(2), words(2, 3, below=4) + 1, torch.tensor([6, 6]), torch.tensor([3, 2])],
    "LinearCrossEntropyLoss": [nn.LinearCrossEntropyLoss(6, 5), rows, classes] if hasattr(nn, "LinearCrossEntropyLoss") else None,
}

sequences = {
    **{name: [Runs(getattr(nn, name)(6, 4)), line(3, 2, 6)] for name in ("RNN", "GRU", "LSTM")},
    **{f"{name} two": [Runs(getattr(nn, name)(6, 4, 2, batch_first=True, bidirectional=True)), line(3, 2, 6)] for name in ("RNN", "GRU", "LSTM")},
    "RNN relu": [RunsFrom(nn.RNN(6, 4, nonlinearity="relu")), line(3, 2, 6), line(1, 2, 4)],
    "GRU state": [RunsFrom(nn.GRU(6, 4)), line(3, 2, 6), line(1, 2, 4)],
    "LSTM state": [RunsFromPair(nn.LSTM(6, 4)), line(3, 2, 6), (line(1, 2, 4), line(1, 2, 4))],
    "LSTM proj": [Runs(nn.LSTM(6, 4, proj_size=2)), line(3, 2, 6)],
    "RNNCell": [nn.RNNCell(6, 4), rows],
    "RNNCell relu": [nn.RNNCell(6, 4, nonlinearity="relu"), rows, line(2, 4)],
    "GRUCell": [nn.GRUCell(6, 4), rows, line(2, 4)],
    "LSTMCell": [nn.LSTMCell(6, 4), rows, (line(2, 4), line(2, 4))],
    "MultiheadAttention": [nn.MultiheadAttention(6, 2), line(3, 2, 6), line(4, 2, 6), line(4, 2, 6)],
    "MultiheadAttention batch_first": [nn.MultiheadAttention(6, 2, batch_first=True), line(2, 3, 6), line(2, 3, 6), line(2, 3, 6)],
    "MultiheadAttention sizes": [nn.MultiheadAttention(6, 2, kdim=4, vdim=5, add_bias_kv=True), line(3, 2, 6), line(4, 2, 4), line(4, 2, 5)],
    "TransformerEncoderLayer": [nn.TransformerEncoderLayer(6, 2, 8), line(3, 2, 6)],
    "TransformerEncoderLayer first": [nn.TransformerEncoderLayer(6, 2, 8, batch_first=True, norm_first=True, activation="gelu"), line(2, 3, 6)],
    "TransformerDecoderLayer": [nn.TransformerDecoderLayer(6, 2, 8), line(3, 2, 6), line(4, 2, 6)],
    "TransformerEncoder": [nn.TransformerEncoder(nn.TransformerEncoderLayer(6, 2, 8), 2, enable_nested_tensor=False), line(3, 2, 6)],
    "TransformerDecoder": [nn.TransformerDecoder(nn.TransformerDecoderLayer(6, 2, 8), 2), line(3, 2, 6), line(4, 2, 6)],
    "Transformer": [nn.Transformer(6, 2, 1, 1, 8), line(3, 2, 6), line(4, 2, 6)],
}

# Comes first: its error says whether `nn.Linear` has been compiled before.
clusters = {"AdaptiveLogSoftmaxWithLoss": [nn.AdaptiveLogSoftmaxWithLoss(6, 5, [2]), rows, classes]}

groups = [clusters, activations, shapes, convolutions, pools, norms, losses, sequences]
cases = {name: row for group in groups for name, row in group.items() if row is not None}


def filled(module):
    """The module with parameters that are no random numbers, in evaluation."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(line(*parameter.shape) * 0.5 + 0.1)
    return module.eval()
