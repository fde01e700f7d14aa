import {
  Address,
  beginCell,
  external,
  SendMode,
  storeMessage,
  type Cell,
  type Contract,
  type ContractProvider,
  type MessageRelaxed,
  type OpenedContract,
  type StateInit,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { JettonMaster, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { normalizedHash } from '@tonplug/core'
import type { Contracts } from '@tonplug/core/contract'
import type { SignedMessage } from './payout.js'
import { SettingsError, type WalletSettings } from './settings.js'

/** Part of the address of a wallet of version 5, so that it differs from network to network. */
const NETWORK_IDS = { mainnet: -239, testnet: -3 }

/** What the wrappers of both versions have. */
interface WalletContract extends Contract {
  init: Pick<StateInit, 'code' | 'data'>
  getSeqno(provider: ContractProvider): Promise<number>
  createTransfer(transfer: {
    seqno: number
    timeout: number
    secretKey: Buffer
    sendMode: SendMode
    messages: MessageRelaxed[]
  }): Cell
}

/** The wallet that pays. It alone knows the key. */
export class PayoutWallet {
  readonly address: Address
  readonly #secretKey: Buffer
  readonly #contract: OpenedContract<WalletContract>
  readonly #contracts: Contracts

  private constructor(contracts: Contracts, wallet: WalletContract, secretKey: Buffer) {
    this.address = wallet.address
    this.#contracts = contracts
    this.#contract = contracts.open(wallet)
    this.#secretKey = secretKey
  }

  /** @throws {SettingsError} when the mnemonic is another wallet's. */
  static async open(settings: WalletSettings, contracts: Contracts): Promise<PayoutWallet> {
    const { publicKey, secretKey } = await mnemonicToPrivateKey([...settings.mnemonic])
    const wallet = walletOf(settings, publicKey)
    if (!isSame(wallet.address, settings.address)) {
      const { version, network } = settings
      throw new SettingsError(
        `MNEMONIC is that of ${wallet.address.toString()} as a wallet ${version} on ${network}, not of WALLET_ADDRESS; check both, WALLET_VERSION and NETWORK`,
      )
    }
    return new PayoutWallet(contracts, wallet, secretKey)
  }

  /** The number of the next message that the wallet takes, as a node has it. */
  async seqno(): Promise<number> {
    return await this.#contract.getSeqno()
  }

  /** The wallet's own wallet of a jetton. @throws {GetMethodError} when the account is no master of a jetton. */
  async jettonWallet(master: string): Promise<Address> {
    const jetton = this.#contracts.open(JettonMaster.create(Address.parse(master)))
    return await jetton.getWalletAddress(this.address)
  }

  /** Signs a message that carries one order. Nothing is sent. */
  async sign(
    order: MessageRelaxed,
    { seqno, validUntil }: Pick<SignedMessage, 'seqno' | 'validUntil'>,
  ): Promise<SignedMessage> {
    const body = this.#contract.createTransfer({
      seqno,
      timeout: validUntil,
      secretKey: this.#secretKey,
      // An order that cannot be carried out must use up the seqno too, or it could be carried out later.
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: [order],
    })
    // The first message deploys the wallet.
    const init = seqno === 0 ? this.#contract.init : null
    const message = external({ to: this.address, init, body })
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
    return { boc, hash: await normalizedHash(boc), seqno, validUntil }
  }
}

function walletOf({ version, network }: WalletSettings, publicKey: Buffer): WalletContract {
  if (version === 'v4') return WalletContractV4.create({ workchain: 0, publicKey })
  return WalletContractV5R1.create({
    publicKey,
    walletId: { networkGlobalId: NETWORK_IDS[network] },
  })
}

function isSame(address: Address, text: string): boolean {
  try {
    return Address.parse(text).equals(address)
  } catch {
    return false
  }
}
