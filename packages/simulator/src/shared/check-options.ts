import { ConfigurationError } from '@tonplug/core'
import { z } from 'zod'

/** A port; 0 is a free one. */
export const port = z.int().min(0).max(65_535)

/** @throws {ConfigurationError} when the value is not an integer within the bounds. */
export function checkWhole(
  option: string,
  value: number,
  { least, most, unit = '' }: { least: number; most: number; unit?: string },
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  const upTo = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`
  throw new ConfigurationError({
    option,
    problem: `must be a whole number${unit} ${upTo}; received ${value}`,
  })
}

/** @throws {ConfigurationError} when the first logical time is invalid. */
export function checkFirstLt(firstLt: bigint): void {
  if (typeof firstLt === 'bigint' && firstLt >= 0n && firstLt < 2n ** 63n) return
  const problem = `must be a bigint from 0n to 2n ** 63n - 1n; received ${firstLt}`
  throw new ConfigurationError({ option: 'firstLt', problem })
}
