import { Address, beginCell, Cell, internal, toNano, type MessageRelaxed } from '@ton/core'
import type { Chain } from './chain.js'
import { readEmbedded } from './embedded-request.js'
import { transferBody } from './jetton.js'
import type { PaymentItem, PaymentMessage, PaymentRequest } from './payment-request.js'

/** Nanocoins that wallet apps add to a jetton transfer for its fees. */
const JETTON_FEES = toNano('0.05')
/** Nanocoins with which the recipient is notified. */
const FORWARD_AMOUNT = 1n

const EMBEDDED = /^[\w-]+$/

/**
 * Returns the messages of a payer who opens a link (`ton://transfer/…`) or confirms a request of TON Connect, also an embedded
 * one.
 * @param writeComment writes the body with the comment of a link
 * @throws {Error} when a wallet app refuses the payment: it has expired, is for another wallet, or is not readable.
 */
export async function messagesToPay(
  chain: Pick<Chain, 'now' | 'runGetMethod'>,
  payer: Address,
  payment: string | PaymentRequest,
  writeComment: (text: string) => Cell,
): Promise<MessageRelaxed[]> {
  if (typeof payment !== 'string') return messagesOfRequest(chain, payer, payment)
  if (EMBEDDED.test(payment)) return messagesOfRequest(chain, payer, readEmbedded(payment))
  return [await messageOfLink(chain, payer, { link: payment, writeComment })]
}

async function messagesOfRequest(
  chain: Pick<Chain, 'now' | 'runGetMethod'>,
  payer: Address,
  { validUntil, from, messages, items }: PaymentRequest,
): Promise<MessageRelaxed[]> {
  checkExpiry(validUntil, chain.now)
  if (from !== undefined && !Address.parse(from).equals(payer)) {
    throw new Error(`expected a request for ${payer.toString()}; received one for ${from}`)
  }
  const isEither = (messages === undefined) !== (items === undefined)
  const [asked = [], built = []] = [messages, items]
  if (!isEither || asked.length + built.length === 0) {
    throw new Error('expected a request with either messages or items')
  }
  const ofItems = await Promise.all(built.map((item) => messageOfItem(chain, payer, item)))
  return [...asked.map(readMessage), ...ofItems]
}

function readMessage({ address, amount, payload }: PaymentMessage): MessageRelaxed {
  return message(
    address,
    BigInt(amount),
    payload === undefined ? undefined : Cell.fromBase64(payload),
  )
}

async function messageOfItem(
  chain: Pick<Chain, 'runGetMethod'>,
  payer: Address,
  item: PaymentItem,
): Promise<MessageRelaxed> {
  if (item.type === 'ton') return readMessage(item)
  const { master, destination, amount, responseDestination, forwardAmount, forwardPayload } = item
  return jettonMessage(chain, payer, {
    master: Address.parse(master),
    amount: BigInt(amount),
    to: Address.parse(destination),
    response: responseDestination === undefined ? payer : Address.parse(responseDestination),
    forwardCoins: forwardAmount === undefined ? FORWARD_AMOUNT : BigInt(forwardAmount),
    ...(forwardPayload !== undefined && { forwardPayload: Cell.fromBase64(forwardPayload) }),
  })
}

/** The wallet app writes the body itself, and asks the master of a jetton for the payer's jetton wallet. */
async function messageOfLink(
  chain: Pick<Chain, 'now' | 'runGetMethod'>,
  payer: Address,
  { link, writeComment }: { link: string; writeComment: (text: string) => Cell },
): Promise<MessageRelaxed> {
  const { address, amount, text, bin, jetton, exp } = readLink(link)
  checkExpiry(exp === undefined ? undefined : Number(exp), chain.now)
  const body = bin === undefined ? writeComment(text ?? '') : Cell.fromBase64(bin)
  if (jetton === undefined) return message(address, amount, body)
  return jettonMessage(chain, payer, {
    master: Address.parse(jetton),
    amount,
    to: Address.parse(address),
    response: payer,
    forwardCoins: FORWARD_AMOUNT,
    forwardPayload: body,
  })
}

async function jettonMessage(
  chain: Pick<Chain, 'runGetMethod'>,
  payer: Address,
  { master, ...transfer }: Parameters<typeof transferBody>[0] & { master: Address },
): Promise<MessageRelaxed> {
  const to = await jettonWalletOf(chain, master, payer)
  return internal({ to, value: JETTON_FEES, bounce: true, body: transferBody(transfer) })
}

/** Returns the parameters of a link, as a strict wallet app reads them. */
function readLink(link: string) {
  const [, address, query = ''] = /^ton:\/\/transfer\/([\w-]{48})(?:\?(.*))?$/.exec(link) ?? []
  // Not URLSearchParams: it reads a `+`, which base64 contains, as a space.
  const pairs = query.split('&').map((pair) => pair.split('='))
  const of = (name: string): string | undefined => {
    const value = pairs.find(([key]) => key === name)?.[1]
    return value === undefined ? undefined : decodeURIComponent(value)
  }
  const amount = of('amount')
  if (address === undefined || amount === undefined) {
    throw new Error(`expected ton://transfer/<address>?amount=…; received ${link}`)
  }
  const [text, bin, jetton, exp] = [of('text'), of('bin'), of('jetton'), of('exp')]
  return { address, amount: BigInt(amount), text, bin, jetton, exp }
}

function checkExpiry(validUntil: number | undefined, now: number): void {
  if (validUntil === undefined || validUntil > now) return
  throw new Error(`the payment was valid until ${validUntil}; the chain's time is ${now}`)
}

async function jettonWalletOf(
  chain: Pick<Chain, 'runGetMethod'>,
  master: Address,
  owner: Address,
): Promise<Address> {
  const cell = beginCell().storeAddress(owner).endCell()
  const run = await chain.runGetMethod(master, 'get_wallet_address', [{ type: 'slice', cell }])
  const [wallet] = run.stack
  if (wallet?.type === 'slice' || wallet?.type === 'cell') {
    return wallet.cell.beginParse().loadAddress()
  }
  throw new Error(`expected the address of a jetton master; received ${master.toString()}`)
}

function message(address: string, value: bigint, body: Cell | undefined): MessageRelaxed {
  const { address: to, isBounceable } = Address.parseFriendly(address)
  return internal({ to, value, bounce: isBounceable, ...(body && { body }) })
}
