import type { Clock } from './clock.js'
import { TonplugError } from './tonplug-error.js'

/** An invoice has expired: its link and its TON Connect request would ask for a late payment. */
class InvoiceExpiredError extends TonplugError<{ reference: string; expiresAt: string }> {
  override readonly name = 'InvoiceExpiredError'
  readonly code = 'ERR_TONPLUG_INVOICE_EXPIRED'

  constructor(facts: { reference: string; expiresAt: Date }) {
    const expiresAt = facts.expiresAt.toISOString()
    super({
      message: `the invoice ${JSON.stringify(facts.reference)} expired at ${expiresAt}; create another one`,
      details: { reference: facts.reference, expiresAt },
    })
  }
}

/** @throws {InvoiceExpiredError} when an invoice has expired. A wallet counts whole seconds. */
export function checkExpiry(
  { reference, expiresAt }: { reference: string; expiresAt?: Date | undefined },
  clock: Clock,
): void {
  if (expiresAt !== undefined && secondsOf(expiresAt.getTime()) <= secondsOf(clock.nowMs())) {
    throw new InvoiceExpiredError({ reference, expiresAt })
  }
}

/** Converts milliseconds to whole seconds. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
