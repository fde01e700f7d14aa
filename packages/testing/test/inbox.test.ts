import { memoryInbox } from '@tonplug/core'
import { describeInbox } from '@tonplug/testing'
import { describe, it } from 'vitest'

describeInbox('memory', () => ({ inbox: memoryInbox() }), { describe, it })
