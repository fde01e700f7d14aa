import {
  createTonPayTransfer,
  getTonPayTransferByBodyHash,
  getTonPayTransferByReference,
  TON,
  USDT,
  verifySignature,
} from '@ton-pay/api'
import { Address } from '@ton/core'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { startSimulator, type Simulator } from '@tonplug/simulator'
import { listen } from '@tonplug/test-support/listen'

const SECRET = 'whsec_ton_pay_api'

afterEach(() => {
  delete process.env['TONPAY_BASE_URL']
})

/** A shop on the SDK alone, which records if each delivery is authentic. */
async function openSdkShop(): Promise<{ simulator: Simulator; genuine: boolean[] }> {
  const genuine: boolean[] = []
  const server = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signature = request.headers['x-tonpay-signature']
      const payload: unknown = JSON.parse(Buffer.concat(chunks).toString())
      genuine.push(verifySignature(payload as object, String(signature), SECRET))
      response.end()
    })
  })
  onTestFinished(() => server.close())
  const simulator = await startSimulator({ url: server.url, secret: SECRET })
  onTestFinished(() => simulator.close())
  process.env['TONPAY_BASE_URL'] = simulator.urls.gateway
  return { simulator, genuine }
}

it.each([
  ['TON', TON, 10.5, '10500000000'],
  ['USDT', USDT, 19.99, '19990000'],
])('@ton-pay/api, unchanged, detects a payment in %s', async (ticker, asset, amount, rawAmount) => {
  const { simulator, genuine } = await openSdkShop()
  const { chain, usdt, merchant } = simulator
  const buyer = await chain.createWallet()
  await usdt.mint(buyer.address, 100_000_000n)
  const senderAddr = buyer.address.toString({ bounceable: false })
  const created = await createTonPayTransfer({ amount, asset, senderAddr })
  const { reference, bodyBase64Hash, message } = created
  const destination = ticker === 'TON' ? merchant.address : usdt.walletOf(buyer.address)
  expect(Address.parse(message.address).equals(destination)).toBe(true)
  expect(await getTonPayTransferByReference(reference)).toMatchObject({ status: 'pending' })

  const { transaction } = await simulator.pay(reference, { from: buyer })
  expect(genuine).toEqual([true])
  const byReference = await getTonPayTransferByReference(reference)
  expect(byReference).toMatchObject({
    status: 'success',
    asset,
    assetTicker: ticker,
    rawAmount,
    senderAddr,
    traceId: transaction.transaction.hash().toString('base64'),
  })
  expect(await getTonPayTransferByBodyHash(bodyBase64Hash)).toEqual(byReference)
})
