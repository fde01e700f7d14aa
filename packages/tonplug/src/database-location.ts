import { UsageError } from './failure.js'

/** Where a database is. */
export type DatabaseLocation =
  { kind: 'postgres'; url: string; name: string } | { kind: 'pglite'; folder: string; name: string }

/**
 * The database that `--database` or else `DATABASE_URL` names: `postgres://…`, or the folder of a PGlite. `name` is
 * for people: it has no password.
 * @throws {UsageError} when there is none, or it is neither.
 */
export function locateDatabase(
  option: string | undefined,
  environment: { readonly [name: string]: string | undefined },
): DatabaseLocation {
  const given = option ?? environment['DATABASE_URL'] ?? ''
  const source = option === undefined ? 'DATABASE_URL' : '--database'
  if (given === '') {
    throw new UsageError(
      'no database: set DATABASE_URL, or give --database: a postgres:// address or the folder of a PGlite, such as ./.tonplug',
    )
  }
  if (!given.includes('://')) return { kind: 'pglite', folder: given, name: given }
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    // The value may carry a password, so it is not repeated.
    throw new UsageError(`${source} is neither a postgres:// address nor a folder`)
  }
  if (option !== undefined && hasPassword(url)) {
    throw new UsageError(
      '--database: other users of this machine can read a password in an argument; put the address into DATABASE_URL, or the password into PGPASSWORD or ~/.pgpass',
    )
  }
  return { kind: 'postgres', url: given, name: `${url.protocol}//${url.host}${url.pathname}` }
}

function hasPassword(url: URL): boolean {
  return url.password !== '' || url.searchParams.has('password')
}
