import { expect, it } from 'vitest'
import { toJson } from './json.js'

it.each([
  ['a NUL', 'a\u0000b', 'a\uFFFDb'],
  ['the first half of a pair', 'a\ud800b', 'a\uFFFDb'],
  ['the second half of a pair', 'a\udfffb', 'a\uFFFDb'],
  ['a whole pair', 'a💎b', 'a💎b'],
  ['what only looks like an escape', 'a\\u0000\\ud800', 'a\\u0000\\ud800'],
])('writes %s so that jsonb takes it', (_, given, stored) => {
  expect(JSON.parse(toJson({ reason: given, list: [given] }))).toEqual({
    reason: stored,
    list: [stored],
  })
})

it('leaves out what is undefined', () => {
  expect(toJson({ kind: 'paid', absent: undefined })).toBe('{"kind":"paid"}')
})
