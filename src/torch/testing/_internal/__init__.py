"""What PyTorch's own tests import: the test case, devices, dtypes and samples."""
