import type { Inbox } from '@tonplug/core'
import type { ShopStores } from './shop/stores.js'

/**
 * The point at which a shop stops until it is killed: before an order is completed and its report decided, before any handler
 * is claimed, or in the middle of `onPaid`, before the parcel is sent.
 */
export type KillPoint = 'decision' | 'handlers' | 'parcel'

/** Returns the stores with one call that never resolves; `onStopped` is called when it begins. */
export function stopStores(stores: ShopStores, at: KillPoint, onStopped: () => void): ShopStores {
  const stop = (): Promise<never> => {
    onStopped()
    return new Promise(() => undefined)
  }
  const { inbox, shipping } = stores
  switch (at) {
    case 'decision':
      return { ...stores, inbox: stopDecisions(inbox, stop) }
    case 'handlers':
      return { ...stores, inbox: { ...inbox, claimTasks: stop } }
    case 'parcel':
      return { ...stores, shipping: { ...shipping, ship: stop } }
  }
}

// The order's transition and the decision are one statement.
function stopDecisions(inbox: Inbox, stop: () => Promise<never>): Inbox {
  return {
    ...inbox,
    joinOrders: (orders) => {
      const joined = inbox.joinOrders?.(orders)
      return joined && { ...joined, completeAndDecide: stop }
    },
  }
}
