import { TonplugError } from './tonplug-error.js'

/** An invoice has expired: its link and its TON Connect request would ask for a late payment. */
export class InvoiceExpiredError extends TonplugError<{ reference: string; expiresAt: string }> {
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
