import { isSameSet } from '../../shared/same-set.js'
import type { Candidate } from '../../toncenter/follow/retry-queue.js'
import type { FollowedWallets } from './memory.js'
import { ordersNamed } from './open-orders.js'
import { noteRefunds } from './restore-refunds.js'
import type { Run } from './run-state.js'
import { settleCandidates } from './settle-candidates.js'
import { OVERLAP_SECONDS, walletLists, type ReceivedCoins, type RowPage } from './wallet-lists.js'

/** Transfers of the overlap in memory: an order may be stored after its payment. */
const MAX_RECENT = 1000

/** Settles what the wallets received since the last call. */
export async function followWallets(run: Run): Promise<void> {
  const { memory, head, orders } = run
  const followed = openFollowed(run)
  // After a failure the period is read again.
  memory.followed = undefined
  const since = head - OVERLAP_SECONDS
  const recent = followed.recent.filter(({ utime }) => utime >= since)
  if (followed.orders !== orders) {
    await settleCandidates(run, await selectCoins(run, recent, 0))
  }
  for (const list of followed.lists) {
    for await (const page of list.poll(head, run.request)) {
      await settlePage(run, page)
      recent.push(...page.coins.filter(({ utime }) => utime >= since))
    }
  }
  memory.followed = { ...followed, to: head, recent: recent.slice(-MAX_RECENT), orders }
  memory.followedTo = head
}

/** Returns the lists of the last call, or new ones if the wallets have changed. */
function openFollowed({ memory, v3, wallets, orders }: Run): FollowedWallets {
  const { followed, followedTo } = memory
  if (followed !== undefined && isSameSet(followed.wallets, wallets)) return followed
  const lists = walletLists(v3, wallets).map((list) => list.follow(followedTo - OVERLAP_SECONDS))
  return { wallets, lists, to: followedTo, recent: [], orders }
}

/** Settles the transfers of a page. */
export async function settlePage(
  run: Run,
  { coins, others, refunds, rows }: RowPage,
): Promise<void> {
  noteRefunds(run, refunds)
  await settleCandidates(run, [...others, ...(await selectCoins(run, coins, rows))])
  if (run.progress.retries.hasChanged) await run.progress.save({})
}

/**
 * Returns the transfers that may pay an open order, that name another order, or that name no order and are not small. The
 * ledger also has the credit of an order that a webhook has completed.
 * @param newRows how many rows of the list were read for them
 */
async function selectCoins(
  { orders, named }: Run,
  received: readonly ReceivedCoins[],
  newRows: number,
): Promise<Candidate[]> {
  const mayPayOpen = ({ hint, amount }: ReceivedCoins): boolean =>
    ordersNamed(orders, hint).length > 0 || orders.byAmount.has(amount)
  const others = received.filter((row) => !mayPayOpen(row)).map(({ hint }) => hint)
  await named.load(others, newRows)
  const selected = received.filter(
    (row) =>
      mayPayOpen(row) || named.isUsable(row.hint) || (row.isNotable && !named.isKnown(row.hint)),
  )
  return selected.map(({ txHash, utime }) => ({ txHash, utime }))
}
