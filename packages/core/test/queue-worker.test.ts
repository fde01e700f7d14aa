import { getEventListeners } from 'node:events'
import type { TaskQueue, TaskWorker } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'

/** A queue that runs each job as soon as it is added. */
function immediateQueue(): TaskQueue {
  let worker: TaskWorker | undefined
  return {
    name: 'immediate',
    add: async (tasks) => {
      for (const task of tasks) await worker?.run(task, { attempt: 1 })
    },
    work: (given) => {
      worker = given
      return Promise.resolve({ stop: () => Promise.resolve() })
    },
  }
}

describe('a job of a queue engine', () => {
  it('keeps no listener on its signal after it has ended', async () => {
    const signals: AbortSignal[] = []
    const shop = openShop([order()], {
      queue: immediateQueue(),
      onPaid: (_, { signal }) => void signals.push(signal),
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(5000)
    expect(signals).toHaveLength(1)
    expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  })
})
