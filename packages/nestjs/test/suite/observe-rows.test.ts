import { Module } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { AuthenticationError, InvalidParamsError } from '@tonplug/core'
import type { Cursor } from '@tonplug/core'
import { firstValueFrom, of, Subject, take, toArray } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { observeRows } from '../../src/observe-rows.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V3Service } from '../../src/v3.service.js'
import { SEQNO, startApi } from '../support/api-server.js'
import type { ApiBehaviour, ApiServer } from '../support/api-server.js'

async function start(behaviour: ApiBehaviour = {}): Promise<{ api: ApiServer; v3: V3Service }> {
  const api = await startApi(behaviour)
  @Module({ imports: [TonplugModule.forRoot({ baseUrl: api.baseUrl, rps: Infinity })] })
  class AppModule {}
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
  onTestFinished(() => module.close())
  return { api, v3: module.get(V3Service, { strict: false }) }
}

it('delivers what a follow does, in order, with the cursor of the row at hand', async () => {
  const { v3 } = await start()
  const blocks = observeRows(
    (signal) =>
      v3.transactionsByMasterchainBlock.follow({ seqno: SEQNO - 9 }, { signal, prefetch: 3 }),
    ({ seqno }, follow) => of({ seqno, position: follow.cursor().position }),
  )
  expect(await firstValueFrom(blocks.pipe(take(3), toArray()))).toEqual(
    [SEQNO - 9, SEQNO - 8, SEQNO - 7].map((seqno) => ({ seqno, position: { seqno } })),
  )
})

it('goes on with the next row when the work on the one before has completed', async () => {
  const { v3 } = await start()
  const begun = new Subject<number>()
  const firstWork = new Subject<string>()
  const seen: string[] = []
  let cursor: (() => Cursor) | undefined
  const isSecondBegun = firstValueFrom(begun.pipe(take(2), toArray()))
  const isFirstBegun = firstValueFrom(begun)
  const subscription = observeRows(
    (signal) => {
      const follow = v3.transactionsByMasterchainBlock.follow({ seqno: SEQNO - 9 }, { signal })
      cursor = () => follow.cursor()
      return follow
    },
    ({ seqno }) => {
      begun.next(seqno)
      return seqno === SEQNO - 9 ? firstWork : of('next')
    },
  ).subscribe((text) => seen.push(text))
  await isFirstBegun
  firstWork.next('half')
  // Another request comes and goes, and the follow still stands where it was.
  await v3.masterchainInfo()
  expect(seen).toEqual(['half'])
  expect(cursor?.().position).toEqual({ seqno: SEQNO - 9 })
  firstWork.complete()
  expect(await isSecondBegun).toEqual([SEQNO - 9, SEQNO - 8])
  subscription.unsubscribe()
})

it('ends the request under way when it is unsubscribed', async () => {
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  const { api, v3 } = await start({ holds: { transactionsByMasterchainBlock: held } })
  onTestFinished(() => answer())
  const arrival = api.arrival('transactionsByMasterchainBlock')
  const departure = api.departure()
  const seen: unknown[] = []
  const note = (event: unknown): void => void seen.push(event)
  const subscription = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.follow({ seqno: SEQNO }, { signal, prefetch: 0 }),
    ({ seqno }) => of(seqno),
  ).subscribe({ next: note, error: note, complete: () => note('complete') })
  await arrival
  subscription.unsubscribe()
  await departure
  expect(seen).toEqual([])
})

it('ends the work on a row when it is unsubscribed', async () => {
  const { v3 } = await start()
  const work = new Subject<never>()
  const signals: AbortSignal[] = []
  const begun = new Subject<void>()
  const isBegun = firstValueFrom(begun, { defaultValue: undefined })
  const subscription = observeRows(
    (signal) => {
      signals.push(signal)
      return v3.transactionsByMasterchainBlock.follow({}, { signal })
    },
    () => {
      begun.next()
      return work
    },
  ).subscribe()
  await isBegun
  // Whoever learns that the work has begun learns it before the work is subscribed to.
  await Promise.resolve()
  expect([work.observed, signals.map(({ aborted }) => aborted)]).toEqual([true, [false]])
  subscription.unsubscribe()
  expect([work.observed, signals.map(({ aborted }) => aborted)]).toEqual([false, [true]])
})

it('fails with what ends the follow, with what the work throws, and with wrong parameters', async () => {
  const { v3 } = await start()
  const refusing = await start({ refusal: { status: 401, error: 'API key does not exist' } })
  const refused = observeRows(
    (signal) => refusing.v3.transactionsByMasterchainBlock.follow({}, { signal }),
    ({ seqno }) => of(seqno),
  )
  await expect(firstValueFrom(refused)).rejects.toBeInstanceOf(AuthenticationError)
  const failing = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.follow({}, { signal }),
    async ({ seqno }) => Promise.reject(new RangeError(`no room for ${seqno}`)),
  )
  await expect(firstValueFrom(failing)).rejects.toThrow(`no room for ${SEQNO}`)
  const wrong = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.follow({ seqno: -1 }, { signal }),
    ({ seqno }) => of(seqno),
  )
  await expect(firstValueFrom(wrong)).rejects.toBeInstanceOf(InvalidParamsError)
})

it('completes with a walk, and begins anew for each subscription', async () => {
  const { api, v3 } = await start()
  const rows = observeRows(
    (signal) => v3.transactionsByMasterchainBlock.iterate({ seqno: SEQNO }, { signal }),
    ({ hash }) => of(hash),
  )
  expect(await firstValueFrom(rows.pipe(toArray()))).toEqual([])
  expect(await firstValueFrom(rows.pipe(toArray()))).toEqual([])
  expect(api.arrived).toHaveLength(2)
})
