import { Option, type Command } from 'commander'
import { locateDatabase } from '../database-location.js'
import { databaseOption, jsonOption, parseCount } from '../options.js'
import type { Deliver } from '../report.js'
import { migrateSql } from './migrate-sql.js'
import { migrateStatus } from './migrate-status.js'
import { migrateUp } from './migrate-up.js'

interface DatabaseFlags {
  database?: string
}

interface SqlFlags extends DatabaseFlags {
  from?: number
}

/** Adds `migrate status`, `up` and `sql`. */
export function migrateCommand(program: Command, deliver: Deliver): void {
  const migrate = program
    .command('migrate')
    .description('check, create or update the tables of tonplug in a database')
  const add = (name: string, description: string, options: readonly Option[] = []): Command => {
    const command = migrate.command(name).description(description)
    for (const option of [...options, databaseOption(), jsonOption()]) command.addOption(option)
    return command
  }
  add(
    'status',
    'list missing tables, columns, indexes and privileges, with the SQL that adds them',
  ).action(async ({ database }: DatabaseFlags) => {
    deliver(await migrateStatus(locateDatabase(database, process.env)))
  })
  add('up', 'create or update the tables').action(async ({ database }: DatabaseFlags) => {
    deliver(await migrateUp(locateDatabase(database, process.env)))
  })
  add('sql', 'print the SQL of `up`, for your own tool', [fromOption()]).action(
    async ({ database, from }: SqlFlags) => {
      const locate = () => locateDatabase(database, process.env)
      deliver(await migrateSql(locate, from))
    },
  )
}

function fromOption(): Option {
  return new Option(
    '--from <version>',
    'version of the tables, 0 for a new database; default: that of the database',
  ).argParser((text) => Number(parseCount(text, 0, 1_000_000)))
}
