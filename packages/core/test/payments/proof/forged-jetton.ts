import { Address } from '@ton/core'
import type { TransferData } from '@tonplug/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { walletV4, type Chain } from '@tonplug/simulator'
import { createPayer, deployJetton, type PayableJetton, type Payer } from './payer.js'

const shop = walletV4(90).wallet.address

/** A payment with the wallet of a forged jetton. */
export interface ForgedPayment {
  genuine: PayableJetton
  /** Asset: the forged master. */
  paid: TransferData
  /** Returns a `fetch` to an index that attributes the wallets of the forged jetton to the genuine master. */
  attribute: (fetch: Fetch) => Fetch
}

/** Deploys a genuine and a forged jetton, and pays the shop with the forged one. */
export async function payWithForgedJetton(
  chain: Chain,
  admin: Payer,
  payment: { reference: string; amount: bigint } = { reference: 'order-1', amount: 250_000n },
): Promise<ForgedPayment> {
  const genuine = await deployJetton(chain, admin)
  await genuine.mint(admin.address, 1_000_000n)
  const forger = await createPayer(chain, 83)
  const forged = await deployJetton(chain, forger)
  await forged.mint(forger.address, 1_000_000n)
  const paid = await forged.pay(forger, { ...payment, to: shop })
  const [forgedMaster, genuineMaster] = [forged, genuine].map(({ master }) =>
    Address.parse(master).toRawString().toUpperCase(),
  )
  if (forgedMaster === undefined || genuineMaster === undefined) throw new TypeError('no master')
  return {
    genuine,
    paid,
    attribute: (fetch) => async (url, init) => {
      const response = await fetch(url, init)
      const text = await readString(response)
      const { status } = response
      return new Response(text.replaceAll(forgedMaster, genuineMaster), { status })
    },
  }
}

async function readString({ body }: Awaited<ReturnType<Fetch>>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true })
  }
  return text
}
