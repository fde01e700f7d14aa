import type { ValueTransformer } from 'typeorm'

/** Jetton amounts reach 2^120: `numeric` in the database, `bigint` here, and never a JavaScript number. */
export const baseUnits: ValueTransformer = {
  to: (amount: bigint | null | undefined) => amount?.toString() ?? amount,
  from: (text: string | null) => (text === null ? null : BigInt(text)),
}
