import assert from 'node:assert/strict'
import type { OpenOrdersQuery, OrderRepository } from '@tonplug/core'
import { findOrder, makeOrder, makePayment } from './order-fixtures.js'
import type { OrderRepositoryHarness } from './order-repository.js'
import { type Suite, withHarness } from './runner.js'

const MANY = 250

/** listOpen: what could still be completed, oldest first. */
export function describeListOpen(suite: Suite<OrderRepositoryHarness>): void {
  suite.runner.describe('listOpen', () => {
    describeWhich(suite)
    describeWindow(suite)
    describeIteration(suite)
  })
}

function describeWhich({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  it('yields nothing when there is nothing', () =>
    withHarness(makeHarness, async ({ repository }) => {
      assert.deepEqual(await listReferences(repository, {}), [])
    }))
  it('yields pending, failed and expired orders, oldest first, and no others', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      const statuses = ['expired', 'cancelled', 'failed', 'pending'] as const
      for (const [index, status] of statuses.entries()) {
        await insert(makeOrder({ reference: status, status, createdAt: minute(9 - index) }))
      }
      await insert(makeOrder({ reference: 'paid', createdAt: minute(1) }))
      assert.equal(await repository.complete('paid', makePayment()), 'applied')
      assert.deepEqual(await listReferences(repository, {}), ['pending', 'failed', 'expired'])
    }))
  it('yields whole orders', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      await insert(makeOrder({ rawAmount: 2n ** 120n }))
      for await (const order of repository.listOpen({})) {
        assert.deepEqual(order, await findOrder(repository, 'order-1'))
      }
    }))
}

function describeWindow({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  const windows: Record<string, { query: OpenOrdersQuery; expected: string[] }> = {
    'createdBefore leaves out that moment': {
      query: { createdBefore: minute(2) },
      expected: ['1'],
    },
    'createdAfter takes in that moment': {
      query: { createdAfter: minute(2) },
      expected: ['2', '3'],
    },
    'both make a window': {
      query: { createdAfter: minute(2), createdBefore: minute(3) },
      expected: ['2'],
    },
    'a millisecond counts': {
      query: { createdAfter: new Date(minute(2).getTime() + 1) },
      expected: ['3'],
    },
  }
  for (const [what, { query, expected }] of Object.entries(windows)) {
    it(what, () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        for (const number of [3, 1, 2]) {
          await insert(makeOrder({ reference: String(number), createdAt: minute(number) }))
        }
        assert.deepEqual(await listReferences(repository, query), expected)
      }),
    )
  }
}

function describeIteration({ makeHarness, runner: { it } }: Suite<OrderRepositoryHarness>): void {
  it(`yields each of ${MANY} orders once, though all were created at the same moment`, () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      const references = Array.from({ length: MANY }, (_, index) => `order-${index}`).sort()
      for (const reference of references) await insert(makeOrder({ reference }))
      assert.deepEqual((await listReferences(repository, {})).sort(), references)
    }))
  it('can be left early, and orders can change while it runs', () =>
    withHarness(makeHarness, async ({ repository, insert }) => {
      for (const number of [1, 2, 3]) {
        await insert(makeOrder({ reference: String(number), createdAt: minute(number) }))
      }
      for await (const { reference } of repository.listOpen({})) {
        assert.equal(await repository.complete(reference, makePayment()), 'applied')
        if (reference === '2') break
      }
      assert.deepEqual(await listReferences(repository, {}), ['3'])
    }))
}

async function listReferences(
  repository: OrderRepository,
  query: OpenOrdersQuery,
): Promise<string[]> {
  const references: string[] = []
  for await (const { reference } of repository.listOpen(query)) references.push(reference)
  return references
}

function minute(number: number): Date {
  return new Date(Date.UTC(2026, 0, 5, 12, number))
}
