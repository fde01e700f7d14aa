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
    const { body, headers } = signPayload(
      transferCompleted({ reference, txHash: reference }),
      SECRET,
    )
    return { body, headers }
  })
}
