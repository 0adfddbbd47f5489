/** @file Set-up of all tests: messages are PyTorch's alone, as they were recorded, without our hint about whole numbers. */
import { set_hints } from "#c10/util/whole_numbers";

set_hints(false);
