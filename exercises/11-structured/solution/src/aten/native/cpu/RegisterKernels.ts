import "./HeavisideKernel.ts";
