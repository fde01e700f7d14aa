import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { NATIVE_ASSET } from '@tonplug/core'
import type { V3Client } from '@tonplug/core/toncenter'
import { readDeposit, type DepositAccounts } from './deposit.js'
import { findJettonWallet } from './jetton-wallet.js'
import type { Ledger } from './ledger.js'
import type { Settings } from './settings.js'

/** Each request contains the addresses and their jetton wallets, and servers accept URLs of up to 8 KiB. */
const ADDRESSES_PER_WATCH = 25

/** The parts of the worker. */
export interface Worker {
  v3: V3Client
  ledger: Ledger
  settings: Pick<Settings, 'DEPOSIT_ADDRESSES' | 'JETTON_MASTER' | 'WATCH_FROM' | 'POLL_MS'>
  /** Ends the watch, after the current page is credited. */
  signal: AbortSignal
}

/** Credits deposits until the signal is aborted. @throws permanent errors, for example for a wrong API key. */
export async function watchDeposits(worker: Worker): Promise<void> {
  const { DEPOSIT_ADDRESSES: addresses } = worker.settings
  // Every watch listens to it; Node warns about a leak above ten listeners.
  setMaxListeners(0, worker.signal)
  const watches: Promise<void>[] = []
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_WATCH) {
    watches.push(watchSome(worker, addresses.slice(start, start + ADDRESSES_PER_WATCH)))
  }
  log('watcher started', { addresses: addresses.length })
  await Promise.all(watches)
}

async function watchSome(worker: Worker, addresses: readonly string[]): Promise<void> {
  const { v3, ledger, settings, signal } = worker
  try {
    const accounts = await findAccounts(worker, addresses)
    const account = [...accounts.keys()].sort()
    // A cursor is valid for these accounts only.
    const source = createHash('sha256').update(account.join()).digest('hex')
    const watch = v3.transactions.watch(
      { account },
      {
        from: settings.WATCH_FROM,
        cursor: await ledger.cursorOf(source),
        pollMs: settings.POLL_MS,
        signal,
        onError: ({ code, message: reason }) => log('index request failed', { code, reason }),
      },
    )
    for await (const page of watch.pages()) {
      const deposits = page.flatMap((transaction) => readDeposit(transaction, accounts) ?? [])
      const credited = await ledger.credit(deposits, { source, cursor: watch.cursor() })
      for (const deposit of credited) log('deposit credited', { deposit })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Returns the addresses and their jetton wallets. */
async function findAccounts(
  { v3, settings: { JETTON_MASTER: master }, signal }: Worker,
  addresses: readonly string[],
): Promise<DepositAccounts> {
  const accounts: DepositAccounts = new Map()
  const add = async (address: string): Promise<void> => {
    const wallet = await findJettonWallet(v3, { master, owner: address }, signal)
    accounts.set(address, { address, asset: NATIVE_ASSET })
    accounts.set(wallet, { address, asset: master })
  }
  await Promise.all(addresses.map(add))
  return accounts
}

function log(message: string, fields: object): void {
  console.log(JSON.stringify({ message, ...fields }))
}
