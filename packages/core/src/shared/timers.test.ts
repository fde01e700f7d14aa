import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { createAlarm, createPause } from './timers.js'

it('fires an alarm once, at the time that was set last', async () => {
  const clock = createFakeClock()
  let fired = 0
  const alarm = createAlarm(clock, () => fired++)
  alarm.set(1000)
  alarm.set(3000)
  await clock.advance(2000)
  expect(fired).toBe(0)
  await clock.advance(10_000)
  expect(fired).toBe(1)
})

it('does not fire an alarm that was canceled', async () => {
  const clock = createFakeClock()
  let fired = 0
  const alarm = createAlarm(clock, () => fired++)
  alarm.set(1000)
  alarm.cancel()
  await clock.advance(2000)
  expect(fired).toBe(0)
})

it('ends a pause after its delay, or when it is woken', async () => {
  const clock = createFakeClock()
  const pause = createPause(clock)
  const slept = pause.sleep(1000)
  await clock.advance(1000)
  await expect(slept).resolves.toBeUndefined()
  const woken = pause.sleep(Infinity)
  pause.wake()
  await expect(woken).resolves.toBeUndefined()
})
