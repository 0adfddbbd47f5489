"""The names that a test file takes from here. Each part says what it holds."""

from ._flags import *
from ._parametrize import *
from ._decorators import *
from ._guards import *
from ._comparison import *
from ._test_case import *
from ._samples import *
from ._gradcheck import *
from ._run import *
from ._flags import _check_module_exists
from ._parametrize import _TestParametrizer
from ._gradcheck import _assertGradAndGradgradChecks
from torch.testing import make_tensor
