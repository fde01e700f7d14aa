import { memoryInbox } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { describeInbox } from '../src/conformance/inbox.js'
import { CLAIMING, LISTING, REDECIDING } from './inbox-sabotages/claiming.js'
import { CREDITS } from './inbox-sabotages/crediting.js'
import { OPERATING, PAYMENTS } from './inbox-sabotages/operating.js'
import { OPERATORS } from './inbox-sabotages/operators.js'
import { RELAYING, RUNNING } from './inbox-sabotages/running.js'
import { DECIDING, STORING, UNREADABLE } from './inbox-sabotages/storing.js'
import { POLICY, SUBSCRIBING } from './inbox-sabotages/subscribing.js'
import { SUMS } from './inbox-sabotages/summing.js'
import { TAKING } from './inbox-sabotages/taking.js'
import { changed, type Sabotage } from './inbox-sabotages/sabotage.js'
import { runSuite } from './passing-tests.js'

const SABOTAGES = [
  ...STORING,
  ...UNREADABLE,
  ...DECIDING,
  ...SUBSCRIBING,
  ...POLICY,
  ...CLAIMING,
  ...REDECIDING,
  ...LISTING,
  ...OPERATORS,
  ...RUNNING,
  ...RELAYING,
  ...OPERATING,
  ...PAYMENTS,
  ...CREDITS,
  ...TAKING,
  ...SUMS,
]

describe('describeInbox', () => {
  it.each(SABOTAGES)('notices an inbox that $mistake', async ({ change, noticedBy }) => {
    const { passed, failed } = await runSuite(
      (runner) => describeInbox('sabotaged', () => makeHarness(change), runner),
      noticedBy,
    )
    expect(passed).toEqual([])
    expect(failed).not.toEqual([])
  })
  it('notices an inbox that uses the clock of the process instead of that of the store', async () => {
    const { passed } = await runSuite(
      (runner) =>
        describeInbox('sabotaged', () => ({ inbox: memoryInbox(), advance: () => {} }), runner),
      /S45 claims|S56 claims a parked|S47 claims|S51 S76|S50 retries|becomes shorter|S70 another/,
    )
    expect(passed).toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const titles = new Set(
      (await runSuite((runner) => describeInbox('memory', () => makeHarness(() => ({})), runner)))
        .passed,
    )
    for (const { change, noticedBy } of SABOTAGES) {
      for (const title of titles) if (noticedBy.test(title)) titles.delete(title)
      expect(change).toBeTypeOf('function')
    }
    expect([...titles]).toEqual([])
  })
})

function makeHarness(change: Sabotage['change']) {
  const clock = createFakeClock()
  const memory = memoryInbox({ clock })
  return {
    inbox: changed(memory, change(memory)),
    advance: (ms: number) => clock.advance(ms),
  }
}
