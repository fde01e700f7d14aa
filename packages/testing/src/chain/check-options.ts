import { ConfigurationError } from '@tonplug/core'

/** @throws {ConfigurationError} when nothing can listen there. */
export function checkPort(option: string, port = 0): void {
  checkWhole(option, port, { least: 0, most: 65_535 })
}

/** @throws {ConfigurationError} when it is no whole number, or not one of these. */
export function checkWhole(
  option: string,
  value: number,
  { least, most, unit = '' }: { least: number; most: number; unit?: string },
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  const upTo = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`
  throw new ConfigurationError({
    option,
    problem: `it is ${value}; give a whole number${unit} ${upTo}`,
  })
}

/** @throws {ConfigurationError} when logical times cannot begin there. */
export function checkFirstLt(firstLt: bigint): void {
  if (typeof firstLt === 'bigint' && firstLt >= 0n && firstLt < 2n ** 63n) return
  const problem = `it is ${firstLt}; give a bigint from 0n to 2n ** 63n - 1n`
  throw new ConfigurationError({ option: 'firstLt', problem })
}
