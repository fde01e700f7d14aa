import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { LeaseLost } from '../../toncenter/follow/lease.js'
import type { ResolvedWatcherOptions } from './options.js'
import { loadProgress, readProgress } from './stored-progress.js'

/** Opens a cursor that keeps all that is saved. */
function openCursor(text?: string) {
  const logger = createTestLogger()
  const saved: string[] = []
  const state: { failure?: Error | undefined } = {}
  const cursor = {
    load: async () => text,
    save: async (one: string) => {
      if (state.failure !== undefined) throw state.failure
      saved.push(one)
    },
  }
  const given = { clock: createFakeClock(), logger, cursor, payments: { name: 'default' } }
  const options = given as unknown as ResolvedWatcherOptions
  return { options, logger, saved, state }
}

const STORED = { name: 'default', scannedTo: 7, fullAtMs: 8, lookedUp: [1, 'order-1', 'ann'] }
const ENTRY = ['hash', 5, 1, 9000]

describe('the stored progress of a watcher', () => {
  it.each([undefined, null, '', 'no JSON', '[]', '7', 'null'])('is empty for %j', (text) => {
    expect(readProgress(text).scannedTo).toBeUndefined()
  })

  it('leaves out invalid fields and entries, and keeps the others', () => {
    const retry = [ENTRY, ['hash', 5], null]
    expect(readProgress(JSON.stringify({ ...STORED, retry }))).toEqual({
      ...STORED,
      retry: [ENTRY],
    })
    const invalid = { ...STORED, scannedTo: '7', fullAtMs: null, lookedUp: ['order-1'], retry: 1 }
    const {
      scannedTo,
      fullAtMs,
      lookedUp,
      retry: none,
      name,
    } = readProgress(JSON.stringify(invalid))
    expect({ scannedTo, fullAtMs, lookedUp, none, name }).toEqual({ none: [], name: 'default' })
  })

  it('is ignored, with a log, when it belongs to another Payments', async () => {
    const { options, logger } = openCursor(JSON.stringify({ ...STORED, name: 'other' }))
    expect((await loadProgress(options)).current).toEqual({})
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: expect.stringContaining('belongs to another Payments'),
        fields: { payments: 'default', other: 'other' },
      },
    ])
  })

  it('is continued without a name, and with the own name', async () => {
    for (const name of [undefined, 'default']) {
      const { options, logger } = openCursor(JSON.stringify({ ...STORED, name }))
      expect((await loadProgress(options)).current).toMatchObject({ scannedTo: 7 })
      expect(logger.lines).toEqual([])
    }
  })

  it('is saved with the retries, and the same is not saved again', async () => {
    const { options, saved } = openCursor(JSON.stringify({ ...STORED, retry: [ENTRY] }))
    const progress = await loadProgress(options)
    await progress.save({ scannedTo: 9 })
    await progress.save({ scannedTo: 9 })
    expect(saved.map((text) => JSON.parse(text))).toEqual([
      { ...STORED, scannedTo: 9, retry: [ENTRY] },
    ])
    await progress.save({ scannedTo: 10 })
    expect(saved).toHaveLength(2)
  })

  it('is saved again after the cursor has failed', async () => {
    const { options, saved, state } = openCursor()
    const progress = await loadProgress(options)
    state.failure = new Error('no connection')
    await expect(progress.save({ scannedTo: 9 })).rejects.toThrow('no connection')
    state.failure = undefined
    await progress.save({ scannedTo: 9 })
    expect(saved).toHaveLength(1)
  })

  it('is not saved by a run that has lost the lease, and by one that was aborted otherwise', async () => {
    const lost = new AbortController()
    const { options, saved } = openCursor()
    const progress = await loadProgress(options, lost.signal)
    lost.abort(new LeaseLost())
    await progress.save({ scannedTo: 9 })
    expect(saved).toEqual([])
    expect(progress.current).toMatchObject({ scannedTo: 9 })

    const aborted = new AbortController()
    const other = openCursor(JSON.stringify({ name: 'other' }))
    const continued = await loadProgress(other.options, aborted.signal)
    aborted.abort()
    await continued.save({ scannedTo: 9 })
    expect(other.saved).toHaveLength(1)
  })

  it('saves retries only if they have changed, and logs a failure', async () => {
    const { options, saved, state, logger } = openCursor()
    const progress = await loadProgress(options)
    await progress.saveRetries()
    expect(saved).toEqual([])
    progress.retries.defer({ txHash: 'hash', utime: 5 })
    state.failure = new Error('no connection')
    await progress.saveRetries()
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'watcher cursor not saved', fields: expect.anything() },
    ])
    state.failure = undefined
    progress.retries.defer({ txHash: 'other', utime: 5 })
    await progress.saveRetries()
    await progress.saveRetries()
    expect(saved.map((text) => JSON.parse(text).retry.length)).toEqual([2])
  })
})
