import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type Clock,
  createPayments,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type MemoryOrderRepository,
  systemClock,
  type WebhookReceiver,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { createRandom } from '@tonplug/test-support/random'
import {
  sendRequest,
  startRequest,
  type HttpRequest,
} from '../../packages/testing/src/conformance/http-request.js'

const SECRET = 'whsec_soak'
const DEADLINE_MS = 2000
const DELIVERIES = 120
/** Number of concurrent senders. Each has at most three requests in progress. */
export const SENDERS = 16
/** Largest number of attempts of a delivery that is retried, as by the gateway. */
const MOST_ATTEMPTS = 20
const PATIENCE_MS = 30_000

/** Starts a server that passes requests to a receiver. */
export type Serve = (
  receiver: WebhookReceiver,
) => Promise<{ url: string; close: () => Promise<void> }>

/** Resources that are still in use after all responses. */
export interface Remains {
  heapBytes: number
  sockets: number
  /** Largest number of concurrent timers of the receiver and of Payments. */
  timers: number
}

/** Number of sent deliveries of each kind. */
export type Tally = Record<string, number>

/**
 * Sends rounds of valid and invalid deliveries to a server. Checks each response, and that each valid delivery was applied
 * once.
 * @param isOver called after each round with the number of rounds; returns true to stop
 * @returns the resources in use after each round, and the number of deliveries
 */
export async function soak(
  serve: Serve,
  { seed, isOver }: { seed: number; isOver: (rounds: number) => boolean },
): Promise<{ remains: Remains[]; tally: Tally }> {
  const random = createRandom(seed)
  const inbox = memoryInbox()
  const tally: Tally = {}
  const remains: Remains[] = []
  const shop = { orders: memoryOrderRepository(), paid: new Map<string, number>() }
  const { clock, takeMost } = countTimers()
  const payments = createPayments({
    clock,
    inbox,
    // Each round has its own orders.
    orders: {
      find: (key) => shop.orders.find(key),
      complete: (key, payment) => shop.orders.complete(key, payment),
      fail: (key, failure) => shop.orders.fail(key, failure),
      listOpen: (query) => shop.orders.listOpen(query),
    },
    logger: { debug: ignore, info: ignore, warn: ignore, error: assert.fail },
    onPaid: ({ order: { reference } }) => {
      shop.paid.set(reference, (shop.paid.get(reference) ?? 0) + 1)
    },
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET, deadlineMs: DEADLINE_MS })
  const { url, close } = await serve(receiver)
  try {
    do {
      shop.orders = memoryOrderRepository()
      shop.paid = new Map()
      await sendRound({ url, random, tally, round: remains.length, orders: shop.orders })
      const wanted = shop.orders.all().map(({ reference }) => reference)
      await until('every order is shipped', () => shop.paid.size >= wanted.length)
      assert.deepEqual([...shop.paid.keys()].toSorted(), wanted.toSorted())
      assert.deepEqual(new Set(shop.paid.values()), new Set([1]), 'a payment was applied twice')
      const everything = { name: 'default', olderThanMs: -1000, limit: 10_000 }
      await inbox.reports.forget(everything)
      remains.push({ ...(await measure()), timers: takeMost() })
    } while (!isOver(remains.length))
  } finally {
    await close()
    await receiver.close()
    await payments.close()
  }
  return { remains, tally }
}

interface Round {
  url: string
  random: () => number
  tally: Tally
  round: number
  orders: MemoryOrderRepository
}

