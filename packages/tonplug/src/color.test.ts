import { afterEach, expect, it, vi } from 'vitest'
import { colorOf } from './color.js'

afterEach(() => vi.unstubAllEnvs())

/** A stream with the methods of a terminal. */
function stream({ isTTY, colors = true }: { isTTY: boolean; colors?: boolean }) {
  // Only these are read.
  return { isTTY, hasColors: () => colors } as unknown as NodeJS.WriteStream
}

it('colors text on a terminal', () => {
  vi.stubEnv('NO_COLOR', '')
  expect(colorOf(stream({ isTTY: true }))('red', 'fail')).toBe('\u001B[31mfail\u001B[39m')
})

it.each([
  ['a file', { isTTY: false }, ''],
  ['a terminal without colors', { isTTY: true, colors: false }, ''],
  ['NO_COLOR', { isTTY: true }, '1'],
])('does not color text for %s', (_, facts, noColor) => {
  vi.stubEnv('NO_COLOR', noColor)
  expect(colorOf(stream(facts))('red', 'fail')).toBe('fail')
})
