import { formatUnits } from '@tonplug/core'
import type { Simulator, SimulatorOptions } from '@tonplug/simulator'
import type { PaymentBackend, BackendWallet } from './payment-backend.js'

const NATIVE = { asset: 'TON', ticker: 'TON', decimals: 9 }

/** Starts a chain and a gateway that watches it. The buyer's wallet pays the transfers. */
export async function openSimulatorBackend(options: SimulatorOptions): Promise<PaymentBackend> {
  // Loading the virtual machine takes long, and no other command needs it.
  const { startSimulator } = await import('@tonplug/simulator')
  const simulator = await startSimulator(options)
  const { chain, gateway, urls, merchant, buyer, usdt } = simulator
  const stranger = await chain.createWallet({ balance: 0n })
  const jetton = {
    asset: usdt.master.toString(),
    ticker: usdt.symbol,
    decimals: usdt.decimals,
  }
  const wallets = { Merchant: merchant, Buyer: buyer, 'Another wallet': stranger }
  const read = async (): Promise<BackendWallet[]> =>
    Promise.all(
      Object.entries(wallets).map(async ([name, { address }]) => {
        const { balance } = await chain.account(address)
        const jettons = await usdt.balanceOf(address)
        const held = [
          { ticker: NATIVE.ticker, amount: formatUnits(balance, NATIVE.decimals) },
          { ticker: jetton.ticker, amount: formatUnits(jettons, jetton.decimals) },
        ]
        return { name, address: formatAddress(address), balances: held }
      }),
    )
  let known: { seqno: number | undefined; wallets: Promise<BackendWallet[]> } | undefined
  return {
    gateway,
    gatewayUrl: urls.gateway,
    chainUrl: urls.chain,
    merchant: formatAddress(merchant.address),
    buyer: formatAddress(buyer.address),
    assets: [NATIVE, jetton],
    isNetwork: false,
    wallets() {
      // Balances change only with a block.
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

/** Formats an address as wallet apps do. */
function formatAddress(address: Simulator['buyer']['address']): string {
  return address.toString({ bounceable: false })
}
