import { metrics, type BatchObservableCallback, type MeterProvider } from '@opentelemetry/api'
import type { BooksEvent, WatchedPayments } from '../payments/engine/instrumentation.js'
import { PAYMENTS_NAME } from './attributes.js'
import { noteBooks, observeBooks, type LastBooks } from './books.js'
import { createInboxReader, type InboxReader } from './inbox-reader.js'
import {
  createBookGauges,
  createInboxGauges,
  createInstruments,
  type Instruments,
} from './instruments.js'
import { SCOPE_NAME, SCOPE_VERSION } from './scope.js'

/** The metrics of the SDK that is currently registered. */
export interface Meters {
  /** Returns the instruments of the given or registered provider; they do nothing without an SDK. */
  instruments(): Instruments
  /** Reads the inbox at each collection until the returned function is called; then it is observed as down. */
  watchInbox(payments: WatchedPayments): () => void
  /** Observes the result at each collection until the next one of its wallet. */
  noteBooks(event: BooksEvent): void
}

/** @param given replaces the registered provider. */
export function createMeters(given: MeterProvider | undefined): Meters {
  const inboxes = { readers: new Set<InboxReader>(), closed: new Set<string>() }
  const books: LastBooks = new Map()
  let made: ReturnType<typeof make> | undefined

  // Meters created before a provider is registered never start to work.
  const current = () => {
    const provider = given ?? metrics.getMeterProvider()
    if (made?.provider === provider) return made
    made = make(provider, { ...inboxes, books })
    if (inboxes.readers.size > 0) made.observe()
    if (books.size > 0) made.observeBooks()
    return made
  }
  return {
    instruments: () => current().instruments,
    watchInbox(payments) {
      const reader = createInboxReader(payments)
      inboxes.readers.add(reader)
      current().observe()
      return () => {
        inboxes.readers.delete(reader)
        inboxes.closed.add(payments.name)
      }
    },
    noteBooks(event) {
      noteBooks(books, event)
      current().observeBooks()
    },
  }
}

/**
 * Creates the instruments of one provider.
 * @param inboxes.closed the names of Payments closed since the last collection
 */
function make(
  provider: MeterProvider,
  inboxes: { readers: Set<InboxReader>; closed: Set<string>; books: LastBooks },
) {
  const { readers, closed, books } = inboxes
  const meter = provider.getMeter(SCOPE_NAME, SCOPE_VERSION)
  const gauges = createInboxGauges(meter)
  const observables = Object.values(gauges)
  const bookGauges = createBookGauges(meter)
  const readBooks: BatchObservableCallback = (result) => observeBooks(books, bookGauges, result)
  const callback: BatchObservableCallback = async (result) => {
    // Before the open inboxes: one may have the same name.
    for (const name of closed) result.observe(gauges.up, 0, { [PAYMENTS_NAME]: name })
    closed.clear()
    await Promise.all([...readers].map((read) => read(gauges, result)))
    if (readers.size === 0) meter.removeBatchObservableCallback(callback, observables)
  }
  return {
    provider,
    instruments: createInstruments(meter),
    // The SDK ignores a callback that is already registered.
    observe: () => meter.addBatchObservableCallback(callback, observables),
    observeBooks: () => meter.addBatchObservableCallback(readBooks, Object.values(bookGauges)),
  }
}
