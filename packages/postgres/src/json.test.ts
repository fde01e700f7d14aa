import { expect, it } from 'vitest'
import { isStorable, storableText, toJson } from './json.js'

it.each([
  ['NUL', 'a\u0000b', 'a\uFFFDb'],
  ['a high surrogate', 'a\ud800b', 'a\uFFFDb'],
  ['a low surrogate', 'a\udfffb', 'a\uFFFDb'],
  ['a surrogate pair', 'a💎b', 'a💎b'],
  ['text that looks like an escape', 'a\\u0000\\ud800', 'a\\u0000\\ud800'],
])('makes %s storable, alone and in JSON', (_, given, stored) => {
  expect(JSON.parse(toJson({ reason: given, list: [given] }))).toEqual({
    reason: stored,
    list: [stored],
  })
  expect(storableText(given)).toBe(stored)
  expect(isStorable(given)).toBe(given === stored)
})

it('omits undefined', () => {
  expect(toJson({ kind: 'paid', absent: undefined })).toBe('{"kind":"paid"}')
})
