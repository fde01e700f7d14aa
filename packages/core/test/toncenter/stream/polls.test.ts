import { comment, internal } from '@ton/core'
import { createV3Client, waitForMessage } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openStream } from './open-stream.js'

async function open() {
  const opened = await openStream('sse')
  const { chain, clock, server, stream } = opened
  const v3 = createV3Client({ baseUrl: chain.url, clock, rps: Infinity })
  const requests = (path: string): number =>
    chain.v3Server.requests.filter((one) => one.path === path).length
  const connected = () => expect.poll(() => stream.health().state).toBe('connected')
  /** Passes time with the signs of life of the server. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 5) {
      server.keepAlive()
      await clock.advance(5000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { ...opened, v3, requests, connected, pass }
}

describe('waitForMessage with a stream', () => {
  it('resolves as soon as the stream reports the message, without a poll in between', async () => {
    const { chain, shop, stream, v3, requests, connected } = await open()
    const sender = await chain.createWallet()
    const body = comment('order-1')
    const message = await sender.sign([
      internal({ to: shop.address, value: 1_000_000_000n, bounce: false, body }),
    ])
    const landed = waitForMessage(v3, message.toBoc(), { stream })
    await connected()
    await expect.poll(() => requests('/traces')).toBe(2)
    await chain.send(message)
    expect(await landed).toMatchObject({ status: 'finalized', outcome: 'success' })
    await expect.poll(() => stream.health().state).toBe('idle')
  })

  it('S104 resolves without a stream that works, too', async () => {
    const { chain, shop, stream, server, clock, v3, requests } = await open()
    server.faults.maxConnections = 0
    const sender = await chain.createWallet()
    const message = await sender.sign([
      internal({ to: shop.address, value: 1_000_000_000n, bounce: false }),
    ])
    const landed = waitForMessage(v3, message.toBoc(), { stream })
    await expect.poll(() => requests('/traces')).toBe(1)
    await chain.send(message)
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return stream.health().state
      })
      .toBe('idle')
    expect(await landed).toMatchObject({ status: 'finalized' })
  })
})

describe('a watch of rows with a stream', () => {
  it('delivers a row as soon as the stream reports it, and polls once a minute otherwise', async () => {
    const { stream, v3, address, pay, requests, connected, pass } = await open()
    const found: string[] = []
    const controller = new AbortController()
    const { signal } = controller
    const watch = v3.transactions.watch({ account: address }, { stream, signal })
    const read = async (): Promise<void> => {
      for await (const { hash } of watch) found.push(hash)
    }
    const ended = read().catch(() => undefined)
    await connected()
    await pass(60)
    const before = requests('/masterchainInfo')
    await pass(180)
    expect(requests('/masterchainInfo') - before).toBeLessThanOrEqual(4)
    await pay('order-1')
    await expect.poll(() => found.length).toBe(1)
    controller.abort()
    await ended
  })

  it('polls as without a stream as soon as that is closed', async () => {
    const { stream, v3, address, requests, connected, pass } = await open()
    const controller = new AbortController()
    const { signal } = controller
    const watch = v3.transactions.watch({ account: address }, { stream, signal })
    const read = async (): Promise<void> => {
      for await (const _ of watch) continue
    }
    const ended = read()
    const polls = () => requests('/masterchainInfo')
    await connected()
    await pass(60)
    for (const before = polls(); polls() === before;) await pass(5)
    const before = polls()
    stream.close()
    await pass(15)
    expect(polls() - before).toBeGreaterThanOrEqual(2)
    controller.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
  })

  it('needs an account', async () => {
    const { v3, stream } = await open()
    expect(() => v3.blocks.watch({}, { stream })).toThrow(
      'stream: needs account, owner_address, address or jetton_wallet among the parameters',
    )
  })
})
