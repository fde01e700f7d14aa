import pg from 'pg'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'

describeLibrary('pg', openPg)

async function openPg(url: string): Promise<OpenLibrary> {
  const db = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  return {
    db,
    async inTransaction(work) {
      const client = await db.connect()
      try {
        await client.query('BEGIN')
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    close: () => db.end(),
  }
}
