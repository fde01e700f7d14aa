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
} from '@tonplug/testing/simulator'
import { openDatabase } from '../src/database.js'
import { startFront } from './front.js'
import type { Front } from './front.js'

/** What the wallet has of the jetton. */
export const JETTONS = 1_000_000n

/** Nobody's words. */
const MNEMONIC = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ')

/** A line of the file that payouts are taken from. */
export interface Line {
  reference: string
  to: string
  amount: string
  jetton?: string
  comment?: string
}

/** A chain with a wallet that can pay, and an environment to start the worker in. */
export interface World {
  chain: ChainSimulator
  front: Front
  wallet: Address
  secretKey: Buffer
  minter: Address
  env: Record<string, string>
  /** The owner pays somebody past the worker, from a wallet v5. */
  payAside(): Promise<void>
  append(...lines: Line[]): Promise<void>
}

/** The address of a wallet that does not exist. */
export function friendly(seed: number, bounceable = false): string {
  return walletV4(seed).wallet.address.toString({ bounceable })
}

/** Begins a world; it is gone after the test. */
export async function createWorld(version: 'v4' | 'v5'): Promise<World> {
  const chain = await createChainSimulator()
  onTestFinished(() => chain.close())
  const { publicKey, secretKey } = await mnemonicToPrivateKey(MNEMONIC.split(' '))
  const { address } =
    version === 'v4'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey })
  await chain.fund(address, toNano(1000))
  const minter = await mintTo(chain, address)
  const front = await startFront(chain)
  const dataDir = await copyDatabase()
  const payoutsFile = join(dataDir, '..', 'payouts.jsonl')
  const append = async (...lines: Line[]): Promise<void> =>
    appendFile(payoutsFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await append()
  const env = {
    MNEMONIC,
    WALLET_VERSION: version,
    WALLET_ADDRESS: address.toString(),
    PAYOUTS_FILE: payoutsFile,
    TONCENTER_URL: front.url,
    TONCENTER_RPS: '1000000',
    POLL_MS: '10',
    DATA_DIR: dataDir,
  }
  const payAside = async (): Promise<void> => {
    const body = WalletContractV5R1.create({ publicKey }).createTransfer({
      seqno: 1,
      secretKey,
      timeout: chain.now + 60,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: [internal({ to: friendly(90), value: 1n, bounce: false })],
    })
    await chain.send(messageCell(external({ to: address, body })))
  }
  return { chain, front, wallet: address, secretKey, minter, env, payAside, append }
}

/** Deploys a jetton and gives the owner all of it. */
async function mintTo(chain: ChainSimulator, owner: Address): Promise<Address> {
  const { wallet: admin, keys } = walletV4(99)
  const minter = jettonMinter(admin.address)
  await chain.fund(admin.address, toNano(10))
  const order = internal({
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
    messages: [order],
  })
  await chain.send(messageCell(external({ to: admin.address, init: admin.init, body })))
  return minter.address
}

let template: Promise<string> | undefined

/** A folder with an empty database, gone after the test. To make one takes seconds, so it is a copy. */
async function copyDatabase(): Promise<string> {
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
