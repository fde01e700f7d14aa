import { comment, internal } from '@ton/core'
import { createStream, type Stream, type StreamEvent } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { createChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

export const TRANSPORTS = ['sse', 'websocket'] as const

/** Starts a chain with its stream, and a client that is not connected yet. */
export async function openStream(
  transport: (typeof TRANSPORTS)[number],
  options: Partial<Parameters<typeof createStream>[0]> = {},
) {
  const chain = await createChainSimulator()
  onTestFinished(() => chain.close())
  const [shop, buyer] = [await chain.createWallet(), await chain.createWallet()]
  const clock = createFakeClock()
  const logger = createTestLogger()
  const stream = createStream({
    baseUrl: chain.url,
    apiKey: 'key-of-a-test',
    transport,
    WebSocket,
    clock,
    logger,
    random: () => 0,
    ...options,
  })
  onTestFinished(() => stream.close())
  return {
    chain,
    server: chain.streamServer,
    shop,
    address: shop.address.toRawString(),
    clock,
    logger,
    stream,
    /** Pays with a comment. Resolves when the events were sent. */
    pay: async (text: string, from: SimulatedWallet = buyer): Promise<void> => {
      const coins = { to: shop.address, value: 1_000_000_000n, bounce: false }
      await from.send([internal({ ...coins, body: comment(text) })])
      await chain.streamServer.sent()
    },
  }
}

/** Reads the events of a loop in the background. */
export function collect(
  stream: Stream,
  subscription: Parameters<Stream['subscribe']>[0],
): StreamEvent[] {
  const events: StreamEvent[] = []
  const read = async (): Promise<void> => {
    for await (const event of stream.subscribe(subscription)) events.push(event)
  }
  void read().catch(() => undefined)
  return events
}

/** Writes events shortly: their type, finality, and the number of their transactions. */
export function brief(events: readonly StreamEvent[]): string[] {
  return events.map((event) =>
    ['finality' in event ? event.finality : '', event.type].join(' ').trim(),
  )
}
