import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../failure.js'
import type { Migration } from './formats.js'

/** `meta/_journal.json`, in which Drizzle lists the migrations of a folder. */
interface Journal {
  version: string
  dialect: string
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/**
 * Returns the name of the next file in a folder of Drizzle, and a function that adds it to the journal.
 * @throws {CommandError} when the journal is not one of PostgreSQL.
 */
export function nextInJournal(
  folder: string,
  { version, createdAt }: Migration,
): { name: string; addToJournal: () => void } {
  const path = join(folder, 'meta', '_journal.json')
  const journal = readJournal(path)
  const last = journal.entries.at(-1)
  const idx = (last?.idx ?? -1) + 1
  const tag = `${String(idx).padStart(4, '0')}_tonplug_${version}`
  // Drizzle runs migrations that are newer than the last one that it has run.
  const when = Math.max(createdAt.getTime(), (last?.when ?? 0) + 1)
  const entry = { idx, version: journal.version, when, tag, breakpoints: true }
  return {
    name: `${tag}.sql`,
    addToJournal() {
      mkdirSync(join(folder, 'meta'), { recursive: true })
      const text = JSON.stringify({ ...journal, entries: [...journal.entries, entry] }, null, 2)
      writeFileSync(path, `${text}\n`)
    },
  }
}

function readJournal(path: string): Journal {
  if (!existsSync(path)) return { version: '7', dialect: 'postgresql', entries: [] }
  try {
    // Checked in the next line.
    const journal = JSON.parse(readFileSync(path, 'utf8')) as Partial<Journal> | null
    if (journal?.dialect === 'postgresql' && Array.isArray(journal.entries)) {
      return journal as Journal
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandError(
    `${path} must be JSON with the dialect "postgresql" and a list of entries. Give the folder of Drizzle's migrations for PostgreSQL`,
  )
}
