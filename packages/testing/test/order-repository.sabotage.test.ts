import { memoryOrderRepository, type MemoryOrderRepository, type Order } from '@tonplug/core'
import { describeOrderRepository } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { findPassing } from './passing-tests.js'

interface Sabotage {
  /** What is wrong with the repository. */
  mistake: string
  /** The tests that must notice. */
  noticedBy: RegExp
  change: (repository: MemoryOrderRepository) => Partial<MemoryOrderRepository>
}

const SABOTAGES: readonly Sabotage[] = [
  {
    mistake: 'reads the order, then writes it',
    noticedBy: /S38 applies one|S40 applies one/,
    change: (inner) => ({
      complete: async (reference, payment) => {
        const order = await inner.findByReference(reference)
        if (order === null) return 'not-found'
        if (order.status === 'completed') {
          return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
        }
        inner.add({ ...order, status: 'completed', payment })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'keeps amounts as numbers',
    noticedBy: /S31|keeps every field/,
    change: (inner) => ({
      add: (order) => inner.add({ ...order, rawAmount: roundTrip(order.rawAmount) }),
      complete: (reference, payment) =>
        inner.complete(reference, { ...payment, rawAmount: roundTrip(payment.rawAmount) }),
    }),
  },
  {
    mistake: 'reads what is not there as null',
    noticedBy: /undefined, not null/,
    change: (inner) => ({
      findByReference: async (reference) => {
        const order = await inner.findByReference(reference)
        // The mistake is one that the types forbid and a database driver makes.
        return order && ({ ...order, recipient: order.recipient ?? null } as unknown as Order)
      },
    }),
  },
  {
    mistake: 'answers conflict for a repetition',
    noticedBy: /S26|S38/,
    change: (inner) => ({
      complete: async (reference, payment) => {
        const transition = await inner.complete(reference, payment)
        return transition === 'already-applied' ? 'conflict' : transition
      },
    }),
  },
  {
    mistake: 'completes what was cancelled',
    noticedBy: /S42/,
    change: (inner) => ({
      complete: async (reference, payment) => {
        const order = await inner.findByReference(reference)
        if (order?.status === 'cancelled') inner.add({ ...order, status: 'pending' })
        return inner.complete(reference, payment)
      },
    }),
  },
  {
    mistake: 'compares references without case',
    noticedBy: /differs by case/,
    change: (inner) => ({
      add: (order) => inner.add({ ...order, reference: order.reference.toLowerCase() }),
      findByReference: (reference) => inner.findByReference(reference.toLowerCase()),
      complete: (reference, payment) => inner.complete(reference.toLowerCase(), payment),
    }),
  },
  {
    mistake: 'finds open orders alone by the hash of a body',
    noticedBy: /finds an order that is (cancelled|completed)/,
    change: (inner) => ({
      findByBodyHash: async (hash) => {
        const order = (await inner.findByBodyHash?.(hash)) ?? null
        return order !== null && /cancelled|completed/.test(order.status) ? null : order
      },
    }),
  },
  {
    mistake: 'finds any order by a hash that it does not know',
    noticedBy: /answers null for a hash|hashes with their case/,
    change: (inner) => ({
      findByBodyHash: async () => (await collect(inner.listOpen({})))[0] ?? null,
    }),
  },
  {
    mistake: 'compares the hashes of bodies without case',
    noticedBy: /takes hashes with their case/,
    change: (inner) => ({
      findByBodyHash: async (hash) => {
        const orders = await collect(inner.listOpen({}))
        const wanted = hash.toLowerCase()
        return orders.find((order) => order.bodyBase64Hash?.toLowerCase() === wanted) ?? null
      },
    }),
  },
  {
    mistake: 'does not tell the hash of a body',
    noticedBy: /has the hash, and tells it/,
    change: (inner) => ({
      findByBodyHash: async (hash) => {
        const order = (await inner.findByBodyHash?.(hash)) ?? null
        return order && { ...order, bodyBase64Hash: undefined }
      },
    }),
  },
  {
    mistake: 'keeps the date in a time zone of its own',
    noticedBy: /keeps every field/,
    change: (inner) => ({
      complete: (reference, payment) =>
        inner.complete(reference, { ...payment, date: new Date(payment.date).toISOString() }),
    }),
  },
  {
    mistake: 'lets a failure move a completed order',
    noticedBy: /S27/,
    change: (inner) => ({
      recordFailure: async (reference) => {
        const order = await inner.findByReference(reference)
        if (order === null) return 'not-found'
        inner.add({ ...order, status: 'failed' })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'lists the newest first',
    noticedBy: /oldest first/,
    change: (inner) => ({
      async *listOpen(query) {
        yield* (await collect(inner.listOpen(query))).toReversed()
      },
    }),
  },
  {
    mistake: 'lists the first hundred',
    noticedBy: /of 250 orders/,
    change: (inner) => ({
      async *listOpen(query) {
        yield* (await collect(inner.listOpen(query))).slice(0, 100)
      },
    }),
  },
  {
    mistake: 'takes createdBefore in',
    noticedBy: /createdBefore leaves out/,
    change: (inner) => ({
      listOpen: ({ createdBefore, ...query }) =>
        inner.listOpen({ ...query, createdBefore: createdBefore && new Date(+createdBefore + 1) }),
    }),
  },
]

describe('describeOrderRepository', () => {
  it.each(SABOTAGES)('notices a repository that $mistake', async ({ change, noticedBy }) => {
    const makeHarness = () => {
      const memory = memoryOrderRepository()
      const repository = { ...memory, ...change(memory) }
      const insert = (order: Order) => Promise.resolve(repository.add(order))
      return { repository, insert }
    }
    const define = describeOrderRepository.bind(undefined, 'sabotaged', makeHarness)
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
})

function roundTrip(amount: bigint): bigint {
  return BigInt(Number(amount))
}

async function collect(orders: AsyncIterable<Order>): Promise<Order[]> {
  const collected: Order[] = []
  for await (const order of orders) collected.push(order)
  return collected
}
