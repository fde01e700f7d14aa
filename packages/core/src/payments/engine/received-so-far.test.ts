import { expect, it } from 'vitest'
import type { Report } from '../inbox/inbox-reports.js'
import type { Order } from '../orders/order.js'
import { receivedSoFar } from './received-so-far.js'
import { createTransferReport } from './report.js'

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const order: Order = { reference: 'order-1', status: 'pending', rawAmount: 5n, asset: 'TON' }

/** A webhook about a payment of one base unit, which names its transaction and its trace. */
function webhook(
  transaction: number,
  trace: number,
): Pick<Report, 'rawBody' | 'txHash' | 'source'> {
  const [txHash, traceId] = [hex(transaction), hex(trace)]
  const transfer = {
    reference: 'order-1',
    status: 'success',
    recipientAddr: `0:${hex(7)}`,
    txHash,
    traceId,
    asset: 'TON',
    rawAmount: '1',
  }
  const { rawBody } = createTransferReport(transfer as never, { source: 'webhook' })
  return { rawBody, txHash, source: 'webhook' }
}

/** Returns the sum of reports, and how often their sources are read. */
async function sumOf(given: readonly ReturnType<typeof webhook>[]) {
  let reads = 0
  const reports = given.map(({ source, ...report }) => ({
    ...report,
    payments: [],
    decision: { kind: 'amount_mismatch' },
    get source() {
      reads++
      return source
    },
  }))
  const list = async () => reports.slice(0, 1000)
  const sums = await receivedSoFar(
    { name: 'default', inbox: { reports: { list } } as never },
    order,
  )
  return { sum: sums.get('TON'), reads }
}

it('S116 adds up each payment of a trace once, which two sources have reported', async () => {
  const found = [webhook(1, 9), webhook(2, 9)].map((one) => ({ ...one, source: 'chain' as const }))
  expect((await sumOf([...found, webhook(1, 9), webhook(9, 9), webhook(3, 8)])).sum).toBe(3n)
})

it('compares few of many reports, since anyone can send thousands of payments', async () => {
  const count = 900
  const { sum, reads } = await sumOf(
    Array.from({ length: count }, (_, place) => webhook(place + 1, 10_000 + place)),
  )
  expect(sum).toBe(BigInt(count))
  expect(reads).toBeLessThan(10 * count)
})
