import { expect, it } from 'vitest'
import { UsageError } from './failure.js'
import { parseSince } from './since.js'

const NOW_MS = Date.parse('2026-01-31T12:00:00Z')

it.each([
  ['45s', '2026-01-31T11:59:15Z'],
  ['30m', '2026-01-31T11:30:00Z'],
  ['2h', '2026-01-31T10:00:00Z'],
  ['7d', '2026-01-24T12:00:00Z'],
  ['2026-01-30', '2026-01-30T00:00:00Z'],
  ['2026-01-30T08:15:00Z', '2026-01-30T08:15:00Z'],
  ['2026-01-30T08:15:00+02:00', '2026-01-30T06:15:00Z'],
])('reads %s', (text, iso) => {
  expect(parseSince(text, NOW_MS)).toBe(Date.parse(iso))
})

it.each(['', '7', '7w', '-1h', 'yesterday', '2026-13-45', '1769860800'])('refuses %j', (text) => {
  expect(() => parseSince(text, NOW_MS)).toThrow(UsageError)
})
