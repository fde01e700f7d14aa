import { expect, it, vi } from 'vitest'
import { walletV4 } from '@tonplug/testing/simulator'
import { jettonsOf, onChain, readBooks, sentByWallet } from './books.js'
import { startWorker } from './worker-process.js'
import { createWorld, friendly, JETTONS } from './world.js'
import type { Line, World } from './world.js'

// The first test makes a database, which takes seconds, more on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** Runs the worker until nothing is queued. @returns what it wrote. */
async function payAll({ env }: World): Promise<string> {
  const worker = startWorker({
    env,
    onLine: (line) => {
      if (line.includes('Nothing is queued')) worker.kill('SIGTERM')
    },
  })
  const { by, output } = await worker.ended
  expect({ by, output }).toMatchObject({ by: 'SIGTERM' })
  return output
}

it.each(['v4', 'v5'] as const)('pays native coin and jettons from a wallet %s', async (version) => {
  const world = await createWorld(version)
  const jetton = world.minter.toString()
  const lines: Line[] = [
    { reference: 'a', to: friendly(1), amount: '1000000000', comment: 'Order 1' },
    { reference: 'b', to: friendly(2), amount: '500', jetton, comment: 'Order 2' },
    { reference: 'c', to: friendly(1), amount: '1000000000', comment: 'Order 1' },
    { reference: 'd', to: friendly(3), amount: '7', jetton },
  ]
  await world.append(...lines)

  const output = await payAll(world)

  expect(sentByWallet(world)).toEqual(lines.map(onChain))
  expect(await readBooks(world)).toEqual(['a paid', 'b paid', 'c paid', 'd paid'])
  const recipients = [walletV4(1), walletV4(2), walletV4(3)].map(({ wallet }) => wallet.address)
  expect((await world.chain.account(recipients[0]!)).balance).toBe(2_000_000_000n)
  expect(await jettonsOf(world, recipients[1]!)).toBe(500n)
  expect(await jettonsOf(world, recipients[2]!)).toBe(7n)
  expect(await jettonsOf(world, world.wallet)).toBe(JETTONS - 507n)
  expect(output).not.toContain('word0')
  expect(output).not.toContain(world.secretKey.toString('hex'))
  expect(output).not.toContain(world.secretKey.toString('base64'))
})

it('records in words why a payout has failed, and goes on', async () => {
  const world = await createWorld('v5')
  const jetton = world.minter.toString()
  await world.append(
    { reference: 'no contract', to: friendly(1, true), amount: '1000000000' },
    { reference: 'too many jettons', to: friendly(2), amount: `${JETTONS + 1n}`, jetton },
    { reference: 'too many coins', to: friendly(3), amount: '9000000000000' },
    { reference: 'no jetton', to: friendly(3), amount: '7', jetton: friendly(4) },
    { reference: 'fine', to: friendly(5), amount: '1' },
  )

  await payAll(world)

  const books = await readBooks(world)
  expect(books).toEqual([
    'no contract failed it came back: the contract was not run (no_state); its money went back',
    'too many jettons failed it came back: the contract failed with exit code 706; its money went back',
    expect.stringMatching(/^too many coins failed .*left out, most often for a lack of funds$/),
    expect.stringMatching(/^no jetton failed UQ.* is no master of a jetton: .*exit code -13/),
    'fine paid',
  ])
  expect(await jettonsOf(world, world.wallet)).toBe(JETTONS)
})

it('sends one message, unchanged, until the chain is past its end, and only then another one', async () => {
  const world = await createWorld('v5')
  const { chain } = world
  await world.append({ reference: 'a', to: friendly(1), amount: '5' })
  const sends: string[] = []
  const pass = async (seconds: number): Promise<void> => {
    chain.now += seconds
    await chain.fund(walletV4(91).wallet.address, 1n)
  }
  chain.isHolding = true
  world.front.onAsked = async (path, body) => {
    if (!path.endsWith('/sendBoc')) return
    sends.push(body)
    chain.dropPool()
    // Past the two minutes that the message is valid for, but not by the minute in which it may still turn up.
    if (sends.length === 3) await pass(150)
    if (sends.length === 6) await pass(40)
    if (new Set(sends).size > 1) chain.isHolding = false
  }

  await payAll(world)

  const [first] = sends
  expect(sends.slice(0, -1).length).toBeGreaterThanOrEqual(6)
  expect(new Set(sends.slice(0, -1))).toEqual(new Set([first]))
  expect(sends.at(-1)).not.toBe(first)
  expect(sentByWallet(world)).toHaveLength(1)
  expect(await readBooks(world)).toEqual(['a paid'])
})

it('pays a reference once, and stops at one that stands for two payouts', async () => {
  const world = await createWorld('v5')
  const line = { reference: 'a', to: friendly(1), amount: '5' }
  await world.append(line, line, { ...line, amount: '6' })

  const { by, output } = await startWorker({ env: world.env }).ended

  expect(by).toBe(1)
  expect(output).toContain('The reference "a" is in the queue for another payout')
  expect(sentByWallet(world)).toEqual([])
})

it('pays nothing when the wallet has sent what is not in the books', async () => {
  const world = await createWorld('v5')
  await world.append({ reference: 'a', to: friendly(1), amount: '5' })
  await payAll(world)
  await world.payAside()
  await world.append({ reference: 'b', to: friendly(1), amount: '5' })

  const { by, output } = await startWorker({ env: world.env }).ended

  expect(by).toBe(1)
  expect(output).toContain('The wallet is at seqno 2 and not at 1')
  expect(await readBooks(world)).toEqual(['a paid', 'b queued'])
})

it('pays once although a second worker is started, which ends', async () => {
  const world = await createWorld('v4')
  const lines = [1, 2, 3].map((to) => ({ reference: `${to}`, to: friendly(to), amount: '5' }))
  await world.append(...lines)
  const workers = [1, 2].map(() => startWorker({ env: world.env }))

  const ends = workers.map(async (worker) => ({ worker, ...(await worker.ended) }))
  const { by, output, worker: second } = await Promise.race(ends)
  expect({ by, output }).toEqual({
    by: 1,
    output: expect.stringContaining('Another worker runs with DATA_DIR') as string,
  })
  const first = workers.find((worker) => worker !== second)
  first?.kill()
  await first?.ended
  // Whoever was killed keeps nobody away.
  await payAll(world)
  expect(sentByWallet(world)).toEqual(lines.map(onChain))
})

it('does not start with words of another wallet, and does not tell them', async () => {
  const { env } = await createWorld('v5')

  const { by, output } = await startWorker({ env: { ...env, WALLET_VERSION: 'v4' } }).ended

  expect(by).toBe(1)
  expect(output).toContain('as a wallet v4 on mainnet, not of WALLET_ADDRESS')
  expect(output).not.toContain('word0')
})
