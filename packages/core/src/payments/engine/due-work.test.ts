import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { checkedInbox } from '../inbox/checked-inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import { createDueWork, startWork, type StartedWork, type WorkKind } from './due-work.js'

it('claims other due work, and renews the registration, while one kind never ends', async () => {
  const clock = createFakeClock()
  let renewals = 0
  let claims = 0
  const busy = new Set<StartedWork>()
  /** Work that has ended before its claim has. */
  const endless: WorkKind = {
    running: busy,
    claim: async () => {
      const work = startWork(busy, { end: Promise.resolve() })
      await new Promise((resolve) => void clock.setTimer(() => resolve(undefined), 10))
      return [work]
    },
  }
  const other: WorkKind = {
    running: new Set(),
    claim: () => {
      claims++
      return Promise.resolve([])
    },
  }
  const work = createDueWork({
    name: 'default',
    clock,
    logger: createTestLogger(),
    instrumentation: {},
    inbox: checkedInbox(memoryInbox({ clock })),
    kinds: [endless, other],
    idlePollMs: 5000,
    handlers: () => undefined,
    registration: {
      isDue: () => true,
      renewAndFindDue: () => {
        renewals++
        return Promise.resolve(0)
      },
    },
  })
  work.start()
  await clock.advance(30)
  const claimsAtFirst = claims
  await clock.advance(5000)
  const stopped = work.stop()
  await clock.advance(100)
  await stopped
  expect(renewals).toBeGreaterThanOrEqual(4)
  expect(claims - claimsAtFirst).toBeGreaterThanOrEqual(3)
})
