import { createStream } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { brief, collect, openStream, TRANSPORTS } from './open-stream.js'

const ALL = { types: ['transactions'], minFinality: 'pending' } as const

describe.each(TRANSPORTS)('a stream by %s', (transport) => {
  it('delivers each transaction once for each finality', async () => {
    const { stream, server, address, pay } = await openStream(transport)
    const events = collect(stream, { ...ALL, addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.faults.repeats = 3
    await pay('order-1')
    await expect
      .poll(() => brief(events).slice(1))
      .toEqual(['pending transactions', 'confirmed transactions', 'finalized transactions'])
    const [, , , last] = events
    expect(last).toMatchObject({
      transactions: [{ finality: 'finalized', lt: expect.any(BigInt) }],
    })
    expect(stream.health()).toMatchObject({ status: 'up', state: 'connected', connections: 1 })
  })

  it('S103 delivers no lower finality after a higher one', async () => {
    const { stream, server, address, pay } = await openStream(transport)
    const events = collect(stream, { ...ALL, addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.faults.isReversed = true
    await pay('order-1')
    await pay('order-2')
    await expect.poll(() => stream.health().events).toBe(6)
    expect(brief(events).slice(1)).toEqual(['finalized transactions', 'finalized transactions'])
  })

  it('S105 takes back what was pending, once', async () => {
    const { chain, stream, server, address, pay } = await openStream(transport)
    const events = collect(stream, { ...ALL, addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.finality = 'pending'
    const before = await chain.snapshot()
    await pay('order-1')
    await chain.restore(before)
    await expect
      .poll(() => brief(events).slice(1))
      .toEqual(['pending transactions', 'trace_invalidated'])
    // The same trace may come back.
    server.finality = 'finalized'
    await pay('order-1')
    await expect.poll(() => brief(events).at(-1)).toBe('finalized transactions')
  })

  it('serves several loops by one connection, each with its own accounts', async () => {
    const { chain, stream, server, address, pay } = await openStream(transport)
    const other = await chain.createWallet()
    const own = collect(stream, { types: ['transactions'], addresses: [address] })
    const foreign = collect(stream, {
      types: ['transactions', 'account_state_change'],
      addresses: [other.address],
    })
    await expect.poll(() => brief([...own, ...foreign])).toEqual(['connected', 'connected'])
    expect(server.opened).toBe(1)
    await pay('order-1')
    await expect.poll(() => brief(own)).toEqual(['connected', 'finalized transactions'])
    expect(brief(foreign)).toEqual(['connected'])
    await other.send([])
    await expect
      .poll(() => brief(foreign).toSorted())
      .toEqual(['connected', 'finalized account_state_change', 'finalized transactions'])
  })

  it('delivers actions, and balances of jetton wallets by owner', async () => {
    const { chain, stream, shop, address, pay } = await openStream(transport)
    const jetton = await chain.deployJetton()
    const events = collect(stream, {
      types: ['actions', 'jettons_change'],
      addresses: [address],
    })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    await jetton.mint(shop.address, 5n)
    await pay('order-1')
    await expect
      .poll(() => events.findLast(({ type }) => type === 'actions'))
      .toMatchObject({ actions: [{ type: 'ton_transfer' }] })
    const change = events.find(({ type }) => type === 'jettons_change')
    expect(change).toMatchObject({ finality: 'finalized', jetton: { balance: 5n } })
  })

  it('loses no event while a subscription changes', async () => {
    const { chain, stream, server, address, pay } = await openStream(transport)
    const wallets = await Promise.all([1, 2, 3, 4].map(() => chain.createWallet()))
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    for (const [number, wallet] of wallets.entries()) {
      const more = collect(stream, { types: ['transactions'], addresses: [wallet.address] })
      for (const part of [1, 2, 3]) await pay(`order-${number}-${part}`)
      await expect.poll(() => brief(more)).toEqual(['connected'])
    }
    await expect.poll(() => events.length).toBe(1 + 12)
    expect(brief(events)).not.toContain('disconnected')
    await expect.poll(() => server.connections).toBe(1)
  })

  it('ends a loop with its signal, and the connection with the last loop', async () => {
    const { stream, server, address } = await openStream(transport)
    const controller = new AbortController()
    const loop = async (): Promise<void> => {
      const subscription = { types: ['transactions'], addresses: [address] } as const
      for await (const _ of stream.subscribe({ ...subscription, signal: controller.signal })) {
        controller.abort(new Error('enough'))
      }
    }
    await expect(loop()).rejects.toThrow('enough')
    await expect.poll(() => server.connections).toBe(0)
    expect(stream.health()).toMatchObject({ status: 'up', state: 'idle' })
  })

  it('ends a loop with its signal although events wait for it', async () => {
    const { stream, address, pay } = await openStream(transport)
    const controller = new AbortController()
    const { signal } = controller
    const loop = stream.subscribe({ ...ALL, addresses: [address], signal })[Symbol.asyncIterator]()
    expect(await loop.next()).toMatchObject({ value: { type: 'connected' } })
    await pay('order-1')
    await expect.poll(() => stream.health().events).toBe(3)
    controller.abort(new Error('enough'))
    await expect(loop.next()).rejects.toThrow('enough')
  })

  it('ends all loops when it is closed', async () => {
    const { stream, address, server } = await openStream(transport)
    const types: string[] = []
    const subscription = { types: ['transactions'], addresses: [address] } as const
    for await (const { type } of stream.subscribe(subscription)) {
      types.push(type)
      stream.close()
    }
    expect(types).toEqual(['connected'])
    await expect.poll(() => server.connections).toBe(0)
    expect(stream.health().state).toBe('closed')
  })
})

describe('the options of a stream', () => {
  it.each([
    [{ types: [], addresses: [] }, 'types: must be a non-empty list of transactions, actions'],
    [
      { types: ['transactions'] },
      "addresses: must not be empty, except for the type 'trace' alone",
    ],
    [{ types: ['trace'] }, "traces: must be given for the type 'trace', and only for it"],
    [{ types: ['transactions'], addresses: ['EQ'] }, 'addresses: must each be an address'],
  ])('rejects the subscription %j', (subscription, message) => {
    const stream = createStream()
    // @ts-expect-error Callers without types may pass anything.
    expect(() => stream.subscribe(subscription)).toThrow(message)
  })

  it('rejects a WebSocket where the runtime has none', () => {
    const known = globalThis.WebSocket
    // @ts-expect-error As in Node 20.
    delete globalThis.WebSocket
    try {
      expect(() => createStream({ transport: 'websocket' })).toThrow(
        "WebSocket: is missing, since this runtime has no global one. Use transport 'sse'",
      )
    } finally {
      globalThis.WebSocket = known
    }
  })
})
