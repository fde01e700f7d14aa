import {
  beginCell,
  comment,
  external,
  internal,
  SendMode,
  type Address,
  type Cell,
} from '@ton/core'
import {
  createReconciler,
  createTransport,
  createV3Client,
  createWebhookReceiver,
  memoryOrderRepository,
  type Order,
  type ReconcilerOptions,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import { createManualClock, recordingLogger } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import {
  jettonMinter,
  messageCell,
  mintBody,
  transferBody,
  walletV4,
} from '@tonplug/testing/simulator'
import { serveChain } from '../chain/served-chain.js'
import { SECRET } from '../shop.js'

/** Unix seconds, when these chains begin. Wallets take messages until 2038. */
export const BEGIN = 1_767_614_400

const shopWallet = walletV4(90).wallet.address
const adminSeed = 91

/** The wallet that the shop is paid to. */
export const recipient = shopWallet.toRawString()

/** A body as a gateway makes it: no comment, and no other has its hash. */
export function gatewayBody(number: number): Cell {
  return beginCell().storeUint(0x7a9d2c11, 32).storeUint(number, 64).endCell()
}

/** An order that is paid by a message with this body. */
export function orderOf(reference: string, body: Cell, changes: Partial<Order> = {}): Order {
  return {
    reference,
    rawAmount: 1_000_000_000n,
    asset: 'TON',
    status: 'pending',
    bodyBase64Hash: body.hash().toString('base64'),
    createdAt: new Date(BEGIN * 1000),
    ...changes,
  }
}

/** What a payer sends. */
export interface Payment {
  body: Cell | string
  value?: bigint
  to?: Address
}

/** A chain with payers, and a shop that is paid on it. */
export type PaidChain = Awaited<ReturnType<typeof openPaidChain>>

/** Begins a chain with a shop whose clock goes with it. */
export async function openPaidChain(
  orders: readonly Order[],
  options: {
    receiver?: Partial<WebhookReceiverOptions>
    reconciler?: Partial<ReconcilerOptions>
  } = {},
) {
  const { chain, v3Server } = await serveChain({ now: BEGIN })
  v3Server.tellsJettons = true
  const clock = createManualClock({ startMs: BEGIN * 1000 })
  const logger = recordingLogger()
  const repository = memoryOrderRepository(orders)
  const events: string[] = []
  const note = (event: string) => (one: { order: Order }) =>
    void events.push(`${event} ${one.order.reference}`)
  const seqnos = new Map<number, number>()
  let minted = false

  const v3 = createV3Client({
    transport: createTransport({ baseUrl: v3Server.url, rps: Infinity }),
  })
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders: repository,
    recipients: [recipient],
    onPaid: note('onPaid'),
    onMismatched: note('onMismatched'),
    onExtraPayment: note('onExtraPayment'),
    onLostWebhook: note('onLostWebhook'),
    onUnderpaid: note('onUnderpaid'),
    onOverpaid: note('onOverpaid'),
    onPaidTwice: note('onPaidTwice'),
    onPaidLate: note('onPaidLate'),
    onPaidEarly: note('onPaidEarly'),
    onWrongAsset: note('onWrongAsset'),
    clock,
    logger,
    ...options.receiver,
  })
  const reconciler = createReconciler({
    receiver,
    orders: repository,
    v3,
    clock,
    logger,
    ...options.reconciler,
  })
  onTestFinished(async () => {
    await reconciler.close()
    const closed = receiver.close()
    await clock.advance(10_000)
    await closed
  })

  /** Signs with the wallet of a seed, which is there from its first message on. */
  const send = async (seed: number, messages: Parameters<typeof internal>[0][]): Promise<void> => {
    const { wallet, keys } = walletV4(seed)
    const seqno = seqnos.get(seed) ?? 0
    if (seqno === 0) await chain.fund(wallet.address, 1_000_000_000_000n)
    seqnos.set(seed, seqno + 1)
    const body = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 2 ** 31,
      messages: messages.map((one) => internal(one)),
    })
    const init = seqno === 0 ? wallet.init : null
    await chain.send(messageCell(external({ to: wallet.address, body, init })))
  }
  const minter = jettonMinter(walletV4(adminSeed).wallet.address)
  const jettonWallet = async (owner: Address): Promise<Address> => {
    const slice = beginCell().storeAddress(owner).endCell()
    const { stack } = await chain.runGetMethod(minter.address, 'get_wallet_address', [
      { type: 'slice', cell: slice },
    ])
    const [answer] = stack
    if (answer?.type !== 'slice') throw new TypeError('the minter tells no wallet')
    return answer.cell.beginParse().loadAddress()
  }

  return {
    chain,
    clock,
    events,
    logger,
    orders: repository,
    receiver,
    reconciler,
    v3,
    v3Server,
    /** The jetton's master. */
    jetton: minter.address.toRawString(),
    /** Moves the chain and the clock of the shop. */
    async wait(seconds: number): Promise<void> {
      chain.now += seconds
      await clock.advance(seconds * 1000)
    },
    /** Pays in the native coin; several payments are one trace. */
    pay: (seed: number, ...payments: Payment[]) =>
      send(
        seed,
        payments.map(({ body, value = 1_000_000_000n, to = shopWallet }) => ({
          to,
          value,
          bounce: false,
          body: typeof body === 'string' ? comment(body) : body,
        })),
      ),
    /** Pays in the jetton. @returns the body of the payer's message */
    async payJetton(seed: number, amount: bigint, note?: string): Promise<Cell> {
      const payer = walletV4(seed).wallet.address
      if (!minted) {
        minted = true
        const deploy = { to: minter.address, value: 1_000_000_000n, bounce: true }
        await send(adminSeed, [{ ...deploy, init: minter.init, body: mintBody(payer, 10n ** 12n) }])
      }
      const body = transferBody({
        amount,
        to: shopWallet,
        response: payer,
        forwardCoins: 1n,
        ...(note !== undefined && { forwardPayload: comment(note) }),
      })
      await send(seed, [{ to: await jettonWallet(payer), value: 200_000_000n, bounce: true, body }])
      return body
    },
    /** One reconciliation, and the handlers that follow. */
    async reconcile() {
      const report = await reconciler.run()
      await clock.advance(0)
      return report
    },
  }
}
