import { comment, internal, SendMode, toNano, type Address, type MessageRelaxed } from '@ton/core'
import { JettonMaster, JettonWallet } from '@ton/ton'
import { expect, it } from 'vitest'
import { parseTrace, type ParsedTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { type Chain, jettonMinter, mintBody, transferBody, walletV4 } from '@tonplug/simulator'
import { createPayer, type Payer } from '../chain/payer.js'
import { serveChain } from '../chain/served-chain.js'
import { createRandom } from '@tonplug/test-support/random'
import { rawOf } from './written-trace.js'

const SEEDS = process.env['SEED'] === undefined ? [1, 2, 3] : [Number(process.env['SEED'])]
const STEPS = 30
const MINTED = 1_000_000n

/** Who may pay and be paid, and what they keep their jettons in. */
interface Party {
  payers: Payer[]
  owners: Address[]
  jettonWallets: Map<Address, Address>
  minter: Address
}

/** Wallets of all versions with coins, two of them with jettons, and an account without a wallet. */
async function gather(chain: Chain): Promise<Party> {
  const payers = ([3, 4, 5, 3, 4, 5] as const).map((version, seed) => createPayer(version, seed))
  for (const { address } of payers) await chain.fund(address, toNano(20))
  const owners = [...payers.map(({ address }) => address), walletV4(77).wallet.address]
  const [admin, other] = payers as [Payer, Payer]
  const minter = jettonMinter(admin.address)
  const mint = { to: minter.address, value: toNano(1), bounce: false, init: minter.init }
  const orders = [admin, other].map(({ address }) =>
    internal({ ...mint, body: mintBody(address, MINTED) }),
  )
  await admin.pay(chain, orders, SendMode.PAY_GAS_SEPARATELY)
  const master = chain.blockchain.openContract(JettonMaster.create(minter.address))
  const jettonWallets = new Map<Address, Address>()
  for (const owner of owners) jettonWallets.set(owner, await master.getWalletAddress(owner))
  return { payers, owners, jettonWallets, minter: minter.address }
}

/** Makes payments that succeed and payments that fail: too much, too little for gas, by the wrong wallet, to an account without a contract. */
async function payAtRandom(chain: Chain, party: Party, random: () => number): Promise<void> {
  const { payers, owners, jettonWallets } = party
  function pick<Value>(values: readonly Value[]): Value {
    // There is at least one.
    return values[Math.floor(random() * values.length)] as Value
  }

  function coins(to: Address): MessageRelaxed {
    const body = pick(['', 'Order 17', 'слово '.repeat(60)])
    const value = pick([0n, 1n, toNano('0.001'), toNano(1), toNano(30)])
    return internal({ to, value, bounce: pick([true, false]), body })
  }

  function jettons(from: Address, to: Address): MessageRelaxed {
    const body = transferBody({
      amount: pick([0n, 1n, 500n, 500n, MINTED * 2n]),
      to,
      response: pick(owners),
      forwardCoins: pick([0n, 1n, toNano('0.01'), toNano('0.2')]),
      forwardPayload: comment('Order 17'),
    })
    const asked = pick([from, from, from, to])
    const value = pick(['0.01', '0.05', '0.1', '0.3', '0.3'])
    const bounce = pick([true, true, true, false])
    // All owners have one.
    return internal({ to: jettonWallets.get(asked) as Address, value, bounce, body })
  }

  for (let step = 0; step < STEPS; step++) {
    const payer = pick(payers)
    const messages = Array.from({ length: pick([1, 2, 3, 4]) }, () =>
      pick([coins, jettons.bind(undefined, payer.address)])(pick(owners)),
    )
    const { NONE, PAY_GAS_SEPARATELY, IGNORE_ERRORS, CARRY_ALL_REMAINING_BALANCE } = SendMode
    const careful = PAY_GAS_SEPARATELY | IGNORE_ERRORS
    await payer.pay(
      chain,
      messages,
      pick([NONE, PAY_GAS_SEPARATELY, careful, careful, CARRY_ALL_REMAINING_BALANCE]),
    )
    if (random() < 0.1) await chain.fund(pick(payers).address, toNano(5))
  }
}

/** Balances that result from the traces, by raw address. */
function addUp(told: readonly ParsedTrace[]) {
  const coins = new Map<string, bigint>()
  const jettons = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, account: string, amount: bigint): void =>
    void to.set(account, (to.get(account) ?? 0n) + amount)
  for (const { accounts, transfers } of told) {
    for (const [account, { change }] of Object.entries(accounts)) add(coins, account, change)
    for (const one of transfers) {
      if (one.kind !== 'jetton' || one.outcome !== 'arrived') continue
      add(jettons, one.sender, -one.amount)
      add(jettons, one.recipient ?? '', one.amount)
    }
  }
  return { coins, jettons }
}

it.each(SEEDS)(
  'the transfers of traces add up to the balances of the chain, seed %i',
  async (seed) => {
    const { chain, v3Server } = await serveChain()
    const party = await gather(chain)
    await payAtRandom(chain, party, createRandom(seed))

    const v3 = createV3Client({ baseUrl: v3Server.url, rps: Infinity })
    const { traces } = await v3.traces({ limit: 1000 })
    const told = traces.map((trace) => parseTrace(trace))
    const { coins, jettons } = addUp(told)
    const { owners, jettonWallets, minter, payers } = party
    for (const address of [...owners, ...jettonWallets.values(), minter]) {
      const { balance } = await chain.account(address)
      expect([rawOf(address), coins.get(rawOf(address)) ?? 0n]).toEqual([rawOf(address), balance])
    }
    for (const [owner, address] of jettonWallets) {
      const minted = payers.slice(0, 2).some((payer) => payer.address === owner) ? MINTED : 0n
      const { status } = await chain.account(address)
      const wallet = chain.blockchain.openContract(JettonWallet.create(address))
      const balance = status === 'active' ? await wallet.getBalance() : 0n
      const sum = minted + (jettons.get(rawOf(owner)) ?? 0n)
      expect([rawOf(owner), sum]).toEqual([rawOf(owner), balance])
    }
    const ends = told.flatMap(({ transfers }) => transfers.map(({ outcome }) => outcome))
    expect(new Set(ends)).toEqual(new Set(['arrived', 'bounced', 'failed']))
  },
)
