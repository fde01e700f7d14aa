import { expect, it } from 'vitest'
import { bullmqQueue, type BullmqQueueOptions } from '../src/bullmq-queue.js'

const all: Required<BullmqQueueOptions> = {
  connection: { host: '127.0.0.1' },
  prefix: 'shop',
  keepCompletedMs: 60_000,
}

it('rejects a misspelled option', () => {
  const misspelled = { ...all, Prefix: 'shop' }
  expect(() => bullmqQueue(misspelled)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('did you mean prefix?'),
    }),
  )
})

it('accepts all options, and does not connect before it is used', async () => {
  const queue = bullmqQueue(all)
  expect(queue.name).toBe('bullmq')
  await queue.close()
})

it.each<[string, unknown]>([
  ["connection: must be { url: 'redis://…' }", 'redis://:hunter2@127.0.0.1'],
  ["connection: must be { url: 'redis://…' }", null],
  ['connection.url: must be the URL of a Redis server', { url: '' }],
  ['connection.url: must be the URL of a Redis server', { url: null }],
  ['connection.url: must be set', { url: 'undefined' }],
  ['connection.url: must not contain', { url: 'redis://undefined:6379' }],
  ['connection.url: must not be a reference', { url: 'redis://:${REDIS_PASSWORD}@127.0.0.1' }],
  ['connection.url: must not have quotes', { url: '"redis://:hunter2@127.0.0.1"' }],
  ['connection.host: must be set', { host: 'undefined' }],
  ['connection.password: must not be a reference', { host: '127.0.0.1', password: '$PASSWORD' }],
])('rejects a connection that BullMQ would replace by localhost: %s', (message, connection) => {
  const given = { connection } as BullmqQueueOptions
  expect(() => bullmqQueue(given)).toThrow(message)
  expect(() => bullmqQueue(given)).not.toThrow('hunter2')
})

it.each([0, -1, Number.NaN])('rejects keepCompletedMs %s', (keepCompletedMs) => {
  expect(() => bullmqQueue({ ...all, keepCompletedMs })).toThrow(
    'keepCompletedMs: must be a number of milliseconds above 0',
  )
})
