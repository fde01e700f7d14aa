import { describe, expect, it } from 'vitest'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres } from '../databases.js'
import { aboveZero, keepsPromises, TIMEOUT_MS, TITLE, type Shop } from './keeps-promises.js'

/** Database libraries suffer fewer kills, since the processes of some take long to start. */
const SHOPS: Shop[] = [
  { framework: 'express', keeper: 'tonplug', times: 18, first: 0 },
  { framework: 'nest', keeper: 'tonplug', times: 18, first: 18 },
  { framework: 'nest', keeper: 'TypeORM', times: 8, first: 36 },
  { framework: 'express', keeper: 'Drizzle', times: 8, first: 44 },
  { framework: 'express', keeper: 'Prisma', times: 8, first: 52 },
  { framework: 'express', keeper: 'shop-apart', times: 40, first: 0 },
  { framework: 'nest', keeper: 'shop-in-transaction', times: 24, first: 0 },
]

describe.skipIf(!hasPostgres)(`kills ${TITLE} on ${NEEDS_POSTGRES}`, () => {
  const struck: Record<string, number> = {}

  it.each(SHOPS)(
    'keep every promise of $framework, orders with $keeper, while its process is killed repeatedly',
    async (shop) => {
      const database = await openPostgres(4)
      try {
        const counts = await keepsPromises(database, shop, { kind: 'kill' })
        for (const [place, count] of Object.entries(counts)) {
          struck[place] = (struck[place] ?? 0) + count
        }
        expect(Object.values(counts)).toContainEqual(aboveZero)
      } finally {
        await database.close()
      }
    },
    TIMEOUT_MS,
  )

  // One shop may miss an instant: its kills are few and random, and deliveries run concurrently.
  it('have struck at every instant', () => {
    expect(struck).toMatchObject({
      'before the store': aboveZero,
      'between store and decision': aboveZero,
      'between completion and decision': aboveZero,
      'between decision and answer': aboveZero,
      'a handler': aboveZero,
      'between a handler and its record': aboveZero,
    })
  })
})
