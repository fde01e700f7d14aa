import assert from 'node:assert/strict'
import type { CreditClaim, Inbox, NewCredit, StoredCredit } from '@tonplug/core'
import { NAME } from './inbox-fixtures.js'

export const ORDER = { name: NAME, merchant: '', reference: 'order-1 💎' }
export const OTHER = { name: 'other', merchant: 'shop-a', reference: 'order-1 💎' }

/** Returns a credit that two messages of one trace led to. */
export function makeCredit(changes: Partial<NewCredit> = {}): NewCredit {
  const { txHash = 'tx-1' } = changes
  const message = {
    hash: 'message',
    sender: 'payer',
    recipient: 'relay',
    value: 6n,
    isCommentEncrypted: false,
    transaction: 'step',
    fees: 1n,
    isShared: true,
  }
  const last = { ...message, recipient: 'wallet', comment: 'Thanks #55', transaction: txHash }
  return {
    id: '1',
    account: 'wallet',
    wallet: 'wallet',
    txHash,
    asset: 'TON',
    rawAmount: 5n,
    traceId: 'trace-1',
    utime: 1_767_614_400,
    root: { transaction: 'root', isShared: false },
    route: [message, last],
    ...changes,
    order: changes.order,
  }
}

export function claim(
  inbox: Inbox,
  payments: readonly string[],
  changes: Partial<CreditClaim> = {},
): Promise<boolean> {
  return inbox.credits.claim({ ...ORDER, payments, ...changes })
}

/** Returns the uses of a credit without their times. */
export async function usesOf(inbox: Inbox, id: string) {
  const [found] = await inbox.credits.find({ ids: [id] })
  assert.ok(found !== undefined, `the credit ${id} is stored`)
  return found.uses.map(({ usedAtMs, ...use }) => {
    assert.ok(usedAtMs > 0)
    return use
  })
}

export function amountsUsed(uses: Awaited<ReturnType<typeof usesOf>>): string[] {
  return uses.map(({ kind, rawAmount }) => `${kind} ${rawAmount}`).toSorted()
}

export function idsOf(credits: readonly StoredCredit[]): string[] {
  return credits.map(({ id }) => id).toSorted()
}

export function amountsOf(credits: readonly StoredCredit[]): bigint[] {
  return credits.map(({ rawAmount }) => rawAmount)
}
