import { memoryOrderRepository } from '@tonplug/core'
import type { MemoryOrderRepository, Order } from '@tonplug/core'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import type { RecordingLogger } from '@tonplug/testing'

export const SECRET = 'whsec_nest_adapter'
const MALFORMED = '{"event":"transfer.completed",'

/** What a test looks at: orders, log, and what handlers were given. */
export interface Shop {
  orders: MemoryOrderRepository
  logger: RecordingLogger
  /** Written by the handlers of a test. */
  handled: { by: string; reference: string }[]
  orderStatus(reference?: string): Promise<string | undefined>
}

/** A shop with one open order, `order-1`, for what `transferCompleted()` pays. */
export function createShop(references: readonly string[] = ['order-1']): Shop {
  const orders = memoryOrderRepository(references.map(toOrder))
  return {
    orders,
    logger: recordingLogger(),
    handled: [],
    orderStatus: async (reference = 'order-1') => (await orders.findByReference(reference))?.status,
  }
}

/** The webhook options of a shop. */
export function webhookOf({ orders, logger }: Shop): {
  secrets: string
  orders: MemoryOrderRepository
  logger: RecordingLogger
} {
  return { secrets: SECRET, orders, logger }
}

/** The warnings and errors that a shop has logged, the memory inbox's aside. */
export function complaintsOf({ logger }: Shop): string[] {
  return logger.lines
    .filter(({ level, message }) => /warn|error/.test(level) && !message.includes('memory inbox'))
    .map(({ message }) => message)
}

/** The four requests of the matrix, `{ body, headers }` each. */
export const deliveries = {
  valid: signPayload(transferCompleted(), SECRET),
  wrongSignature: signPayload(transferCompleted(), 'whsec_of_somebody_else'),
  malformedWrongSignature: signPayload(MALFORMED, 'whsec_of_somebody_else'),
  malformedRightSignature: signPayload(MALFORMED, SECRET),
}

/** What a sender sees of an answer. */
export interface Seen {
  status: number
  body: string
}

/** Delivers with `fetch`. */
export async function deliver(
  url: string,
  request: { body: string; headers: Record<string, string> },
): Promise<Seen> {
  const response = await fetch(url, { method: 'POST', ...request })
  return { status: response.status, body: await response.text() }
}

function toOrder(reference: string): Order {
  return { reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' }
}
