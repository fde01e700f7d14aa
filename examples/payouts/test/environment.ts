import { readFile } from 'node:fs/promises'
import { external, internal, SendMode, toNano, type Address } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  jettonMinter,
  messageCell,
  mintBody,
  walletV4,
  createChainSimulator,
  type ChainSimulator,
} from '@tonplug/simulator'
import { createPostgresDatabase } from '@tonplug/test-support/postgres'
import { startProxy } from './proxy.js'
import type { ChainProxy } from './proxy.js'

/** The wallet's initial jetton balance. */
export const JETTONS = 1_000_000n

/** A mnemonic for tests. */
const MNEMONIC = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ')

/** A row to insert into the table. */
export interface Row {
  reference: string
  recipient: string
  amount: string
  jetton?: string
  comment?: string
}

/** A simulated chain with a funded wallet, and the worker's environment variables. */
export interface TestEnvironment {
  chain: ChainSimulator
  proxy: ChainProxy
  wallet: Address
  secretKey: Buffer
  minter: Address
  env: Record<string, string>
  /** Sends a payment from the wallet v5 without the worker. */
  payWithoutWorker(): Promise<void>
  /** Queries the database of the worker. */
  query<Result>(sql: string, values?: unknown[]): Promise<Result[]>
  insert(...rows: Row[]): Promise<void>
}

/** Returns the address of a wallet that is not deployed. */
export function friendly(seed: number, bounceable = false): string {
  return walletV4(seed).wallet.address.toString({ bounceable })
}

/** Creates an environment, whose wallet has 1000 coins. Deleted after the test. */
export async function createEnvironment(
  version: 'v4' | 'v5',
  nanocoins = toNano(1000),
): Promise<TestEnvironment> {
  const chain = await createChainSimulator({ now: Math.floor(Date.now() / 1000) })
  onTestFinished(() => chain.close())
  const { publicKey, secretKey } = await mnemonicToPrivateKey(MNEMONIC.split(' '))
  const { address } =
    version === 'v4'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey })
  await chain.fund(address, nanocoins)
  const minter = await mintTo(chain, address)
  const proxy = await startProxy(chain)
  const { url, query } = await createDatabase()
  const insert = async (...rows: Row[]): Promise<void> => {
    for (const { reference, recipient, amount, jetton, comment } of rows) {
      await query(INSERT, [reference, recipient, amount, jetton, comment])
    }
  }
  const env = {
    MNEMONIC,
    WALLET_VERSION: version,
    WALLET_ADDRESS: address.toString(),
    DATABASE_URL: url,
    TONCENTER_URL: proxy.url,
    TONCENTER_RPS: '1000000',
    POLL_MS: '10',
  }
  const payWithoutWorker = async (): Promise<void> => {
    const body = WalletContractV5R1.create({ publicKey }).createTransfer({
      seqno: 1,
      secretKey,
      timeout: chain.now + 60,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: [internal({ to: friendly(90), value: 1n, bounce: false })],
    })
    await chain.send(messageCell(external({ to: address, body })))
  }
  return { chain, proxy, wallet: address, secretKey, minter, env, payWithoutWorker, query, insert }
}

/** Deploys a jetton and mints its supply to the owner. */
async function mintTo(chain: ChainSimulator, owner: Address): Promise<Address> {
  const { wallet: admin, keys } = walletV4(99)
  const minter = jettonMinter(admin.address)
  await chain.fund(admin.address, toNano(10))
  const deployment = internal({
    to: minter.address,
    value: toNano(1),
    bounce: false,
    init: minter.init,
    body: mintBody(owner, JETTONS),
  })
  const body = admin.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    timeout: chain.now + 60,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [deployment],
  })
  await chain.send(messageCell(external({ to: admin.address, init: admin.init, body })))
  return minter.address
}

const INSERT = `
  INSERT INTO payouts (reference, recipient, amount, jetton, comment) VALUES ($1, $2, $3, $4, $5)
`

/** Creates a database with an empty table. Deleted after the test. */
async function createDatabase() {
  const { url, drop } = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  await pool.query(await readFile(new URL('../payouts.sql', import.meta.url), 'utf8'))
  const query = async <Result>(sql: string, values?: unknown[]): Promise<Result[]> =>
    // The caller knows the columns.
    (await pool.query(sql, values)).rows as Result[]
  return { url, query }
}
