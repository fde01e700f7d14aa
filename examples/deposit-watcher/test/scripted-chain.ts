import { canonicalAddress } from '@tonplug/core'
import * as chain from './chain.js'
import type { IndexStandIn } from './index-stand-in.js'
import { ALICE, BOB, MASTER } from './watcher.js'
import type { Books } from './watcher.js'

/** What happens on chain while a watcher runs, and what it has to come to. */
export interface ScriptedChain {
  /** Lets something happen: a deposit, something that looks like one, or the arrival of jettons that were sent before. */
  happen(index: IndexStandIn): void
  /** Lets the jettons arrive that are on their way. */
  settle(index: IndexStandIn): void
  /** The books when everything was credited once. */
  expected(): Books
}

/** @param random from 0 to below 1 */
export function createScriptedChain(random: () => number): ScriptedChain {
  const credits: { address: string; asset: string; amount: bigint }[] = []
  const onTheirWay: chain.TransferOnChain[] = []
  let id = 0
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0]

  function next(index: IndexStandIn): chain.Sending {
    id += 1
    index.now += Math.floor(random() * 3)
    // Some are shown late.
    const now = index.now - Math.floor(random() * 20)
    return { id, to: pick([ALICE, BOB]), amount: BigInt(id), now }
  }

  function credit({ to, amount }: chain.Sending, asset: string): void {
    credits.push({ address: canonicalAddress(to), asset, amount })
  }

  function arrive(index: IndexStandIn, { received }: chain.TransferOnChain): void {
    index.show({ ...received, now: index.now })
  }

  function sendJettons(index: IndexStandIn, isRefused: boolean): void {
    const sending = next(index)
    const transfer = chain.jettonTransfer(sending, MASTER)
    index.list(transfer.row)
    index.show(transfer.sent)
    if (!isRefused) credit(sending, canonicalAddress(MASTER))
    const received = isRefused ? chain.refusedBy(transfer.received) : transfer.received
    onTheirWay.push({ ...transfer, received })
  }

  const happenings: [(index: IndexStandIn) => void, ...((index: IndexStandIn) => void)[]] = [
    (index) => {
      const sending = next(index)
      credit(sending, 'TON')
      index.show(pick([chain.toContract, chain.toUndeployed])(sending))
    },
    (index) => index.show(pick([chain.bounced, chain.cameBack, chain.notice])(next(index))),
    (index) => sendJettons(index, false),
    (index) => sendJettons(index, true),
    (index) => {
      const transfer = onTheirWay.shift()
      if (transfer !== undefined) arrive(index, transfer)
    },
  ]

  return {
    happen: (index) => pick(happenings)(index),
    settle(index) {
      for (const transfer of onTheirWay.splice(0)) arrive(index, transfer)
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
