"""How the objects of a PyTorch program print: modules with few and with all arguments, optimizers, schedulers, dtypes, sizes, distributions, texts of
exceptions. The same program runs on PyTorch and on glasstorch's Python; ../printing.ts compares the two, line by line.

    python objects.py

Each line is JSON: an expression, and its `repr` or its error.
"""
import collections
import json
import re
import warnings

import torch
import torch.distributions as D
import torch.nn.functional as F
from torch import nn, optim
from torch.optim import lr_scheduler as lrs
from torch.utils import data

warnings.simplefilter("ignore")
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.a = nn.Linear(2, 3)
        self.layers = nn.ModuleList([nn.ReLU(), nn.Linear(3, 1, bias=False)])

    def extra_repr(self):
        return "first\nsecond"


MODULES = """
nn.Module() Net() nn.Identity() nn.Identity(54, unused=1)
nn.Linear(3,4) nn.Linear(3,4,bias=False) nn.Bilinear(2,3,4) nn.LazyLinear(4) nn.Flatten() nn.Flatten(0,1) nn.Unflatten(1,(2,3)) nn.Unflatten(1,torch.Size([2,3]))
nn.Conv1d(1,2,3) nn.Conv2d(1,2,3) nn.Conv3d(1,2,3) nn.Conv2d(4,8,(3,5),stride=2,padding=(1,2),dilation=2,groups=2,bias=False,padding_mode='circular') nn.Conv2d(1,2,3,padding='same')
nn.ConvTranspose1d(1,2,3) nn.ConvTranspose2d(1,2,3,output_padding=1,stride=2) nn.ConvTranspose3d(1,2,3) nn.LazyConv2d(2,3) nn.Fold((4,5),2) nn.Unfold(3,padding=1)
nn.MaxPool1d(2) nn.MaxPool2d(2) nn.MaxPool3d((2,2,1),stride=2,padding=1,dilation=2,return_indices=True,ceil_mode=True) nn.MaxUnpool1d(2) nn.MaxUnpool2d(2,stride=(1,2)) nn.MaxUnpool3d(2)
nn.AvgPool1d(2) nn.AvgPool2d(2,stride=1,padding=1) nn.AvgPool3d(2) nn.LPPool1d(2,3) nn.LPPool2d(1.5,3) nn.LPPool3d(2,3) nn.FractionalMaxPool2d(2,output_size=3) nn.FractionalMaxPool3d(2,output_ratio=.5)
nn.AdaptiveMaxPool1d(2) nn.AdaptiveMaxPool2d((2,None)) nn.AdaptiveMaxPool3d(2) nn.AdaptiveAvgPool1d(2) nn.AdaptiveAvgPool2d((None,7)) nn.AdaptiveAvgPool3d(2)
nn.ReflectionPad1d(2) nn.ReflectionPad2d((1,2,3,4)) nn.ReflectionPad3d(1) nn.ReplicationPad1d(2) nn.ReplicationPad2d(2) nn.ReplicationPad3d(2) nn.ZeroPad1d(1) nn.ZeroPad2d(2) nn.ZeroPad3d(1) nn.ConstantPad1d(2,3) nn.ConstantPad2d(2,3.5) nn.ConstantPad3d(2,0) nn.CircularPad1d(1) nn.CircularPad2d(1) nn.CircularPad3d(1)
nn.ELU() nn.ELU(1) nn.ELU(1.0) nn.ELU(2,inplace=True) nn.Hardshrink() nn.Hardshrink(1) nn.Hardsigmoid() nn.Hardtanh() nn.Hardtanh(-2,2) nn.Hardtanh(0.0,6.0) nn.Hardswish() nn.LeakyReLU() nn.LeakyReLU(1) nn.LeakyReLU(0.2,True) nn.LogSigmoid() nn.PReLU() nn.PReLU(3,0) nn.ReLU() nn.ReLU(True) nn.ReLU6() nn.ReLU6(True) nn.RReLU() nn.RReLU(0,1) nn.SELU() nn.SELU(True) nn.CELU() nn.CELU(2) nn.GELU() nn.GELU('tanh') nn.Sigmoid() nn.SiLU() nn.Mish() nn.Softplus() nn.Softplus(2,30) nn.Softplus(1.0,20.0) nn.Softshrink() nn.Softshrink(1) nn.Softsign() nn.Tanh() nn.Tanhshrink() nn.Threshold(0,1) nn.Threshold(0.1,20) nn.GLU() nn.GLU(1) nn.Softmin() nn.Softmin(1) nn.Softmax() nn.Softmax(dim=1) nn.Softmax2d() nn.LogSoftmax(1) nn.AdaptiveLogSoftmaxWithLoss(4,10,[3,6])
nn.BatchNorm1d(3) nn.BatchNorm2d(3,eps=1,momentum=None) nn.BatchNorm3d(3,affine=False,track_running_stats=False) nn.LazyBatchNorm1d() nn.SyncBatchNorm(3) nn.InstanceNorm1d(3) nn.InstanceNorm2d(3,affine=True) nn.InstanceNorm3d(3,1,0) nn.GroupNorm(2,4) nn.GroupNorm(2,4,eps=1,affine=False) nn.LayerNorm(3) nn.LayerNorm([2,3],eps=1e-12) nn.LayerNorm((3,),elementwise_affine=False) nn.RMSNorm(3) nn.RMSNorm([2,3],eps=1e-6) nn.LocalResponseNorm(2) nn.LocalResponseNorm(2,1,1,2) nn.CrossMapLRN2d(2)
nn.RNN(3,4) nn.RNN(3,4,2,nonlinearity='relu',bias=False,batch_first=True,dropout=0.5,bidirectional=True) nn.LSTM(3,4) nn.LSTM(3,4,proj_size=2) nn.GRU(3,4,dropout=0) nn.RNNCell(3,4) nn.RNNCell(3,4,bias=False,nonlinearity='relu') nn.LSTMCell(3,4) nn.GRUCell(3,4,False)
nn.MultiheadAttention(4,2) nn.TransformerEncoderLayer(4,2,8) nn.TransformerDecoderLayer(4,2,8,dropout=0) nn.TransformerEncoder(nn.TransformerEncoderLayer(4,2,8),2) nn.Transformer(4,2,1,1,8)
nn.Embedding(10,3) nn.Embedding(10,3,padding_idx=-1,max_norm=1,norm_type=2,scale_grad_by_freq=True,sparse=True) nn.EmbeddingBag(10,3) nn.EmbeddingBag(10,3,max_norm=2.0,mode='sum',padding_idx=0)
nn.Dropout() nn.Dropout(0) nn.Dropout(1,True) nn.Dropout1d(.25) nn.Dropout2d() nn.Dropout3d() nn.AlphaDropout() nn.FeatureAlphaDropout(0.1) nn.CosineSimilarity() nn.PairwiseDistance() nn.PairwiseDistance(1,keepdim=True) nn.PixelShuffle(2) nn.PixelUnshuffle(2) nn.Upsample(2) nn.Upsample(scale_factor=2) nn.Upsample(scale_factor=(2,3.5),mode='bilinear',align_corners=True) nn.Upsample(scale_factor=2.0,mode='nearest') nn.UpsamplingNearest2d(4) nn.UpsamplingBilinear2d(scale_factor=2) nn.ChannelShuffle(2)
nn.L1Loss() nn.NLLLoss() nn.NLLLoss2d() nn.PoissonNLLLoss() nn.GaussianNLLLoss() nn.KLDivLoss() nn.MSELoss(reduction='sum') nn.BCELoss() nn.BCEWithLogitsLoss(pos_weight=torch.ones(2)) nn.HingeEmbeddingLoss(2) nn.MultiLabelMarginLoss() nn.SmoothL1Loss() nn.SmoothL1Loss(beta=2) nn.HuberLoss(delta=1) nn.SoftMarginLoss() nn.CrossEntropyLoss() nn.CrossEntropyLoss(weight=torch.ones(2),label_smoothing=1) nn.MultiLabelSoftMarginLoss() nn.CosineEmbeddingLoss() nn.MarginRankingLoss(margin=1) nn.MultiMarginLoss() nn.MultiMarginLoss(2,1) nn.TripletMarginLoss(1,2) nn.TripletMarginWithDistanceLoss() nn.CTCLoss()
nn.Sequential() nn.Sequential(nn.Linear(1,2),nn.ReLU()) nn.Sequential(collections.OrderedDict(a=nn.ReLU(),b=nn.Sequential())) nn.ModuleList() nn.ModuleList([nn.ReLU()]) nn.ModuleList([nn.Linear(2,2)for_in_range(4)]) nn.ModuleDict() nn.ModuleDict({'a':nn.ReLU()}) nn.ParameterList() nn.ParameterList([torch.ones(2),nn.Parameter(torch.ones(2,3)),3]) nn.ParameterDict() nn.ParameterDict({'a':torch.ones(2)}) nn.Sequential(*[nn.ReLU()for_in_range(3)],nn.Tanh(),nn.Tanh())
nn.utils.parametrizations.weight_norm(nn.Linear(2,3)) nn.utils.parametrizations.spectral_norm(nn.Linear(2,3)) nn.utils.parametrizations.orthogonal(nn.Linear(3,3)) nn.utils.weight_norm(nn.Linear(2,3)) nn.utils.spectral_norm(nn.Linear(2,3))
nn.Parameter(torch.ones(2)) nn.Parameter() nn.UninitializedParameter() nn.UninitializedBuffer() nn.Buffer(torch.ones(2)) nn.LazyLinear(2).weight nn.DataParallel(nn.ReLU()) nn.Linear(2,3).double() nn.Linear(2,3,device='meta').weight
"""

