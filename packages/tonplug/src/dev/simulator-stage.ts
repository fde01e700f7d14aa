import type { Simulator, SimulatorOptions, startSimulator } from '@tonplug/testing/simulator'
import { CommandError } from '../failure.js'
import { wholeCoins } from './amount.js'
import type { Stage, StageWallet } from './stage.js'

const NATIVE = { asset: 'TON', ticker: 'TON', decimals: 9 }
/** What Node says of an optional peer that is not there. */
const MISSING = /^Cannot find (package|module) '@ton\//

/**
 * Starts a chain, and a gateway that watches it: transfers are paid by the buyer's wallet.
 * @throws {CommandError} when what the chain needs is not installed.
 */
export async function openSimulatorStage(options: SimulatorOptions): Promise<Stage> {
  const start = await loadSimulator()
  const simulator = await start(options)
  const { chain, gateway, urls, merchant, buyer, usdt } = simulator
  const stranger = await chain.createWallet({ balance: 0n })
  const jetton = {
    asset: usdt.master.toString(),
    ticker: usdt.symbol,
    decimals: usdt.decimals,
  }
  const wallets = { Merchant: merchant, Buyer: buyer, 'Another wallet': stranger }
  const read = async (): Promise<StageWallet[]> =>
    Promise.all(
      Object.entries(wallets).map(async ([name, { address }]) => {
        const { balance } = await chain.account(address)
        const jettons = await usdt.balanceOf(address)
        const held = [
          { ticker: NATIVE.ticker, amount: wholeCoins(balance, NATIVE.decimals) },
          { ticker: jetton.ticker, amount: wholeCoins(jettons, jetton.decimals) },
        ]
        return { name, address: spell(address), balances: held }
      }),
    )
  let known: { seqno: number | undefined; wallets: Promise<StageWallet[]> } | undefined
  return {
    gateway,
    gatewayUrl: urls.gateway,
    chainUrl: urls.chain,
    merchant: spell(merchant.address),
    buyer: spell(buyer.address),
    assets: [NATIVE, jetton],
    isNetwork: false,
    wallets() {
      // What they hold changes with a block alone.
      const seqno = chain.blocks.at(-1)?.seqno
      if (known === undefined || known.seqno !== seqno) known = { seqno, wallets: read() }
      return known.wallets
    },
    async pay(reference, { rawAmount, times, isMisdirected, delivery }) {
      const isUnnoticed = delivery === 'none'
      const to = isMisdirected ? stranger.address : undefined
      const how = { rawAmount, to, isUnnoticed, delivery }
      const pay = () => simulator.pay(reference, how)
      const paid = await Promise.all(Array.from({ length: times }, pay))
      return paid.map(({ report }) => report)
    },
    async fail(reference, delivery) {
      const { report } = await simulator.pay(reference, { isBounced: true, delivery })
      return [report]
    },
    close: () => simulator.close(),
  }
}

/** A wallet as apps show it. */
function spell(address: Simulator['buyer']['address']): string {
  return address.toString({ bounceable: false })
}

async function loadSimulator(): Promise<typeof startSimulator> {
  try {
    return (await import('@tonplug/testing/simulator')).startSimulator
  } catch (error) {
    if (!(error instanceof Error && MISSING.test(error.message))) throw error
    const text =
      'the chain needs packages that are not installed: npm install --save-dev @ton/core @ton/crypto @ton/sandbox @ton/ton; or play without it, with --no-chain'
    throw new CommandError(text)
  }
}
