import { beginCell, internal, toNano } from '@ton/core'
import {
  createPaymentVerifier,
  type Order,
  type TransferData,
  type VerificationResult,
} from '@tonplug/core'
import { checkedCells } from '@tonplug/core/proof'
import {
  createTransport,
  createV2Client,
  createV3Client,
  type Fetch,
} from '@tonplug/core/toncenter'
import { walletV4, type ChainSimulator } from '@tonplug/simulator'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { claimOf, createPayer, deployJetton, orderFor } from './payer.js'

/** The wallet of the shop. */
export const ours = walletV4(90).wallet.address
export const theirs = walletV4(91).wallet.address

/** A transfer that a webhook reports, and the order that it names. */
export interface Reported {
  transfer: TransferData
  order: Order
}

/** Changes a response. */
export type Lie = (text: string) => string

/** Returns a fetch whose responses are changed. */
export function lying(lie: Lie, fetch: Fetch = globalThis.fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const chunks: Uint8Array[] = []
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      chunks.push(part.value)
    }
    const { status, headers } = response
    const type = headers.get('content-type') ?? 'application/json'
    const text = lie(Buffer.concat(chunks).toString())
    return new Response(text, { status, headers: { 'content-type': type } })
  }
}

/** Sources that read a chain, and may lie. */
function sourcesOf({ v2Server, v3Server }: ChainSimulator) {
  const transport = (baseUrl: string, fetch: Fetch = globalThis.fetch) =>
    createTransport({ baseUrl, rps: Infinity, fetch, retry: { maxAttempts: 1 } })
  return {
    index: (fetch?: Fetch) => createV3Client({ transport: transport(v3Server.url, fetch) }),
    cells: (fetch?: Fetch) =>
      checkedCells({ v2: createV2Client({ transport: transport(v2Server.url, fetch) }) }),
  }
}

/** Looks a payment up once. */
export function look(
  options: Parameters<typeof createPaymentVerifier>[0],
  claim: Reported,
): Promise<VerificationResult> {
  const { signal } = new AbortController()
  return createPaymentVerifier(options).verify(claim, { signal })
}

/** A chain with a payment in the native coin, and one in a jetton. */
export async function startPaid() {
  const { chain } = await serveChain()
  const payer = await createPayer(chain, 80)
  const native = await payer.pay({ reference: 'order-1', to: ours, value: toNano(1) })
  const jetton = await deployJetton(chain, payer)
  await jetton.mint(payer.address, 1_000_000n)
  const token = await jetton.pay(payer, { reference: 'order-2', to: ours, amount: 250_000n })
  const reported = (transfer: TransferData): Reported => ({ transfer, order: orderFor(transfer) })
  const sources = sourcesOf(chain)
  return { chain, payer, jetton, native, token, reported, ...sources }
}

/** Pays in a jetton with a message that has a custom payload for the payer's jetton wallet. */
export async function payWithCustomPayload({
  payer,
  jetton,
}: Pick<Awaited<ReturnType<typeof startPaid>>, 'payer' | 'jetton'>): Promise<TransferData> {
  const amount = 7n
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(5, 64)
    .storeCoins(amount)
    .storeAddress(ours)
    .storeAddress(payer.address)
    .storeMaybeRef(beginCell().storeUint(1, 8).endCell())
    .storeCoins(1)
    .storeMaybeRef(null)
    .endCell()
  const to = await jetton.walletOf(payer.address)
  const root = await payer.send([internal({ to, value: toNano('0.2'), body })])
  const asset = jetton.master
  return claimOf(root, {
    reference: 'order-5',
    sender: payer.address,
    to: ours,
    amount,
    body,
    asset,
  })
}

/** Returns what several sources can show of the verdict of one: nothing before the payer's message, and no fees. */
export function agreed(verdict: VerificationResult): unknown {
  if (verdict.kind !== 'verified') return verdict
  const payments = verdict.payments.map(({ ledgerCredits = [], ...payment }) => ({
    ...payment,
    ledgerCredits: ledgerCredits.map(({ route, ...credit }) => ({
      ...credit,
      root: undefined,
      route: route
        .slice(route.findIndex(({ hash }) => hash === payment.message))
        .map((message) => ({ ...message, opcode: undefined, fees: 0n, isShared: false })),
    })),
  }))
  return { ...verdict, payments }
}
