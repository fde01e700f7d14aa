import assert from 'node:assert/strict'
import type { OrderRepositoryHarness, OrderSuite } from './order-harness.js'
import { describeComplete } from './order-complete.js'
import { describeFail } from './order-fail.js'
import { describeFind } from './order-find.js'
import { describeFindMany } from './order-find-many.js'
import { describeList, describeSearch } from './order-list.js'
import { describeListOpen } from './order-list-open.js'
import { describeMerchants } from './order-merchants.js'
import { describeOffers } from './order-offers.js'
import { describeOrderRaces } from './order-races.js'
import { defineTestsWith, type MakeHarness, type TestRunner } from './runner.js'

/** States what a repository lacks. The tests of that are reported as skipped. */
export interface OrderRepositorySuiteOptions {
  /** `false` for a repository that ignores `merchant`. @default true */
  merchants?: boolean | undefined
  /** `false` for a repository that does not store `bodyBase64Hash`. @default true */
  bodyHashes?: boolean | undefined
  /** `false` for a repository that does not store `offers`. @default true */
  offers?: boolean | undefined
  /** `false` for a repository without `findByBodyHashes`. @default the value of `bodyHashes` */
  findByBodyHashes?: boolean | undefined
  /** `false` for a repository without `findByReferences`. @default true */
  findByReferences?: boolean | undefined
  /** `true` for a repository with `list`. @default false */
  list?: boolean | undefined
  /** `true` for a repository with `search`. @default false */
  search?: boolean | undefined
  /** `false` for a repository without `checkAccess`. @default true */
  checkAccess?: boolean | undefined
}

/**
 * Defines the tests that every `OrderRepository` must pass: each sentence of its contract and every field that the
 * rules read, with concurrent calls, large amounts and unusual references.
 * @param makeHarness creates an empty repository; called once for each test.
 * @param options states what the repository lacks.
 * @example
 * ```ts
 * import { describe, it } from 'node:test'
 * import { memoryOrderRepository, type Order } from '@tonplug/core'
 * import { describeOrderRepository } from '@tonplug/testing'
 *
 * const makeHarness = () => {
 *   const repository = memoryOrderRepository()
 *   return { repository, insert: async (order: Order) => repository.add(order) }
 * }
 * describeOrderRepository('memory', makeHarness, { describe, it }, { checkAccess: false })
 * ```
 */
export function describeOrderRepository(
  name: string,
  makeHarness: MakeHarness<OrderRepositoryHarness>,
  runner: TestRunner,
  options: OrderRepositorySuiteOptions = {},
): void {
  const { merchants = true, bodyHashes = true, offers = true } = options
  const { findByBodyHashes = bodyHashes, findByReferences = true, checkAccess = true } = options
  const { list = false, search = false } = options
  const testIf = (isSupported: boolean, skipReason: string) =>
    defineTestsWith(makeHarness, runner, isSupported ? undefined : skipReason)
  const suite = {
    describe: runner.describe,
    test: defineTestsWith(makeHarness, runner),
    merchantTest: testIf(merchants, 'the repository ignores merchants'),
    bodyHashTest: testIf(bodyHashes, 'the repository does not store body hashes'),
    offersTest: testIf(offers, 'the repository does not store offers'),
  }
  const suiteOf = (method: string, isSupported: boolean): OrderSuite => {
    if (isSupported) return suite
    const skip = testIf(false, `the repository has no ${method}`)
    return { ...suite, test: skip, merchantTest: skip }
  }
  runner.describe(`OrderRepository: ${name}`, () => {
    describeFind(suite)
    describeComplete(suite)
    describeFail(suite)
    describeOffers(suite)
    describeOrderRaces(suite)
    describeListOpen(suite)
    describeMerchants(suite)
    describeFindMany(suiteOf('findByBodyHashes', findByBodyHashes), 'findByBodyHashes')
    describeFindMany(suiteOf('findByReferences', findByReferences), 'findByReferences')
    describeList(suiteOf('list', list))
    describeSearch(suiteOf('search', search))
    describeCheckAccess(suiteOf('checkAccess', checkAccess))
    describeOptions(suite, { findByBodyHashes, findByReferences, list, search, checkAccess })
  })
}

function describeCheckAccess({ describe, test }: OrderSuite): void {
  describe('checkAccess', () => {
    test('S80 resolves when the orders can be written, and writes nothing', async (harness) => {
      const { repository } = harness
      assert.ok(repository.checkAccess !== undefined, missing('checkAccess'))
      await repository.checkAccess()
      for await (const order of repository.listOpen({ limit: 10 })) {
        assert.fail(`checkAccess has stored the order ${JSON.stringify(order.reference)}`)
      }
    })
  })
}

const OPTIONAL = ['findByBodyHashes', 'findByReferences', 'list', 'search', 'checkAccess'] as const

function describeOptions(
  { test }: OrderSuite,
  methods: Record<(typeof OPTIONAL)[number], boolean>,
): void {
  test('has exactly the optional methods that the options of this suite state', async (harness) => {
    const { repository } = harness
    for (const method of OPTIONAL) {
      assert.equal(repository[method] !== undefined, methods[method], missing(method))
    }
  })
}

function missing(method: string): string {
  return `A repository without ${method} must be tested with the option ${method}: false, and any other one with ${method}: true`
}
