import { createHash } from 'node:crypto'
import { below, shuffle } from '@tonplug/test-support/random'
import { transferCompleted, transferFailed } from '@tonplug/testing'

/** Kinds of purchases and of attacks; frequent ones are repeated. */
const KINDS = [
  'paid',
  'paid',
  'paid',
  'paid twice',
  'paid before its order',
  'failed, then paid',
  'failed',
  'wrong amount',
  'wrong asset',
  'forged',
  'altered',
] as const

type PurchaseKind = (typeof KINDS)[number]

/** A delivery of the gateway or of an attacker. */
export interface PlannedDelivery {
  txHash: string
  payload: object
  isForged: boolean
  isAltered: boolean
}

/** An order with all deliveries that name it. */
export interface Purchase {
  kind: PurchaseKind
  reference: string
  deliveries: PlannedDelivery[]
}

export const ORDER = { rawAmount: 10_500_000_000n, asset: 'TON' }
const OTHER_ASSET = `0:${'5'.repeat(64)}`

/** Returns true when the order of a purchase must be completed. */
export function isPayable({ kind }: Purchase): boolean {
  return kind.includes('paid')
}

/** Returns a purchase of a random kind; a transfer may be reported twice, in different bodies. */
export function planPurchase(random: () => number, number: number): Purchase {
  const reference = `order-${number}`
  // Below the length of KINDS.
  const kind = KINDS[below(random, KINDS.length)] as PurchaseKind
  const transfers = transfersOf(kind)
  const deliveries = transfers.flatMap((transfer, index) => {
    const txHash = createHash('sha256').update(`${reference}/${index}`).digest('hex')
    return Array.from({ length: 1 + below(random, 2) }, (_, repetition) => {
      const make = transfer.isFailed === true ? transferFailed : transferCompleted
      const { isFailed: _isFailed, isForged, isAltered, ...data } = transfer
      const commentToSender = `${reference}, ${index}, ${repetition}`
      const payload = make({ reference, txHash, commentToSender, ...data })
      return { txHash, payload, isForged: isForged === true, isAltered: isAltered === true }
    })
  })
  return { kind, reference, deliveries: shuffle(random, deliveries) }
}

interface Transfer {
  rawAmount?: string
  asset?: string
  isFailed?: boolean
  isForged?: boolean
  isAltered?: boolean
}

function transfersOf(kind: PurchaseKind): Transfer[] {
  switch (kind) {
    case 'paid':
    case 'paid before its order':
      return [{}]
    case 'paid twice':
      return [{}, {}]
    case 'failed, then paid':
      return [{ isFailed: true }, {}]
    case 'failed':
      return [{ isFailed: true }]
    case 'wrong amount':
      return [{ rawAmount: (ORDER.rawAmount - 1n).toString() }]
    case 'wrong asset':
      return [{ asset: OTHER_ASSET }]
    case 'forged':
      return [{ isForged: true }]
    case 'altered':
      return [{ isAltered: true }]
  }
}
