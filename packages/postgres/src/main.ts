#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { migratePostgres } from './migrate-postgres.js'
import { postgresMigrationSql } from './migration-sql.js'
import { openDatabase } from './open-database.js'

const USAGE = `Usage:
  tonplug-postgres migrate [--url postgres://…]   creates or updates the tables; default url: DATABASE_URL
  tonplug-postgres sql                            prints the SQL that migrate runs
`

async function main(): Promise<void> {
  const { command, isHelp, url } = readArguments()
  if (isHelp) {
    process.stdout.write(USAGE)
  } else if (command === 'sql') {
    process.stdout.write(`${postgresMigrationSql()};\n`)
  } else if (command === 'migrate' && url !== '') {
    await migrate(url)
  } else {
    process.stderr.write(USAGE)
    process.exitCode = 2
  }
}

interface Arguments {
  command?: string | undefined
  isHelp: boolean
  url: string
}

function readArguments(): Arguments {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    const url = values.url ?? process.env['DATABASE_URL'] ?? ''
    return { command: positionals[0], isHelp: values.help === true, url }
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    return { isHelp: false, url: '' }
  }
}

async function migrate(url: string): Promise<void> {
  const { db, close } = await openDatabase({ url })
  try {
    await migratePostgres(db)
    process.stdout.write('tonplug tables are up to date\n')
  } finally {
    await close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`)
  process.exitCode = 1
})

/** Returns the messages of an error and its causes. They do not contain the URL, which has the password. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? error.message
    : `${error.message}\n  cause: ${describe(error.cause)}`
}
