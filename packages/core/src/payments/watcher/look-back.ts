import { settlePage } from './follow-wallets.js'
import type { LookBack } from './memory.js'
import type { OpenOrders } from './open-orders.js'
import type { Run } from './run-state.js'
import { OVERLAP_SECONDS, walletLists, type RowPage } from './wallet-lists.js'

/** The period that is read again, for payments that were indexed late or are older than their order. */
const LOOK_BACK_SECONDS = 600
/** The period to read for orders without a creation time. */
const UNDATED_SECONDS = 7 * 86_400
/** Transactions that are remembered as explained. */
const MAX_LOOKED = 50_000

/** Reads a list of a look back from where it continues. */
interface OpenList {
  index: number
  at: number
  pages: AsyncGenerator<RowPage, void, undefined>
}

/**
 * Reads again what the wallets received: the last ten minutes, and every `fullScanIntervalMs` the time since the oldest open
 * order. The lists advance in step, so the time up to which all is known is saved.
 */
export async function lookBack(run: Run): Promise<void> {
  const { memory, progress, onProgress, head, request } = run
  const period = await openLookBack(run)
  const { from, to, at, wallets } = period
  const lists = walletLists(run.v3, wallets)
  let open: OpenList[] = lists.map((list, index) => {
    const start = at[index] ?? from
    return { index, at: start, pages: list.read({ from: start, to }, request) }
  })
  open = open.filter((list) => list.at <= to)
  try {
    while (open.length > 0) {
      const list = open.reduce((one, other) => (other.at < one.at ? other : one))
      const { value: page } = await list.pages.next()
      if (page !== undefined) await settlePage(run, page)
      list.at = page?.upTo ?? to + 1
      at[list.index] = list.at
      open = open.filter((one) => one.at <= to)
      await saveScanned(run, Math.min(to, ...open.map((one) => one.at)))
      forgetLooked(run)
      onProgress({ scannedTo: Math.min(list.at, to), from, to: head })
    }
  } finally {
    await Promise.all(open.map(({ pages }) => pages.return()))
  }
  await progress.save({ scannedTo: Math.max(to, progress.current.scannedTo ?? 0) })
  if (memory.lookBack === period) memory.lookBack = undefined
  memory.scannedTo = Math.max(memory.scannedTo, to)
}

/** Returns the look back to continue, or a new one up to the newest block. */
async function openLookBack(run: Run): Promise<LookBack> {
  const { memory, progress, head, wallets, maxOrderAgeMs } = run
  const isFull = await beginFull(run)
  const { scannedTo: known = head } = progress.current
  const { lookBack: unfinished } = memory
  // Another server may have read further.
  if (!isFull && unfinished !== undefined && unfinished.to >= known) return unfinished
  const since = Math.min(known, head) - LOOK_BACK_SECONDS
  const from = Math.max(since, head - Math.ceil(maxOrderAgeMs / 1000))
  // An order may have been stored after its payment was processed.
  memory.looked.clear()
  const started: LookBack = { from, to: head, wallets: [...wallets], at: [] }
  memory.lookBack = started
  // The wallets are followed from here; what is older is read by the look back.
  if (memory.followed !== undefined && memory.followed.to < head - OVERLAP_SECONDS) {
    memory.followed = undefined
  }
  memory.followedTo = head
  return started
}

/** Moves the stored position back to the oldest open order when that is due. @returns true if it did. */
async function beginFull(run: Run): Promise<boolean> {
  const { clock, fullScanIntervalMs, progress, head, orders } = run
  const { scannedTo, fullAtMs = 0 } = progress.current
  const nowMs = clock.nowMs()
  if (scannedTo !== undefined && nowMs - fullAtMs < fullScanIntervalMs) return false
  const first = Math.min(firstSecond(orders, head), scannedTo ?? Infinity)
  await progress.save({ scannedTo: first, fullAtMs: nowMs })
  return true
}

/** Returns when the oldest order began to wait for its payment, Unix seconds. */
function firstSecond({ all }: OpenOrders, head: number): number {
  const seconds = all.map(({ createdMs }) =>
    createdMs === undefined ? head - UNDATED_SECONDS : Math.floor(createdMs / 1000),
  )
  // The clock that dates orders may be ahead of the chain.
  return seconds.reduce((one, other) => Math.min(one, other), head)
}

/** The overlap does not move the stored position back. */
async function saveScanned({ progress }: Run, scannedTo: number): Promise<void> {
  if (scannedTo > (progress.current.scannedTo ?? -Infinity)) await progress.save({ scannedTo })
}

function forgetLooked({ memory: { looked } }: Run): void {
  if (looked.size > MAX_LOOKED) looked.clear()
}
