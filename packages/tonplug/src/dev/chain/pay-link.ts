import type { SimulatedJetton } from '@tonplug/simulator'
import { PageRequestError } from '../page-request-error.js'
import type { DevChain } from './dev-chain.js'
import { writeLink, type PaymentLink } from './payment-link.js'

/** The ways to pay a link. */
export const VARIANTS = [
  'whole',
  'half',
  'twice',
  'late',
  'no-comment',
  'exchange',
  'wrong-coin',
  'relay',
  'forged',
] as const

/** A way to pay a link. */
export type Variant = (typeof VARIANTS)[number]

/** Seconds after the expiry at which a late payment is made. */
const LATE_SECONDS = 60
const NATIVE_DECIMALS = 9

/** A payment on the chain. */
export interface SentPayment {
  /** The link that was paid. */
  paid: PaymentLink
  /** The name of the paying wallet. */
  sender: string
  /** Hash of the first transaction, in hex. */
  txHash: string
  /** Unix milliseconds of its block. */
  atMs: number
}

/**
 * Pays a link on the chain. `twice` is paid by two transactions.
 * @throws {PageRequestError} when a wallet app would refuse the link, or a link without an expiry is to be paid late.
 */
export async function payLink(
  dev: DevChain,
  link: PaymentLink,
  variant: Variant,
): Promise<SentPayment[]> {
  if (variant === 'late') await passExpiry(dev, link)
  else refuseExpired(link)
  const paid = changedLink(dev, link, variant)
  const count = variant === 'twice' ? 2 : 1
  const sent: SentPayment[] = []
  for (let number = 0; number < count; number++) sent.push(await payOnce(dev, paid, variant))
  return sent
}

async function payOnce(
  { accounts: { buyer }, exchange, relay, customers }: DevChain,
  paid: PaymentLink,
  variant: Variant,
): Promise<SentPayment> {
  const text = writeLink(paid)
  const isExchange = variant === 'exchange'
  const batch = customers.map((recipient) => writeLink({ ...paid, recipient, text: '' }))
  const { transaction } = isExchange
    ? await exchange.pay(text, { batch })
    : await buyer.pay(text, variant === 'relay' ? { relay } : {})
  return {
    paid,
    sender: isExchange ? 'Exchange' : 'Buyer',
    txHash: transaction.hash().toString('hex'),
    atMs: transaction.now * 1000,
  }
}

/** Returns the link as the buyer pays it. */
function changedLink(dev: DevChain, link: PaymentLink, variant: Variant): PaymentLink {
  const { usdt } = dev.accounts
  switch (variant) {
    case 'half':
      return { ...link, rawAmount: (link.rawAmount + 1n) / 2n }
    case 'no-comment':
      return { ...link, text: undefined, bin: undefined }
    case 'wrong-coin':
      return link.jetton === undefined ? inJetton(link, usdt) : inCoins(link, usdt)
    case 'forged':
      return link.jetton === undefined
        ? inJetton(link, dev.forged)
        : { ...link, jetton: dev.forged.master.toString() }
    default:
      return link
  }
}

/** Returns a link for as many whole jettons as the link asks for coins. */
function inJetton(link: PaymentLink, { master, decimals }: SimulatedJetton): PaymentLink {
  const rawAmount = link.rawAmount / 10n ** BigInt(NATIVE_DECIMALS - decimals)
  return { ...link, jetton: master.toString(), rawAmount: rawAmount === 0n ? 1n : rawAmount }
}

/** Returns a link for as many whole coins as the link asks for jettons. */
function inCoins(link: PaymentLink, { decimals }: SimulatedJetton): PaymentLink {
  const rawAmount = link.rawAmount * 10n ** BigInt(NATIVE_DECIMALS - decimals)
  return { ...link, jetton: undefined, rawAmount }
}

/** Moves the chain past the expiry of the link. A buyer who confirms in time may be mined that late. */
async function passExpiry({ chain, moveOn }: DevChain, { expiresAt }: PaymentLink): Promise<void> {
  if (expiresAt === undefined) {
    throw new PageRequestError(409, 'This link never expires, so that no payment of it is late.')
  }
  const seconds = expiresAt + LATE_SECONDS - chain.now
  if (seconds > 0) await moveOn(seconds)
}

/** Wallet apps compare the expiry with the clock of the buyer's device. */
function refuseExpired({ expiresAt }: PaymentLink): void {
  if (expiresAt === undefined || expiresAt * 1000 > Date.now()) return
  const at = new Date(expiresAt * 1000).toISOString()
  throw new PageRequestError(409, `The link expired at ${at}: a wallet app refuses it. Pay late.`)
}
