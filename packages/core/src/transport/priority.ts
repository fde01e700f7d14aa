import { ConfigurationError } from '../errors/configuration.js'

/** All priorities, the first one first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const

/** Who goes first among those that wait for the rate limit. A steady stream of `high` keeps `low` waiting. */
export type Priority = (typeof PRIORITIES)[number]

/** @throws {ConfigurationError} for what a caller without types may write. */
export function checkPriority(priority: Priority): Priority {
  if (PRIORITIES.includes(priority)) return priority
  throw new ConfigurationError({ option: 'priority', problem: "is not 'high', 'normal' or 'low'" })
}
