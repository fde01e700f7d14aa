import { createHash } from 'node:crypto'
import { signPayload, transferCompleted } from '@tonplug/testing'

export const SECRET = 'whsec_bench'
export const PATH = '/webhooks/ton'

export function referenceOf(number) {
  return `order-${number}`
}

/** Returns signed deliveries for a range of order numbers. */
export function makeDeliveries(from, to) {
  return Array.from({ length: to - from }, (_, index) => {
    const reference = referenceOf(from + index)
    const traceId = createHash('sha256').update(reference).digest('hex')
    const payload = transferCompleted({ reference, txHash: reference, traceId })
    const { body, headers } = signPayload(payload, SECRET)
    return { body, headers }
  })
}
