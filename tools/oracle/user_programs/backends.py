# switches of libraries
from torch.backends import mkldnn, nnpack, mkl
say(mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32)
say(*mkldnn.set_flags())
say(*mkldnn.set_flags(_enabled=False, _deterministic=True, _allow_tf32=True))
say(mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32)
say(*mkldnn.set_flags(True, False, False))
with mkldnn.flags(enabled=False):
    say(mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32)
say(mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32)
mkldnn.enabled = False
say(mkldnn.enabled)
mkldnn.enabled = True
fails(lambda: setattr(mkldnn, "enabled", 1))
fails(lambda: setattr(mkldnn, "deterministic", "a"))
fails(lambda: setattr(mkldnn, "allow_tf32", None))
fails(lambda: mkldnn.set_flags(_enabled=5))
say(mkldnn.is_acl_available(), mkldnn.VERBOSE_OFF, mkldnn.VERBOSE_ON, mkldnn.VERBOSE_ON_CREATION, mkl.VERBOSE_OFF, mkl.VERBOSE_ON)
with mkldnn.verbose(mkldnn.VERBOSE_OFF), mkl.verbose(mkl.VERBOSE_OFF):
    say("quiet")
say(*nnpack.set_flags(False))
with nnpack.flags(True):
    say(*nnpack.set_flags(True))
say(*nnpack.set_flags(True))
fails(lambda: nnpack.set_flags(1))
fails(lambda: nnpack.set_flags())

# einsum without opt_einsum
from torch.backends import opt_einsum
say(opt_einsum.is_available(), opt_einsum.enabled, opt_einsum.strategy, opt_einsum.get_opt_einsum())
say(*opt_einsum.set_flags(), *opt_einsum.set_flags(False))
fails(lambda: opt_einsum.set_flags(True))
fails(lambda: opt_einsum.set_flags(_strategy="greedy"))
fails(lambda: opt_einsum.set_flags(False, 5))
with opt_einsum.flags(enabled=False):
    say("the same")
def inside():
    with opt_einsum.flags(True):
        pass
fails(inside)
opt_einsum.enabled = True
say(opt_einsum.enabled, *opt_einsum.set_flags())
opt_einsum.enabled = False
