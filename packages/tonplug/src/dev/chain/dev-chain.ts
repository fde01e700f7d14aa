import { formatUnits } from '@tonplug/core'
import type {
  ChainSimulator,
  RecordedTransaction,
  ShopAccounts,
  SimulatedJetton,
  SimulatedWallet,
} from '@tonplug/simulator'
import type { BackendWallet } from '../backend-wallet.js'
import type { MovingClock } from './moving-clock.js'
import { writeLink } from './payment-link.js'
import { createSerialQueue, type SerialQueue } from './serial-queue.js'

/** Interval of blocks while nothing happens, about that of the network. */
const BLOCK_MS = 5_000
const TON = 1_000_000_000n
const USDT = 1_000_000n

/** A running chain, with the accounts of the shop and its buyer. */
export interface OpenedChain {
  chain: ChainSimulator
  accounts: ShopAccounts
  clock: MovingClock
  /** Returns the first transaction of a trace. */
  rootOf: (one: RecordedTransaction) => RecordedTransaction
}

/** A simulated chain that makes blocks by itself, and the wallets that pay on it. */
export interface DevChain extends OpenedChain {
  /** Pays for its customers from one wallet, several in one transaction. */
  exchange: SimulatedWallet
  /** Friendly addresses to which the exchange pays in the same transaction. */
  customers: readonly string[]
  /** Sends signed payments of others, and pays their fees. */
  relay: SimulatedWallet
  /** A jetton with the name of USDT. */
  forged: SimulatedJetton
  /** Returns the balances. They are read again after a block with transactions. */
  wallets(): Promise<BackendWallet[]>
  /** Sends 100 TON and 100 USDT. @param recipient a friendly address */
  fund(recipient: string): Promise<void>
  /** Moves the time of the chain on, and mines a block. */
  moveOn: (seconds: number) => Promise<void>
  /** Runs payments one after the other, because each message of a wallet needs the next seqno. */
  enqueue: SerialQueue
  /** Stops the blocks. */
  stop(): void
}

/** Creates the wallets that pay, and begins to make blocks. */
export async function openDevChain(opened: OpenedChain): Promise<DevChain> {
  const { chain, accounts, clock } = opened
  const { buyer, merchant, usdt } = accounts
  const rich = { balance: 1_000_000n * TON }
  const exchange = await chain.createWallet({ ...rich, version: 'v3r2' })
  const [relay, faucet] = [await chain.createWallet(rich), await chain.createWallet(rich)]
  const customers = [await createCustomer(chain), await createCustomer(chain)]
  const forged = await chain.deployJetton({ name: 'Not Tether' })
  await forged.mint(buyer.address, 1_000_000n * USDT)
  for (const { address } of [exchange, faucet]) await usdt.mint(address, 1_000_000n * USDT)
  const enqueue = createSerialQueue()
  const timer = setInterval(() => void chain.mineEmptyBlock(), BLOCK_MS)
  return {
    ...opened,
    exchange,
    customers,
    relay,
    forged,
    wallets: createBalanceReader(opened, { Shop: merchant, Buyer: buyer, Exchange: exchange }),
    enqueue,
    fund: (recipient) =>
      enqueue(async () => {
        const jetton = usdt.master.toString()
        await faucet.pay(writeLink({ recipient, rawAmount: 100n * TON }))
        await faucet.pay(writeLink({ recipient, rawAmount: 100n * USDT, jetton }))
      }),
    async moveOn(seconds) {
      clock.moveOn(seconds * 1000)
      await chain.mineEmptyBlock()
    },
    stop: () => clearInterval(timer),
  }
}

async function createCustomer(chain: ChainSimulator): Promise<string> {
  return formatAddress(await chain.createWallet({ balance: 0n }))
}

/** Formats an address as wallet apps do on testnet, so that no wallet app pays real coins to it. */
export function formatAddress({ address }: Pick<SimulatedWallet, 'address'>): string {
  return address.toString({ bounceable: false, testOnly: true })
}

function createBalanceReader(
  { chain, accounts: { usdt } }: OpenedChain,
  wallets: Record<string, SimulatedWallet>,
): () => Promise<BackendWallet[]> {
  const read = async ([name, wallet]: [string, SimulatedWallet]): Promise<BackendWallet> => {
    const { balance } = await chain.account(wallet.address)
    const jettons = await usdt.balanceOf(wallet.address)
    const balances = [
      { ticker: 'TON', amount: formatUnits(balance, 9) },
      { ticker: usdt.symbol, amount: formatUnits(jettons, usdt.decimals) },
    ]
    return { name, address: formatAddress(wallet), balances }
  }
  let known: { lt: bigint | undefined; wallets: Promise<BackendWallet[]> } | undefined
  return () => {
    const lt = chain.transactions.at(-1)?.transaction.lt
    if (known === undefined || known.lt !== lt)
      known = { lt, wallets: Promise.all(Object.entries(wallets).map(read)) }
    return known.wallets
  }
}
