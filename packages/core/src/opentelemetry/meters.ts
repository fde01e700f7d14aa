import { metrics, type BatchObservableCallback, type MeterProvider } from '@opentelemetry/api'
import type { WatchedReceiver } from '../webhook/instrumentation.js'
import { RECEIVER } from './attributes.js'
import { createInboxReader, type InboxReader } from './inbox-reader.js'
import { createInboxGauges, createInstruments, type Instruments } from './instruments.js'
import { SCOPE_NAME, SCOPE_VERSION } from './scope.js'

/** The metrics, in the hands of the SDK that is registered now. */
export interface Meters {
  /** Those of the provider given, or of the one that is registered; they do nothing without an SDK. */
  instruments(): Instruments
  /** Reads the receiver's inbox at each collection, until the returned function is called: then it is down. */
  watchInbox(receiver: WatchedReceiver): () => void
}

/** What was made with one provider. */
interface Made {
  provider: MeterProvider
  instruments: Instruments
  observe(): void
}

/** What is observed at the next collection. */
interface Inboxes {
  readers: Set<InboxReader>
  /** The names of receivers that were closed since the last one. */
  closed: Set<string>
}

/** @param given in place of the one that is registered. */
export function createMeters(given: MeterProvider | undefined): Meters {
  const inboxes: Inboxes = { readers: new Set(), closed: new Set() }
  let made: Made | undefined

  // Meters of a provider that is registered later are other ones: those made before do nothing for ever.
  const current = (): Made => {
    const provider = given ?? metrics.getMeterProvider()
    if (made?.provider === provider) return made
    made = make(provider, inboxes)
    if (inboxes.readers.size > 0) made.observe()
    return made
  }
  return {
    instruments: () => current().instruments,
    watchInbox(receiver) {
      const reader = createInboxReader(receiver)
      inboxes.readers.add(reader)
      current().observe()
      return () => {
        inboxes.readers.delete(reader)
        inboxes.closed.add(receiver.name)
      }
    },
  }
}

function make(provider: MeterProvider, { readers, closed }: Inboxes): Made {
  const meter = provider.getMeter(SCOPE_NAME, SCOPE_VERSION)
  const gauges = createInboxGauges(meter)
  const observables = Object.values(gauges)
  const callback: BatchObservableCallback = async (result) => {
    // Once, since an SDK keeps it. Ahead of those that are open, one of which may have the same name.
    for (const name of closed) result.observe(gauges.up, 0, { [RECEIVER]: name })
    closed.clear()
    await Promise.all([...readers].map((read) => read(gauges, result)))
    if (readers.size === 0) meter.removeBatchObservableCallback(callback, observables)
  }
  return {
    provider,
    instruments: createInstruments(meter),
    // The SDK takes the same callback once.
    observe: () => meter.addBatchObservableCallback(callback, observables),
  }
}
