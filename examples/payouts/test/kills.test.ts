import { describe, expect, it, vi } from 'vitest'
import { NEEDS_POSTGRES, hasPostgres } from '@tonplug/test-support/postgres'
import { walletV4 } from '@tonplug/simulator'
import { coinsOf, jettonsOf, onChain, readQueue, sentByWallet } from './results.js'
import { startWorker } from './worker-process.js'
import { createEnvironment, friendly, JETTONS } from './environment.js'
import type { Row, TestEnvironment } from './environment.js'

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** Kills of each of the two workers. KILLS=50 takes minutes. */
const KILLS = Number(process.env['KILLS'] ?? 10)
const PAYOUTS = 24
// Each run of a worker takes two seconds, far more on a busy machine.
vi.setConfig({ testTimeout: 600_000 + KILLS * 60_000 })

/** Seeds of the recipients, except for one account that returns its payout. */
const RECIPIENTS = [1, 2, 3, 4, 5, 6]
/** A bounceable payout to an account without a contract, and one of more jettons than exist. */
const FAILING = new Set(['payout 8', 'payout 9'])

/** Returns a reproducible generator of random numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Kills the worker at the `count`-th event of a kind. */
interface Kill {
  on: 'line' | 'request' | 'response' | 'sent' | 'query'
  count: number
}

function randomKills(random: () => number): Kill[] {
  const maxCounts = { line: 6, request: 16, response: 16, sent: 2, query: 20 }
  const events = ['line', 'request', 'response', 'sent', 'sent', 'query', 'query'] as const
  return Array.from({ length: KILLS }, () => {
    const on = events[Math.floor(random() * events.length)] ?? 'sent'
    return { on, count: 1 + Math.floor(random() * maxCounts[on]) }
  })
}

/** Returns payouts of both kinds. Some differ only in their reference. */
function createRows({ minter }: TestEnvironment): Row[] {
  return Array.from({ length: PAYOUTS }, (_, index): Row => {
    const recipient = friendly(RECIPIENTS[index % RECIPIENTS.length] ?? 1)
    const row = { reference: `payout ${index}`, recipient, amount: String(1000 + (index % 4)) }
    if (index === 8) return { ...row, recipient: friendly(50, true), amount: '1000000000' }
    if (index === 9) return { ...row, amount: `${JETTONS + 1n}`, jetton: minter.toString() }
    return index % 2 === 0 ? row : { ...row, jetton: minter.toString() }
  })
}

/** Creates faults: late blocks, expired and dropped messages, a lagging index, and lost responses. */
function createFaults(environment: TestEnvironment, random: () => number) {
  const { chain } = environment
  const { v3Server } = chain
  const counts = { requests: 0, sends: 0, expiries: 0, lost: 0 }
  chain.isHolding = true
  // The last payout is delayed, so that it is open until the last kill.
  const isLastOpen = (): boolean => sentByWallet(environment).length >= PAYOUTS - 1
  return {
    counts,
    async inject(): Promise<void> {
      const chance = random()
      // Expires the messages in the pool.
      if (++counts.requests % 20 === 0) {
        chain.now += 200
        await chain.fund(walletV4(91).wallet.address, 1n)
        counts.expiries += 1
      } else if (chance < 0.35 && !isLastOpen()) await chain.mineBlock(1 + Math.floor(random() * 4))
      else if (chance < 0.4) chain.dropPool()
      else if (chance < 0.5) v3Server.lagBlocks = Math.floor(random() * 3)
    },
    isResponseLost(path: string): boolean {
      const isLost = path.includes('sendBoc') && ++counts.sends % 2 === 0
      if (isLost) counts.lost += 1
      return isLost
    },
    async stop(): Promise<void> {
      chain.isHolding = false
      v3Server.lagBlocks = 0
      await chain.mine()
    },
  }
}

type Faults = ReturnType<typeof createFaults>

/** Runs the worker until it is killed. */
async function runUntilKilled(
  environment: TestEnvironment,
  faults: Faults,
  { on, count }: Kill,
): Promise<void> {
  let left = count
  const record = (event: Kill['on']): void => {
    if (event === on && --left === 0) worker.kill()
  }
  environment.proxy.onRequest = async () => {
    await faults.inject()
    record('request')
  }
  environment.proxy.onResponse = (path) => {
    record('response')
    if (path.includes('sendBoc')) record('sent')
    return !faults.isResponseLost(path)
  }
  const isByQuery = on === 'query'
  const worker = startWorker({
    env: { ...environment.env, ...(isByQuery && { KILL_AT: String(count) }) },
    onLine: () => record('line'),
    ...(isByQuery && { preload: new URL('kill-at.mjs', import.meta.url) }),
  })
  expect(await worker.ended).toMatchObject({ by: 'SIGKILL' })
}

