import { classifyByStatus } from '../../../src/toncenter/transport/classify.js'
import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createTransport, type Transport } from '../../../src/toncenter/transport/transport.js'
import type { HttpResponse, TransportRequest } from '../../../src/toncenter/transport/request.js'
import { createFakeClock, type FakeClock } from '@tonplug/testing'
import { seenByOthers } from './key-scan.js'

/** A key as the service hands out; no test may let it out. */
export const API_KEY = '7f3b9c1d5e8a4062b1c7d9e3f5a80642b6d8e0f1a3c5970218e4d6b8f0a2c4e6'

/** A read that takes any JSON of a success for its value, and all else by its status. */
export function readCall(more: Partial<TransportRequest> = {}): TransportRequest {
  const request = { api: 'v2', endpoint: 'getMasterchainInfo', method: 'GET' } as const
  const classify = (answer: HttpResponse) =>
    answer.status === 200 && answer.json !== undefined
      ? { kind: 'ok' as const, value: answer.json }
      : classifyByStatus(answer)
  return { ...request, path: '/getMasterchainInfo', isRead: true, classify, ...more }
}

/** A transport on a clock that tests move, with what it told. */
export interface Line {
  transport: Transport
  clock: FakeClock
  /** The waits before each further attempt. */
  delays: number[]
  /** Resolves when the headers of so many answers have arrived. */
  waitForHeaders(count: number): Promise<void>
}

/** @param options.moves whether the clock moves on by itself to the end of each wait between attempts. */
export function createLine(options: TransportOptions & { moves?: boolean }): Line {
  const { moves = true, ...transportOptions } = options
  const clock = createFakeClock()
  const delays: number[] = []
  let headers = 0
  const waiting: (() => void)[] = []
  const transport = createTransport({
    apiKey: API_KEY,
    clock,
    random: () => 0.5,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      headers++
      for (const wake of waiting.splice(0)) wake()
      return response
    },
    ...transportOptions,
    hooks: seenByOthers({
      ...transportOptions.hooks,
      retry: (event) => {
        transportOptions.hooks?.retry?.(event)
        const { delayMs } = event
        delays.push(delayMs)
        if (delayMs === 0 || !moves) return
        const isSet = clock.waitForTimer((timer) => timer.delayMs === delayMs)
        void isSet.then(() => clock.advance(delayMs))
      },
    }),
  })
  const waitForHeaders = async (count: number): Promise<void> => {
    while (headers < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return { transport, clock, delays, waitForHeaders }
}
