import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createFakeClock } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/open-database.js'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres } from './databases.js'
import { closeShop, openShop, transfer } from './shop.js'

/** The default pool size of `pg`. Each round uses all connections; an unused one would hang in a later round. */
const CONNECTIONS = 10

/** A proxy to the database whose connections can stop, like those to a host that has disappeared. */
interface Line {
  url: string
  /** Existing connections transfer nothing more; new ones work. */
  silence(): void
}

async function openLine(target: string): Promise<Line> {
  const { hostname, port: targetPort } = new URL(target)
  const pairs: [Socket, Socket][] = []
  const server = createServer((near) => {
    const far = connect(Number(targetPort || 5432), hostname)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => undefined)
    near.pipe(far).pipe(near)
    pairs.push([near, far])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  // A server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    silence() {
      for (const [near, far] of pairs.splice(0)) {
        near.unpipe(far)
        far.unpipe(near)
        near.pause()
        far.destroy()
      }
    },
  }
}

describe.skipIf(!hasPostgres)(`a host of ${NEEDS_POSTGRES} that disappears`, () => {
  it.each([
    ['openDatabase', (url: string) => openDatabase({ url })],
    [
      'a pool without time limits',
      (url: string) => {
        const db = new pg.Pool({ connectionString: url })
        return Promise.resolve({ db, close: () => db.end() })
      },
    ],
  ])('S48 costs one round of deliveries on %s', async (_, open) => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const line = await openLine(database.url)
    const { db, close } = await open(line.url)
    const shop = openShop(db, { clock: createFakeClock() })
    let sent = 0
    /** Sends a delivery for each connection of the pool. The receiver's own deadline never passes. */
    const send = async () => {
      const answers = Array.from({ length: CONNECTIONS }, () => shop.send(transfer(++sent)))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(new Set(await send())).toEqual(new Set([200]))
    line.silence()
    expect(await send()).toContain(503)
    expect(new Set(await send())).toEqual(new Set([200]))
    await closeShop(shop)
    await close()
  })

  it('allows more time for a list of the inbox', async () => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { db, close } = await openDatabase({ url: database.url })
    const shop = openShop(db, { clock: createFakeClock() })
    await shop.send()
    const reader = postgresInboxReader(db)
    const holder = await database.db.connect()
    await holder.query('BEGIN; LOCK tonplug.reports IN ACCESS EXCLUSIVE MODE')
    const listed = reader.list({ limit: 10 })
    // Fails at its time limit, while the list waits for the same lock.
    await expect(reader.find('1')).rejects.toMatchObject({ code: 'ERR_TONPLUG_REPOSITORY' })
    await holder.query('COMMIT')
    holder.release()
    expect(await listed).toHaveLength(1)
    await closeShop(shop)
    await close()
  })
})