/** Runs the worker until its queue is empty. */
async function finish(environment: TestEnvironment): Promise<void> {
  environment.proxy.onRequest = async () => undefined
  environment.proxy.onResponse = () => true
  const worker = startWorker({
    env: environment.env,
    onLine: (line) => {
      if (line.includes('queue is empty')) worker.kill('SIGTERM')
    },
  })
  expect(await worker.ended).toMatchObject({ by: 0 })
}

/** The results of a wallet's payouts. */
interface Result {
  rows: readonly Row[]
  sent: ReturnType<typeof sentByWallet>
  queue: string[]
  jettons: bigint
  balances: Record<string, string>
  /** Faults between the kills. */
  faults: { expiries: number; lost: number }
}

/** Runs a worker that is killed repeatedly, then one that finishes. */
async function payWithKills(version: 'v4' | 'v5', seed: number): Promise<Result> {
  const random = randomOf(seed)
  const environment = await createEnvironment(version)
  const faults = createFaults(environment, random)
  const rows = createRows(environment)
  await environment.insert(...rows)

  for (const kill of randomKills(random)) await runUntilKilled(environment, faults, kill)
  const { expiries, lost } = faults.counts
  await faults.stop()
  await finish(environment)

  return {
    rows,
    sent: sentByWallet(environment),
    queue: await readQueue(environment),
    jettons: await jettonsOf(environment, environment.wallet),
    balances: await receivedAmounts(environment),
    faults: { expiries, lost },
  }
}

/** Returns the amounts that the recipients received, as `coins and jettons`. Coin balances are lower because of storage fees. */
async function receivedAmounts(environment: TestEnvironment): Promise<Record<string, string>> {
  const balances: Record<string, string> = {}
  for (const seed of RECIPIENTS) {
    const { address } = walletV4(seed).wallet
    balances[friendly(seed)] =
      `${coinsOf(environment, address)} and ${await jettonsOf(environment, address)}`
  }
  return balances
}

/** Returns the amounts that the recipients should have received. */
function expectedAmounts(rows: readonly Row[]): Record<string, string> {
  const paid = rows.filter(({ reference }) => !FAILING.has(reference))
  const sum = (some: readonly Row[]): bigint =>
    some.reduce((total, { amount }) => total + BigInt(amount), 0n)
  return Object.fromEntries(
    RECIPIENTS.map((seed) => {
      const mine = paid.filter(({ recipient }) => recipient === friendly(seed))
      const inJettons = mine.filter(({ jetton }) => jetton !== undefined)
      const inCoins = mine.filter(({ jetton }) => jetton === undefined)
      return [friendly(seed), `${sum(inCoins)} and ${sum(inJettons)}`]
    }),
  )
}

/** Returns the expected queue, without the details of failures. */
function expectedQueue(rows: readonly Row[]): string[] {
  return rows.map(
    ({ reference }) =>
      `${reference} ${FAILING.has(reference) ? 'failed the transfer bounced' : 'paid'}`,
  )
}

describe.skipIf(!hasPostgres)(`a worker on ${NEEDS_POSTGRES}`, () => {
  it(`pays each payout once although two workers are killed ${KILLS} times each, seed ${SEED}`, async () => {
    const results = await Promise.all([payWithKills('v4', SEED), payWithKills('v5', SEED + 1)])

    for (const { rows, sent, queue, balances, jettons, faults } of results) {
      expect(sent).toEqual(rows.map(onChain))
      expect(queue.map((payout) => payout.replace(/:.*/, ''))).toEqual(expectedQueue(rows))
      expect(balances).toEqual(expectedAmounts(rows))
      const paidInJettons = rows.filter(
        ({ jetton, reference }) => jetton !== undefined && !FAILING.has(reference),
      )
      expect(jettons).toBe(
        paidInJettons.reduce((left, { amount }) => left - BigInt(amount), JETTONS),
      )
      // Messages expired between the kills, and responses were lost.
      expect(Math.min(faults.expiries, faults.lost)).toBeGreaterThan(0)
    }
  })
})
