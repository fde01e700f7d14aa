import type { Chain } from '../chain/chain.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { createSerialQueue } from '../shared/serial-queue.js'
import { contractIndex } from '../v3/contracts.js'
import { factsOf } from '../v3/facts.js'
import type { Connections } from './connections.js'
import { FINALITIES, type Finality } from './subscription.js'
import { eventsOf, isEnded, rootsOf, traceHashOf, type TraceUpdate } from './trace-update.js'

/** Sends the traces of a chain to all connections, in the order of its blocks. */
export interface TraceFeed {
  /** The finality that a trace reaches as soon as it is complete. */
  finality: Finality
  /** Reports each trace that is complete and not final as final. */
  finalize(): Promise<void>
  /** Resolves when the events of all blocks have been sent. */
  sent(): Promise<void>
}

/** Begins to report the blocks of a chain. */
export function createTraceFeed(chain: Chain, connections: Connections): TraceFeed {
  const index = { chain, contracts: contractIndex(chain) }
  const enqueue = createSerialQueue()
  const open = new Set<RecordedTransaction>()
  const report = (root: RecordedTransaction, finalities: readonly Finality[]): Promise<void> =>
    enqueue(async () => {
      const hash = traceHashOf(root)
      const ordered = connections.faults.isReversed ? finalities.toReversed() : finalities
      for (const finality of ordered) {
        await send(connections, index, { root, hash, finality })
      }
    })
  const feed: TraceFeed = {
    finality: 'finalized',
    async finalize() {
      for (const root of [...open].filter(isEnded)) {
        open.delete(root)
        void report(root, FINALITIES)
      }
      await feed.sent()
    },
    sent: () => enqueue(async () => undefined),
  }
  chain.onBlock(({ transactions }) => {
    for (const root of rootsOf(transactions)) {
      const reached = isEnded(root) ? feed.finality : lower(feed.finality, 'confirmed')
      if (reached === 'finalized') open.delete(root)
      else open.add(root)
      void report(root, FINALITIES.slice(0, FINALITIES.indexOf(reached) + 1))
    }
  })
  chain.onLost((message) => {
    const { normalizedHash } = factsOf(message)
    for (const root of open) if (traceHashOf(root) === normalizedHash) open.delete(root)
    void enqueue(async () => connections.all.forEach((one) => one.invalidate(normalizedHash)))
  })
  return feed
}

async function send(
  connections: Connections,
  index: Parameters<typeof eventsOf>[0],
  update: TraceUpdate,
): Promise<void> {
  for (const one of connections.all) {
    const { subscription } = one
    if (subscription !== undefined) one.send(await eventsOf(index, update, subscription))
  }
}

function lower(one: Finality, other: Finality): Finality {
  return FINALITIES.indexOf(one) < FINALITIES.indexOf(other) ? one : other
}
