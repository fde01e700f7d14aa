import { describe, expect, it } from 'vitest'
import { JobLocks } from '../src/job-locks.js'

describe('the lock of a job that runs again in the same worker', () => {
  it('S76 is lost for its second run as well, after the first one has ended', () => {
    const locks = new JobLocks(60_000)
    const first = locks.watch('job')
    locks.lose(['job'])
    const second = locks.watch('job')
    first.release()
    expect(second.signal.aborted).toBe(false)
    locks.lose(['job'])
    expect(second.signal.aborted).toBe(true)
    second.release()
  })

  it('S76 is lost for its first run when the second one begins', () => {
    const locks = new JobLocks(60_000)
    const first = locks.watch('job')
    const second = locks.watch('job')
    expect(first.signal.aborted).toBe(true)
    expect(second.signal.aborted).toBe(false)
    for (const run of [first, second]) run.release()
  })
})
