import { beginCell, comment, internal, toNano, type Address } from '@ton/core'
import type { ChainSimulator, SimulatedJetton, SimulatedWallet } from '@tonplug/testing/simulator'
import { startSimulator } from './start-simulator.js'

/** Who has a part in what happened. */
export interface Story {
  chain: ChainSimulator
  /** They have wallets of each version, and all coins and jettons are theirs. */
  alice: SimulatedWallet
  bob: SimulatedWallet
  carol: SimulatedWallet
  /** Has nothing but what the others sent. */
  dave: Address
  usdt: SimulatedJetton
}

/** A chain on which something of each kind has happened: what arrived, what failed, what came back. */
export async function tellStory(): Promise<Story> {
  return happen(await startSimulator({ now: 1_800_000_000 }))
}

/** Makes something of each kind happen on a new chain. */
export async function happen(chain: ChainSimulator): Promise<Story> {
  const alice = await chain.createWallet({ version: 'v5' })
  const bob = await chain.createWallet({ version: 'v4' })
  const carol = await chain.createWallet({ version: 'v3r2' })
  const { address: dave } = await chain.createWallet({ balance: 0n })
  const usdt = await chain.deployJetton()
  const jettons = { from: alice.address, response: alice.address, forwardCoins: 1n }

  chain.now += 5
  await usdt.mint(alice.address, 12_000_000n)
  await alice.send([
    internal({ to: bob.address, value: toNano(1), bounce: false, body: comment('Order 17') }),
    internal({ to: dave, value: toNano('0.5'), bounce: false }),
  ])
  chain.now += 5
  await alice.send([
    usdt.transferMessage({
      ...jettons,
      amount: 2_500_000n,
      to: bob.address,
      forwardPayload: comment('Order 18'),
    }),
  ])
  // More than there is: its wallet refuses, and the coins come back.
  await alice.send([usdt.transferMessage({ ...jettons, amount: 99_000_000n, to: bob.address })])
  chain.now += 5
  // A contract that does not know the order.
  await bob.send([
    internal({ to: usdt.master, value: toNano('0.2'), bounce: true, body: order(0x12345678) }),
    internal({ to: usdt.walletOf(bob.address), value: toNano('0.1'), body: burn(500_000n) }),
  ])
  await carol.send([internal({ to: alice.address, value: 7n, bounce: false })])
  return { chain, alice, bob, carol, dave, usdt }

  function order(opcode: number) {
    return beginCell().storeUint(opcode, 32).storeUint(0, 64).endCell()
  }

  function burn(amount: bigint) {
    return beginCell()
      .storeUint(0x595f07bc, 32)
      .storeUint(41, 64)
      .storeCoins(amount)
      .storeAddress(bob.address)
      .storeMaybeRef(null)
      .endCell()
  }
}

/** The body of an answer of API v3, and its status. */
export async function getV3(
  { chain }: Pick<Story, 'chain'>,
  path: string,
  query: Readonly<Record<string, string | number | bigint | boolean | readonly string[]>> = {},
): Promise<{ status: number; body: Body }> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const answer = await fetch(`${chain.url}/api/v3${path}?${parameters}`)
  return { status: answer.status, body: (await answer.json()) as Body }
}

/** The same for a path that takes a body. */
export async function postV3(
  { chain }: Pick<Story, 'chain'>,
  path: string,
  body: object,
): Promise<{ status: number; body: Body }> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${chain.url}/api/v3${path}`, init)
  return { status: answer.status, body: (await answer.json()) as Body }
}

/** Lists of rows by name, and whatever else an answer has. */
export type Body = Readonly<Record<string, readonly Row[]>> & Readonly<Record<'error', string>>

/** A row of a list. */
export type Row = Readonly<Record<string, unknown>>
