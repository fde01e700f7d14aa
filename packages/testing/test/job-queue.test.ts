import { memoryJobQueue } from '@tonplug/core'
import { createManualClock, describeJobQueue } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeJobQueue(
  'memory',
  () => {
    const clock = createManualClock()
    const jobs = memoryJobQueue({ clock })
    return {
      open: () => Promise.resolve(jobs),
      nowMs: () => clock.nowMs(),
      passTime: (ms) => clock.advance(ms),
    }
  },
  { describe, it },
)
