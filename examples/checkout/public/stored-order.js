const KEY = 'order'

// A browser that refuses its storage loses the order on a reload.

/** Stores the shown order until the tab is closed. */
export function storeOrder(order) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(order))
  } catch {
    // See above.
  }
}

/** Returns the stored order, if any. */
export function readOrder() {
  try {
    const order = JSON.parse(sessionStorage.getItem(KEY))
    return order?.offers === undefined ? undefined : order
  } catch {
    return undefined
  }
}

/** Removes the stored order. */
export function forgetOrder() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // See above.
  }
}