/** Runs several senders concurrently; each sends one delivery after the other. */
async function sendRound({ url, random, tally, round, orders }: Round): Promise<void> {
  const kinds = Object.entries(KINDS)
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < DELIVERIES) {
      const reference = `order-${round}-${next++}`
      const [name, { send, isPaid = false }] = pickWeighted(kinds, random)
      if (isPaid) {
        orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })
      }
      await send(url, JSON.stringify(transferCompleted({ reference, txHash: `tx ${reference}` })))
      tally[name] = (tally[name] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

interface Kind {
  /** Relative frequency of this kind. */
  weight: number
  /** True when the delivery pays its order. @default false */
  isPaid?: boolean
  /** Sends the body or a variation of it, and checks the response. */
  send: (url: string, body: string) => Promise<void>
}

const KINDS: Record<string, Kind> = {
  good: { weight: 30, isPaid: true, send: deliver },
  'three at once': {
    weight: 10,
    isPaid: true,
    send: async (url, body) => {
      await Promise.all([deliver(url, body), deliver(url, body), deliver(url, body)])
    },
  },
  'in pieces': {
    weight: 10,
    isPaid: true,
    send: (url, body) => deliver(url, body, pieces(body)),
  },
  'gone ahead of the answer, then again': {
    weight: 5,
    isPaid: true,
    send: async (url, body) => {
      const { answer, destroy } = startRequest(url, signed(body))
      const failed = answer.catch(ignore)
      await setImmediate()
      destroy()
      await failed
      await deliver(url, body)
    },
  },
  forged: {
    weight: 15,
    send: (url, body) => expectStatus(url, { ...signed(body), body: `${body} ` }, 401),
  },
  unsigned: { weight: 5, send: (url, body) => expectStatus(url, { body }, 401) },
  malformed: { weight: 5, send: (url, body) => expectStatus(url, signed(body.slice(1)), 400) },
  'of no order': { weight: 5, send: (url, body) => deliver(url, body) },
  'of another method': {
    weight: 3,
    send: (url, body) => expectStatus(url, { ...signed(body), method: 'PUT' }, 405),
  },
  'too long': {
    weight: 5,
    send: (url, body) => expectStatus(url, signed(body.padEnd(100_000)), 413),
  },
  'too long, in pieces': {
    weight: 5,
    send: (url, body) => {
      const long = body.padEnd(300_000)
      return expectStatus(url, { ...signed(long), body: pieces(long, 30_000) }, 413)
    },
  },
  'cut off': {
    weight: 10,
    send: async (url, body) => {
      const { answer, destroy } = startRequest(url, half(body))
      const failed = answer.catch(ignore)
      await setImmediate()
      destroy()
      await failed
    },
  },
  stalled: { weight: 1, send: (url, body) => expectStatus(url, half(body), 408) },
}

function pickWeighted(kinds: readonly [string, Kind][], random: () => number): [string, Kind] {
  const total = kinds.reduce((sum, [, { weight }]) => sum + weight, 0)
  let at = random() * total
  return kinds.find(([, { weight }]) => (at -= weight) < 0) ?? assert.fail('there are kinds')
}

/** Sends a valid delivery until it is accepted: a server under load may respond with 503. */
async function deliver(url: string, body: string, sent: HttpRequest['body'] = body): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { status } = await sendRequest(url, { ...signed(body), body: sent })
    if (status === 200) return
    assert.equal(status, 503)
    assert.ok(attempt < MOST_ATTEMPTS, 'a good delivery was never taken')
  }
}

async function expectStatus(url: string, request: HttpRequest, expected: number): Promise<void> {
  // A server that has responded may close the connection while the rest is still being sent.
  const answer = await sendRequest(url, request).catch((error: unknown) => {
    assert.equal(expected, 413, `no answer: ${String(error)}`)
  })
  assert.equal(answer?.status ?? expected, expected)
}

function signed(body: string): HttpRequest {
  return signPayload(body, SECRET)
}

function half(body: string): HttpRequest {
  const { headers } = signed(body)
  const sent = { ...headers, 'content-length': String(body.length) }
  return { headers: sent, body: body.slice(0, body.length / 2), isUnfinished: true }
}

function pieces(body: string, bytes = 50): Uint8Array[] {
  const whole = Buffer.from(body)
  return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, index) =>
    whole.subarray(index * bytes, (index + 1) * bytes),
  )
}

/** Measures the resources in use after the last connections have ended. */
async function measure(): Promise<Omit<Remains, 'timers'>> {
  await until('every connection has ended', () => openSockets() === 0)
  // The process may have been started without --expose-gc.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let time = 0; time < 3; time++) {
    collect()
    await setImmediate()
  }
  const { heapUsed: heapBytes } = process.memoryUsage()
  return { heapBytes, sockets: openSockets() }
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
}

/** Returns the system clock, and a function that returns the largest number of pending timers since its last call. */
function countTimers(): { clock: Clock; takeMost: () => number } {
  const open = new Set<symbol>()
  let most = 0
  return {
    takeMost() {
      const taken = most
      most = open.size
      return taken
    },
    clock: {
      ...systemClock,
      setTimer(run, delayMs, options) {
        const timer = Symbol('timer')
        most = Math.max(most, open.add(timer).size)
        const after = (): void => {
          open.delete(timer)
          run()
        }
        const cancel = systemClock.setTimer(after, delayMs, options)
        return () => {
          open.delete(timer)
          cancel()
        }
      },
    },
  }
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUpMs = Date.now() + PATIENCE_MS
  while (!isSo()) {
    assert.ok(Date.now() < giveUpMs, `waited in vain: ${what}`)
    await setImmediate()
  }
}

function ignore(): void {
  // The result is not needed.
}
