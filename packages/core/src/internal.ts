// Code that the packages of tonplug share. Not for apps: it may change in any release.
export { DECISIONS } from './payments/engine/decision-table.js'
export { DECISION_KINDS } from './payments/orders/decision.js'
export { parseOptions } from './shared/options.js'
export { v2Endpoints } from './toncenter/v2/endpoints/table.js'
export { v3Endpoints } from './toncenter/v3/endpoints/table.js'
