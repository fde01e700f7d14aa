import { explainError } from '../../explain-error.js'
import { fail, failMistake, ok, type Check, type Finding } from '../check.js'
import { withClient } from '../database-client.js'
import { codeOf } from '../webhook-probe.js'

/** Connects to the database. */
export const database: Check = {
  name: 'database',
  async run(subject) {
    const mistake = failMistake('DATABASE_URL', subject.databaseUrl ?? '', { isLocation: true })
    if (mistake !== undefined) return mistake
    try {
      return await withClient(subject, async (client) => {
        const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
        return ok(`PostgreSQL ${rows[0]?.server_version ?? ''} responds`)
      })
    } catch (error) {
      return explain(error)
    }
  },
}

function explain(error: unknown): Finding {
  const code = codeOf(error)
  if (code === '28P01') {
    return fail(
      'the password is rejected (28P01)',
      'Correct the user or password in DATABASE_URL; a password in a URL is percent-encoded.',
    )
  }
  if (code.startsWith('28')) {
    return fail(
      `the login is rejected: ${explainError(error)}`,
      'Correct the user in DATABASE_URL, allow it to log in, and allow its host in pg_hba.conf.',
    )
  }
  if (code === '3D000') {
    return fail('the database does not exist', 'Create it, or correct its name in DATABASE_URL.')
  }
  const problem = /^[A-Z0-9]{5,}$/.test(code) ? code : explainError(error)
  return fail(
    `no connection (${problem})`,
    'Start PostgreSQL, or correct DATABASE_URL. In a container, localhost is the container itself.',
  )
}
