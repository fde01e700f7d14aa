import type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api'

// The boundaries that OpenTelemetry recommends for HTTP, in seconds.
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Handlers may run for minutes, and calls wait for the rate limit. */
const WORK_SECONDS = [...REQUEST_SECONDS, 30, 60, 120, 300]

/** Name, boundaries and description. The unit is seconds. */
const HISTOGRAMS = {
  answerDuration: [
    'tonplug.webhook.answer.duration',
    REQUEST_SECONDS,
    'Time from the arrival of a webhook request to the response.',
  ],
  handlerDuration: ['tonplug.handler.duration', WORK_SECONDS, 'Duration of handler runs.'],
  callDuration: [
    'tonplug.client.call.duration',
    WORK_SECONDS,
    'Duration of client calls, including waits and retries.',
  ],
  requestDuration: [
    'tonplug.client.request.duration',
    REQUEST_SECONDS,
    'Duration of single HTTP requests.',
  ],
  waitDuration: [
    'tonplug.client.wait.duration',
    WORK_SECONDS,
    'Time that requests waited for the rate limit.',
  ],
} satisfies Record<string, [name: string, boundaries: number[], description: string]>

type NameUnitDescription = readonly [name: string, unit: string, description: string]

const COUNTERS = {
  decisions: ['tonplug.webhook.decisions', '{decision}', 'Decisions about deliveries.'],
  refusals: ['tonplug.webhook.refusals', '{request}', 'Rejected requests.'],
  handlerRetries: [
    'tonplug.handler.retries',
    '{run}',
    'Handler runs that failed and will be retried.',
  ],
  deadLetters: [
    'tonplug.handler.dead_letters',
    '{task}',
    'Handler tasks that became dead letters.',
  ],
  clientRetries: ['tonplug.client.retries', '{retry}', 'Retried requests.'],
  rateLimited: ['tonplug.client.rate_limited', '{response}', 'Responses with status 429.'],
} satisfies Record<string, NameUnitDescription>

const GAUGES = {
  up: ['tonplug.inbox.up', '{inbox}', '1 when the inbox is reachable and writable; otherwise 0.'],
  undecided: ['tonplug.inbox.undecided', '{delivery}', 'Deliveries without a decision.'],
  parked: ['tonplug.inbox.parked', '{delivery}', 'Deliveries that wait for their order.'],
  open: ['tonplug.inbox.open', '{task}', 'Handler tasks that are scheduled or running.'],
  dead: ['tonplug.inbox.dead', '{task}', 'Handler tasks that have used all attempts.'],
  oldestAge: [
    'tonplug.inbox.oldest_age',
    's',
    'Age of the oldest delivery that is undecided or has an open task; 0 without one.',
  ],
} satisfies Record<string, NameUnitDescription>

const BOOK_GAUGES = {
  alarms: [
    'tonplug.books.alarms',
    '{alarm}',
    'Alarms in the last comparison of each wallet with the chain.',
  ],
  holds: [
    'tonplug.books.holds',
    '{account}',
    'Accounts that the index did not show wholly in the last comparison of each wallet.',
  ],
} satisfies Record<string, NameUnitDescription>

/** The metrics of receivers and clients, except the gauges of inboxes and books. */
export type Instruments = Record<keyof typeof HISTOGRAMS, Histogram> &
  Record<keyof typeof COUNTERS, Counter>

export function createInstruments(meter: Meter): Instruments {
  return {
    ...mapValues(HISTOGRAMS, ([name, explicitBucketBoundaries, description]) =>
      meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } }),
    ),
    ...mapValues(COUNTERS, ([name, unit, description]) =>
      meter.createCounter(name, { unit, description }),
    ),
  }
}

/** The gauges that are read from inboxes at each collection. */
export type InboxGauges = Record<keyof typeof GAUGES, ObservableGauge>

export function createInboxGauges(meter: Meter): InboxGauges {
  return mapValues(GAUGES, ([name, unit, description]) =>
    meter.createObservableGauge(name, { unit, description }),
  )
}

/** The gauges of the last comparison of ledger and chain. */
export type BookGauges = Record<keyof typeof BOOK_GAUGES, ObservableGauge>

export function createBookGauges(meter: Meter): BookGauges {
  return mapValues(BOOK_GAUGES, ([name, unit, description]) =>
    meter.createObservableGauge(name, { unit, description }),
  )
}

function mapValues<Key extends string, Value, Result>(
  values: Readonly<Record<Key, Value>>,
  map: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries<Value>(values).map(([key, value]) => [key, map(value)] as const)
  // `Object.entries` returns every key as a string.
  return Object.fromEntries(entries) as Record<Key, Result>
}
