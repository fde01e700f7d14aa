import { expect, it } from 'vitest'
import { bullmqJobQueue, type BullmqJobQueueOptions } from '../src/bullmq-job-queue.js'

const all: Required<BullmqJobQueueOptions> = { connection: { host: '127.0.0.1' }, prefix: 'shop' }

it('refuses a misspelt option, since servers would not hear each other', () => {
  const misspelt = { ...all, Prefix: 'shop' }
  expect(() => bullmqJobQueue(misspelt)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: 'Prefix: is not an option here; did you mean prefix?',
    }),
  )
})

it('takes all options there are, and connects to nothing before it is used', async () => {
  const jobs = bullmqJobQueue(all)
  expect(jobs.name).toBe('bullmq')
  await jobs.close()
})

it.each<[string, unknown]>([
  ['connection: is a string; give { url:', 'redis://:hunter2@127.0.0.1'],
  ['connection: is null; give { url:', null],
  ['connection.url: is no address; is its variable set?', { url: '' }],
  ['connection.url: is no address; is its variable set?', { url: null }],
])('refuses what would be a Redis on this machine: %s', (message, connection) => {
  const given = { connection } as BullmqJobQueueOptions
  expect(() => bullmqJobQueue(given)).toThrow(message)
  expect(() => bullmqJobQueue(given)).not.toThrow('hunter2')
})
