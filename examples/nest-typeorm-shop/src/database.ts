import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** Location of the shop's database: a PostgreSQL server, or the folder of PGlite. */
export interface DatabaseSettings {
  url?: string | undefined
  folder: string
}

/**
 * Returns the URL of the PostgreSQL server, or starts PGlite (PostgreSQL in this process) on a loopback port, because
 * TypeORM connects to a server. PGlite has one session, so it accepts one connection.
 */
export async function openDatabase({ url, folder }: DatabaseSettings) {
  if (url) return { url, poolSize: 10, close: () => Promise.resolve() }
  // PostgreSQL does not start when a process was killed after it created this file and before it filled it.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  const db = await PGlite.create(folder)
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    poolSize: 1,
    close: () => server.stop().then(() => db.close()),
  }
}
