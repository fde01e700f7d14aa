import type { Variant } from '../state.js'

/** The ways to pay, in the order of their buttons. */
export const VARIANT_NAMES: readonly (readonly [Variant, string])[] = [
  ['whole', 'Pay'],
  ['half', 'Pay half'],
  ['twice', 'Pay twice'],
  ['late', 'Pay late'],
  ['no-comment', 'Pay without comment'],
  ['exchange', 'Pay from an exchange'],
  ['wrong-coin', 'Pay in the wrong coin'],
  ['relay', 'Pay by a relay'],
  ['forged', 'Pay with a forged jetton'],
]

/** Returns the name of a way to pay. */
export function variantName(variant: Variant): string {
  return VARIANT_NAMES.find(([one]) => one === variant)?.[1] ?? variant
}
