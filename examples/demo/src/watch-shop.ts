import { setTimeout as sleep } from 'node:timers/promises'
import type { Inbox } from '@tonplug/core'
import type { Shop } from '@tonplug-examples/express-shop'

/** What a shop concluded and ran so far. */
export interface WatchedShop {
  decisions(): string[]
  handlers: string[]
}

const HANDLER_EVENTS = [
  'onPaid',
  'onFailed',
  'onMismatched',
  'onUnmatched',
  'onExtraPayment',
  'onUnverified',
  'onLostWebhook',
] as const

const LOOK_EVERY_MS = 20

/** Notes what a shop does. Decisions are announced one by one; refusals change no order, so that only their numbers are kept. */
export function watchShop(shop: Shop): WatchedShop {
  const decided: string[] = []
  const handlers: string[] = []
  shop.receiver.subscribe(({ decision }) => decided.push(decision.kind))
  for (const event of HANDLER_EVENTS) {
    shop.receiver.addHandler(event, () => handlers.push(event), { name: 'demo' })
  }
  return {
    handlers,
    decisions() {
      const refused = Object.entries(shop.receiver.stats())
        .filter(([kind]) => !decided.includes(kind))
        .flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
      return [...decided, ...refused]
    },
  }
}

/** Waits until nothing is due for a receiver: a durable inbox would keep it for the next process. */
export async function untilDone(inbox: Inbox, receiver: string): Promise<void> {
  for (;;) {
    const { undecided, parked, open } = await inbox.stats({ receiver })
    if (undecided + parked + open === 0) return
    await sleep(LOOK_EVERY_MS)
  }
}
