import { expect, it } from 'vitest'
import { isLinearizable, type Model } from './linearizable.js'

/** A register that is written once. */
const once: Model<string, string, boolean> = {
  initial: '',
  apply: (state, input) =>
    state === '' ? { state: input, output: true } : { state, output: state === input },
}

it('accepts concurrent calls that have a sequence', () => {
  expect(
    isLinearizable(
      [
        { input: 'a', output: false, start: 0, end: 3 },
        { input: 'b', output: true, start: 1, end: 2 },
      ],
      once,
    ),
  ).toBe(true)
})

it('refuses two winners', () => {
  expect(
    isLinearizable(
      [
        { input: 'a', output: true, start: 0, end: 3 },
        { input: 'b', output: true, start: 1, end: 2 },
      ],
      once,
    ),
  ).toBe(false)
})

it('refuses a loser that ended before the winner began', () => {
  expect(
    isLinearizable(
      [
        { input: 'a', output: false, start: 0, end: 1 },
        { input: 'b', output: true, start: 2, end: 3 },
      ],
      once,
    ),
  ).toBe(false)
})

it('accepts a lost call as the winner, at any later time', () => {
  const lost = { input: 'a', output: undefined, start: 0, end: Infinity }
  const loser = { input: 'b', output: false, start: 4, end: 5 }
  const winner = { input: 'b', output: true, start: 2, end: 3 }
  expect(isLinearizable([lost, loser], once)).toBe(true)
  expect(isLinearizable([lost, winner], once)).toBe(true)
  expect(isLinearizable([lost, winner, loser], once)).toBe(false)
})
