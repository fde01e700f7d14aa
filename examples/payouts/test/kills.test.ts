import { expect, it, vi } from 'vitest'
import { walletV4 } from '@tonplug/testing/simulator'
import { coinsOf, jettonsOf, onChain, readBooks, sentByWallet } from './books.js'
import { startWorker } from './worker-process.js'
import { createWorld, friendly, JETTONS } from './world.js'
import type { Line, World } from './world.js'

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** Of each of the two workers. A hundred in all take minutes: KILLS=50. */
const KILLS = Number(process.env['KILLS'] ?? 10)
const PAYOUTS = 24
// Each life of a worker takes two seconds, far more on a busy machine.
vi.setConfig({ testTimeout: 120_000 + KILLS * 60_000 })

/** Who is paid, but for one account that sends its payout back. */
const RECIPIENTS = [1, 2, 3, 4, 5, 6]
/** An account without a contract that wants no coins, and more jettons than there are. */
const FAILING = new Set(['payout 8', 'payout 9'])

/** Random numbers from 0 to below 1, the same for one seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** How a life of the worker ends: when one of these has happened for the so-manieth time. */
interface Death {
  on: 'line' | 'asked' | 'answered' | 'sent' | 'row'
  count: number
}

function deathsOf(random: () => number): Death[] {
  const most = { line: 6, asked: 16, answered: 16, sent: 2, row: 40 }
  const occasions = ['line', 'asked', 'answered', 'sent', 'sent', 'row', 'row'] as const
  return Array.from({ length: KILLS }, () => {
    const on = occasions[Math.floor(random() * occasions.length)] ?? 'sent'
    return { on, count: 1 + Math.floor(random() * most[on]) }
  })
}

/** Payouts of both kinds. Some are alike but for their reference. */
function linesOf({ minter }: World): Line[] {
  return Array.from({ length: PAYOUTS }, (_, index): Line => {
    const to = friendly(RECIPIENTS[index % RECIPIENTS.length] ?? 1)
    const line = { reference: `payout ${index}`, to, amount: String(1000 + (index % 4)) }
    if (index === 8) return { ...line, to: friendly(50, true), amount: '1000000000' }
    if (index === 9) return { ...line, amount: `${JETTONS + 1n}`, jetton: minter.toString() }
    return index % 2 === 0 ? line : { ...line, jetton: minter.toString() }
  })
}

/** A chain that does as it likes, and one that has come to rest. */
function faultsOf(world: World, random: () => number) {
  const { chain } = world
  const { v3Server } = chain
  const seen = { requests: 0, sends: 0, expiries: 0, lost: 0 }
  chain.isHolding = true
  // The last payout waits, so that there is something to do until the last death.
  const isLastLeft = (): boolean => sentByWallet(world).length >= PAYOUTS - 1
  return {
    seen,
    async change(): Promise<void> {
      const chance = random()
      // Too late for what waits in the pool.
      if (++seen.requests % 20 === 0) {
        chain.now += 200
        await chain.fund(walletV4(91).wallet.address, 1n)
        seen.expiries += 1
      } else if (chance < 0.35 && !isLastLeft()) await chain.mineBlock(1 + Math.floor(random() * 4))
      else if (chance < 0.4) chain.dropPool()
      else if (chance < 0.5) v3Server.lagBlocks = Math.floor(random() * 3)
    },
    isAnswerLost(path: string): boolean {
      const isLost = path.includes('sendBoc') && ++seen.sends % 2 === 0
      if (isLost) seen.lost += 1
      return isLost
    },
    async settle(): Promise<void> {
      chain.isHolding = false
      v3Server.lagBlocks = 0
      await chain.mine()
    },
  }
}

type Faults = ReturnType<typeof faultsOf>

