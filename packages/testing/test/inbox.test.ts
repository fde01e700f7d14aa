import { memoryInbox } from '@tonplug/core'
import { createFakeClock, describeInbox } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeInbox(
  'memory',
  () => {
    const clock = createFakeClock()
    return { inbox: memoryInbox({ clock }), advance: (ms) => clock.advance(ms) }
  },
  { describe, it },
)
