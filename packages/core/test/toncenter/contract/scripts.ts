import {
  Cell,
  internal,
  toNano,
  type Address,
  type ContractProvider,
  type OpenedContract,
  type Sender,
} from '@ton/core'
import {
  JettonMaster,
  JettonWallet,
  type WalletContractV4,
  type WalletContractV5R1,
} from '@ton/ton'
import {
  type Chain,
  type SignedWallet,
  jettonMinter,
  mintBody,
  transferBody,
  walletV4,
  walletV5,
} from '@tonplug/simulator'
import type { Opener } from './openers.js'

// Scripts against wrappers of `@ton/ton`, unchanged. Each answers what it saw, so that runs can be compared.

/** Deploys a wallet with its first transfer, makes a second one, and reads what there is to read. */
export async function useWallet(
  chain: Chain,
  opener: Opener,
  { wallet, keys }: SignedWallet<WalletContractV4> | SignedWallet<WalletContractV5R1>,
) {
  await chain.fund(wallet.address, toNano(5))
  // The two wrappers are alike in what is used of them here.
  const opened = opener.open(wallet as WalletContractV4)
  const receiver = walletV4(99).wallet
  const before = await stateOf(opener, wallet.address)
  await transfer(opened, keys.secretKey, receiver.address, 'first')
  const deployed = await stateOf(opener, wallet.address)
  await transfer(opened, keys.secretKey, receiver.address, 'second')
  return {
    before,
    deployed,
    seqno: await opened.getSeqno(),
    balance: await opened.getBalance(),
    received: await opener.open(receiver).getBalance(),
    history: await historyOf(opener, wallet.address),
  }
}

/** Deploys a jetton, makes some, and pays with them. */
export async function useJetton(chain: Chain, opener: Opener) {
  const { wallet, keys } = walletV4(1)
  await chain.fund(wallet.address, toNano(5))
  const sender = await senderOf(opener, { wallet, keys })
  const buyer = wallet.address
  const shop = walletV5(2).wallet.address
  const { address, init } = jettonMinter(buyer)

  await opener
    .provider(address, init)
    .internal(sender, { value: '0.3', body: mintBody(buyer, 1_000n) })
  const master = opener.open(JettonMaster.create(address))
  const { totalSupply, mintable, adminAddress, content, walletCode } = await master.getJettonData()
  const ofBuyer = await master.getWalletAddress(buyer)
  const ofShop = await master.getWalletAddress(shop)
  const balanceOf = async (jettonWallet: Address): Promise<bigint> =>
    opener.open(JettonWallet.create(jettonWallet)).getBalance()
  const before = [await balanceOf(ofBuyer), await balanceOf(ofShop)]
  const body = transferBody({ amount: 400n, to: shop, response: buyer, forwardCoins: 1n })
  await opener.provider(ofBuyer).internal(sender, { value: toNano('0.3'), body })

  return {
    totalSupply,
    mintable,
    adminAddress: adminAddress.toString(),
    content: content.hash().toString('hex'),
    walletCode: walletCode.hash().toString('hex'),
    wallets: [ofBuyer.toString(), ofShop.toString()],
    before,
    after: [await balanceOf(ofBuyer), await balanceOf(ofShop)],
    shopCoins: (await opener.provider(shop).getState()).balance,
  }
}

/** A sender of a wallet of version 4, deployed with a payment to itself. */
export async function senderOf(
  opener: Opener,
  { wallet, keys }: SignedWallet<WalletContractV4>,
): Promise<Sender> {
  const opened = opener.open(wallet)
  await transfer(opened, keys.secretKey, wallet.address, 'hello')
  return opened.sender(keys.secretKey)
}

/** The state of an account as a provider returns it; cells by their hashes. */
export async function stateOf(opener: Opener, address: Address) {
  const { balance, extracurrency, last, state } = await opener.provider(address).getState()
  return {
    balance,
    extracurrency,
    lt: last?.lt,
    hasHash: last?.hash.length === 32,
    type: state.type,
    ...(state.type === 'active' && { code: hashOf(state.code), data: hashOf(state.data) }),
  }
}

/** The lt of all transactions of an account, newest first, and what they are about. */
export async function historyOf(opener: Opener, address: Address, limit?: number) {
  const provider = opener.provider(address)
  const rows = await transactionsOf(provider, address, limit)
  return rows.map(({ lt, inMessage, outMessagesCount, totalFees }) => ({
    lt,
    from: inMessage?.info.type,
    outMessagesCount,
    fees: totalFees.coins,
  }))
}

/** From the last transaction of an account on. */
export async function transactionsOf(provider: ContractProvider, address: Address, limit?: number) {
  const { last } = await provider.getState()
  if (last === null) throw new TypeError('no transactions')
  return provider.getTransactions(address, last.lt, last.hash, limit)
}

async function transfer(
  opened: OpenedContract<WalletContractV4>,
  secretKey: Buffer,
  to: Address,
  body: string,
): Promise<void> {
  const seqno = await opened.getSeqno()
  const messages = [internal({ to, value: toNano('0.1'), bounce: false, body })]
  await opened.sendTransfer({ seqno, secretKey, sendMode: 1, messages })
}

function hashOf(boc: Buffer | null | undefined): string | undefined {
  return boc ? Cell.fromBoc(boc)[0]?.hash().toString('hex') : undefined
}
