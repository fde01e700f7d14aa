import assert from 'node:assert/strict'
import type { Order, OrderRepository } from '@tonplug/core'
import { assertOrder, findOrder, makeOrder, makePayment, RECIPIENT } from './order-fixtures.js'
import type { OrderRepositoryHarness } from './order-repository.js'
import { type Suite, withHarness } from './runner.js'

const ODD_REFERENCES: Record<string, string> = {
  'not ASCII': 'заказ-№7 💎',
  'with quotes and a backslash': `it's "quoted" \\ and \`ticked\``,
  'like SQL': "'; DROP TABLE orders; --",
  'like a pattern': '100%_off*',
  'like a property': '__proto__',
  'like an address': '../a/b?c=d&e#f',
  'of 256 characters': 'r'.repeat(256),
}

const LOOKALIKES: Record<string, readonly [string, string]> = {
  case: ['order-a', 'ORDER-A'],
  'a trailing blank': ['order-a', 'order-a '],
  'a leading zero': ['1', '01'],
  'an accent': ['cafe', 'caf\u00e9'],
  'the composition of an accent': ['caf\u00e9', 'cafe\u0301'],
  'what a pattern would match': ['order_1', 'order-1'],
}

// In standard base64, with the signs that its URL form spells otherwise.
const BODY = 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQu/UvYGlw='
const OTHER_BODY = 'GMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQu/UvYGlw='

const AMOUNTS = [1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 120n, 2n ** 120n + 1n]

/** findByReference: what was stored comes back, to the digit and to the character. */
export function describeFind({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  const { describe, it } = runner
  describe('findByReference', () => {
    it('answers null for an unknown reference', () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        await insert(makeOrder())
        assert.equal(await repository.findByReference('order-2'), null)
      }))
    it('answers an order as it was stored', () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        const order = makeOrder({ recipient: RECIPIENT, asset: RECIPIENT })
        await insert(order)
        assertFields(await findOrder(repository, order.reference), order)
      }))
    it('answers undefined, not null, for a recipient and a payment that are not there', () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        await insert(makeOrder())
        const { recipient, payment } = await findOrder(repository, 'order-1')
        assert.deepEqual([recipient, payment], [undefined, undefined])
      }))
    it('answers every status as it was stored', () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        for (const status of ['pending', 'failed', 'expired', 'cancelled'] as const) {
          await insert(makeOrder({ reference: status, status }))
          await assertOrder(repository, { reference: status, status })
        }
      }))
    it('S31 keeps amounts far above 2^64 to the digit', () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        for (const rawAmount of AMOUNTS) {
          const reference = `amount-${rawAmount}`
          await insert(makeOrder({ reference, rawAmount }))
          assert.equal((await findOrder(repository, reference)).rawAmount, rawAmount)
        }
      }))
    describeReferences({ makeHarness, runner })
  })
  describeFindByBodyHash({ makeHarness, runner })
}

/** findByBodyHash, where the repository has it. */
function describeFindByBodyHash({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  const it = (
    name: string,
    test: (find: FindByBodyHash, harness: OrderRepositoryHarness) => Promise<void>,
  ): unknown =>
    runner.it(name, () =>
      withHarness(makeHarness, async (harness) => {
        const { repository } = harness
        // Without it a reconciler finds less for orders that are closed.
        if (repository.findByBodyHash === undefined) return
        await test(repository.findByBodyHash.bind(repository), harness)
      }),
    )
  runner.describe('findByBodyHash', () => {
    it('finds the order that has the hash, and tells it', async (find, { insert }) => {
      await insert(makeOrder({ reference: 'without' }))
      await insert(makeOrder({ reference: 'other', bodyBase64Hash: OTHER_BODY }))
      const order = makeOrder({ recipient: RECIPIENT })
      await insert({ ...order, bodyBase64Hash: BODY })
      const found = await find(BODY)
      assert.ok(found !== null, 'there is no order with the hash')
      assertFields(found, order)
      assert.equal(found.bodyBase64Hash, BODY)
    })
    it('answers null for a hash that no order has', async (find, { insert }) => {
      await insert(makeOrder({ reference: 'without' }))
      await insert(makeOrder({ bodyBase64Hash: BODY }))
      assert.equal(await find(OTHER_BODY), null)
    })
    it('takes hashes with their case', async (find, { insert }) => {
      await insert(makeOrder({ bodyBase64Hash: BODY }))
      assert.equal(await find(BODY.toLowerCase()), null)
    })
    for (const status of ['pending', 'failed', 'expired', 'cancelled'] as const) {
      it(`finds an order that is ${status}`, async (find, { insert }) => {
        await insert(makeOrder({ status, bodyBase64Hash: BODY }))
        assert.equal((await find(BODY))?.status, status)
      })
    }
    it('finds an order that is completed, with its payment', async (find, harness) => {
      await harness.insert(makeOrder({ bodyBase64Hash: BODY }))
      await harness.repository.complete('order-1', makePayment())
      const found = await find(BODY)
      assert.equal(found?.status, 'completed')
      assert.equal(found.payment?.txHash, makePayment().txHash)
    })
  })
}

type FindByBodyHash = NonNullable<OrderRepository['findByBodyHash']>

function describeReferences({ makeHarness, runner }: Suite<OrderRepositoryHarness>): void {
  for (const [what, reference] of Object.entries(ODD_REFERENCES)) {
    runner.it(`finds and completes an order whose reference is ${what}`, () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        assert.equal(await repository.findByReference(reference), null)
        assert.equal(await repository.complete(reference, makePayment()), 'not-found')
        await insert(makeOrder())
        await insert(makeOrder({ reference }))
        assert.equal(await repository.complete(reference, makePayment()), 'applied')
        await assertOrder(repository, { reference, status: 'completed', payment: makePayment() })
        await assertOrder(repository, { reference: 'order-1', status: 'pending' })
      }),
    )
  }
  for (const [what, [stored, asked]] of Object.entries(LOOKALIKES)) {
    runner.it(`does not take one reference for another that differs by ${what}`, () =>
      withHarness(makeHarness, async ({ repository, insert }) => {
        await insert(makeOrder({ reference: stored }))
        assert.equal(await repository.findByReference(asked), null)
        assert.equal(await repository.complete(asked, makePayment()), 'not-found')
        await assertOrder(repository, { reference: stored, status: 'pending' })
      }),
    )
  }
}

function assertFields(actual: Order, expected: Order): void {
  const { reference, rawAmount, asset, status, recipient, createdAt } = actual
  assert.deepEqual(
    // A repository need not tell when an order was created.
    { reference, rawAmount, asset, status, recipient, createdAt: createdAt ?? expected.createdAt },
    expected,
  )
}
