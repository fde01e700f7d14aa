import type { Inbox } from '@tonplug/core'
import type { ShopStores } from '@tonplug-examples/express-shop/stores'

/**
 * Where a shop stops and waits for its end: before an order is completed and its delivery decided, before any handler
 * is taken up, or in the middle of `onPaid`, when the parcel is to go out.
 */
export type KillPoint = 'decision' | 'handlers' | 'parcel'

/** The stores, of which one never answers; `onHeld` is called when it is asked. */
export function holdStores(stores: ShopStores, at: KillPoint, onHeld: () => void): ShopStores {
  const hold = (): Promise<never> => {
    onHeld()
    return new Promise(() => undefined)
  }
  const { inbox, shipping } = stores
  switch (at) {
    case 'decision':
      return { ...stores, inbox: holdDecisions(inbox, hold) }
    case 'handlers':
      return { ...stores, inbox: { ...inbox, claimTasks: hold } }
    case 'parcel':
      return { ...stores, shipping: { ...shipping, ship: hold } }
  }
}

// The order's transition and the decision are one statement.
function holdDecisions(inbox: Inbox, hold: () => Promise<never>): Inbox {
  return {
    ...inbox,
    joinOrders: (orders) => {
      const joined = inbox.joinOrders?.(orders)
      return joined && { ...joined, completeAndDecide: hold }
    },
  }
}
