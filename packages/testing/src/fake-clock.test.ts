import { createConnection, createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from './fake-clock.js'

describe('createFakeClock', () => {
  it('stands still until it is advanced', async () => {
    const clock = createFakeClock({ startMs: 1000 })
    expect(clock.nowMs()).toBe(1000)
    await clock.advance(250)
    expect(clock.nowMs()).toBe(1250)
  })
  it('fires due timers in their order, each at its own time', async () => {
    const clock = createFakeClock({ startMs: 0 })
    const fired: [string, number][] = []
    const note = (name: string) => (): void => void fired.push([name, clock.nowMs()])
    clock.setTimer(note('late'), 300)
    clock.setTimer(note('first'), 100)
    clock.setTimer(note('second'), 100)
    clock.setTimer(note('never'), 301)
    await clock.advance(300)
    expect(fired).toEqual([
      ['first', 100],
      ['second', 100],
      ['late', 300],
    ])
    expect(clock.pendingTimers()).toEqual([{ delayMs: 301, dueMs: 301 }])
  })
  it('fires timers that promises set between two timers', async () => {
    const clock = createFakeClock({ startMs: 0 })
    const times: number[] = []
    const repeat = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await new Promise<void>((resolve) => void clock.setTimer(resolve, 10))
        times.push(clock.nowMs())
      }
    }
    const done = repeat()
    await clock.advance(30)
    await done
    expect(times).toEqual([10, 20, 30])
  })
  it('does not fire a cancelled timer', async () => {
    const clock = createFakeClock()
    let isFired = false
    const cancel = clock.setTimer(() => (isFired = true), 10)
    cancel()
    await clock.advance(10)
    expect(isFired).toBe(false)
  })
  it('fires a timer without delay at the next advance, even of 0 ms', async () => {
    const clock = createFakeClock()
    let isFired = false
    clock.setTimer(() => (isFired = true), 0)
    expect(isFired).toBe(false)
    await clock.advance(0)
    expect(isFired).toBe(true)
  })
  it('lets real I/O settle', async () => {
    const server = createServer((socket) => socket.end('pong')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    // A listening TCP server has an AddressInfo, not a pipe name.
    const { port } = server.address() as AddressInfo
    const clock = createFakeClock()
    const received: string[] = []
    clock.setTimer(() => {
      createConnection(port, '127.0.0.1').on('data', (data) => received.push(data.toString()))
    }, 5)
    await clock.advance(5)
    expect(received).toEqual(['pong'])
    server.close()
  })
})

describe('waitForTimer', () => {
  it('resolves at once for a timer that is pending', async () => {
    const clock = createFakeClock()
    clock.setTimer(() => undefined, 8000)
    const waiting = clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    await expect(waiting).resolves.toBeUndefined()
  })
  it('resolves when such a timer is set, and not before', async () => {
    const clock = createFakeClock({ startMs: 500 })
    let isResolved = false
    const waiting = clock
      .waitForTimer(({ delayMs, dueMs }) => delayMs === 100 && dueMs === 600)
      .then(() => (isResolved = true))
    clock.setTimer(() => undefined, 99)
    await clock.advance(0)
    expect(isResolved).toBe(false)
    clock.setTimer(() => undefined, 100)
    await waiting
  })
  it('does not see timers that have fired or were cancelled', async () => {
    const clock = createFakeClock()
    clock.setTimer(() => undefined, 1)
    clock.setTimer(() => undefined, 2)()
    await clock.advance(1)
    expect(clock.pendingTimers()).toEqual([])
  })
})
