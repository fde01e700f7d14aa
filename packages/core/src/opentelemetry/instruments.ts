import type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api'

// The boundaries that OpenTelemetry recommends for HTTP, in seconds.
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Handlers may run for minutes, and calls wait for the rate limit. */
const WORK_SECONDS = [...REQUEST_SECONDS, 30, 60, 120, 300]

/** The metrics of receivers and clients, except the gauges of inboxes. */
export interface Instruments {
  answerDuration: Histogram
  decisions: Counter
  refusals: Counter
  handlerDuration: Histogram
  handlerRetries: Counter
  deadLetters: Counter
  callDuration: Histogram
  requestDuration: Histogram
  waitDuration: Histogram
  clientRetries: Counter
  rateLimited: Counter
  drifts: Counter
}

export function createInstruments(meter: Meter): Instruments {
  const seconds = (name: string, boundaries: number[], description: string): Histogram => {
    const advice = { explicitBucketBoundaries: boundaries }
    return meter.createHistogram(name, { unit: 's', description, advice })
  }
  const counter = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(name, { unit, description })
  return {
    answerDuration: seconds(
      'tonplug.webhook.answer.duration',
      REQUEST_SECONDS,
      'Time from the arrival of a webhook request to the response.',
    ),
    decisions: counter('tonplug.webhook.decisions', '{decision}', 'Decisions about deliveries.'),
    refusals: counter('tonplug.webhook.refusals', '{request}', 'Rejected requests.'),
    handlerDuration: seconds('tonplug.handler.duration', WORK_SECONDS, 'Duration of handler runs.'),
    handlerRetries: counter(
      'tonplug.handler.retries',
      '{run}',
      'Handler runs that failed and will be retried.',
    ),
    deadLetters: counter(
      'tonplug.handler.dead_letters',
      '{task}',
      'Handler tasks that became dead letters.',
    ),
    callDuration: seconds(
      'tonplug.client.call.duration',
      WORK_SECONDS,
      'Duration of client calls, including waits and retries.',
    ),
    requestDuration: seconds(
      'tonplug.client.request.duration',
      REQUEST_SECONDS,
      'Duration of single HTTP requests.',
    ),
    waitDuration: seconds(
      'tonplug.client.wait.duration',
      WORK_SECONDS,
      'Time that requests waited for the rate limit.',
    ),
    clientRetries: counter('tonplug.client.retries', '{retry}', 'Retried requests.'),
    rateLimited: counter('tonplug.client.rate_limited', '{response}', 'Responses with status 429.'),
    drifts: counter(
      'tonplug.client.drifts',
      '{drift}',
      'Response fields that differ from the API description.',
    ),
  }
}

/** The gauges that are read from inboxes at each collection. */
export interface InboxGauges {
  up: ObservableGauge
  undecided: ObservableGauge
  parked: ObservableGauge
  open: ObservableGauge
  dead: ObservableGauge
  oldestAge: ObservableGauge
}

export function createInboxGauges(meter: Meter): InboxGauges {
  const gauge = (name: string, unit: string, description: string): ObservableGauge =>
    meter.createObservableGauge(name, { unit, description })
  return {
    up: gauge(
      'tonplug.inbox.up',
      '{inbox}',
      '1 when the inbox is reachable and writable; otherwise 0.',
    ),
    undecided: gauge('tonplug.inbox.undecided', '{delivery}', 'Deliveries without a decision.'),
    parked: gauge('tonplug.inbox.parked', '{delivery}', 'Deliveries that wait for their order.'),
    open: gauge('tonplug.inbox.open', '{task}', 'Handler tasks that are scheduled or running.'),
    dead: gauge('tonplug.inbox.dead', '{task}', 'Handler tasks that have used all attempts.'),
    oldestAge: gauge(
      'tonplug.inbox.oldest_age',
      's',
      'Age of the oldest delivery that is undecided or has an open task; 0 without one.',
    ),
  }
}
