import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres } from '../databases.js'
import { aboveZero, keepsPromises, TIMEOUT_MS, TITLE, type Shop } from './keeps-promises.js'
import { canMakeCluster, NEEDS_CLUSTER, openCluster, type OwnCluster } from './own-cluster.js'

/** Each place is met by cuts of one connection and of all; the first three shops have the same statements. */
const SHOPS: Shop[] = [
  { framework: 'express', keeper: 'tonplug', times: 24, first: 0 },
  { framework: 'nest', keeper: 'tonplug', times: 24, first: 24 },
  { framework: 'nest', keeper: 'TypeORM', times: 24, first: 48 },
  { framework: 'express', keeper: 'shop-apart', times: 40, first: 0 },
  { framework: 'nest', keeper: 'shop-in-transaction', times: 48, first: 0 },
]

describe.skipIf(!hasPostgres)(`cuts ${TITLE} on ${NEEDS_POSTGRES}`, () => {
  it.each(SHOPS)(
    'keep every promise of $framework, orders with $keeper, while its connections are cut',
    async (shop) => {
      const database = await openPostgres(4)
      try {
        const counts = await keepsPromises(database, shop, { kind: 'cut' })
        expect(counts).toMatchObject({ 'between store and decision': aboveZero })
      } finally {
        await database.close()
      }
    },
    TIMEOUT_MS,
  )
})

describe.skipIf(!canMakeCluster)(`restarts ${TITLE} of ${NEEDS_CLUSTER}`, () => {
  let cluster: OwnCluster
  beforeAll(async () => {
    cluster = await openCluster()
  })
  afterAll(() => cluster.close())

  it.each(SHOPS)(
    'keep every promise of $framework, orders with $keeper, while PostgreSQL restarts',
    async (shop) => {
      const database = await cluster.openDatabase()
      try {
        const restarts = { ...shop, times: 5, first: shop.first / 4 }
        const restart = (): Promise<void> => cluster.restart()
        const counts = await keepsPromises(database, restarts, { kind: 'restart', restart })
        expect(Object.values(counts)).toContainEqual(aboveZero)
      } finally {
        await database.close()
      }
    },
    TIMEOUT_MS,
  )
})
