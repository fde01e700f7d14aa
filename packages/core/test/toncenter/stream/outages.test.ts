import { describe, expect, it } from 'vitest'
import { brief, collect, openStream, TRANSPORTS } from './open-stream.js'

/** A change of a jetton wallet with some other fields. */
function jettonsChange(fields: object): object {
  const [address, owner, jetton] = ['A', 'B', 'C'].map((digit) => `0:${digit.repeat(64)}`)
  const wallet = { address, owner, jetton, balance: '1', last_transaction_lt: '1' }
  return { type: 'jettons_change', finality: 'finalized', jetton: { ...wallet, ...fields } }
}

describe.each(TRANSPORTS)('an outage of a stream by %s', (transport) => {
  it('S104 reconnects after a restart of the server, with backoff', async () => {
    const { stream, server, address, clock, logger, pay } = await openStream(transport)
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.disconnect()
    await expect.poll(() => brief(events).at(-1)).toBe('disconnected')
    expect(stream.health()).toMatchObject({
      status: 'down',
      state: 'waiting',
      error: { code: 'ERR_TONPLUG_NETWORK' },
    })
    await clock.advance(499)
    expect(server.opened).toBe(1)
    await clock.advance(1)
    await expect.poll(() => brief(events).at(-1)).toBe('connected')
    await pay('order-1')
    await expect.poll(() => brief(events).at(-1)).toBe('finalized transactions')
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'stream not connected; API v3 is polled instead',
      'stream connected again',
    ])
  })

  it('S104 detects a half-open connection within 25 seconds', async () => {
    const { stream, server, address, clock } = await openStream(transport)
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.faults.isHalfOpen = true
    await clock.advance(25_000)
    await expect.poll(() => brief(events)).toEqual(['connected', 'disconnected'])
    expect(stream.health().error).toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT' })
    server.faults.isHalfOpen = false
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return brief(events).at(-1)
      })
      .toBe('connected')
  })

  it('S104 waits while the server counts a dropped connection, and logs it once', async () => {
    const { stream, server, address, clock, logger } = await openStream(transport)
    server.faults.maxConnections = 1
    server.faults.lingerMs = 3_600_000
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.disconnect()
    await expect.poll(() => brief(events).at(-1)).toBe('disconnected')
    for (let minutes = 0; minutes < 10; minutes++) {
      await expect.poll(() => stream.health().state).toBe('waiting')
      await clock.advance(60_000)
    }
    expect(server.refused).toBeGreaterThanOrEqual(5)
    expect(server.refused).toBeLessThanOrEqual(30)
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return stream.health().error?.code
      })
      .toBe('ERR_TONPLUG_RATE_LIMIT')
    server.faults.lingerMs = 0
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return brief(events).at(-1)
      })
      .toBe('connected')
    const warnings = logger.lines.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
  })

  it('S104 asks a key without connections every few minutes', async () => {
    const { stream, server, address, clock, logger } = await openStream(transport)
    server.faults.maxConnections = 0
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => stream.health().state).toBe('waiting')
    expect(stream.health()).toMatchObject({
      status: 'down',
      retryInMs: 150_000,
      error: { code: 'ERR_TONPLUG_RATE_LIMIT' },
    })
    await clock.advance(149_000)
    expect(server.refused).toBe(1)
    await clock.advance(1000)
    await expect.poll(() => server.refused).toBe(2)
    expect(events).toEqual([])
    expect(logger.lines).toHaveLength(1)
    expect(JSON.stringify(logger.lines)).not.toContain('key-of-a-test')
  })

  it('keeps the old subscription when the server refuses a larger one', async () => {
    const { chain, stream, server, address, pay } = await openStream(transport)
    const other = await chain.createWallet()
    server.faults.maxAddresses = 1
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    const more = collect(stream, { types: ['transactions'], addresses: [other.address] })
    await expect.poll(() => stream.health().error?.message ?? '').toMatch(/address/)
    await pay('order-1')
    await expect.poll(() => brief(events)).toEqual(['connected', 'finalized transactions'])
    expect(more).toEqual([])
    expect(stream.health()).toMatchObject({ status: 'down', state: 'connected' })
  })

  it('connects the old loops again while the server refuses a larger subscription', async () => {
    const { chain, stream, server, address, clock } = await openStream(transport)
    const other = await chain.createWallet()
    server.faults.maxAddresses = 1
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    const more = collect(stream, { types: ['transactions'], addresses: [other.address] })
    await expect.poll(() => stream.health().status).toBe('down')
    server.disconnect()
    await expect.poll(() => brief(events).at(-1)).toBe('disconnected')
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return brief(events).at(-1)
      })
      .toBe('connected')
    expect(more).toEqual([])
    expect(stream.health()).toMatchObject({ status: 'down', state: 'connected' })
  })

  it('is up again when the loop has ended whose subscription was refused', async () => {
    const { chain, stream, server, address } = await openStream(transport)
    const other = await chain.createWallet()
    server.faults.maxAddresses = 1
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    const controller = new AbortController()
    const { signal } = controller
    collect(stream, { types: ['transactions'], addresses: [other.address], signal })
    await expect.poll(() => stream.health().status).toBe('down')
    controller.abort()
    await expect.poll(() => stream.health().status).toBe('up')
    expect(stream.health().error).toBeUndefined()
  })

  it('S106 reports an unreadable event as missed, and continues', async () => {
    const { stream, server, address, pay, logger } = await openStream(transport)
    const types = ['transactions', 'jettons_change'] as const
    const events = collect(stream, { types, addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    server.send('{"type":"transactions","finality":"finalized","transactions":[{}]}')
    server.send('{"type":"transactions","transactions":{}}')
    server.send('{"type":"a new one"}')
    server.send('not JSON')
    server.send(JSON.stringify(jettonsChange({ owner: 'addr_none' })))
    server.send(JSON.stringify(jettonsChange({ address: '' })))
    await expect.poll(() => stream.health().unreadable).toBe(6)
    await pay('order-1')
    await expect.poll(() => brief(events).at(-1)).toBe('finalized transactions')
    expect(brief(events)).toContain('missed')
    expect(brief(events)).not.toContain('disconnected')
    expect(logger.lines).toHaveLength(1)
  })
})

describe('a connection by sse', () => {
  it('is down when it ends together with its acknowledgement', async () => {
    const frame = 'event: connected\ndata: {"status":"subscribed"}\n\n'
    const fetch = async () => new Response(frame)
    const { stream, address, logger } = await openStream('sse', { fetch })
    collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => stream.health().state).toBe('waiting')
    expect(stream.health().error).toMatchObject({ code: 'ERR_TONPLUG_NETWORK' })
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn'])
  })
})

describe('a change of a subscription by sse', () => {
  it('reconnects when the key allows no second connection', async () => {
    const { chain, stream, server, address, clock } = await openStream('sse')
    const other = await chain.createWallet()
    server.faults.maxConnections = 1
    const events = collect(stream, { types: ['transactions'], addresses: [address] })
    await expect.poll(() => brief(events)).toEqual(['connected'])
    const more = collect(stream, { types: ['transactions'], addresses: [other.address] })
    await expect.poll(() => brief(events)).toEqual(['connected', 'disconnected'])
    await clock.advance(5000)
    await expect.poll(() => brief(events).at(-1)).toBe('connected')
    await expect.poll(() => brief(more)).toEqual(['connected'])
  })
})
