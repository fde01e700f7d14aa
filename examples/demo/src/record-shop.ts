import { setTimeout as sleep } from 'node:timers/promises'
import type { HandlerEvent, Inbox } from '@tonplug/core'
import type { Shop } from './shop/shop.js'

/** The decisions and handler runs of a shop. */
export interface ShopRecord {
  decisions(): string[]
  handlers: string[]
}

const POLL_MS = 20
const HANDLER_EVENTS: readonly HandlerEvent[] = [
  'onPaid',
  'onFailed',
  'onMismatch',
  'onExtraPayment',
  'onUnknownOrder',
  'onUnverified',
]

/** Records the decisions and handler runs of a shop. Rejected requests have no decision; only their number is known. */
export function recordShop({
  payments,
  receiver,
}: Pick<Shop, 'payments'> & Partial<Pick<Shop, 'receiver'>>): ShopRecord {
  const decided: string[] = []
  const handlers: string[] = []
  payments.subscribe(({ decision }) => decided.push(decision.kind))
  for (const event of HANDLER_EVENTS) {
    const record = (_: unknown, { source }: { source: string }): void => {
      handlers.push(source === 'webhook' ? event : `${event} (${source})`)
    }
    payments.addHandler(event, record, { name: 'demo' })
  }
  return {
    handlers,
    decisions() {
      const rejected = Object.entries(receiver?.stats() ?? {})
        .filter(([kind]) => !decided.includes(kind))
        .flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
      return [...decided, ...rejected]
    },
  }
}

/** Waits until a Payments has no unfinished work. */
export async function waitUntilDone(inbox: Inbox, name: string): Promise<void> {
  for (;;) {
    const { undecided, parked, open } = await inbox.stats({ name })
    if (undecided + parked + open === 0) return
    await sleep(POLL_MS)
  }
}
