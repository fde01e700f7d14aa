import { readFixture } from '../v2/fixtures.js'
import { API_KEY } from './calls.js'
import { type MockReply } from '@tonplug/test-support/mock-api'
import * as responses from '@tonplug/test-support/responses'

export const ok = responses.respond(200, readFixture('getMasterchainInfo.cpp.json'))
export const rejection = readFixture('error.500.message-rejected.captured.json')
export const html = { 'content-type': 'text/html; charset=utf-8' }
// Servers may quote the key that they were sent.
export const page = `<html><body><h1>Bad Gateway</h1><p>${API_KEY}</p></body></html>`
const retryDate = {
  date: 'Mon, 05 Jan 2026 09:00:00 GMT',
  'retry-after': 'Mon, 05 Jan 2026 09:00:03 GMT',
}

// Full jitter at one half: of 500, 1000 and 2000 ms; after an exceeded rate limit 500 ms more.
export const BACKOFF = [250, 500, 1000]
const RATE_LIMIT_BACKOFF = [750, 1000, 1500]

/** A way to fail, and what a call comes to. */
export interface Row {
  name: string
  /** Answers, one after the other; the last one serves all that follow. */
  script: MockReply[]
  requests: number
  delays: number[]
  /** The error's code without its beginning, or `ok`. */
  outcome: string
  error?: object
}

type Fault = [name: string, answer: MockReply, error?: object]

/** Faults that are tried four times, and stay. */
function lasting(expected: { outcome: string; delays: number[] }, ...faults: Fault[]): Row[] {
  return faults.map(([name, answer, error = {}]) => ({
    name,
    script: [answer],
    requests: 4,
    ...expected,
    error,
  }))
}

/** Faults that end a call at once. */
function final(...faults: [outcome: string, ...Fault][]): Row[] {
  return faults.map(([outcome, name, answer, error = {}]) => ({
    name,
    script: [answer],
    requests: 1,
    delays: [],
    outcome,
    error,
  }))
}

const refuse = (status: number, text: string, headers = {}): Fault => [
  `${status} ${text.slice(0, 50)}`,
  responses.refuse(status, `${text} (${API_KEY})`, headers),
]

/** The outcome of each fault. */
export const TABLE: Row[] = [
  ...lasting(
    { outcome: 'RATE_LIMIT', delays: RATE_LIMIT_BACKOFF },
    ['429 in `result`', responses.respond(429, readFixture('error.429.rate-limit.captured.json'))],
    refuse(429, 'Ratelimit exceeded'),
    ['429 of API v3', responses.respond(429, { error: `limit of ${API_KEY}` })],
    ['429 as a page', responses.respond(429, page, html)],
  ),
  ...lasting(
    { outcome: 'RATE_LIMIT', delays: [2000, 2000, 2000] },
    refuse(429, 'Retry-After in seconds', { 'retry-after': '2' }),
  ),
  ...lasting(
    { outcome: 'RATE_LIMIT', delays: [3000, 3000, 3000] },
    refuse(429, 'Retry-After as a date', retryDate),
  ),
  ...lasting(
    { outcome: 'LITESERVER_NOT_READY', delays: BACKOFF },
    refuse(500, 'LITE_SERVER_NOTREADY: block is not applied'),
    refuse(500, 'LITE_SERVER_NETWORK timeout'),
    refuse(504, 'Liteserver timeout'),
    refuse(542, 'tonlib code -3'),
    refuse(500, 'context canceled'),
    refuse(500, 'context deadline exceeded'),
  ),
  ...lasting(
    { outcome: 'SERVER', delays: BACKOFF },
    refuse(425, 'Too Early'),
    refuse(503, 'unexpected exception'),
  ),
  ...lasting(
    { outcome: 'SERVER', delays: [2000, 2000, 2000] },
    refuse(503, 'Retry-After', { 'retry-after': '2' }),
  ),
  ...lasting(
    { outcome: 'HTTP_STATUS', delays: BACKOFF },
    ['502 HTML', responses.respond(502, page, html), { retryable: true }],
    ['503 without a body', responses.respond(503, '', {})],
    ['504 HTML', responses.respond(504, page, html)],
    ['500 HTML', responses.respond(500, page, html), { retryable: true }],
    ['425 HTML', responses.respond(425, page, html)],
    ['522 HTML', responses.respond(522, page, html)],
    ['JSON that breaks off', responses.respond(200, '{"ok":true,"result":{')],
  ),
  ...lasting(
    { outcome: 'TIMEOUT', delays: BACKOFF },
    ['slow headers', responses.hang, { details: { scope: 'attempt', phase: 'headers' } }],
    ['slow body', responses.stallBody, { details: { scope: 'attempt', phase: 'body' } }],
  ),
  ...lasting(
    { outcome: 'NETWORK', delays: BACKOFF },
    ['a truncated body', responses.truncate, { details: { phase: 'body' } }],
    ['a reset', responses.reset, { details: { phase: 'headers', reason: 'ECONNRESET' } }],
  ),
  ...final(
    ['MESSAGE_REJECTED', '500 rejected message', responses.respond(500, rejection)],
    ['SERVER', ...refuse(500, 'LITE_SERVER_UNKNOWN: a fault of its own')],
    ['VALIDATION', ...refuse(542, 'Unsupported stack entry type')],
    ['AUTHENTICATION', ...refuse(401, 'API key does not exist')],
    ['WRONG_NETWORK', ...refuse(403, 'Network not allowed')],
    ['NOT_FOUND', ...refuse(404, 'transaction was not found')],
    ['CONFLICT', ...refuse(409, 'is not Jetton or NFT')],
    ['VALIDATION', ...refuse(416, 'Incorrect address')],
    ['VALIDATION', ...refuse(422, 'failed to parse get request: timeout')],
    [
      'HTTP_STATUS',
      'HTML instead of JSON',
      responses.respond(200, page, html),
      { retryable: false },
    ],
  ),
  {
    name: 'JSON under another content type',
    script: [responses.respond(200, readFixture('getMasterchainInfo.cpp.json'), html)],
    requests: 1,
    delays: [],
    outcome: 'ok',
  },
  {
    name: 'faults that pass',
    script: [responses.reset, responses.respond(502, page, html), responses.refuse(429, ''), ok],
    requests: 4,
    delays: [250, 500, 1500],
    outcome: 'ok',
  },
]
