import type { Payments } from '@tonplug/core'

/** Posts the decision about each payment to the page of `tonplug dev`, which prints the URL. */
export function reportDecisions(
  payments: Pick<Payments, 'onDecision'>,
  url: string | undefined,
): void {
  if (!url) return
  const headers = { 'content-type': 'application/json' }
  payments.onDecision(({ decision }) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(decision) }),
  )
}
