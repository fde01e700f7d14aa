import type { PaymentSource } from './order.js'

/** Begins what stands in place of a secret's name where no webhook was signed. No secret may be called so. */
export const FOUND_PREFIX = 'tonplug:'

/** What stands in place of a secret's name with a delivery that a reconciler made. */
export const FOUND_BY: Readonly<Record<PaymentSource, string>> = {
  chain: `${FOUND_PREFIX}chain`,
  gateway: `${FOUND_PREFIX}gateway`,
}

/** Where a delivery's transfer was found; `undefined` when a webhook told it. */
export function foundBy(signedWith: string): PaymentSource | undefined {
  if (signedWith === FOUND_BY.chain) return 'chain'
  return signedWith === FOUND_BY.gateway ? 'gateway' : undefined
}