/** Lets the worker live until its death comes. */
async function live(world: World, faults: Faults, { on, count }: Death): Promise<void> {
  let left = count
  const meet = (occasion: Death['on']): void => {
    if (occasion === on && --left === 0) worker.kill()
  }
  world.front.onAsked = async () => {
    await faults.change()
    meet('asked')
  }
  world.front.onAnswered = (path) => {
    meet('answered')
    if (path.includes('sendBoc')) meet('sent')
    return !faults.isAnswerLost(path)
  }
  const isByRow = on === 'row'
  const worker = startWorker({
    env: { ...world.env, ...(isByRow && { DIE_AT: String(count) }) },
    onLine: () => meet('line'),
    ...(isByRow && { preload: new URL('die-at.mjs', import.meta.url) }),
  })
  expect(await worker.ended).toMatchObject({ by: 'SIGKILL' })
}

/** Runs the worker until nothing is queued. */
async function finish(world: World): Promise<void> {
  world.front.onAsked = async () => undefined
  world.front.onAnswered = () => true
  const worker = startWorker({
    env: world.env,
    onLine: (line) => {
      if (line.includes('Nothing is queued')) worker.kill('SIGTERM')
    },
  })
  expect(await worker.ended).toMatchObject({ by: 'SIGTERM' })
}

/** What has become of a wallet's payouts at the end. */
interface End {
  lines: readonly Line[]
  sent: ReturnType<typeof sentByWallet>
  books: string[]
  jettons: bigint
  balances: Record<string, string>
  /** What happened between the deaths. */
  seen: { expiries: number; lost: number }
}

/** Lets a worker pay and die, and then live. */
async function payAndDie(version: 'v4' | 'v5', seed: number): Promise<End> {
  const random = randomOf(seed)
  const world = await createWorld(version)
  const faults = faultsOf(world, random)
  const lines = linesOf(world)
  await world.append(...lines)

  for (const death of deathsOf(random)) await live(world, faults, death)
  const { expiries, lost } = faults.seen
  await faults.settle()
  await finish(world)

  return {
    lines,
    sent: sentByWallet(world),
    books: await readBooks(world),
    jettons: await jettonsOf(world, world.wallet),
    balances: await balancesOf(world),
    seen: { expiries, lost },
  }
}

/** What the recipients have got, as the chain has it: `coins and jettons`. Coins they have less of: storage is paid. */
async function balancesOf(world: World): Promise<Record<string, string>> {
  const balances: Record<string, string> = {}
  for (const seed of RECIPIENTS) {
    const { address } = walletV4(seed).wallet
    balances[friendly(seed)] = `${coinsOf(world, address)} and ${await jettonsOf(world, address)}`
  }
  return balances
}

/** What the recipients should have. */
function expectedBalances(lines: readonly Line[]): Record<string, string> {
  const paid = lines.filter(({ reference }) => !FAILING.has(reference))
  const sum = (some: readonly Line[]): bigint =>
    some.reduce((total, { amount }) => total + BigInt(amount), 0n)
  return Object.fromEntries(
    RECIPIENTS.map((seed) => {
      const mine = paid.filter(({ to }) => to === friendly(seed))
      const inJettons = mine.filter(({ jetton }) => jetton !== undefined)
      const inCoins = mine.filter(({ jetton }) => jetton === undefined)
      return [friendly(seed), `${sum(inCoins)} and ${sum(inJettons)}`]
    }),
  )
}

/** What the books should say; of what came back, without the words. */
function expectedBooks(lines: readonly Line[]): string[] {
  return lines.map(
    ({ reference }) => `${reference} ${FAILING.has(reference) ? 'failed it came back' : 'paid'}`,
  )
}

it(`pays each payout once though two workers are killed ${KILLS} times each, seed ${SEED}`, async () => {
  const ends = await Promise.all([payAndDie('v4', SEED), payAndDie('v5', SEED + 1)])

  for (const { lines, sent, books, balances, jettons, seen } of ends) {
    expect(sent).toEqual(lines.map(onChain))
    expect(books.map((line) => line.replace(/:.*/, ''))).toEqual(expectedBooks(lines))
    expect(balances).toEqual(expectedBalances(lines))
    const gone = lines.filter(
      ({ jetton, reference }) => jetton !== undefined && !FAILING.has(reference),
    )
    expect(jettons).toBe(gone.reduce((left, { amount }) => left - BigInt(amount), JETTONS))
    // Messages have expired between the deaths, and answers were lost.
    expect(Math.min(seen.expiries, seen.lost)).toBeGreaterThan(0)
  }
})
