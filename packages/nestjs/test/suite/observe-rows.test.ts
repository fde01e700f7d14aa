import { Module } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { InvalidParamsError } from '@tonplug/core/toncenter'
import type { Cursor } from '@tonplug/core/toncenter'
import { firstValueFrom, of, Subject, take, toArray } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { observeRows } from '../../src/observe-rows.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V3Service } from '../../src/v3.service.js'
import type { MockApi } from '@tonplug/test-support/mock-api'
import { SEQNO, startMockNode } from '../support/mock-node.js'
import type { NodeBehavior } from '../support/mock-node.js'

async function start(behavior: NodeBehavior = {}): Promise<{ api: MockApi; v3: V3Service }> {
  const api = await startMockNode(behavior)
  @Module({ imports: [TonplugModule.forRoot({ baseUrl: api.baseUrl, rps: Infinity })] })
  class AppModule {}
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
  onTestFinished(() => module.close())
  return { api, v3: module.get(V3Service, { strict: false }) }
}

it('emits the rows of a subscription in order, with the cursor of the current row', async () => {
  const { v3 } = await start()
  const blocks = observeRows(
    (signal) =>
      v3.transactionsByMasterchainBlock.watch({ seqno: SEQNO - 9 }, { signal, prefetch: 3 }),
    ({ seqno }, follow) => of({ seqno, position: follow.cursor().position }),
  )
  expect(await firstValueFrom(blocks.pipe(take(3), toArray()))).toEqual(
    [SEQNO - 9, SEQNO - 8, SEQNO - 7].map((seqno) => ({ seqno, position: { seqno } })),
  )
})

it('requests the next row when the result for the current one has completed', async () => {
  const { v3 } = await start()
  const started = new Subject<number>()
  const firstWork = new Subject<string>()
  const seen: string[] = []
  let cursor: (() => Cursor) | undefined
  const secondStarted = firstValueFrom(started.pipe(take(2), toArray()))
  const firstStarted = firstValueFrom(started)
  const subscription = observeRows(
    (signal) => {
      const follow = v3.transactionsByMasterchainBlock.watch({ seqno: SEQNO - 9 }, { signal })
      cursor = () => follow.cursor()
      return follow
    },
    ({ seqno }) => {
      started.next(seqno)
      return seqno === SEQNO - 9 ? firstWork : of('next')
    },
  ).subscribe((text) => seen.push(text))
  await firstStarted
  firstWork.next('half')
  // The position does not change during another request.
  await v3.masterchainInfo()
  expect(seen).toEqual(['half'])
  expect(cursor?.().position).toEqual({ seqno: SEQNO - 9 })
  firstWork.complete()
  expect(await secondStarted).toEqual([SEQNO - 9, SEQNO - 8])
  subscription.unsubscribe()
})

it('aborts the current request when it is unsubscribed', async () => {
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  const { api, v3 } = await start({ holds: { '/transactionsByMasterchainBlock': held } })
  onTestFinished(() => answer())
  const requested = api.nextRequest('/transactionsByMasterchainBlock')
  const seen: unknown[] = []
  const note = (event: unknown): void => void seen.push(event)
  const subscription = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.watch({ seqno: SEQNO }, { signal, prefetch: 0 }),
    ({ seqno }) => of(seqno),
  ).subscribe({ next: note, error: note, complete: () => note('complete') })
  const request = await requested
  subscription.unsubscribe()
  await request.closed
  expect(seen).toEqual([])
})

it('unsubscribes from the result for a row when it is unsubscribed', async () => {
  const { v3 } = await start()
  const work = new Subject<never>()
  const signals: AbortSignal[] = []
  const started = new Subject<void>()
  const hasStarted = firstValueFrom(started, { defaultValue: undefined })
  const subscription = observeRows(
    (signal) => {
      signals.push(signal)
      return v3.transactionsByMasterchainBlock.watch({}, { signal })
    },
    () => {
      started.next()
      return work
    },
  ).subscribe()
  await hasStarted
  // The work is subscribed to after this event.
  await Promise.resolve()
  expect([work.observed, signals.map(({ aborted }) => aborted)]).toEqual([true, [false]])
  subscription.unsubscribe()
  expect([work.observed, signals.map(({ aborted }) => aborted)]).toEqual([false, [true]])
})

it('fails with permanent errors of the subscription, errors of the work, and invalid parameters', async () => {
  const { v3 } = await start()
  const unauthorized = await start({ refusal: { status: 401, error: 'API key does not exist' } })
  const rejected = observeRows(
    (signal) => unauthorized.v3.transactionsByMasterchainBlock.watch({}, { signal }),
    ({ seqno }) => of(seqno),
  )
  await expect(firstValueFrom(rejected)).rejects.toMatchObject({
    code: 'ERR_TONPLUG_AUTHENTICATION',
  })
  const failing = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.watch({}, { signal }),
    async ({ seqno }) => Promise.reject(new RangeError(`no room for ${seqno}`)),
  )
  await expect(firstValueFrom(failing)).rejects.toThrow(`no room for ${SEQNO}`)
  const invalid = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.watch({ seqno: -1 }, { signal }),
    ({ seqno }) => of(seqno),
  )
  await expect(firstValueFrom(invalid)).rejects.toBeInstanceOf(InvalidParamsError)
})

it('completes with an iteration, and starts again for each subscription', async () => {
  const { api, v3 } = await start()
  const rows = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.paginate({ seqno: SEQNO }, { signal }),
    ({ hash }) => of(hash),
  )
  expect(await firstValueFrom(rows.pipe(toArray()))).toEqual([])
  expect(await firstValueFrom(rows.pipe(toArray()))).toEqual([])
  expect(api.requests).toHaveLength(2)
})
