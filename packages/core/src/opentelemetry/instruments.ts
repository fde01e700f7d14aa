import type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api'

// Seconds, as OpenTelemetry advises for HTTP.
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Handlers may run for minutes, and calls wait for the rate limit. */
const WORK_SECONDS = [...REQUEST_SECONDS, 30, 60, 120, 300]

/** The metrics of receivers and clients, but for those that are read from inboxes. */
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
      'From the arrival of a webhook to its answer.',
    ),
    decisions: counter('tonplug.webhook.decisions', '{decision}', 'Decisions about deliveries.'),
    refusals: counter('tonplug.webhook.refusals', '{request}', 'Requests that were refused.'),
    handlerDuration: seconds('tonplug.handler.duration', WORK_SECONDS, 'Runs of handlers.'),
    handlerRetries: counter('tonplug.handler.retries', '{run}', 'Runs that failed for now.'),
    deadLetters: counter('tonplug.handler.dead_letters', '{task}', 'Handlers that were given up.'),
    callDuration: seconds(
      'tonplug.client.call.duration',
      WORK_SECONDS,
      'Calls of the clients, all waits and attempts included.',
    ),
    requestDuration: seconds(
      'tonplug.client.request.duration',
      REQUEST_SECONDS,
      'Requests of the clients, each attempt by itself.',
    ),
    waitDuration: seconds(
      'tonplug.client.wait.duration',
      WORK_SECONDS,
      'Waits of requests for the rate limit.',
    ),
    clientRetries: counter('tonplug.client.retries', '{retry}', 'Requests that are sent again.'),
    rateLimited: counter('tonplug.client.rate_limited', '{response}', 'Answers 429.'),
    drifts: counter(
      'tonplug.client.drifts',
      '{drift}',
      'Places where answers depart from the description.',
    ),
  }
}

/** The metrics that are read from inboxes when they are collected. */
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
      '1 when the inbox answers and can be written to; otherwise 0.',
    ),
    undecided: gauge('tonplug.inbox.undecided', '{delivery}', 'Deliveries without a decision.'),
    parked: gauge('tonplug.inbox.parked', '{delivery}', 'Deliveries that wait for their order.'),
    open: gauge('tonplug.inbox.open', '{task}', 'Handlers that have to run, or are running.'),
    dead: gauge('tonplug.inbox.dead', '{task}', 'Handlers that have used up their attempts.'),
    oldestAge: gauge(
      'tonplug.inbox.oldest_age',
      's',
      'Age of the oldest delivery that is undecided or has an open handler; 0 without one.',
    ),
  }
}
