import {
  createMoonpayTransfer,
  createTonPayTransfer,
  getTonPayTransferByBodyHash,
  getTonPayTransferByReference,
  TON,
  USDT,
  verifySignature,
} from '@ton-pay/api'
import { createMockGateway, type MockGateway, transferCompleted } from '@tonplug/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../scripted-server.js'

const SECRET = 'whsec_ton_pay_api'
const { senderAddr, recipientAddr } = transferCompleted().data

afterEach(() => {
  delete process.env['TONPAY_BASE_URL']
})

async function open(
  options: Partial<Parameters<typeof createMockGateway>[0]> = {},
): Promise<MockGateway> {
  const gateway = createMockGateway({ secret: SECRET, ...options })
  onTestFinished(() => gateway.close())
  process.env['TONPAY_BASE_URL'] = await gateway.listen()
  return gateway
}

describe('@ton-pay/api, unchanged', () => {
  let gateway: MockGateway
  beforeEach(async () => {
    gateway = await open()
  })

  it.each([
    [10.5, TON, '10500000000', '10500000000'],
    [0.3, TON, '300000000', '300000000'],
    [1e-9, TON, '1', '1'],
    [19.99, USDT, '19990000', '100000000'],
  ])('creates a transfer of %d %s', async (amount, asset, rawAmount, nanotons) => {
    const params = { amount, asset, senderAddr, recipientAddr }
    const { message, reference, bodyBase64Hash } = await createTonPayTransfer(params)
    expect(gateway.transfer(reference)).toMatchObject({ rawAmount, asset, bodyBase64Hash })
    expect(message).toEqual({
      address: expect.any(String),
      amount: nanotons,
      payload: expect.any(String),
    })
  })

  it('S31 receives an error for an impossible amount, for example a sum of floats', async () => {
    const params = { amount: 0.1 + 0.2, asset: TON, senderAddr, recipientAddr }
    await expect(createTonPayTransfer(params)).rejects.toMatchObject({ cause: 'Bad Request' })
    expect(gateway.transfers()).toEqual([])
  })

  it('finds a transfer by its reference and by its body hash with any characters', async () => {
    // Enough hashes for a plus, a slash and padding, which the SDK does not encode.
    for (let count = 0; count < 30; count++) {
      const comments = { commentToSender: 'Order 7', commentToRecipient: 'Thank you! é' }
      const params = { amount: 10.5, asset: TON, senderAddr, recipientAddr, ...comments }
      const { reference, bodyBase64Hash } = await createTonPayTransfer(params)
      const pending = await getTonPayTransferByReference(reference)
      expect(pending).toEqual({
        amount: '10.5',
        rawAmount: '10500000000',
        senderAddr,
        recipientAddr,
        asset: TON,
        assetTicker: 'TON',
        status: 'pending',
        reference,
        bodyBase64Hash,
        ...comments,
      })
      expect(await getTonPayTransferByBodyHash(bodyBase64Hash)).toEqual(pending)
    }
  })

  it('receives the outcome in the format of the status endpoint', async () => {
    const params = { amount: 1, asset: TON, senderAddr, recipientAddr }
    const [paid, failed] = [await createTonPayTransfer(params), await createTonPayTransfer(params)]
    await gateway.pay(paid.reference)
    await gateway.fail(failed.reference)
    expect(await getTonPayTransferByReference(paid.reference)).toMatchObject({
      status: 'success',
      txHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      traceId: expect.stringMatching(/^[0-9a-f]{64}$/),
      date: expect.stringMatching(/Z$/),
    })
    expect(await getTonPayTransferByBodyHash(failed.bodyBase64Hash)).toMatchObject({
      status: 'error',
      errorCode: 36,
      errorMessage: 'Not enough TON',
    })
  })

  it('receives an error for an unknown transfer, and for the purchase of coins', async () => {
    await expect(getTonPayTransferByReference('nope')).rejects.toMatchObject({ cause: 'Not Found' })
    await expect(getTonPayTransferByBodyHash('AAAA')).rejects.toMatchObject({ cause: 'Not Found' })
    const buying = createMoonpayTransfer({ amount: 1, asset: TON, userIp: '::1', redirectURL: '/' })
    await expect(buying).rejects.toMatchObject({ cause: 'Not Implemented' })
  })
})

it('@ton-pay/api verifies the signature of the delivery', async () => {
  const shop = await startScriptedServer([200, 200])
  onTestFinished(() => shop.close())
  const gateway = await open({ url: shop.url })
  const params = { amount: 10.5, asset: TON, senderAddr, commentToRecipient: 'не 💎 "\\' }
  const { reference } = await createTonPayTransfer(params, { apiKey: 'any' })
  await gateway.pay(reference)
  await gateway.fail(reference)
  for (const { body, headers } of shop.requests) {
    const signature = String(headers['x-tonpay-signature'])
    expect(verifySignature(body.toString(), signature, SECRET)).toBe(true)
    expect(verifySignature(JSON.parse(body.toString()), signature, SECRET)).toBe(true)
    expect(verifySignature(body.toString(), signature, 'whsec_other')).toBe(false)
  }
  const [paid, failed] = shop.requests.map(({ body }) => JSON.parse(body.toString()) as object)
  const data = await getTonPayTransferByReference(reference)
  expect(paid).toEqual({ event: 'transfer.completed', timestamp: data.date, data })
  expect(failed).toMatchObject({ data: { status: 'failed', errorCode: 36 } })
})

describe('a gateway with the API key of a merchant', () => {
  const apiKey = 'key-of-the-merchant'
  const params = { amount: 1, asset: TON, senderAddr }

  it('another key is rejected', async () => {
    const gateway = await open({ apiKey })
    const unauthorized = { cause: 'Unauthorized' }
    const wrong = { apiKey: 'another' }
    await expect(createTonPayTransfer(params, wrong)).rejects.toMatchObject(unauthorized)
    const { reference } = await createTonPayTransfer(params, { apiKey })
    await expect(getTonPayTransferByReference(reference, wrong)).rejects.toMatchObject(unauthorized)
    expect(await getTonPayTransferByReference(reference)).toMatchObject({ recipientAddr })
    expect(gateway.transfers()).toHaveLength(1)
  })
  it('a transfer without the key must name its recipient, and sends no webhook', async () => {
    const shop = await startScriptedServer([200])
    onTestFinished(() => shop.close())
    const gateway = await open({ apiKey, url: shop.url })
    await expect(createTonPayTransfer(params)).rejects.toMatchObject({ cause: 'Bad Request' })
    const strange = await createTonPayTransfer({ ...params, recipientAddr })
    const own = await createTonPayTransfer(params, { apiKey })
    expect(await gateway.pay(strange.reference)).toEqual({ isDelivered: false, attempts: [] })
    expect((await gateway.pay(own.reference)).isDelivered).toBe(true)
    expect(shop.requests).toHaveLength(1)
    expect(await getTonPayTransferByReference(strange.reference)).toMatchObject({
      status: 'success',
    })
  })
})
