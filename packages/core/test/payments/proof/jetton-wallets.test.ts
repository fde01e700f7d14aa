import { beginCell } from '@ton/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { walletV4 } from '@tonplug/simulator'
import { expect, it } from 'vitest'
import { canonicalAddress } from '../../../src/shared/address.js'
import {
  createJettonWallets,
  type MethodReader,
} from '../../../src/payments/watcher/proof/jetton-wallets.js'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { createPayer, deployJetton } from './payer.js'

const [first, second] = [90, 91].map((seed) => walletV4(seed).wallet.address) as [Address, Address]
type Address = ReturnType<typeof walletV4>['wallet']['address']

async function startJetton() {
  const { chain, v3Server } = await serveChain()
  const admin = await createPayer(chain, 80)
  const jetton = await deployJetton(chain, admin)
  await jetton.mint(first, 1n)
  const transport = createTransport({ baseUrl: v3Server.url, rps: Infinity })
  const v3 = createV3Client({ transport })
  const master = canonicalAddress(jetton.master)
  const claim = (owner: Address) => ({ master, owner: owner.toRawString() })
  return { admin, jetton, v3, v3Server, claim }
}

it('S93 asks a jetton master once for the wallet of an owner', async () => {
  const { jetton, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  for (const owner of [first, second, first, second]) {
    const wallet = await jetton.walletOf(owner)
    expect(await wallets.find(claim(owner), {})).toBe(wallet.toRawString())
  }
  expect(v3Server.requests).toHaveLength(2)
})

it('keeps a bounded number of jetton wallets', async () => {
  const { v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3, { maxEntries: 1 })
  for (const owner of [first, first, second, second, first]) await wallets.find(claim(owner), {})
  expect(v3Server.requests).toHaveLength(3)
})

it('does not cache a failure', async () => {
  const { jetton, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  v3Server.fault = () => ({ status: 403, body: '{"error":"no"}' })
  await expect(wallets.find(claim(first), {})).rejects.toThrow('403')
  v3Server.fault = undefined
  const wallet = await jetton.walletOf(first)
  expect(await wallets.find(claim(first), {})).toBe(wallet.toRawString())
})

it('returns undefined for an account that is not a jetton master', async () => {
  const { admin, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const jetton = { ...claim(first), master: admin.address.toRawString() }
  expect(await wallets.find(jetton, {})).toBeUndefined()
  expect(await wallets.find(jetton, {})).toBeUndefined()
  expect(v3Server.requests).toHaveLength(2)
})

it('S107 asks a jetton wallet once whether it names the master and the owner', async () => {
  const { jetton, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const wallet = (await jetton.walletOf(first)).toRawString()
  for (let round = 0; round < 2; round++) {
    expect(await wallets.confirm(claim(first), wallet, {})).toBe('confirmed')
  }
  expect(v3Server.requests).toHaveLength(1)
})

it('S107 denies a wallet of another owner, another jetton, or another kind of contract', async () => {
  const { admin, jetton, v3, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const wallet = (await jetton.walletOf(first)).toRawString()
  const other = { ...claim(first), master: admin.address.toRawString() }
  expect(await wallets.confirm(claim(second), wallet, {})).toBe('denied')
  expect(await wallets.confirm(other, wallet, {})).toBe('denied')
  expect(await wallets.confirm(claim(first), admin.address.toRawString(), {})).toBe('denied')
  expect(await wallets.confirm(claim(first), claim(first).master, {})).toBe('denied')
})

it('asks a wallet without a contract again', async () => {
  const { jetton, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const wallet = (await jetton.walletOf(second)).toRawString()
  expect(await wallets.find(claim(second), {})).toBe(wallet)
  expect(await wallets.confirm(claim(second), wallet, {})).toBe('undeployed')
  await jetton.mint(second, 1n)
  expect(await wallets.confirm(claim(second), wallet, {})).toBe('confirmed')
  expect(v3Server.requests).toHaveLength(3)
})

it('S107 asks a master again after the wallet that it named has denied it', async () => {
  const { jetton, v3, v3Server, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const wallet = (await jetton.walletOf(second)).toRawString()
  expect(await wallets.find(claim(second), {})).toBe(wallet)
  expect(await wallets.confirm(claim(second), claim(second).master, {})).toBe('denied')
  expect(await wallets.find(claim(second), {})).toBe(wallet)
  expect(v3Server.requests).toHaveLength(3)
})

it('confirms no other wallet of an owner whose wallet was confirmed', async () => {
  const { jetton, v3, claim } = await startJetton()
  const wallets = createJettonWallets(v3)
  const wallet = (await jetton.walletOf(first)).toRawString()
  expect(await wallets.confirm(claim(first), wallet, {})).toBe('confirmed')
  expect(await wallets.confirm(claim(first), claim(first).master, {})).toBe('denied')
})

it('reads the address in a slice and in a cell, and none in anything else', async () => {
  const owner = first.toRawString()
  const boc = beginCell().storeAddress(second).endCell().toBoc().toString('base64')
  const find = (item?: object) => {
    const stack = item === undefined ? [] : [item]
    const reader = { runGetMethod: async () => ({ stack }) } as unknown as MethodReader
    return createJettonWallets(reader).find({ master: owner, owner }, {})
  }
  for (const type of ['slice', 'cell']) {
    expect(await find({ type, boc })).toBe(second.toRawString())
    expect(await find({ type, boc: 'AAAA' })).toBeUndefined()
  }
  expect(await find({ type: 'num', boc })).toBeUndefined()
  expect(await find()).toBeUndefined()
})
