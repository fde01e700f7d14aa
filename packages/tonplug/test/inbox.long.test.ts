import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasPostgres, makePGlite, makePostgres, type TestDatabase } from './databases.js'
import { document, tonplug } from './run-command.js'
import { visit } from './shop.js'

// PGlite takes seconds to start in each process, so the whole story is told on PostgreSQL where one answers.
if (hasPostgres) describeInboxCommands('PostgreSQL', makePostgres)
else describeInboxCommands('PGlite', makePGlite)

it('is replayed in the folder of a PGlite too', async () => {
  const database = await makePGlite()
  onTestFinished(() => database.remove())
  const missing = await tonplug(['inbox', 'list', '--database', database.location])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toContain('is not the folder of a PGlite')

  await database.use((db) => visit(db, { orders: ['order-1'], transfers: ['order-1'], mail: down }))
  const dead = await tonplug(['inbox', 'list', '-d', database.location, '--json'])
  expect(document(dead)).toMatchObject({
    deliveries: [{ id: '1', state: 'dead', reference: 'order-1', decision: { kind: 'paid' } }],
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

/** One shop's story, told in order: each test goes on where the one before ended. */
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
      // The document's shape is tested once, below.
      const { deliveries } = json as { deliveries: { id: string; reference: string }[] }
      return { code, references: deliveries.map(({ reference }) => reference) }
    }

    beforeAll(async () => {
      database = await make()
    })
    afterAll(() => database.remove())

    it('is not made by looking at it', async () => {
      const { code, stdout, stderr } = await run('inbox', 'list')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(name === 'PGlite' ? /is not the folder of a PGlite/ : /has no tables/)
    })

    it('is made by migrate, once', async () => {
      const first = await runJson('migrate')
      expect(first).toMatchObject({
        code: 0,
        json: { versionBefore: null, version: 4, isChanged: true },
      })
      const again = await run('migrate')
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toContain('up to date, at version 4')
    })

    it('is empty at first, which exit code 1 tells', async () => {
      expect(await run('inbox', 'list')).toEqual({
        code: 1,
        stdout: 'No delivery fits.\n',
        stderr: '',
      })
      expect(await runJson('inbox', 'list')).toEqual({
        code: 1,
        json: { deliveries: [], hasMore: false },
      })
    })

    it('lists deliveries, the newest first, and narrows them down', async () => {
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
      expect(lines[0]).toMatch(/^ID +RECEIVED +STATE +DECISION +REFERENCE +HANDLERS$/)
      expect(lines.slice(1).map((line) => line.split(/  +/).slice(2))).toEqual([
        ['done', 'paid', 'order-3', 'onPaid.ship done, onPaid.mail done'],
        ['parked', 'unmatched', 'order-9', '-'],
        ['dead', 'paid', 'order-2', 'onPaid.ship done, onPaid.mail dead'],
        ['dead', 'paid', 'order-1', 'onPaid.ship done, onPaid.mail dead'],
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

    it('shows a delivery, its decision, and the errors of its handlers', async () => {
      const { code, stdout } = await run('inbox', 'show', '1')
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ +signed with +main$/m)
      expect(stdout).toMatch(/^ +kind +paid$/m)
      // A terminal must not obey the escapes of an error's text.
      expect(stdout).toMatch(/^onPaid\.mail +dead +1 +- +the mail server is down\uFFFD\[2J$/m)
      expect(stdout).toContain('tonplug inbox replay 1')
      expect(stdout).toContain('"reference": "order-1"')

      const { json } = await runJson('inbox', 'show', '1')
      expect(json).toMatchObject({
        id: '1',
        state: 'dead',
        decision: { kind: 'paid', expected: '10500000000', received: '10500000000' },
        handlers: [
          { handler: 'onPaid.ship', state: 'done', attempts: 1, error: null },
          {
            handler: 'onPaid.mail',
            state: 'dead',
            attempts: 1,
            error: expect.stringContaining('is down'),
          },
        ],
        rawBody: expect.stringContaining('"reference":"order-1"'),
      })
    })

    it('S56 has what waits for an order looked at, once the order is there', async () => {
      expect((await run('inbox', 'show', '3')).stdout).toContain('tonplug inbox match')
      expect(await runJson('inbox', 'match', 'order-9')).toEqual({
        code: 0,
        json: { reference: 'order-9', matched: 1 },
      })
      expect((await run('inbox', 'show', '3')).stdout).toMatch(/^ +looked at next +at once$/m)
      expect((await run('inbox', 'match', 'order-9')).stdout).toContain('1 delivery of "order-9"')
    })

    it('says that nothing waits for an order', async () => {
      for (const reference of ['order-1', 'order-of-nobody']) {
        expect(await run('inbox', 'match', reference)).toEqual({
          code: 1,
          stdout: `No delivery waits for the order "${reference}".\n`,
          stderr: '',
        })
      }
      expect((await run('inbox', 'match')).code).toBe(2)
    })

    it('says that there is no such delivery', async () => {
      const unknown = await run('inbox', 'show', '4711')
      expect(unknown).toMatchObject({ code: 1, stdout: '' })
      expect(unknown.stderr).toContain('tonplug inbox list')
      const { code, json } = await runJson('inbox', 'show', 'nonsense')
      expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'failed' } } })
    })

    it('replays nothing that it was not told to', async () => {
      const undirected = await run('inbox', 'replay', '--yes')
      expect(undirected).toMatchObject({ code: 2, stdout: '' })
      expect(undirected.stderr).toContain('--all')
      const unasked = await run('inbox', 'replay', '--all')
      expect(unasked).toMatchObject({ code: 2, stdout: '' })
      expect(unasked.stderr).toContain('--yes')
      expect(await run('inbox', 'replay', '3', '4', '4711', '--yes')).toEqual({
        code: 1,
        stdout: [
          'There is no dead handler to replay.',
          'Delivery 3: it waits for an order "order-9", and is decided when there is one; `tonplug inbox match` hastens that.',
          'Delivery 4: its handlers are done, and are never run again.',
          'Delivery 4711: there is none; see `tonplug inbox list`.',
          '',
        ].join('\n'),
        stderr: '',
      })
      expect(await list('--state', 'dead')).toMatchObject({ references: ['order-2', 'order-1'] })
    })

    it('replays dead handlers, and the next server runs those alone', async () => {
      expect(await runJson('inbox', 'replay', '1', '4711', '--yes')).toMatchObject({
        code: 0,
        json: {
          replayed: [{ deliveryId: '1', reference: 'order-1', handler: 'onPaid.mail' }],
          alreadyTaken: 0,
          notReplayed: [{ deliveryId: '4711', reason: 'there is none; see `tonplug inbox list`.' }],
        },
      })
      expect(await list('--state', 'open')).toMatchObject({ references: ['order-1'] })
      expect((await run('inbox', 'show', '1')).stdout).toMatch(/^onPaid\.mail +open +0 +at once/m)

      const byFilter = await run('inbox', 'replay', '--handler', 'onPaid.mail', '-y')
      expect(byFilter).toMatchObject({ code: 0, stderr: '' })
      expect(byFilter.stdout).toContain('Replayed 1 handler.')

      const mails: string[] = []
      await database.use((db) => visit(db, { mail: (reference) => mails.push(reference) }))
      expect(mails.toSorted()).toEqual(['order-1', 'order-2'])
      expect(await list('--state', 'done')).toMatchObject({
        references: ['order-3', 'order-2', 'order-1'],
      })
    })
  })
}
