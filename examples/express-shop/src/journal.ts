import type { Queryable } from '@tonplug/postgres'

/** An event of an order, in words for the buyer. */
export interface JournalEntry {
  kind: 'paid' | 'shipped' | 'problem'
  text: string
  at: Date
}

/** The events of each order, oldest first. */
export interface Journal {
  /** Has no effect for a known key, so that a handler may run more than once. */
  record(reference: string, entry: JournalEntry & { key: string }): Promise<void>
  list(reference: string): Promise<JournalEntry[]>
}

/** Creates the journal in the shop's database. */
export function createJournal(db: Queryable): Journal {
  return {
    async record(reference, { key, kind, text, at }) {
      await db.query(
        `INSERT INTO shop_journal (key, reference, kind, text, at) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (key) DO NOTHING`,
        [key, reference, kind, text, at.toISOString()],
      )
    },
    async list(reference) {
      const { rows } = await db.query(
        'SELECT kind, text, at FROM shop_journal WHERE reference = $1 ORDER BY id',
        [reference],
      )
      // Only `record` writes them.
      return rows as JournalEntry[]
    },
  }
}
