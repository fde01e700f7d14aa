import {
  beginCell,
  external,
  internal,
  SendMode,
  toNano,
  type Address,
  type Cell,
  type MessageRelaxed,
} from '@ton/core'
import type { Order, TransferData } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import {
  type Chain,
  type RecordedTransaction,
  base64Hash,
  jettonMinter,
  messageCell,
  mintBody,
  rootOf,
  transferBody,
  walletV4,
} from '@tonplug/simulator'

/** A body that no other message has, as the gateway makes one for each transfer. */
export function bodyOf(reference: string): Cell {
  return beginCell().storeUint(0, 32).storeStringTail(`transfer ${reference}`).endCell()
}

/** A wallet of the chain that pays, with the webhooks of its payments. */
export interface Payer {
  address: Address
  /** Sends messages in one transaction. @returns the transaction */
  send(messages: readonly MessageRelaxed[], mode?: SendMode): Promise<RecordedTransaction>
  /** Pays nanocoins with a body. */
  pay(payment: NativePayment): Promise<TransferData>
}

interface NativePayment {
  reference: string
  to: Address
  value: bigint
  body?: Cell
  bounce?: boolean
  mode?: SendMode
}

/** A funded wallet. @param seed another number, another wallet */
export async function createPayer(chain: Chain, seed: number): Promise<Payer> {
  const { wallet, keys } = walletV4(seed)
  let seqno = 0
  await chain.fund(wallet.address, toNano(1000))
  const send: Payer['send'] = async (messages, sendMode = SendMode.PAY_GAS_SEPARATELY) => {
    const body = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode,
      timeout: 2 ** 31,
      messages: [...messages],
    })
    const init = seqno++ === 0 ? wallet.init : undefined
    const before = chain.transactions.length
    await chain.send(
      messageCell(external({ to: wallet.address, body, ...(init !== undefined && { init }) })),
    )
    const made = chain.transactions[before]
    if (made === undefined) throw new TypeError('the wallet did nothing')
    return made
  }
  return {
    address: wallet.address,
    send,
    async pay({ reference, to, value, body = bodyOf(reference), bounce = false, mode }) {
      const root = await send([internal({ to, value, bounce, body })], mode)
      return claimOf(root, { reference, sender: wallet.address, to, amount: value, body })
    },
  }
}

interface Claim {
  reference: string
  sender: Address
  to: Address
  amount: bigint
  body: Cell
  asset?: string
}

/** The true webhook of a payment. */
export function claimOf(
  transaction: RecordedTransaction,
  { reference, sender, to, amount, body, asset = 'TON' }: Claim,
): TransferData {
  return transferCompleted({
    reference,
    amount: asset === 'TON' ? decimal(amount) : amount.toString(),
    rawAmount: amount.toString(),
    asset,
    senderAddr: sender.toString({ bounceable: false }),
    recipientAddr: to.toString({ bounceable: false }),
    bodyBase64Hash: base64Hash(body.hash()),
    txHash: transaction.transaction.hash().toString('hex'),
    traceId: base64Hash(rootOf(transaction).transaction.hash()),
  }).data
}

function decimal(amount: bigint): string {
  const digits = amount.toString().padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** The order that such a transfer pays; older than any payment. */
export function orderFor({ reference, rawAmount, asset }: TransferData): Order {
  const createdAt = new Date(0)
  return { reference, rawAmount: BigInt(rawAmount), asset, status: 'pending', createdAt }
}

/** A jetton of the chain. */
export interface PayableJetton {
  master: string
  mint(to: Address, amount: bigint): Promise<void>
  walletOf(owner: Address): Promise<Address>
  /** Pays with the payer's jettons. */
  pay(payer: Payer, payment: JettonPayment): Promise<TransferData>
}

interface JettonPayment {
  reference: string
  to: Address
  amount: bigint
  /** Nanocoins for the fees. @default 0.2 TON */
  value?: bigint
}

/** Deploys a jetton. @param admin mints */
export async function deployJetton(chain: Chain, admin: Payer): Promise<PayableJetton> {
  const minter = jettonMinter(admin.address)
  const { address, init } = minter
  let isDeployed = false
  const walletOf = async (owner: Address): Promise<Address> => {
    const slice = beginCell().storeAddress(owner).endCell()
    const { stack } = await chain.runGetMethod(address, 'get_wallet_address', [
      { type: 'slice', cell: slice },
    ])
    const [first] = stack
    if (first?.type !== 'slice' && first?.type !== 'cell') throw new TypeError('no wallet')
    return first.cell.beginParse().loadAddress()
  }
  return {
    master: address.toString(),
    walletOf,
    async mint(to, amount) {
      const body = mintBody(to, amount)
      const deploy = isDeployed ? {} : { init }
      await admin.send([internal({ to: address, value: toNano(1), body, ...deploy })])
      isDeployed = true
    },
    async pay(payer, { reference, to, amount, value = toNano('0.2') }) {
      const forwardPayload = beginCell().storeStringTail(`transfer ${reference}`).endCell()
      const response = payer.address
      const body = transferBody({ amount, to, response, forwardCoins: 1n, forwardPayload })
      const wallet = await walletOf(payer.address)
      const root = await payer.send([internal({ to: wallet, value, body })])
      const asset = address.toString()
      return claimOf(root, { reference, sender: payer.address, to, amount, body, asset })
    },
  }
}
