import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  readNodeBody,
} from '@tonplug/core'
import {
  createMockGateway,
  type MockGateway,
  createTestLogger,
  signPayload,
  transferCompleted,
} from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { document, tonplug } from './run-command.js'

const SECRET = 'whsec_deliveries_test'
const { body: BODY, signature: SIGNATURE } = signPayload(transferCompleted(), SECRET)
const environment = { TONPAY_WEBHOOK_SECRET: SECRET }

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A server on a port has no other kind of address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ton`
}

/** A shop with one order of 10.5 TON, with its webhook route at `url`. */
async function openShop() {
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const decisions: string[] = []
  const payments = createPayments({ orders, logger: createTestLogger() })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  payments.onDecision(({ decision }) => decisions.push(decision.kind))
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
  })
  const url = await listen((request, response) => {
    const rawBody = readNodeBody(request)
    void receiver
      .receive({ method: request.method, headers: request.headers, rawBody })
      .then((answer) => response.writeHead(answer.status, answer.headers).end(answer.body))
  })
  return { url, orders, decisions }
}

describe('send', () => {
  it('delivers to a real receiver, which accepts the signature and completes the order', async () => {
    const { url, orders } = await openShop()
    const input = JSON.stringify(transferCompleted(), null, 2)
    const sent = await tonplug(['send', '-', '--url', url], { ...environment, input })
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    expect(sent.stdout).toMatch(/^attempt 1: 200/)
    expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')

    const forged = await tonplug(['send', '-', '--url', url, '--json'], {
      input,
      TONPAY_WEBHOOK_SECRET: 'whsec_other',
    })
    expect(forged).toMatchObject({ code: 1, stderr: '' })
    expect(document(forged)).toMatchObject({ url, isDelivered: false, attempts: [{ status: 401 }] })
    const said = await tonplug(['send', '-', '--url', url], {
      input,
      TONPAY_WEBHOOK_SECRET: 'whsec_x',
    })
    expect(said.stdout).toContain('See `tonplug verify`')
  })

  it('retries with --retry, as the gateway does, with the given header', async () => {
    const seen: unknown[] = []
    const url = await listen((request, response) => {
      seen.push(request.headers['x-pay-signature'])
      response.writeHead(seen.length === 1 ? 503 : 204).end()
    })
    const args = ['send', '-', '-u', url, '--header', 'x-pay-signature', '--retry', '--json']
    const sent = await tonplug(args, { input: BODY, TONPAY_WEBHOOK_SECRET: SECRET })
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    expect(document(sent)).toMatchObject({ attempts: [{ status: 503 }, { status: 204 }] })
    expect(seen).toEqual([SIGNATURE, SIGNATURE])
  })

  it('does not follow a redirect', async () => {
    const url = await listen((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const sent = await tonplug(['send', '-', '-u', url], { ...environment, input: BODY })
    expect(sent.code).toBe(1)
    expect(sent.stdout).toContain('follows no redirects')
  })

  it('reports that no server listens', async () => {
    const args = ['send', '-', '-u', 'http://127.0.0.1:1/']
    const sent = await tonplug(args, { ...environment, input: BODY })
    expect(sent.code).toBe(1)
    expect(sent.stdout).toContain('Does a server listen there')
  })

  it.each([
    ['a secret that a receiver would reject', 'http://127.0.0.1:1/', ` ${SECRET}`, 'trim it'],
    ['a missing secret that became a string', 'http://127.0.0.1:1/', 'undefined', 'must be set'],
    ['a secret in quotes', 'http://127.0.0.1:1/', `"${SECRET}"`, 'must not have quotes'],
    ['an invalid URL', 'localhost:3000', SECRET, '--url'],
    ['a URL with a user', 'http://me:pw@127.0.0.1:1/', SECRET, '--url'],
  ])('refuses %s', async (_, url, secret, named) => {
    const sent = await tonplug(['send', '-', '-u', url], {
      input: BODY,
      TONPAY_WEBHOOK_SECRET: secret,
    })
    expect(sent).toMatchObject({ code: 2, stdout: '' })
    expect(sent.stderr).toContain(named)
    expect(sent.stderr).not.toContain(SECRET)
  })
})

describe('trigger', () => {
  it('S37 pays the order of a real shop, and pays it again by another transaction', async () => {
    const { url, orders, decisions } = await openShop()
    const args = ['trigger', 'pay', '--reference', 'order-1', '--url', url]
    const paid = await tonplug(args, environment)
    expect(paid).toMatchObject({ code: 0, stderr: '' })
    expect(paid.stdout).toMatch(/^reference +order-1$/m)
    expect(paid.stdout).toMatch(/^attempt 1: 200/m)
    expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')

    const again = await tonplug([...args, '--json', '--comment', 'Order 1'], environment)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(document(again)).toMatchObject({
      url,
      isDelivered: true,
      transfer: { reference: 'order-1', status: 'success', commentToRecipient: 'Order 1' },
      attempts: [{ status: 200 }],
    })
    expect(decisions).toEqual(['paid', 'extra_payment'])
  })

  it.each<[string, string[], string]>([
    ['S28 a failure', ['fail', '--reference', 'order-1'], 'failed'],
    ['S31 too little', ['pay', '--reference', 'order-1', '--raw-amount', '1'], 'amount_mismatch'],
    [
      'S33 another jetton',
      ['pay', '--reference', 'order-1', '--asset', `0:${'a'.repeat(64)}`, '--decimals', '2'],
      'asset_mismatch',
    ],
    ['S25 delivers the payment of an unknown order', ['pay'], 'unknown_order'],
  ])('delivers %s', async (_, args, decision) => {
    const { url, decisions } = await openShop()
    const ended = await tonplug(['trigger', ...args, '-u', url], environment)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(decisions).toEqual([decision])
  })

  it('makes one attempt, and retries with --retry as the gateway does', async () => {
    const seen: unknown[] = []
    const url = await listen((request, response) => {
      seen.push(request.headers['x-pay-signature'])
      response.writeHead(seen.length === 3 ? 200 : 503).end()
    })
    const args = ['trigger', 'pay', '-u', url, '--json', '--header', 'x-pay-signature']
    expect(await tonplug(args, environment)).toMatchObject({ code: 1, stderr: '' })
    const retried = await tonplug([...args, '--retry'], environment)
    expect(retried).toMatchObject({ code: 0, stderr: '' })
    expect(document(retried)).toMatchObject({ attempts: [{ status: 503 }, { status: 200 }] })
    expect(seen).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^sha256=/)))
  })

  it.each<[string, string[], string]>([
    ['an unknown outcome', ['win', '-u', 'http://127.0.0.1:1/'], 'pay, fail'],
    ['no address', ['pay'], '--url'],
    ['no amount', ['pay', '-u', 'http://127.0.0.1:1/', '--raw-amount', '1.5'], '--raw-amount'],
    ['a zero amount', ['pay', '-u', 'http://127.0.0.1:1/', '--raw-amount', '0'], 'from 1 on'],
    ['an unknown asset', ['pay', '-u', 'http://127.0.0.1:1/', '--asset', 'DOGE'], 'DOGE'],
    [
      'decimals of TON',
      ['pay', '-u', 'http://127.0.0.1:1/', '--decimals', '9'],
      '"TON" with 9 decimals',
    ],
    ['an invalid wallet', ['pay', '-u', 'http://127.0.0.1:1/', '--sender', 'me'], 'senderAddr'],
  ])('rejects %s with exit code 2', async (_, args, named) => {
    const ended = await tonplug(['trigger', ...args], environment)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
  })
})

describe('trigger --gateway', () => {
  async function openGateway(url?: string): Promise<{ gateway: MockGateway; base: string }> {
    const gateway = createMockGateway({ secret: SECRET, url })
    onTestFinished(() => gateway.close())
    return { gateway, base: await gateway.listen() }
  }

  it('creates, pays and fails a transfer at a mock gateway in another process', async () => {
    const { url, decisions } = await openShop()
    const { gateway, base } = await openGateway(url)
    const create = ['trigger', 'create', '--gateway', base, '--raw-amount', '10500000000']
    const created = await tonplug([...create, '--reference', 'order-1', '--json'])
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(document(created)).toEqual({
      reference: 'order-1',
      bodyBase64Hash: gateway.transfer('order-1').bodyBase64Hash,
      message: expect.objectContaining({ amount: '10500000000' }),
    })
    const at = ['--gateway', base, '--reference', 'order-1']
    const failed = await tonplug(['trigger', 'fail', ...at])
    expect(failed).toMatchObject({ code: 0, stderr: '' })
    expect(failed.stdout).toMatch(/^attempt 1: 200.*\nDelivered\.\n$/)
    const paid = await tonplug(['trigger', 'pay', ...at, '--tx-hash', 'a'.repeat(64), '--json'])
    expect(document(paid)).toMatchObject({ isDelivered: true, attempts: [{ status: 200 }] })
    expect(decisions).toEqual(['failed', 'paid'])
    expect(gateway.transfer('order-1')).toMatchObject({ txHash: 'a'.repeat(64) })
  })

  it('S31 pays another amount than that of the transfer', async () => {
    const { gateway, base } = await openGateway()
    const { reference } = gateway.createTransfer({ rawAmount: 7n })
    const at = ['--gateway', base, '--reference', reference, '--raw-amount', '6']
    expect(await tonplug(['trigger', 'pay', ...at])).toEqual({
      code: 0,
      stdout: 'Done; the gateway sends no webhook.\n',
      stderr: '',
    })
    expect(gateway.transfer(reference).rawAmount).toBe('6')
  })

  it('reports an unknown transfer, a closed port, and another server', async () => {
    const { base } = await openGateway()
    const other = await listen((_, response) => response.end('<html>'))
    for (const [gateway, named] of [
      [base, 'responded with 404: the transfer with the reference "order-1" does not exist'],
      ['http://127.0.0.1:1', 'is the mock gateway running there?'],
      [new URL(other).origin, 'is not a mock gateway: it responded with 200 <html>'],
    ] as const) {
      const args = ['trigger', 'pay', '-g', gateway, '--reference', 'order-1']
      const ended = await tonplug(args)
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain(named)
    }
  })

  it.each<[string, string[], string]>([
    ['no reference', ['pay', '-g', 'http://127.0.0.1:1'], '--reference'],
    ['a path', ['pay', '-g', 'http://127.0.0.1:1/api', '--reference', 'a'], '--gateway'],
    ['both', ['pay', '-g', 'http://127.0.0.1:1', '-u', 'http://127.0.0.1:1'], 'either --url'],
    ['create at a shop', ['create', '-u', 'http://127.0.0.1:1/'], '--gateway'],
  ])('rejects %s with exit code 2', async (_, args, named) => {
    const ended = await tonplug(['trigger', ...args], environment)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
  })
})
