import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** Where the shop's database is. */
export interface DatabaseSettings {
  /** `postgres://…`; without it PGlite. */
  url?: string | undefined
  /** The folder in which PGlite keeps its files. */
  folder: string
}

/** A database that TypeORM can connect to. */
export interface Database {
  url: string
  /** How many connections TypeORM may open. */
  poolSize: number
  close(): Promise<void>
}

const CONNECTIONS = 10

/**
 * TypeORM speaks to a server. Where there is none, PGlite, which is PostgreSQL in this process, listens on a port of
 * the loopback interface. It has one session, so it serves one connection.
 */
export async function openDatabase({ url, folder }: DatabaseSettings): Promise<Database> {
  if (url !== undefined && url !== '') {
    return { url, poolSize: CONNECTIONS, close: () => Promise.resolve() }
  }
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
