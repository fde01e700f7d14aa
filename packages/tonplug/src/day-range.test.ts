import { expect, it } from 'vitest'
import { dayRange } from './day-range.js'

it.each([
  ['UTC', '2026-01-01', '2026-01-31', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  [
    'Europe/Berlin',
    '2026-03-29',
    '2026-03-29',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ],
  [
    'America/New_York',
    '2026-11-01',
    '2026-11-01',
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
  ],
  [
    'Asia/Kolkata',
    '2026-06-30',
    '2026-06-30',
    '2026-06-29T18:30:00.000Z',
    '2026-06-30T18:30:00.000Z',
  ],
])('returns whole days in %s', (zone, from, to, start, end) => {
  const range = dayRange({ zone, from, to })
  expect([range.from?.toISOString(), range.before?.toISOString()]).toEqual([start, end])
})

it('rejects an unknown zone and an invalid day', () => {
  expect(() => dayRange({ zone: 'Mars/Base' })).toThrow('--zone must be a time zone')
  expect(() => dayRange({ from: '31.01.2026' })).toThrow('--from must be a day')
  expect(() => dayRange({ to: '2026-02-31' })).toThrow('--to must be a day')
  expect(dayRange({})).toEqual({})
})

it('rejects a first day after the last one', () => {
  const swapped = { from: '2026-02-01', to: '2026-01-31' }
  expect(() => dayRange(swapped)).toThrow('--from must not be after --to; received 2026-02-01')
  expect(() => dayRange({ from: '2026-02-01', to: '2026-02-01' })).not.toThrow()
})
