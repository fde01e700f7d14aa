import type { EmulatedFields, Emulation } from './schemas/emulation.js'

/** Moves the effects of an incomplete emulation into `partial`. */
export function setPartialApart(received: EmulatedFields | Emulation): Emulation {
  if ('partial' in received) return received
  if (!received.is_incomplete && !isCut(received)) return { ...received, is_incomplete: false }
  const { trace, transactions, actions, ...facts } = received
  return { ...facts, is_incomplete: true, partial: { trace, transactions, actions } }
}

/**
 * Returns true if a message between accounts has no transaction. The server stops after 256 transactions or at a depth of
 * 32, and reports only the former. Source: the emulation server.
 */
function isCut({ transactions }: Pick<EmulatedFields, 'transactions'>): boolean {
  const all = Object.values(transactions)
  const received = new Set(all.map(({ in_msg: message }) => message?.hash))
  // External messages have no value.
  return all.some(({ out_msgs: sent }) =>
    sent.some(({ hash, value }) => value !== undefined && !received.has(hash)),
  )
}
