import {
  memoryOrderRepository,
  type MemoryOrderRepository,
  type Order,
  type OrderKey,
} from '@tonplug/core'
import { describeOrderRepository, type OrderRepositorySuiteOptions } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { COMPLETING, OFFERS } from './order-sabotages/completing.js'
import { FAILING } from './order-sabotages/failing.js'
import { LISTING, FINDING_MANY, PAGES } from './order-sabotages/listing.js'
import { READING, MERCHANTS, ACCESS } from './order-sabotages/reading.js'
import type { Change } from './order-sabotages/sabotage.js'
import { runSuite } from './passing-tests.js'

type OptionalMethod = 'findByBodyHashes' | 'findByReferences' | 'list' | 'search' | 'checkAccess'

const SABOTAGES = [
  ...READING,
  ...COMPLETING,
  ...FAILING,
  ...OFFERS,
  ...MERCHANTS,
  ...LISTING,
  ...FINDING_MANY,
  ...PAGES,
  ...ACCESS,
]

describe('describeOrderRepository', () => {
  it.each(SABOTAGES)('notices a repository that $mistake', async ({ change, noticedBy }) => {
    const { passed, failed } = await run(change, { titles: noticedBy })
    expect(passed).toEqual([])
    expect(failed).not.toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const { passed } = await run(() => ({}))
    const unnoticed = passed.filter(
      (title) =>
        !SABOTAGES.some(({ noticedBy }) => noticedBy.test(title)) && !title.includes('has exactly'),
    )
    expect(unnoticed).toEqual([])
  })
  it('notices a repository with other methods than the options state', async () => {
    const titles = /has exactly the optional methods/
    const fewer = await run(() => ({}), { without: ['findByReferences'], titles })
    const more = await run(() => ({}), {
      options: { checkAccess: false, list: true, search: true },
      titles,
    })
    expect([fewer.failed.length, more.failed.length]).toEqual([1, 1])
  })
  it('reports the tests of everything that a repository lacks as skipped', async () => {
    const simple: Change = (inner) => {
      const anyMerchant = ({ reference }: OrderKey): OrderKey => ({ reference })
      return {
        add: ({ merchant: _merchant, bodyBase64Hash: _hash, ...order }) => inner.add(order),
        find: (key) => inner.find(anyMerchant(key)),
        complete: (key, payment) => inner.complete(anyMerchant(key), payment),
        fail: (key, failure) => inner.fail(anyMerchant(key), failure),
      }
    }
    const without = [
      'findByBodyHashes',
      'findByReferences',
      'list',
      'search',
      'checkAccess',
    ] as const
    const options = {
      merchants: false,
      bodyHashes: false,
      findByReferences: false,
      checkAccess: false,
    }
    const { failed, skipped } = await run(simple, { options, without })
    expect(failed).toEqual([])
    for (const reason of [
      'the repository ignores merchants',
      'the repository does not store body hashes',
      'the repository has no findByBodyHashes',
      'the repository has no findByReferences',
      'the repository has no list',
      'the repository has no search',
      'the repository has no checkAccess',
    ]) {
      expect(skipped.filter((title) => title.includes(`(skipped: ${reason})`))).not.toEqual([])
    }
    const undeclared = await run(simple, { without })
    expect(
      undeclared.passed.filter((title) => /findBy|checkAccess|S66|list >|search >/.test(title)),
    ).toEqual([])
  })
})

function run(
  change: Change,
  {
    options = { list: true, search: true },
    without = [],
    titles,
  }: {
    options?: OrderRepositorySuiteOptions
    without?: readonly OptionalMethod[]
    titles?: RegExp
  } = {},
) {
  const makeHarness = () => {
    const memory = memoryOrderRepository()
    const checkAccess = (): Promise<void> => Promise.resolve()
    const repository: MemoryOrderRepository = { ...memory, checkAccess, ...change(memory) }
    for (const method of without) delete repository[method]
    return { repository, insert: async (order: Order) => repository.add(order) }
  }
  return runSuite(
    (runner) => describeOrderRepository('sabotaged', makeHarness, runner, options),
    titles,
  )
}