ONE = "[nn.Parameter(torch.ones(2))]"
OPTIMIZERS = [
    f"optim.{name}({ONE}{rest})"
    for name, rest in [
        ("SGD", ""), ("SGD", ", lr=1"), ("SGD", ", lr=1.0, momentum=0.9, weight_decay=1, nesterov=True"), ("SGD", ", lr=torch.tensor(0.5)"), ("Adam", ""), ("Adam", ", lr=1, betas=(0, 0.5), amsgrad=True"),
        ("AdamW", ""), ("AdamW", ", lr=1e-4, weight_decay=0"), ("NAdam", ""), ("RAdam", ""), ("Adamax", ""), ("Adagrad", ""), ("Adadelta", ""), ("Adadelta", ", lr=2"), ("RMSprop", ""), ("RMSprop", ", centered=True, momentum=1"),
        ("Rprop", ""), ("Rprop", ", etas=(0.5, 2), step_sizes=(1, 50)"), ("ASGD", ""), ("LBFGS", ""), ("LBFGS", ", lr=2, line_search_fn='strong_wolfe'"), ("Adafactor", ""), ("Muon", ""), ("SGD", ", lr=-1"), ("Adam", ", betas=(1, 2)"), ("Adam", ", eps=-1")
    ]
] + [
    "optim.SGD([{'params': [nn.Parameter(torch.ones(2))], 'lr': 1}, {'params': nn.Parameter(torch.ones(1)), 'name': 'x', 'extra': (1, 2.0)}], lr=0.1)",
    f"optim.SGD({ONE}, lr=1).state_dict()", f"optim.Adam({ONE}).state_dict()", f"optim.SGD({ONE}, lr=0.1).defaults", f"optim.Adam({ONE}).param_groups", "optim.SGD([], lr=1)", "optim.SGD(torch.ones(2))", "optim.SGD([torch.ones(2) * torch.ones(2, requires_grad=True)])", "optim.SGD([1])",
]
SCHEDULERS = [
    f"lrs.{text}.state_dict()"
    for text in [
        "StepLR(OPT, 2)", "StepLR(OPT, 2, gamma=1)", "MultiStepLR(OPT, [1, 3])", "ConstantLR(OPT)", "LinearLR(OPT)", "ExponentialLR(OPT, 1)", "CosineAnnealingLR(OPT, 3)", "PolynomialLR(OPT)", "CosineAnnealingWarmRestarts(OPT, 3)",
        "ReduceLROnPlateau(OPT)", "ReduceLROnPlateau(OPT, patience=1, threshold=1)", "OneCycleLR(OPT, 1, 10)", "CyclicLR(OPT, 0, 1, cycle_momentum=False)", "LambdaLR(OPT, lambda e: 1)", "MultiplicativeLR(OPT, lambda e: 0.5)",
    ]
]
PLAIN = """
torch.float32 torch.half torch.int8 torch.bool torch.complex64 torch.quint8 torch.float8_e4m3fn [torch.float,torch.long] {torch.int:torch.strided} torch.channels_last torch.preserve_format torch.contiguous_format torch.strided torch.sparse_coo torch.per_tensor_affine
torch.device('cpu') torch.device('cpu',0) torch.device('meta') torch.device('cuda:1') str(torch.device('cuda:1')) torch.device(type='cuda',index=2) torch.device('x') torch.device('cuda:') torch.device('cuda:-1') torch.device('cuda:01') torch.device()
torch.Size([]) torch.Size([2]) torch.Size([2,3]) str(torch.Size([2,3])) torch.Size((1,)) torch.Size([2,3])[1:] torch.Size([2,3])+(4,) torch.Size([2])*2 list(torch.Size([2,3])) torch.Size([2,3]).numel() torch.Size(['a']) torch.Size([1.5]) torch.Size(3) torch.empty(2,0).size() torch.ones(2,3).stride() {torch.Size([1]):1}
type(torch.Generator()) torch.Generator().device torch.Generator().initial_seed() torch.default_generator.device torch.Generator('meta') torch.Generator(3)
torch.Tensor torch.FloatTensor torch.nn.Parameter type(torch.ones(1)) torch.ones(1).type() torch.ones(1).long().type() torch.ones torch.add torch.nn.functional.relu F.softmax F.linear torch.Tensor.add torch.ones(1).add nn torch nn.Linear nn.Linear.forward optim torch.finfo(torch.float) torch.finfo(torch.bfloat16) torch.iinfo(torch.int8) torch.iinfo(torch.uint8) torch.finfo() torch.iinfo(torch.float) torch.finfo(torch.int8) torch.__version__ torch.ops torch.ops.aten torch.ops.aten.add torch.ops.aten.add.Tensor torch.ops.aten.foo torch.ops.foo.bar torch.ops.aten.relu.default
torch.max(torch.tensor([[1.,3],[2,0]]),1) torch.sort(torch.tensor([3,1,2])) torch.topk(torch.tensor([3.,1,2]),2) torch.mode(torch.tensor([1,1,2])) torch.linalg.qr(torch.eye(1)) torch.slogdet(torch.eye(2)) torch.linalg.slogdet(torch.eye(2)) torch.svd(torch.eye(1)) torch.kthvalue(torch.tensor([3.,1]),1) torch.frexp(torch.tensor([3.,1])) torch.unique(torch.tensor([3,1]),return_counts=True) torch.aminmax(torch.ones(2)) torch.median(torch.ones(2,1),0) torch.return_types.max torch.min(torch.ones(2),0).values torch.std_mean(torch.ones(2))
torch.ones(2).storage() torch.ones(2).untyped_storage() torch.ones(1).int().storage() torch.UntypedStorage(2) torch.FloatStorage([1,2.5]) torch.storage.TypedStorage(2) torch.ones(2).untyped_storage()[0] torch.ones(0).storage()
torch.ones(1,requires_grad=True).mul(2).grad_fn.name() type(torch.ones(1,requires_grad=True).mul(2).grad_fn) torch.ones(1,requires_grad=True).mul(2).grad_fn.next_functions[0][1].name() torch.ones(1).grad_fn torch.ones(1).grad torch.autograd.Function torch.no_grad() torch.no_grad torch.enable_grad() torch.set_grad_enabled(True) torch.autograd.set_detect_anomaly torch.inference_mode() torch.get_default_dtype() torch.is_grad_enabled() torch.get_printoptions() torch.get_num_threads
D.Normal(0,1) D.Normal(0.,1.) D.Normal(torch.zeros(2),torch.ones(2)) D.Normal(torch.zeros(2,2),1) D.Bernoulli(0.5) D.Bernoulli(logits=torch.zeros(2)) D.Categorical(torch.ones(3)) D.Categorical(logits=torch.ones(3)) D.Beta(1,2) D.Binomial(3,torch.tensor(.5)) D.Cauchy(0,1) D.Chi2(2) D.Dirichlet(torch.ones(2)) D.Exponential(1) D.FisherSnedecor(1,2) D.Gamma(1,2) D.Geometric(.5) D.Gumbel(0,1) D.HalfCauchy(1) D.HalfNormal(2) D.Independent(D.Normal(torch.zeros(2),1),1) D.Kumaraswamy(1,2) D.LKJCholesky(2) D.Laplace(0,1) D.LogNormal(0,1) D.LogisticNormal(torch.zeros(2),torch.ones(2)) D.LowRankMultivariateNormal(torch.zeros(2),torch.ones(2,1),torch.ones(2)) D.MixtureSameFamily(D.Categorical(torch.ones(2)),D.Normal(torch.zeros(2),1)) D.Multinomial(2,torch.ones(2)) D.MultivariateNormal(torch.zeros(2),torch.eye(2)) D.NegativeBinomial(2,.5) D.OneHotCategorical(torch.ones(2)) D.Pareto(1,2) D.Poisson(2) D.RelaxedBernoulli(1.,.5) D.RelaxedOneHotCategorical(1.,torch.ones(2)) D.StudentT(2) D.TransformedDistribution(D.Normal(0,1),[D.ExpTransform()]) D.Uniform(0,1) D.VonMises(0.,1.) D.Weibull(1,2) D.Wishart(torch.tensor(3.),torch.eye(2)) D.ContinuousBernoulli(.5) D.GeneralizedPareto(0.,1.,1.) D.InverseGamma(1.,2.)
D.ExpTransform() D.AffineTransform(0,1) D.AffineTransform(1.5,torch.tensor(2.)) D.SigmoidTransform() D.TanhTransform() D.PowerTransform(2) D.ComposeTransform([D.ExpTransform(),D.AffineTransform(0,2)]) D.SoftmaxTransform() D.StickBreakingTransform() D.LowerCholeskyTransform() D.CorrCholeskyTransform() D.ReshapeTransform((2,),(1,2)) D.AbsTransform() D.ExpTransform().inv D.IndependentTransform(D.ExpTransform(),1) D.StackTransform([D.ExpTransform()]) D.CatTransform([D.ExpTransform()]) D.CumulativeDistributionTransform(D.Normal(0,1)) D.SoftplusTransform()
D.constraints.real D.constraints.positive D.constraints.unit_interval D.constraints.interval(0,1) D.constraints.greater_than(0) D.constraints.greater_than(0.5) D.constraints.less_than(2) D.constraints.integer_interval(0,3) D.constraints.simplex D.constraints.boolean D.constraints.real_vector D.constraints.independent(D.constraints.real,1) D.constraints.dependent D.constraints.lower_cholesky D.constraints.nonnegative_integer D.constraints.multinomial(3) D.constraints.half_open_interval(0,1) D.Normal.arg_constraints D.Normal(0,1).support D.Beta(1,2).support D.Uniform(0,1).support D.Binomial(3,.5).support D.kl_divergence(D.Normal(0,1),D.Normal(0,2)) D.Normal(0,-1) D.Bernoulli(2.) D.Categorical(torch.tensor([-1.])) D.Normal(0,1).log_prob(float('nan')) D.kl_divergence(D.Normal(0,1),D.Poisson(1))
data.TensorDataset(torch.ones(2))[0] len(data.DataLoader([1,2,3],2)) list(data.DataLoader([1,2,3],2)) list(data.DataLoader([{'a':1,'b':2.0}])) list(data.DataLoader([(1,'x')])) list(data.BatchSampler(data.SequentialSampler([1,2,3]),2,False)) data.DataLoader([1],batch_size=0) data.DataLoader([1],num_workers=-1) data.TensorDataset(torch.ones(2),torch.ones(3)) data.random_split([1,2,3],[1,1]) data.get_worker_info() data.Subset([1,2],[1])[0] data.ConcatDataset([]) data.default_collate([1,2.5]) data.default_collate(['a']) data.default_collate([None])
torch.ones(2,3)@torch.ones(2,3) torch.ones(2)+torch.ones(3) torch.ones(2).view(3) torch.ones(2)[5] torch.ones(2)[1,1] torch.ones(2)['a'] torch.ones(2).foo torch.foo nn.foo torch.ones('a') torch.ones(2,dtype=3) torch.tensor('a') torch.tensor([1,[2]]) torch.tensor([[1],[2,3]]) torch.tensor(None) torch.add(1,2) torch.add(torch.ones(1)) torch.add(torch.ones(1),'a') torch.add(torch.ones(1),1,foo=2) torch.cat([]) torch.cat([torch.ones(1),torch.ones(1,2)]) torch.cat(torch.ones(2)) torch.stack([torch.ones(1),torch.ones(2)]) torch.ones(2).item() bool(torch.ones(2)) int(torch.ones(2)) float('x') len(torch.tensor(1)) iter(torch.tensor(1)) torch.ones(2).sum(3) torch.ones(2).backward() torch.ones(2,requires_grad=True).backward() torch.ones(2,requires_grad=True).numpy torch.ones(2).requires_grad_(3) torch.ones(2).int().requires_grad_() torch.ones(1,requires_grad=True).add_(1) torch.empty(-1) torch.zeros(2,device='foo') torch.zeros(2,device='cuda') torch.ones(2).to('cuda') torch.randint(3,2,(2,)) torch.arange(0,5,-1) torch.linspace(0,1) torch.eye(-1) torch.full((2,)) torch.nn.functional.relu('a') F.cross_entropy(torch.ones(2,3),torch.tensor([3,4])) F.cross_entropy(torch.ones(2,3),torch.ones(3).long()) F.one_hot(torch.tensor([-1])) F.dropout(torch.ones(1),2) F.softmax('a') nn.Linear(2,3)(torch.ones(3)) nn.Linear('a',2) nn.Linear(2) nn.Linear() nn.Linear(1,2,3,4,5,6) nn.Linear(1,2,foo=1) nn.Conv2d(1,2,3)(torch.ones(2)) nn.Conv2d(3,2,3)(torch.ones(1,1,4,4)) nn.Conv2d(3,4,3,groups=2) nn.BatchNorm1d(2)(torch.ones(1,2)) nn.BatchNorm2d(2)(torch.ones(1,2)) nn.Embedding(2,3)(torch.tensor([2])) nn.Embedding(2,3)(torch.ones(1)) nn.LSTM(2,3)(torch.ones(2)) nn.Module()(1) nn.Module().foo nn.Sequential(1) nn.ModuleList([1]) nn.ModuleDict({'a':1}) nn.Linear(1,2).load_state_dict({}) nn.Linear(1,2).load_state_dict({'weight':torch.ones(3),'x':1}) nn.Parameter(1) nn.Module().register_buffer('a.b',None) nn.Module().register_parameter('',None) nn.Module().add_module('a',1) nn.MSELoss(reduction='x')(torch.ones(1),torch.ones(1)) torch.load('missing.pt') torch.save torch.manual_seed('a') torch.set_default_dtype(torch.int) torch.set_num_threads(-1) torch.jit.script(1) torch.autograd.grad(torch.ones(1),torch.ones(1)) torch.autograd.backward(torch.ones(1)) torch.broadcast_shapes((2,),(3,)) torch.einsum('ij,jk',torch.ones(2,3)) torch.einsum('i',torch.ones(2,3)) torch.from_numpy(1) torch.as_tensor('x') torch.chunk(torch.ones(2),0) torch.split(torch.ones(4),[1,2]) torch.gather(torch.ones(2),0,torch.tensor([3])) torch.index_select(torch.ones(2),0,torch.tensor([3])) torch.ones(2).expand(3) torch.ones(2,3).t().view(-1) torch.ones(2,3,4).t() torch.ones(2).T torch.ones(2).mT torch.squeeze(torch.ones(1),3) torch.permute(torch.ones(2,3),(0,0)) torch.linalg.inv(torch.zeros(2,2)) torch.linalg.cholesky(-torch.eye(2)) torch.linalg.solve(torch.ones(2,3),torch.ones(2)) torch.mm(torch.ones(2),torch.ones(2)) torch.bmm(torch.ones(2,2),torch.ones(2)) torch.dot(torch.ones(2),torch.ones(3)) torch.multinomial(torch.zeros(2),1) torch.bernoulli(torch.tensor(2.)) torch.normal(0,-1,(2,)) torch.where(torch.ones(2),1,2) torch.masked_select(torch.ones(2),torch.ones(2)) torch.quantile(torch.ones(2).int(),.5) torch.histc(torch.ones(2).int()) torch.bincount(torch.tensor([-1])) torch.tensor([1,2]).mean() torch.tensor([1,2])/0 torch.tensor(1)//0 torch.tensor([1])%0 torch.tensor(5).bitwise_and(1.5) ~torch.ones(1) -torch.tensor([True]) torch.tensor([True])-torch.tensor([True]) torch.tensor([1])<<torch.tensor([1.]) torch.tensor([2])**-1 hash(torch.Size([1])) torch.ones(1)in[torch.ones(2)] 1intorch.ones(1) 'a'intorch.ones(1) torch.ones(3)[torch.tensor([True])] torch.ones(3)[[0,5]] torch.ones(3)[1.5] torch.ones(3)[None,...,None].shape torch.ones(3)[...,...] torch.ones(3)[::-1] torch.ones(3)[::0]
"""


def texts():
    for block in (MODULES, PLAIN):
        for text in block.split():
            yield text.replace("for_in_range", " for _ in range").replace("1intorch", "1 in torch").replace("'a'intorch", "'a' in torch").replace(")in[", ") in [")
    yield from OPTIMIZERS
    for text in SCHEDULERS:
        yield text.replace("OPT", f"optim.SGD({ONE}, lr=1)")
        yield text.replace("OPT", f"optim.SGD({ONE}, lr=0.5)")


def said(text):
    try:
        found = repr(eval(text))
    except Exception as error:
        found = f"{type(error).__module__}.{type(error).__name__}: {error}"
    return re.sub(r" at 0x[0-9a-f]+", " at ADDRESS", found)


if __name__ == "__main__":
    for text in texts():
        print(json.dumps({"text": text, "repr": said(text)}))
