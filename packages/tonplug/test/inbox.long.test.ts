import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox, postgresSchemaVersion } from '@tonplug/postgres'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { makePGlite, makePostgres, type TestDatabase } from './databases.js'
import { document, tonplug } from './run-command.js'
import { visit } from './shop.js'

// PGlite takes seconds to start in each process, so the whole story runs on PostgreSQL if one is reachable.
if (hasPostgres) describeInboxCommands('PostgreSQL', makePostgres)
else describeInboxCommands('PGlite', makePGlite)

it('replays handlers in the folder of a PGlite', async () => {
  const database = await makePGlite()
  onTestFinished(() => database.remove())
  const missing = await tonplug(['inbox', 'list', '--database', database.location])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toContain('is not the folder of a PGlite')

  await database.use((db) => visit(db, { orders: ['order-1'], transfers: ['order-1'], mail: down }))
  const dead = await tonplug(['inbox', 'list', '-d', database.location, '--json'])
  expect(document(dead)).toMatchObject({
    reports: [{ id: '1', state: 'dead', reference: 'order-1', decision: { kind: 'paid' } }],
    hasMore: false,
  })
  const replayed = await tonplug(['inbox', 'replay', '--all', '--yes', '-d', database.location])
  expect(replayed).toMatchObject({ code: 0, stderr: '' })

  const mails: string[] = []
  await database.use((db) => visit(db, { mail: (reference) => mails.push(reference) }))
  expect(mails).toEqual(['order-1'])
})

const down = () => {
  throw new Error('the mail server is down\u001b[2J')
}

