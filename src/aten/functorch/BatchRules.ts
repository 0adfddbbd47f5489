/**
 * @file Imported for its effect: it registers the batching rules of all operators.
 * @original In PyTorch the linker brings the registrations together.
 */
import "./BatchedFallback.ts";
import "./BatchRulesBinaryOps.ts";
import "./BatchRulesConvolution.ts";
import "./BatchRulesDecompositions.ts";
import "./BatchRulesDynamic.ts";
import "./BatchRulesFactory.ts";
import "./BatchRulesLinearAlgebra.ts";
import "./BatchRulesLoss.ts";
import "./BatchRulesModules.ts";
import "./BatchRulesNorm.ts";
import "./BatchRulesRandomness.ts";
import "./BatchRulesReduceOps.ts";
import "./BatchRulesScatterOps.ts";
import "./BatchRulesUnaryOps.ts";
import "./BatchRulesViews.ts";
import "./LegacyBatchRules.ts";
import "./PyTorchOperatorHacks.ts";
