import { isRandomReference } from '../../shared/random-reference.js'

/** Difference between the clocks of the shop, its database and the chain that is tolerated. */
export const CLOCK_TOLERANCE_MS = 60_000

/** The field of a transfer that the watcher found to be too old for its order. */
export const TOO_OLD_FIELD = 'isOlderThanOrder'

/** The fields of an order that decide whether a payment is too old for it. */
interface DatedOrder {
  reference: string
  /** Lower-case hex. */
  bodyHash: string | undefined
  createdMs: number | undefined
}

/** A payment as the chain has it. */
interface DatedPayment {
  /** Unix seconds. */
  utime: number
  /** The messages that led to it. */
  route: readonly PayerText[]
}

/** The fields of a message that can bind a payment to its order. Hashes are lower-case hex. */
interface PayerText {
  bodyHash?: string | undefined
  comment?: string | undefined
}

/**
 * Returns true when a payment was credited before its order was created and nothing binds it to the order. The body of the
 * order's own message binds it, and so does a comment that could not be known before.
 * @param aheadMs time by which the clock that dates orders is ahead of the chain
 */
export function isTooOld(order: DatedOrder, payment: DatedPayment, aheadMs: number): boolean {
  const { reference, bodyHash, createdMs = -Infinity } = order
  const { utime, route } = payment
  const hasBody = bodyHash !== undefined && route.some((message) => message.bodyHash === bodyHash)
  if (hasBody || isNamedBy(route, reference)) return false
  return isOlder({ utime, createdMs: createdMs - aheadMs })
}

/** Returns true when a comment is the order's reference, and no payment could have it before the order was created. */
export function isNamedBy(route: readonly PayerText[], reference: string): boolean {
  return isRandomReference(reference) && route.some(({ comment }) => comment === reference)
}

/**
 * Returns whether a payment was credited before its order was created. An order without a creation time has no older
 * payments.
 */
export function isOlder({ utime, createdMs }: { utime: number; createdMs: number | undefined }) {
  // The chain counts whole seconds.
  return createdMs !== undefined && utime * 1000 + 999 + CLOCK_TOLERANCE_MS < createdMs
}

/** Describes a payment that is too old, for the operator. */
export function describeTooOld(
  { reference, createdMs = 0 }: Pick<DatedOrder, 'reference' | 'createdMs'>,
  { utime }: { utime: number },
): string {
  const [credited, created] = [utime * 1000, createdMs].map((ms) => new Date(ms).toISOString())
  return `the payment is older than its order ${JSON.stringify(reference)}: it was credited at ${credited}, and the order was created at ${created}. If the clock or the time zone of the shop was wrong, correct it and decide the payment again`
}

/** Returns milliseconds since the Unix epoch; `undefined` for a missing or invalid date. */
export function timeOf(date: Date | null | undefined): number | undefined {
  const ms = date?.getTime()
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}