/** One shop's story: each test continues where the previous one ended. */
function describeInboxCommands(name: string, make: () => Promise<TestDatabase>): void {
  describe(`the inbox in ${name}`, () => {
    let database: TestDatabase
    const run = (...args: string[]) => tonplug(args, { DATABASE_URL: database.location })
    const runJson = async (...args: string[]) => {
      const ended = await run(...args, '--json')
      expect(ended.stderr).toBe('')
      return { code: ended.code, json: document(ended) }
    }
    const list = async (...args: string[]) => {
      const { code, json } = await runJson('inbox', 'list', ...args)
      // The document's shape is tested below.
      const { reports } = json as { reports: { id: string; reference: string }[] }
      return { code, references: reports.map(({ reference }) => reference) }
    }

    beforeAll(async () => {
      database = await make()
    })
    afterAll(() => database.remove())

    it('is not created by listing it', async () => {
      const { code, stdout, stderr } = await run('inbox', 'list')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(name === 'PGlite' ? /is not the folder of a PGlite/ : /has no tables/)
    })

    it('is created by migrate, once', async () => {
      const first = await runJson('migrate', 'up')
      expect(first).toMatchObject({
        code: 0,
        json: { versionBefore: null, version: postgresSchemaVersion, isChanged: true },
      })
      const again = await run('migrate', 'up')
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toContain(`up to date, at version ${postgresSchemaVersion}`)
    })

    it('is empty at first, with exit code 1', async () => {
      expect(await run('inbox', 'list')).toEqual({
        code: 1,
        stdout: 'No report matches.\n',
        stderr: '',
      })
      expect(await runJson('inbox', 'list')).toEqual({
        code: 1,
        json: { reports: [], hasMore: false },
      })
    })

    it('lists reports, newest first, and filters them', async () => {
      await database.use(async (db) => {
        await visit(db, {
          orders: ['order-1', 'order-2', 'order-3'],
          transfers: ['order-1', 'order-2', 'order-9'],
          mail: down,
        })
        await visit(db, { transfers: ['order-3'] })
      })
      const all = await run('inbox', 'list')
      expect(all).toMatchObject({ code: 0, stderr: '' })
      const lines = all.stdout.trimEnd().split('\n')
      expect(lines[0]).toMatch(/^ID +RECEIVED +STATE +DECISION +REFERENCE +HANDLERS OR PROBLEM$/)
      expect(lines.slice(1).map((line) => line.split(/  +/).slice(2))).toEqual([
        ['done', 'paid', 'order-3', 'onPaid.mail done, onPaid.ship done'],
        ['parked', 'unknown_order', 'order-9', '-'],
        ['dead', 'paid', 'order-2', 'onPaid.mail dead, onPaid.ship done'],
        ['dead', 'paid', 'order-1', 'onPaid.mail dead, onPaid.ship done'],
      ])
      expect(await list('--state', 'dead')).toEqual({ code: 0, references: ['order-2', 'order-1'] })
      expect(await list('--state', 'parked')).toEqual({ code: 0, references: ['order-9'] })
      expect(await list('--state', 'done')).toEqual({ code: 0, references: ['order-3'] })
      expect(await list('--state', 'open')).toEqual({ code: 1, references: [] })
      expect(await list('--reference', 'order-1')).toEqual({ code: 0, references: ['order-1'] })
      expect(await list('--since', '1h', '--limit', '1')).toEqual({
        code: 0,
        references: ['order-3'],
      })
      expect(await list('--since', '2100-01-01')).toEqual({ code: 1, references: [] })
      expect((await run('inbox', 'list', '--limit', '3')).stdout).toContain('There are more')
    })

    it('shows a report, its decision, and the errors of its handlers', async () => {
      const { code, stdout } = await run('inbox', 'show', '1')
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ +signed with +main$/m)
      expect(stdout).toMatch(/^ +kind +paid$/m)
      // A terminal must not interpret escapes in an error message.
      expect(stdout).toMatch(/^onPaid\.mail +dead +1 +- +the mail server is down\uFFFD\[2J$/m)
      expect(stdout).toContain('tonplug inbox replay 1')
      expect(stdout).toContain('"reference": "order-1"')

      const { json } = await runJson('inbox', 'show', '1')
      expect(json).toMatchObject({
        id: '1',
        state: 'dead',
        decision: { kind: 'paid', expected: '10500000000', received: '10500000000' },
        handlers: [
          {
            handler: 'onPaid.mail',
            state: 'dead',
            attempts: 1,
            error: expect.stringContaining('is down'),
          },
          { handler: 'onPaid.ship', state: 'done', attempts: 1, error: null },
        ],
        rawBody: expect.stringContaining('"reference":"order-1"'),
      })
    })

    it('S56 makes a parked report due when its order is stored', async () => {
      expect((await run('inbox', 'show', '3')).stdout).toContain('tonplug inbox match')
      expect(await runJson('inbox', 'match', 'order-9')).toEqual({
        code: 0,
        json: { reference: 'order-9', matched: 1 },
      })
      expect((await run('inbox', 'show', '3')).stdout).toMatch(/^ +decided next +at once$/m)
      expect((await run('inbox', 'match', 'order-9')).stdout).toContain('1 report of "order-9"')
    })

    it('states that no report waits for an order', async () => {
      for (const reference of ['order-1', 'order-of-nobody']) {
        expect(await run('inbox', 'match', reference)).toEqual({
          code: 1,
          stdout: `No report waits for the order "${reference}".\n`,
          stderr: '',
        })
      }
      expect((await run('inbox', 'match')).code).toBe(2)
    })

    it('rejects an unknown report', async () => {
      const unknown = await run('inbox', 'show', '4711')
      expect(unknown).toMatchObject({ code: 1, stdout: '' })
      expect(unknown.stderr).toContain('tonplug inbox list')
      const { code, json } = await runJson('inbox', 'show', 'nonsense')
      expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'failed' } } })
    })

    it('replays nothing without a selection and a confirmation', async () => {
      const undirected = await run('inbox', 'replay', '--yes')
      expect(undirected).toMatchObject({ code: 2, stdout: '' })
      expect(undirected.stderr).toContain('--all')
      const unasked = await run('inbox', 'replay', '--all')
      expect(unasked).toMatchObject({ code: 2, stdout: '' })
      expect(unasked.stderr).toContain('--yes')
      expect(await run('inbox', 'replay', '3', '4', '4711', '--yes')).toEqual({
        code: 1,
        stdout: [
          'No dead handler to replay.',
          'Report 3: it waits for the order "order-9"; `tonplug inbox match` decides it at once when the order is stored.',
          'Report 4: its handlers are done, and are never run again.',
          'Report 4711: not found; see `tonplug inbox list`.',
          '',
        ].join('\n'),
        stderr: '',
      })
      expect(await list('--state', 'dead')).toMatchObject({ references: ['order-2', 'order-1'] })
    })

    it('replays dead handlers, and the next server runs only those', async () => {
      expect(await runJson('inbox', 'replay', '1', '4711', '--yes')).toMatchObject({
        code: 0,
        json: {
          replayed: [{ reportId: '1', reference: 'order-1', handler: 'onPaid.mail' }],
          alreadyTaken: 0,
          notReplayed: [{ reportId: '4711', reason: 'not found; see `tonplug inbox list`.' }],
        },
      })
      expect(await list('--state', 'open')).toMatchObject({ references: ['order-1'] })
      expect((await run('inbox', 'show', '1')).stdout).toMatch(/^onPaid\.mail +open +0 +at once/m)

      const note = ['--by', 'ann', '--reason', 'the mail server is up']
      const byFilter = await run('inbox', 'replay', '--handler', 'onPaid.mail', '-y', ...note)
      expect(byFilter).toMatchObject({ code: 0, stderr: '' })
      await database.use(async (db) => {
        const actions = await postgresInbox(db).reports.listActions({ reportIds: ['1', '2'] })
        expect(actions).toMatchObject([
          { reportId: '2', action: 'retry', by: 'ann', note: 'the mail server is up' },
          { reportId: '1', action: 'retry', by: userInfo().username, note: '' },
        ])
      })
      expect(byFilter.stdout).toContain('Replayed 1 handler.')

      const mails: string[] = []
      await database.use((db) => visit(db, { mail: (reference) => mails.push(reference) }))
      expect(mails.toSorted()).toEqual(['order-1', 'order-2'])
      expect(await list('--state', 'done')).toMatchObject({
        references: ['order-3', 'order-2', 'order-1'],
      })
    })

    it('S71 decides reports again after a configuration mistake', async () => {
      const wrongWallet = `0:${'0'.repeat(64)}`
      const visited = { orders: ['order-5'], transfers: ['order-5'], wallets: [wrongWallet] }
      await database.use((db) => visit(db, visited))
      const mismatched = await runJson('inbox', 'list', '--reference', 'order-5')
      expect(mismatched.json).toMatchObject({
        reports: [{ state: 'done', decision: { kind: 'wallet_mismatch' } }],
      })
      expect(await run('inbox', 'reprocess', '-y')).toMatchObject({ code: 2, stdout: '' })
      const unconfirmed = await run('inbox', 'reprocess', '--decision', 'wallet_mismatch')
      expect(unconfirmed).toMatchObject({ code: 2, stdout: '' })
      expect(unconfirmed.stderr).toContain('--yes')

      const again = ['inbox', 'reprocess', '--decision', 'wallet_mismatch', '-y']
      expect(await runJson(...again)).toEqual({
        code: 0,
        json: { reprocessed: 1, notReprocessed: [] },
      })
      const mails: string[] = []
      await database.use(async (db) => {
        // The processes with the wrong wallet ended more than 30 seconds ago.
        await db.query(`UPDATE tonplug.policies SET last_seen = last_seen - interval '1 minute'`)
        const mail = (reference: string) => void mails.push(reference)
        await visit(db, { mail, until: () => mails.length > 0 })
      })
      expect(mails).toEqual(['order-5'])
      const paid = await runJson('inbox', 'list', '--reference', 'order-5')
      expect(paid.json).toMatchObject({ reports: [{ state: 'done', decision: { kind: 'paid' } }] })
      expect(await run('inbox', 'reprocess', '1', '4711', '-y')).toMatchObject({
        code: 1,
        stdout: [
          'No report can be decided again.',
          'Report 1: it paid its order, which is final.',
          'Report 4711: not found; see `tonplug inbox list`.',
          '',
        ].join('\n'),
      })
    })

    it('S72 lists unreadable reports and decides them when they are readable', async () => {
      await database.use((db) =>
        visit(db, { orders: ['order-6'], transfers: ['order-6'], maxAgeMs: 1000 }),
      )
      const listed = await run('inbox', 'list', '--state', 'unreadable')
      expect(listed).toMatchObject({ code: 0, stderr: '' })
      expect(listed.stdout).toMatch(/unreadable +- +- +the timestamp .* is beyond maxAgeMs/)

      const again = await run('inbox', 'reprocess', '--state', 'unreadable', '--yes')
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toContain('1 report will be decided again')
      const mails: string[] = []
      const mail = (reference: string) => void mails.push(reference)
      await database.use((db) => visit(db, { mail, until: () => mails.length > 0 }))
      expect(mails).toEqual(['order-6'])
      expect((await run('inbox', 'list', '--state', 'unreadable')).code).toBe(1)
    })
  })
}
