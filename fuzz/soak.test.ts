import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tonplugWebhook } from '@tonplug/express'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveFetch } from '../packages/testing/test/fetch-server.js'
import { SENDERS, soak, type Serve } from './src/soak.js'

const seconds = Number(process.env['SOAK_SECONDS'] ?? 0)
const seed = Number(process.env['SOAK_SEED'] ?? 1)
const ROUNDS = 3
/** Allowed heap growth between two measurements, regardless of the number of rounds. */
const MOST_GROWTH_BYTES = 6 * 2 ** 20

const servers: Record<string, Serve> = {
  express: async (receiver) => {
    const server = createServer(express().all('/webhooks/ton', tonplugWebhook(receiver)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A listening TCP server has an AddressInfo, not a pipe name.
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}/webhooks/ton`,
      close: () => new Promise((resolve) => server.close(() => resolve())),
    }
  },
  fetch: (receiver) => serveFetch((request) => receiver.handle(request)),
}

describe.each(Object.entries(servers))('a receiver behind %s', (name, serve) => {
  it(
    `applies each good delivery once among bad ones, and leaves nothing open (SOAK_SEED=${seed})`,
    async () => {
      const rejections: unknown[] = []
      const onRejection = (reason: unknown): void => void rejections.push(reason)
      process.on('unhandledRejection', onRejection)
      onTestFinished(() => void process.off('unhandledRejection', onRejection))
      const endMs = Date.now() + (seconds * 1000) / Object.keys(servers).length
      const { remains, tally } = await soak(serve, {
        seed,
        isOver: (rounds) => rounds >= ROUNDS && Date.now() >= endMs,
      })
      if (seconds > 0) console.log(name, remains.length, 'rounds', tally, remains.at(-1))
      // The first round compiles code and fills pools.
      const [, warm, ...later] = remains
      const last = later.at(-1)
      expect(last?.heapBytes).toBeLessThan((warm?.heapBytes ?? 0) + MOST_GROWTH_BYTES)
      // One timer per request, and the timers of the receiver itself.
      for (const { timers } of remains) expect(timers).toBeLessThan(3 * SENDERS + 10)
      expect(last?.sockets).toBe(0)
      expect(rejections).toEqual([])
    },
    seconds * 1000 + 120_000,
  )
})
