// Code that the packages of tonplug share. Not for apps: it may change in any release.
export { DECISION_KINDS, DECISIONS } from './payments/engine/decision-table.js'
export { parseOptions } from './shared/options.js'
export { v2Endpoints } from './toncenter/v2/endpoints/table.js'
export { v3Endpoints } from './toncenter/v3/endpoints/table.js'
