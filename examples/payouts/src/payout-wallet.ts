import {
  Address,
  beginCell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  type Cell,
  type Contract,
  type ContractProvider,
  type MessageRelaxed,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { JettonMaster, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import type { Contracts } from '@tonplug/core/contract'
import { createSendCheckpoint, GetMethodError } from '@tonplug/core/toncenter'
import type { Payout, SignedMessage } from './payout-queue.js'
import type { Settings } from './settings.js'

/** Opcode of `transfer`, sent by an owner to its jetton wallet. Source: TEP-74. */
const JETTON_TRANSFER = 0x0f8a7ea5
/** Nanocoins for the fees of a jetton transfer that deploys the recipient's wallet; the rest is returned. */
const JETTON_FEES = 100_000_000n
/** Ids of the networks, which are part of the address of a wallet v5. */
const NETWORK_IDS = { mainnet: -239, testnet: -3 }

/** The highest time, in Unix seconds: the seqno alone prevents a second payment, so a message need not expire. */
const NEVER = 2 ** 32 - 1

/** The common interface of the wrappers of both versions. */
interface WalletContract extends Contract {
  init: { code: Cell; data: Cell }
  getSeqno(provider: ContractProvider): Promise<number>
  createTransfer(transfer: {
    seqno: number
    timeout: number
    secretKey: Buffer
    sendMode: SendMode
    messages: MessageRelaxed[]
  }): Cell
}

/** A payout that cannot be signed, for example in a jetton that the wallet does not have. */
export class UnpayableError extends Error {}

export type PayoutWallet = Awaited<ReturnType<typeof openPayoutWallet>>

/** Derives the wallet from its mnemonic. @throws when the mnemonic belongs to another wallet. */
export async function openPayoutWallet(settings: Settings, contracts: Contracts) {
  const { MNEMONIC, NETWORK, WALLET_ADDRESS, WALLET_VERSION } = settings
  const { publicKey, secretKey } = await mnemonicToPrivateKey(MNEMONIC)
  const walletId = { networkGlobalId: NETWORK_IDS[NETWORK] }
  const wallet: WalletContract =
    WALLET_VERSION === 'v4'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey, walletId })
  const { address, init } = wallet
  if (!address.equals(Address.parse(WALLET_ADDRESS))) {
    throw new Error(
      `MNEMONIC belongs to ${address.toString()} as a wallet ${WALLET_VERSION} on ${NETWORK}, not to WALLET_ADDRESS`,
    )
  }
  const contract = contracts.open(wallet)
  return {
    address,
    /** Returns the wallet's next seqno by a node. */
    seqno: () => contract.getSeqno(),
    /** Signs a message that makes the wallet pay. Does not send it. @throws {UnpayableError} */
    async sign(payout: Payout, seqno: number): Promise<SignedMessage> {
      const body = wallet.createTransfer({
        seqno,
        timeout: NEVER,
        secretKey,
        // A failed payment must also use the seqno: it could succeed later.
        sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
        messages: [await messageOf(payout, address, contracts)],
      })
      // The first message deploys the wallet.
      const message = external({ to: address, init: seqno === 0 ? init : null, body })
      const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
      const { hash } = await createSendCheckpoint(boc)
      return { boc, hash, seqno }
    },
  }
}

async function messageOf(
  { id, recipient, amount, jetton, comment: text }: Payout,
  wallet: Address,
  contracts: Contracts,
): Promise<MessageRelaxed> {
  const to = readAddress(recipient)
  const note = text === null ? null : comment(text)
  if (jetton === null) {
    const bounce = Address.isFriendly(recipient) && Address.parseFriendly(recipient).isBounceable
    return internal({ to, value: amount, bounce, body: note })
  }
  const body = beginCell()
    .storeUint(JETTON_TRANSFER, 32)
    .storeUint(id, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(wallet)
    .storeMaybeRef(null)
    .storeCoins(1n)
    .storeMaybeRef(note)
    .endCell()
  return internal({
    to: await jettonWalletOf(wallet, readAddress(jetton), contracts),
    value: JETTON_FEES,
    bounce: true,
    body,
  })
}

/**
 * Returns the jetton wallet of the paying wallet. Anyone can deploy a master that names the wallet of another jetton, and the
 * payout would be made in that one; so the jetton wallet must name the master too.
 */
async function jettonWalletOf(
  owner: Address,
  master: Address,
  contracts: Contracts,
): Promise<Address> {
  try {
    const wallet = await contracts.open(JettonMaster.create(master)).getWalletAddress(owner)
    const { stack } = await contracts.provider(wallet).get('get_wallet_data', [])
    stack.skip(1)
    if (stack.readAddress().equals(owner) && stack.readAddress().equals(master)) return wallet
  } catch (error) {
    if (!(error instanceof GetMethodError)) throw error
    throw new UnpayableError(
      `${master.toString()} is not a jetton that the wallet has: ${error.message}`,
    )
  }
  throw new UnpayableError(
    `${master.toString()} names a jetton wallet of another jetton or of another owner`,
  )
}

function readAddress(text: string): Address {
  try {
    return Address.parse(text)
  } catch {
    throw new UnpayableError(`${text} is not an address`)
  }
}
