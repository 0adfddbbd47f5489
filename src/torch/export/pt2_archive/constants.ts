/**
 * @file The names of the records in a `.pt2` archive.
 * @mirrors torch/export/pt2_archive/constants.py
 */
export const ARCHIVE_ROOT_NAME = "package";
export const ARCHIVE_FORMAT_PATH = "archive_format";
export const ARCHIVE_FORMAT_VALUE = "pt2";
export const ARCHIVE_VERSION_PATH = "archive_version";
export const ARCHIVE_VERSION_VALUE = "0";
export const MODELS_DIR = "models/";
export const WEIGHTS_DIR = "data/weights/";
export const WEIGHT_FILENAME_PREFIX = "weight_";
export const CONSTANTS_DIR = "data/constants/";
export const TENSOR_CONSTANT_FILENAME_PREFIX = "tensor_";
export const SAMPLE_INPUTS_DIR = "data/sample_inputs/";
export const EXTRA_DIR = "extra/";

export const MODELS_FILENAME_FORMAT = (model: string): string => `${MODELS_DIR}${model}.json`;
export const WEIGHTS_CONFIG_FILENAME_FORMAT = (model: string): string => `${WEIGHTS_DIR}${model}_weights_config.json`;
export const CONSTANTS_CONFIG_FILENAME_FORMAT = (model: string): string =>
  `${CONSTANTS_DIR}${model}_constants_config.json`;
export const SAMPLE_INPUTS_FILENAME_FORMAT = (model: string): string => `${SAMPLE_INPUTS_DIR}${model}.pt`;
