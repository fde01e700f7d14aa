import pg from 'pg'
import type { DoctorSettings } from './settings.js'

/** Runs work with one connection to PostgreSQL. Returns `undefined` for a PGlite, whose folder its server has locked. */
export async function withClient<Result>(
  { databaseUrl, timeoutMs }: DoctorSettings,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result | undefined> {
  if (databaseUrl === undefined || !/^postgres(?:ql)?:\/\//.test(databaseUrl)) return undefined
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // A lost connection rejects the query that is running.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The same for checks that need a connection which another check reports as missing. */
export function withOpenClient<Result>(
  settings: DoctorSettings,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result | undefined> {
  return withClient(settings, work).catch(() => undefined)
}
