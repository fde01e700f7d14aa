import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

const known = ['address', 'limit', 'lt', 'hash', 'to_lt', 'archival']

it.each([
  ['adress', 'address'],
  ['Address', 'address'],
  ['limits', 'limit'],
  ['toLt', 'to_lt'],
  ['archive', 'archival'],
  ['hsah', 'hash'],
])('takes %s for %s', (name, meant) => {
  expect(nearestName(name, known)).toBe(meant)
})

it.each(['destination', 'q', 'workchain'])('takes %s for none of them', (name) => {
  expect(nearestName(name, known)).toBeUndefined()
})

it('takes nothing for anything when there is nothing', () => {
  expect(nearestName('limit', [])).toBeUndefined()
})
