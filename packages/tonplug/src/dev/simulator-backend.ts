import { formatUnits } from '@tonplug/core'
import type { SimulatedWallet, Simulator, SimulatorOptions } from '@tonplug/simulator'
import { createMovingClock } from './chain/moving-clock.js'
import type { BackendWallet } from './backend-wallet.js'
import type { PaymentBackend } from './payment-backend.js'

const NATIVE = { asset: 'TON', ticker: 'TON', decimals: 9 }

/** Starts a chain and a gateway that watches it. The buyer's wallet pays the transfers. */
export async function openSimulatorBackend(options: SimulatorOptions): Promise<PaymentBackend> {
  // Loading the virtual machine takes long, and no other command needs it.
  const { rootOf, startSimulator } = await import('@tonplug/simulator')
  const clock = createMovingClock()
  const simulator = await startSimulator({ ...options, clock })
  const { chain, gateway, urls, merchant, buyer, usdt } = simulator
  const stranger = await chain.createWallet({ balance: 0n })
  const wallets = { Merchant: merchant, Buyer: buyer, 'Another wallet': stranger }
  let known: { seqno: number | undefined; wallets: Promise<BackendWallet[]> } | undefined
  return {
    gateway,
    opened: { chain, accounts: { merchant, buyer, usdt }, clock, rootOf },
    gatewayUrl: urls.gateway,
    chainUrl: urls.chain,
    merchant: formatAddress(merchant.address),
    buyer: formatAddress(buyer.address),
    assets: [
      NATIVE,
      { asset: usdt.master.toString(), ticker: usdt.symbol, decimals: usdt.decimals },
    ],
    isNetwork: false,
    wallets() {
      // Balances change only with a block.
      const seqno = chain.blocks.at(-1)?.seqno
      if (known === undefined || known.seqno !== seqno)
        known = { seqno, wallets: readWallets(simulator, wallets) }
      return known.wallets
    },
    async pay(reference, { rawAmount, times, isMisdirected, delivery }) {
      const isUnnoticed = delivery === 'none'
      const to = isMisdirected ? stranger.address : undefined
      const pay = () => simulator.pay(reference, { rawAmount, to, isUnnoticed, delivery })
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

function readWallets(
  { chain, usdt }: Simulator,
  wallets: Record<string, SimulatedWallet>,
): Promise<BackendWallet[]> {
  return Promise.all(
    Object.entries(wallets).map(async ([name, { address }]) => {
      const { balance } = await chain.account(address)
      const jettons = await usdt.balanceOf(address)
      const balances = [
        { ticker: NATIVE.ticker, amount: formatUnits(balance, NATIVE.decimals) },
        { ticker: usdt.symbol, amount: formatUnits(jettons, usdt.decimals) },
      ]
      return { name, address: formatAddress(address), balances }
    }),
  )
}

/** Formats an address as wallet apps do. */
function formatAddress(address: Simulator['buyer']['address']): string {
  return address.toString({ bounceable: false })
}
