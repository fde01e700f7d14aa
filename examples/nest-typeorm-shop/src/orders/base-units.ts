import type { ValueTransformer } from 'typeorm'

/** Maps `numeric` columns to `bigint`: jetton amounts reach 2^120, far beyond JavaScript numbers. */
export const baseUnits: ValueTransformer = {
  to: (amount: bigint | null | undefined) => amount?.toString() ?? amount,
  from: (digits: string | null) => (digits === null ? null : BigInt(digits)),
}
