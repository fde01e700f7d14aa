import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebhookReceiver, memoryOrderRepository, readNodeBody } from '@tonplug/core'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { document, tonplug } from './run-command.js'

const SECRET = 'whsec_signature_test'
const { body: BODY, signature: SIGNATURE } = signPayload(transferCompleted(), SECRET)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonplug-signature-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('verify', () => {
  it('says that a signature matches, by the environment or a file, from a file or the input', async () => {
    const body = await file('body.json', BODY)
    const byVariable = await tonplug(['verify', body, '--signature', SIGNATURE], {
      TONPAY_WEBHOOK_SECRET: SECRET,
    })
    expect(byVariable).toMatchObject({ code: 0, stderr: '' })
    expect(byVariable.stdout).toContain(`matches these ${BODY.length} bytes`)

    const secretFile = await file('secret.txt', `${SECRET}\n`)
    const args = ['verify', '-', '-s', SIGNATURE, '--secret-file', secretFile, '--json']
    const byFile = await tonplug(args, { input: BODY })
    expect(byFile).toMatchObject({ code: 0, stderr: '' })
    expect(document(byFile)).toMatchObject({
      isMatch: true,
      mistakes: [],
      notes: [expect.stringContaining('ends with a line break')],
      secret: { source: secretFile },
    })
    expect(byFile.stdout).not.toContain(SECRET)
  })

  it('names the mistake and its mend, and never the secret', async () => {
    const body = await file('spaced.json', JSON.stringify(JSON.parse(BODY), null, 2))
    const environment = { TONPAY_WEBHOOK_SECRET: SECRET }
    const ended = await tonplug(['verify', body, '-s', SIGNATURE], environment)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(
      /^The signature does not match\.\nreserialised: .+\n {2}Keep the bytes/,
    )

    const json = await tonplug(['verify', body, '-s', SIGNATURE.slice(7), '--json'], environment)
    expect(json).toMatchObject({ code: 1, stderr: '' })
    expect(document(json)).toMatchObject({
      isMatch: false,
      mistakes: [{ code: 'prefix-missing' }, { code: 'reserialised' }],
    })
    expect(ended.stdout + json.stdout).not.toContain(SECRET)
  })

  it('tries further secrets', async () => {
    const body = await file('body.json', BODY)
    const files = [await file('new.txt', 'whsec_new'), await file('old.txt', SECRET)]
    const named = files.flatMap((path) => ['--secret-file', path])
    const ended = await tonplug(['verify', body, '-s', SIGNATURE, ...named])
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain(`wrong-secret: It was signed with the secret in ${files[1]}`)
  })

  it.each([
    ['without a secret', ['-s', SIGNATURE], 'TONPAY_WEBHOOK_SECRET'],
    ['without a signature', [], '--signature'],
    [
      'with the secret for its file',
      ['-s', SIGNATURE, '--secret-file', SECRET],
      'never the secret',
    ],
    ['with an unknown option', ['-s', SIGNATURE, '--secret', SECRET], '--secret'],
    ['with an unknown encoding', ['-s', SIGNATURE, '--encoding', 'hax'], 'hex'],
  ])('%s says how to call it, with exit code 2', async (_, args, named) => {
    const body = await file('body.json', BODY)
    const ended = await tonplug(['verify', body, ...args])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
    expect(ended.stderr).not.toContain(SECRET)
  })

  it('fails where there is no body', async () => {
    const environment = { TONPAY_WEBHOOK_SECRET: SECRET }
    const ended = await tonplug(['verify', 'nowhere.json', '-s', SIGNATURE, '--json'], environment)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(document(ended)).toMatchObject({
      error: { code: 'failed', message: expect.stringContaining('nowhere.json') },
    })
  })
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A server on a port has no other kind of address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ton`
}

describe('send', () => {
  it('delivers to a real receiver, which takes the signature and completes the order', async () => {
    const orders = memoryOrderRepository([
      { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
    ])
    const logger = recordingLogger()
    const receiver = createWebhookReceiver({ secrets: SECRET, orders, logger })
    onTestFinished(() => receiver.close())
    const url = await listen((request, response) => {
      const rawBody = readNodeBody(request)
      void receiver
        .receive({ method: request.method, headers: request.headers, rawBody })
        .then((answer) => response.writeHead(answer.status, answer.headers).end(answer.body))
    })
    const body = await file('spaced.json', JSON.stringify(transferCompleted(), null, 2))
    const environment = { TONPAY_WEBHOOK_SECRET: SECRET }
    const sent = await tonplug(['send', body, '--url', url], environment)
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    expect(sent.stdout).toMatch(/^attempt 1: 200/)
    expect((await orders.findByReference('order-1'))?.status).toBe('completed')

    const forged = await tonplug(['send', body, '--url', url, '--json'], {
      TONPAY_WEBHOOK_SECRET: 'whsec_other',
    })
    expect(forged).toMatchObject({ code: 1, stderr: '' })
    expect(document(forged)).toMatchObject({ url, isDelivered: false, attempts: [{ status: 401 }] })
    const said = await tonplug(['send', body, '--url', url], { TONPAY_WEBHOOK_SECRET: 'whsec_x' })
    expect(said.stdout).toContain('See `tonplug verify`')
  })

  it('tries again with --retry, as the gateway does, under the header of that name', async () => {
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

  it('follows no redirect', async () => {
    const url = await listen((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const environment = { input: BODY, TONPAY_WEBHOOK_SECRET: SECRET }
    const sent = await tonplug(['send', '-', '-u', url], environment)
    expect(sent.code).toBe(1)
    expect(sent.stdout).toContain('follows no redirects')
  })

  it('says that nobody listens', async () => {
    const environment = { input: BODY, TONPAY_WEBHOOK_SECRET: SECRET }
    const sent = await tonplug(['send', '-', '-u', 'http://127.0.0.1:1/'], environment)
    expect(sent.code).toBe(1)
    expect(sent.stdout).toContain('Does a server listen there')
  })

  it.each([
    ['a secret that a receiver would refuse', 'http://127.0.0.1:1/', ` ${SECRET}`, 'trim it'],
    ['what is no address', 'localhost:3000', SECRET, '--url'],
    ['an address with a user', 'http://me:pw@127.0.0.1:1/', SECRET, '--url'],
  ])('refuses %s', async (_, url, secret, named) => {
    const environment = { input: BODY, TONPAY_WEBHOOK_SECRET: secret }
    const sent = await tonplug(['send', '-', '-u', url], environment)
    expect(sent).toMatchObject({ code: 2, stdout: '' })
    expect(sent.stderr).toContain(named)
    expect(sent.stderr).not.toContain(SECRET)
  })
})
