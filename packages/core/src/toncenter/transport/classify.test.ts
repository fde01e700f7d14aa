import { describe, expect, it } from 'vitest'
import { classifyByStatus, isRetryableResponse, readRetryAfter } from './classify.js'

const REJECTED =
  'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\n' +
  'exitcode=33, steps=23\nVM Log (truncated):\nexecute PUSHCONT timeout LITE_SERVER_NOTREADY'

describe('isRetryableResponse', () => {
  it.each<[status: number, text: string, isRetryable: boolean]>([
    [408, '', true],
    [429, 'Ratelimit exceed', true],
    [429, 'exit code', true],
    [500, 'LITE_SERVER_NOTREADY: block is not applied', true],
    [500, 'LITE_SERVER_NETWORK timeout', true],
    [500, 'Liteserver timeout', true],
    [500, 'timeout: context deadline exceeded', true],
    [500, 'request timed out', true],
    [500, 'LITE_SERVER_UNKNOWN: block not found', false],
    [500, 'Exit code 11 != 0', false],
    [500, 'internal server error', false],
    [500, REJECTED, false],
    [503, REJECTED, false],
    [502, '<html>Bad Gateway</html>', true],
    [503, '', true],
    [504, 'Liteserver timeout', true],
    [542, 'liteserver said -3', true],
    [542, 'Unsupported stack entry type', false],
    [400, 'timeout', false],
    [401, '', false],
    [403, 'Network not allowed', false],
    [404, 'transaction was not found', false],
    [409, 'not a wallet', false],
    [416, 'Incorrect address', false],
    [422, 'failed to parse get request: timeout', false],
    [501, 'not ready', false],
    [533, 'Result stack depth >= 200', false],
  ])('decides for %i with %j: %s', (status, text, isRetryable) => {
    expect(isRetryableResponse({ status, text })).toBe(isRetryable)
  })
})

describe('classifyByStatus', () => {
  it.each<[string, number, string, string | undefined, boolean, RegExp]>([
    ['a redirect', 302, '', undefined, false, /HTTP 302, a redirect to https:\/\/other\.example, /],
    ['an unchanged response', 304, '', undefined, false, /HTTP 304, an empty body$/],
    ['a redirect that a browser hides', 0, '', undefined, false, /HTTP 0, a redirect/],
    ["a proxy's page", 502, '<html>', 'text/html', true, /HTTP 502, text\/html instead of JSON$/],
    ['a page instead of the API', 200, '<p>', 'text/html', false, /text\/html .*; check baseUrl/],
    [
      'a body that was cut off',
      200,
      '{"ok":tr',
      'application/json',
      true,
      /incomplete or invalid JSON/,
    ],
    ['no body', 200, '', undefined, true, /HTTP 200, an empty body/],
    ['a wrong path', 404, 'nope', 'text/plain', false, /HTTP 404, text\/plain instead of JSON$/],
  ])('describes %s', (_, status, text, contentType, isRetryable, message) => {
    const headers = new Headers({ location: 'https://other.example/x?secret=1' })
    if (contentType !== undefined) headers.set('content-type', contentType)
    const answer = { status, headers, text, json: undefined, retryAfterMs: undefined }
    const classified = classifyByStatus(answer)
    if (classified.kind === 'ok') throw new Error('an error was expected')
    const error = classified.error({ endpoint: 'getShards', attempts: 1 })
    expect(classified.isRetryable).toBe(isRetryable)
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_HTTP_STATUS', retryable: isRetryable })
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('secret')
  })

  it('keeps a short beginning of the body, on one line', () => {
    const text = `<html>\n\n  <h1>Bad  Gateway</h1>${'x'.repeat(1000)}`
    const answer = { status: 502, headers: new Headers(), text, json: undefined }
    const classified = classifyByStatus({ ...answer, retryAfterMs: undefined })
    if (classified.kind === 'ok') throw new Error('an error was expected')
    const { details } = classified.error({ endpoint: 'getShards', attempts: 1 })
    expect(details).toMatchObject({
      excerpt: expect.stringMatching(/^<html> <h1>Bad Gateway<\/h1>x{150,200}$/),
    })
  })
})

const NOW_MS = Date.parse('Mon, 05 Jan 2026 12:00:00 GMT')

describe('readRetryAfter', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['a missing header', {}, undefined],
    ['seconds', { 'retry-after': '3' }, 3000],
    ['blanks around seconds', { 'retry-after': ' 3 ' }, 3000],
    ['fractions of a second', { 'retry-after': '0.25' }, 250],
    ['a date, by the local clock', { 'retry-after': 'Mon, 05 Jan 2026 12:00:07 GMT' }, 7000],
    [
      "a date, by the server's clock",
      { 'retry-after': 'Mon, 05 Jan 2026 13:00:07 GMT', date: 'Mon, 05 Jan 2026 13:00:00 GMT' },
      7000,
    ],
    ['a date in the past', { 'retry-after': 'Mon, 05 Jan 2026 11:00:00 GMT' }, 0],
    ['an invalid value', { 'retry-after': 'soon' }, undefined],
    ['an empty value', { 'retry-after': '' }, undefined],
  ])('reads %s', (_, headers, waitMs) => {
    expect(readRetryAfter(new Headers(headers), NOW_MS)).toBe(waitMs)
  })
})
