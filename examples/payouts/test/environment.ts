import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, external, internal, SendMode, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { onTestFinished } from 'vitest'
import {
  jettonMinter,
  messageCell,
  mintBody,
  walletV4,
  createChainSimulator,
  type ChainSimulator,
} from '@tonplug/simulator'
import { openDatabase } from '../src/database.js'
import { startProxy } from './proxy.js'
import type { ChainProxy } from './proxy.js'

/** The wallet's initial jetton balance. */
export const JETTONS = 1_000_000n

/** A mnemonic for tests. */
const MNEMONIC = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ')

/** A line of the payouts file. */
export interface Line {
  reference: string
  to: string
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
  append(...lines: Line[]): Promise<void>
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
  const dataDir = await copyEmptyDatabase()
  const payoutsFile = join(dataDir, '..', 'payouts.jsonl')
  const append = async (...lines: Line[]): Promise<void> =>
    appendFile(payoutsFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await append()
  const env = {
    MNEMONIC,
    WALLET_VERSION: version,
    WALLET_ADDRESS: address.toString(),
    PAYOUTS_FILE: payoutsFile,
    TONCENTER_URL: proxy.url,
    TONCENTER_RPS: '1000000',
    POLL_MS: '10',
    DATA_DIR: dataDir,
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
  return { chain, proxy, wallet: address, secretKey, minter, env, payWithoutWorker, append }
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

let template: Promise<string> | undefined

/** Copies an empty database, because creating one takes seconds. Deleted after the test. */
async function copyEmptyDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payouts-'))
  onTestFinished(async () => rm(folder, { recursive: true, force: true }))
  await cp(await (template ??= makeTemplate()), join(folder, 'data'), { recursive: true })
  return join(folder, 'data')
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payouts-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await (await openDatabase(join(folder, 'data'))).close()
  return join(folder, 'data')
}
