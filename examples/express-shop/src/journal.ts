/** Something that happened to an order, in words for the buyer. */
export interface JournalEntry {
  kind: 'paid' | 'shipped' | 'problem'
  text: string
  at: Date
}

/** What happened to each order, oldest first. */
export interface Journal {
  /** The same key again changes nothing, so that a handler may run twice. */
  record(reference: string, entry: JournalEntry & { key: string }): void
  list(reference: string): JournalEntry[]
}

/** Keeps the journal in memory. */
export function createJournal(): Journal {
  const byReference = new Map<string, Map<string, JournalEntry>>()
  return {
    record(reference, { key, ...entry }) {
      const entries = byReference.get(reference) ?? new Map<string, JournalEntry>()
      byReference.set(reference, entries)
      if (!entries.has(key)) entries.set(key, entry)
    },
    list: (reference) => [...(byReference.get(reference)?.values() ?? [])],
  }
}
