import { Injectable } from '@nestjs/common'
import { filter, Subject } from 'rxjs'
import type { Observable } from 'rxjs'

/** Something that happened to an order, in words for the buyer. */
export interface JournalEntry {
  kind: 'paid' | 'shipped' | 'problem'
  text: string
  at: Date
}

/** What happened to each order, oldest first. Kept in memory. */
@Injectable()
export class Journal {
  private readonly entriesByReference = new Map<string, Map<string, JournalEntry>>()
  private readonly changed = new Subject<string>()

  /** The same key again changes nothing, so that a handler may run twice. */
  record(reference: string, { key, kind, text }: { key: string } & Omit<JournalEntry, 'at'>): void {
    const entries = this.entriesByReference.get(reference) ?? new Map<string, JournalEntry>()
    if (entries.has(key)) return
    this.entriesByReference.set(reference, entries.set(key, { kind, text, at: new Date() }))
    this.changed.next(reference)
  }

  list(reference: string): JournalEntry[] {
    return [...(this.entriesByReference.get(reference)?.values() ?? [])]
  }

  /** The order's reference after each new entry. */
  changes(reference: string): Observable<string> {
    return this.changed.pipe(filter((changed) => changed === reference))
  }
}
