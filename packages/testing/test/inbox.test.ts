import { memoryInbox } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { describe, it } from 'vitest'
import { describeInbox } from '../src/conformance/inbox.js'

describeInbox(
  'memory',
  () => {
    const clock = createFakeClock()
    return { inbox: memoryInbox({ clock }), advance: (ms) => clock.advance(ms) }
  },
  { describe, it },
)
