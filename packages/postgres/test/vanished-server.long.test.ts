import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/open-database.js'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres } from './databases.js'
import { closeShop, openShop, transfer } from './shop.js'

/** A way to the database whose connections can fall silent, as those to a machine that is gone. */
interface Line {
  url: string
  /** Nothing goes through any more over the connections there are; new ones are well. */
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
  // It listens on a port.
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

describe.skipIf(!hasPostgres)(`a server of ${NEEDS_POSTGRES} that vanishes without a word`, () => {
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
    const shop = openShop(db)
    let sent = 0
    /** The statuses of five deliveries at once. The receiver's own deadline stands still. */
    const send = async () => {
      const answers = Array.from({ length: 5 }, () => shop.send(transfer(++sent)))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await send()).toEqual([200, 200, 200, 200, 200])
    line.silence()
    expect(await send()).toContain(503)
    expect(await send()).toEqual([200, 200, 200, 200, 200])
    await closeShop(shop)
    await close()
  })

  it('lets a long look at the inbox take its time', async () => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { db, close } = await openDatabase({ url: database.url })
    const shop = openShop(db)
    await shop.send()
    const reader = postgresInboxReader(db)
    const holder = await database.db.connect()
    await holder.query('BEGIN; LOCK tonplug.deliveries IN ACCESS EXCLUSIVE MODE')
    const listed = reader.list({ limit: 10 })
    // Given up for its length, while the list waits behind the same lock.
    await expect(reader.find('1')).rejects.toMatchObject({ code: 'ERR_TONPLUG_REPOSITORY' })
    await holder.query('COMMIT')
    holder.release()
    expect(await listed).toHaveLength(1)
    await closeShop(shop)
    await close()
  })
})
