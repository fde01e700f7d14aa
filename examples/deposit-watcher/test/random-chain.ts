import { canonicalAddress } from '@tonplug/core'
import * as chain from './chain.js'
import type { FakeIndex } from './fake-index.js'
import { ALICE, BOB, MASTER } from './watcher.js'
import type { LedgerState } from './watcher.js'

/** Generates random transfers while a watcher runs, and the expected ledger. */
export interface RandomChain {
  /** Adds a deposit, a similar transaction that is not a deposit, or the arrival of jettons in transit. */
  addEvent(index: FakeIndex): void
  /** Delivers all jettons in transit. */
  deliverJettons(index: FakeIndex): void
  /** Returns the ledger after every deposit was credited once. */
  expected(): LedgerState
}

/** Creates a chain. `random` returns numbers in [0, 1). */
export function createRandomChain(random: () => number): RandomChain {
  const credits: { address: string; asset: string; amount: bigint }[] = []
  const inTransit: chain.TransactionRow[] = []
  let id = 0
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0]

  function next(index: FakeIndex): chain.SampleTransfer {
    id += 1
    index.now += Math.floor(random() * 3)
    // Some are listed late.
    const now = index.now - Math.floor(random() * 20)
    return { id, to: pick([ALICE, BOB]), amount: BigInt(id), now }
  }

  function credit({ to, amount }: chain.SampleTransfer, asset: string): void {
    credits.push({ address: canonicalAddress(to), asset, amount })
  }

  function arrive(index: FakeIndex, row: chain.TransactionRow): void {
    index.addTransaction({ ...row, now: index.now })
  }

  function sendJettons(index: FakeIndex, isRejected: boolean): void {
    const sample = next(index)
    const arrival = chain.jettonArrival(sample, MASTER)
    if (!isRejected) credit(sample, canonicalAddress(MASTER))
    inTransit.push(isRejected ? chain.rejected(arrival) : arrival)
  }

  const events: [(index: FakeIndex) => void, ...((index: FakeIndex) => void)[]] = [
    (index) => {
      const sample = next(index)
      credit(sample, 'TON')
      index.addTransaction(pick([chain.toContract, chain.toUndeployed])(sample))
    },
    (index) =>
      index.addTransaction(
        pick([chain.bounced, chain.returned, chain.transferNotification])(next(index)),
      ),
    (index) => sendJettons(index, false),
    (index) => sendJettons(index, true),
    (index) => {
      const arrival = inTransit.shift()
      if (arrival !== undefined) arrive(index, arrival)
    },
  ]

  return {
    addEvent: (index) => pick(events)(index),
    deliverJettons(index) {
      for (const arrival of inTransit.splice(0)) arrive(index, arrival)
    },
    expected() {
      const balances = new Map<string, bigint>()
      for (const { address, asset, amount } of credits) {
        const account = `${address} ${asset}`
        balances.set(account, (balances.get(account) ?? 0n) + amount)
      }
      return {
        credits: credits.map((one) => `${one.address} ${one.asset} ${one.amount}`).sort(),
        balances: [...balances].map(([account, amount]) => `${account} ${amount}`).sort(),
      }
    },
  }
}
