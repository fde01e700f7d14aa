import { amountScenarios } from './scenarios/amount-and-asset.js'
import { authenticityScenarios } from './scenarios/authenticity.js'
import { chainScenarios } from './scenarios/chain.js'
import { invoiceScenarios } from './scenarios/invoices.js'
import { killScenarios } from './scenarios/kills.js'
import { repetitionScenarios } from './scenarios/repetition.js'
import { statusScenarios } from './scenarios/status.js'
import type { Scenario } from './scenario.js'

/** All rows of the demo, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...invoiceScenarios,
  ...chainScenarios,
  ...statusScenarios,
  ...repetitionScenarios,
  ...killScenarios,
  ...authenticityScenarios,
  ...amountScenarios,
]
