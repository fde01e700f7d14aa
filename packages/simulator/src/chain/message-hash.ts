import { beginCell, loadMessage, storeMessage, type Cell } from '@ton/core'

/**
 * Returns the normalized hash of an external message, which does not depend on how the sender encoded it: without
 * source, fee and initial state, and with the body in a reference. Source: TEP-467.
 */
export function normalizedHash(message: Cell): Buffer {
  const { info, body } = loadMessage(message.beginParse())
  if (info.type !== 'external-in') return message.hash()
  return beginCell()
    .storeUint(2, 2)
    .storeUint(0, 2)
    .storeAddress(info.dest)
    .storeCoins(0)
    .storeBit(0)
    .storeBit(1)
    .storeRef(body)
    .endCell()
    .hash()
}

/** Writes a message in the layout of `@ton/core`. */
export function messageCell(message: Parameters<typeof storeMessage>[0]): Cell {
  return beginCell().store(storeMessage(message)).endCell()
}
