import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../failure.js'
import { nextInJournal } from './drizzle-journal.js'
import { migrationName, migrationText, type Migration, type MigrationFormat } from './formats.js'

/**
 * Writes a migration.
 * @param out the file for `sql`, otherwise the folder of the tool's migrations
 * @returns the path of the file.
 * @throws {CommandError} when the file exists, or when the folder is not one of the tool.
 */
export function writeMigration(format: MigrationFormat, migration: Migration, out: string): string {
  const text = migrationText(format, migration)
  if (format === 'sql') return writeNew(out, text)
  if (format !== 'drizzle') return writeNew(join(out, migrationName(format, migration)), text)
  const { name, addToJournal } = nextInJournal(out, migration)
  const path = writeNew(join(out, name), text)
  addToJournal()
  return path
}

function writeNew(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return path
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
    const message = `${path} exists and was not changed; give the path of a new file`
    throw new CommandError(message, { cause })
  }
}
