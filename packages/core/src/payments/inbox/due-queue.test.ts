import { expect, it } from 'vitest'
import { DueQueue } from './due-queue.js'

/** Numbers below 1000 that look random and are the same in each run. */
function numbers(count: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647) % 1000)
}

it('takes rows by the time when they are due', () => {
  const queue = new DueQueue<number>()
  const times = numbers(500)
  for (const [row, dueMs] of times.entries()) queue.set(row, dueMs)
  const taken = queue.take(Infinity, 1000)
  expect(taken.map((row) => times[row])).toEqual(times.toSorted((one, other) => one - other))
  expect(new Set(taken).size).toBe(500)
  expect(queue.nextMs()).toBeUndefined()
})

it('takes what is due, at most the limit', () => {
  const queue = new DueQueue<string>()
  queue.set('third', 30)
  queue.set('first', 10)
  queue.set('second', 20)
  expect(queue.nextMs()).toBe(10)
  expect(queue.take(9, 5)).toEqual([])
  expect(queue.take(20, 1)).toEqual(['first'])
  expect(queue.take(20, 5)).toEqual(['second'])
  expect(queue.nextMs()).toBe(30)
})

it('takes a moved row once, at its new time, and no deleted one', () => {
  const queue = new DueQueue<number>()
  const times = new Map(numbers(200).entries())
  for (const [row, dueMs] of times) queue.set(row, dueMs)
  for (const [row, dueMs] of times) {
    if (row % 2 === 0) times.set(row, row % 4 === 0 ? dueMs : 2000 - dueMs)
    queue.set(row, times.get(row) ?? dueMs)
  }
  for (const row of [...times.keys()].filter((one) => one % 3 === 0)) {
    times.delete(row)
    queue.delete(row)
  }
  const taken = queue.take(Infinity, 1000)
  expect(taken.map((row) => times.get(row))).toEqual(
    [...times.values()].toSorted((one, other) => one - other),
  )
  expect(new Set(taken).size).toBe(times.size)
})
