import { describeSettingMistake } from '@tonplug/core'
import { UsageError } from './failure.js'

/** The location of a database. */
export type DatabaseLocation =
  { kind: 'postgres'; url: string; name: string } | { kind: 'pglite'; folder: string; name: string }

/**
 * Returns the database of `--database`, otherwise of `DATABASE_URL`: `postgres://…`, or the folder of a PGlite.
 * `name` is for output and has no password.
 * @throws {UsageError} when it is missing or invalid.
 */
export function locateDatabase(
  option: string | undefined,
  environment: { readonly [name: string]: string | undefined },
): DatabaseLocation {
  const given = option ?? environment['DATABASE_URL'] ?? ''
  const source = option === undefined ? 'DATABASE_URL' : '--database'
  if (given === '') {
    throw new UsageError(
      'no database: set DATABASE_URL, or give --database: a postgres:// URL or the folder of a PGlite, for example ./.tonplug',
    )
  }
  const mistake = describeSettingMistake(given, { isLocation: true })
  if (mistake !== undefined) throw new UsageError(`${source} ${mistake}`)
  if (!given.includes('://')) return { kind: 'pglite', folder: given, name: given }
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    // The value may contain a password, so it is not repeated.
    throw new UsageError(`${source} is neither a postgres:// URL nor a folder`)
  }
  if (option !== undefined && hasPassword(url)) {
    throw new UsageError(
      '--database: other users of this machine can read a password in an argument; put the URL into DATABASE_URL, or the password into PGPASSWORD or ~/.pgpass',
    )
  }
  return { kind: 'postgres', url: given, name: `${url.protocol}//${url.host}${url.pathname}` }
}

function hasPassword(url: URL): boolean {
  return url.password !== '' || url.searchParams.has('password')
}
