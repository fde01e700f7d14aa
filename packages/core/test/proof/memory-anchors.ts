import type { AnchorStore, BlockId, TransactionId } from '@tonplug/core/proof'

/** A store that keeps all that was saved. */
export interface MemoryAnchors extends AnchorStore {
  blocks: BlockId[]
  transactions: Map<string, TransactionId[]>
}

export function memoryAnchors(): MemoryAnchors {
  const blocks: BlockId[] = []
  const transactions = new Map<string, TransactionId[]>()
  return {
    blocks,
    transactions,
    loadBlock: async () => blocks.at(-1),
    saveBlock: async ({ id }) => void blocks.push(id),
    loadTransaction: async ({ address }) => transactions.get(address)?.at(-1),
    saveTransaction: async ({ address }, id) =>
      void transactions.set(address, [...(transactions.get(address) ?? []), id]),
  }
}
