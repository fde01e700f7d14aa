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
