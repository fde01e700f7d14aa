import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { openPGlite, type TestDatabase } from './databases.js'
import { newReport } from './reports.js'
import { tapped } from './shop.js'

describe('the statement of a decision', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
  })
  afterAll(() => database.close())

  it.each([
    ['no event', undefined, false],
    ['an event', 'onFailed', true],
  ] as const)('writes tasks only for an event: %s', async (key, event, writesTasks) => {
    let last = ''
    const inbox = postgresInbox(tapped(database.db, { before: (text) => void (last = text) }))
    const { id } = await inbox.reports.store(newReport({ key }))
    const decision = { kind: 'duplicate', reference: 'order-1', txHash: 'tx' } as const
    const record = { decision, event }
    expect(await inbox.reports.decide(id, record)).toEqual({ isRecorded: true, decision })
    expect(last.includes('INSERT INTO tonplug.tasks')).toBe(writesTasks)
    expect(await inbox.reports.find(id)).toMatchObject({ state: 'decided', decision })
  })
})
