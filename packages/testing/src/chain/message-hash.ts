import { beginCell, loadMessage, storeMessage, type Cell } from '@ton/core'

/**
 * The hash by which a message from outside is found whatever its sender wrote beside its content: no source, no fee,
 * no state, the body in a cell of its own. Source: TEP-467.
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

/** A message with its layout as `@ton/core` writes it. */
export function messageCell(message: Parameters<typeof storeMessage>[0]): Cell {
  return beginCell().store(storeMessage(message)).endCell()
}
