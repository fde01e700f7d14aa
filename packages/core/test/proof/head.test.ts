import { deferred } from '@tonplug/test-support/deferred'
import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { createValidators, SignedNetwork } from '@tonplug/simulator/internal'
import { createHeadReader } from '../../src/proof/head.js'
import type { Liteserver } from '../../src/proof/liteserver.js'
import { memoryAnchors } from './memory-anchors.js'

it('keeps a newer anchor when an aborted look has stored an older one late', async () => {
  const clock = createFakeClock()
  const utime = Math.floor(clock.nowMs() / 1000)
  const network = new SignedNetwork({ utime })
  const askedFrom: number[] = []
  const getBlockProof: Liteserver['getBlockProof'] = async (known) => {
    askedFrom.push(known.seqno)
    return network.blockProof(known)
  }
  const [isSaving, stored] = [deferred(), deferred()]
  let saves = 0
  const anchors = {
    ...memoryAnchors(),
    saveBlock: async () => {
      saves += 1
      if (saves > 1) return
      isSaving.resolve()
      await stored.promise
    },
  }
  const readHead = createHeadReader({
    // Other methods are not called.
    liteserver: { getBlockProof } as Liteserver,
    trusted: { id: network.first.id, globalId: network.globalId },
    anchors,
    clock,
    maxHeadAgeMs: 60_000,
  })
  const rotate = (): void => {
    const current = createValidators(`set ${network.blocks.length}`, 5)
    network.append({ utime, names: { current, main: 4 } })
    network.append({ utime })
  }
  rotate()
  const look = new AbortController()
  const late = readHead(look.signal).catch((error: unknown) => error)
  await isSaving.promise
  look.abort(new Error('the deadline has passed'))
  rotate()
  await readHead(new AbortController().signal)
  const newest = askedFrom.at(-1) ?? 0
  stored.resolve()
  expect(await late).toMatchObject({ message: 'the deadline has passed' })
  await readHead(new AbortController().signal)
  expect(askedFrom.at(-1)).toBeGreaterThan(network.first.id.seqno)
  expect(askedFrom.at(-1)).toBeGreaterThanOrEqual(newest)
})
