import { beginCell, comment, internal, toNano, type Address } from '@ton/core'
import type { ChainSimulator, SimulatedJetton, SimulatedWallet } from '@tonplug/simulator'
import { startChain } from '../start-chain.js'

/** A chain with samples of each kind of operation. */
export interface SampleChain {
  chain: ChainSimulator
  /** The owners of all coins and jettons, with wallets of each version. */
  alice: SimulatedWallet
  bob: SimulatedWallet
  carol: SimulatedWallet
  /** An account without a contract, which received coins. */
  dave: Address
  usdt: SimulatedJetton
}

/** Starts a chain with successful, failed and bounced operations. */
export async function startSampleChain(): Promise<SampleChain> {
  return populate(await startChain({ now: 1_800_000_000 }))
}

/** Adds the operations to a new chain. */
export async function populate(chain: ChainSimulator): Promise<SampleChain> {
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
  // More than the balance: the jetton wallet fails, and the coins bounce.
  await alice.send([usdt.transferMessage({ ...jettons, amount: 99_000_000n, to: bob.address })])
  chain.now += 5
  // The contract does not support the opcode.
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

/** Sends a GET request to API v3 and returns the response body and its status. */
export async function getV3(
  { chain }: Pick<SampleChain, 'chain'>,
  path: string,
  query: Readonly<Record<string, string | number | bigint | boolean | readonly string[]>> = {},
): Promise<{ status: number; body: Body }> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const response = await fetch(`${chain.url}/api/v3${path}?${parameters}`)
  return { status: response.status, body: (await response.json()) as Body }
}

/** Sends a POST request to API v3. */
export async function postV3(
  { chain }: Pick<SampleChain, 'chain'>,
  path: string,
  body: object,
): Promise<{ status: number; body: Body }> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${chain.url}/api/v3${path}`, init)
  return { status: response.status, body: (await response.json()) as Body }
}

/** Lists of rows by name, and other fields of a response. */
export type Body = Readonly<Record<string, readonly Row[]>> & Readonly<Record<'error', string>>

/** A row of a list. */
export type Row = Readonly<Record<string, unknown>>
