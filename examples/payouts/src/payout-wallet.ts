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
import { normalizedHash } from '@tonplug/core/toncenter'
import type { Contracts } from '@tonplug/core/contract'
import type { SignedMessage } from './payout.js'
import { SettingsError, type WalletSettings } from './settings.js'

/** Network ids, which are part of the address of a wallet v5. */
const NETWORK_IDS = { mainnet: -239, testnet: -3 }

/** The common interface of the wrappers of both versions. */
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

/** A jetton master names a wallet of another jetton or of another owner. */
export class OtherJettonError extends Error {
  constructor(wallet: Address) {
    super(`its wallet ${wallet.toString()} is of another jetton or of another owner`)
  }
}

/** The paying wallet. Keeps the secret key private. */
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

  /**
   * Derives the wallet from its mnemonic.
   * @throws {SettingsError} when the mnemonic belongs to another wallet.
   */
  static async open(settings: WalletSettings, contracts: Contracts): Promise<PayoutWallet> {
    const { publicKey, secretKey } = await mnemonicToPrivateKey([...settings.mnemonic])
    const wallet = createWallet(settings, publicKey)
    if (!isSame(wallet.address, settings.address)) {
      const { version, network } = settings
      throw new SettingsError(
        `MNEMONIC belongs to ${wallet.address.toString()} as a wallet ${version} on ${network}, not to WALLET_ADDRESS; check both, WALLET_VERSION and NETWORK`,
      )
    }
    return new PayoutWallet(contracts, wallet, secretKey)
  }

  /** Returns the wallet's current seqno on a node. */
  async seqno(): Promise<number> {
    return await this.#contract.getSeqno()
  }

  /**
   * Returns the address of the wallet's jetton wallet. Anyone can deploy a jetton master that names the wallet of another
   * jetton, from which the payout would be sent; so the jetton wallet must name the master, too.
   * @throws {GetMethodError} when `master` is not a jetton master, or the wallet never had any of the jetton.
   * @throws {OtherJettonError} when the master names a wallet of another jetton.
   */
  async jettonWallet(master: string): Promise<Address> {
    const address = Address.parse(master)
    const jetton = this.#contracts.open(JettonMaster.create(address))
    const wallet = await jetton.getWalletAddress(this.address)
    const { stack } = await this.#contracts.provider(wallet).get('get_wallet_data', [])
    stack.skip(1)
    const [owner, named] = [stack.readAddress(), stack.readAddress()]
    if (owner.equals(this.address) && named.equals(address)) return wallet
    throw new OtherJettonError(wallet)
  }

  /** Signs an external message that makes the wallet send `message`. Does not send it. */
  async sign(
    message: MessageRelaxed,
    { seqno, validUntil }: Pick<SignedMessage, 'seqno' | 'validUntil'>,
  ): Promise<SignedMessage> {
    const body = this.#contract.createTransfer({
      seqno,
      timeout: validUntil,
      secretKey: this.#secretKey,
      // A failed payment must also use up the seqno; otherwise the message could succeed later.
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: [message],
    })
    // The first message deploys the wallet.
    const init = seqno === 0 ? this.#contract.init : null
    const signed = external({ to: this.address, init, body })
    const boc = beginCell().store(storeMessage(signed)).endCell().toBoc().toString('base64')
    return { boc, hash: await normalizedHash(boc), seqno, validUntil }
  }
}

function createWallet({ version, network }: WalletSettings, publicKey: Buffer): WalletContract {
  if (version === 'v4') return WalletContractV4.create({ workchain: 0, publicKey })
  return WalletContractV5R1.create({
    publicKey,
    walletId: { networkGlobalId: NETWORK_IDS[network] },
  })
}

function isSame(address: Address, other: string): boolean {
  try {
    return Address.parse(other).equals(address)
  } catch {
    return false
  }
}
