import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** Location of the shop's database. */
export interface DatabaseSettings {
  /** `postgres://…`; without it PGlite. */
  url?: string | undefined
  /** The folder in which PGlite stores its files. */
  folder: string
}

/** A database that TypeORM can connect to. */
export interface Database {
  url: string
  /** Maximum number of connections of TypeORM. */
  poolSize: number
  close(): Promise<void>
}

const CONNECTIONS = 10

/**
 * Returns the URL of the PostgreSQL server, or starts PGlite (PostgreSQL in this process) on a loopback port, because
 * TypeORM connects to a server. PGlite has one session, so it accepts one connection.
 */
export async function openDatabase({ url, folder }: DatabaseSettings): Promise<Database> {
  if (url !== undefined && url !== '') {
    return { url, poolSize: CONNECTIONS, close: () => Promise.resolve() }
  }
  // PostgreSQL does not start when a process was killed after it created this file and before it filled it.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  const db = await PGlite.create(folder)
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    poolSize: 1,
    async close() {
      await server.stop()
      await db.close()
    },
  }
}
