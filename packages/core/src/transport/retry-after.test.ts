import { describe, expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.js'

const NOW_MS = Date.parse('Mon, 05 Jan 2026 12:00:00 GMT')

describe('readRetryAfter', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': '3' }, 3000],
    ['blanks around seconds', { 'retry-after': ' 3 ' }, 3000],
    ['parts of a second', { 'retry-after': '0.25' }, 250],
    ['a date, by our clock', { 'retry-after': 'Mon, 05 Jan 2026 12:00:07 GMT' }, 7000],
    [
      "a date, by the server's clock",
      { 'retry-after': 'Mon, 05 Jan 2026 13:00:07 GMT', date: 'Mon, 05 Jan 2026 13:00:00 GMT' },
      7000,
    ],
    ['a date that has passed', { 'retry-after': 'Mon, 05 Jan 2026 11:00:00 GMT' }, 0],
    ['neither', { 'retry-after': 'soon' }, undefined],
    ['an empty text', { 'retry-after': '' }, undefined],
  ])('reads %s', (_, headers, waitMs) => {
    expect(readRetryAfter(new Headers(headers), NOW_MS)).toBe(waitMs)
  })
})
