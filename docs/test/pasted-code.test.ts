// `pnpm check:quick-starts` runs this in empty projects, in which it installs the packed packages with the commands of each
// page, on every supported version of Node.
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { type ChainSimulator, createChainSimulator } from '@tonplug/simulator'
import { createPostgresDatabase, hasPostgres } from '@tonplug/test-support/postgres'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { NODES, paste, TSCONFIG, type NodeVersion, type Pasted } from './pasted-server.js'

const SECRET = 'whsec_test'
/** The last line that each start page promises. */
const PAID = 'order … is paid'
const SERVE = `TONPAY_WEBHOOK_SECRET=${SECRET} node main.js`
const FIRST_PAYMENT = 'docs/start/first-payment.md'
const FIRST_PAYMENT_NEST = 'docs/start/first-payment-nestjs.md'
const EXPRESS = 'packages/express/README.md'
const FASTIFY = 'packages/fastify/README.md'
const ofWebhooks = globSync('docs/start/*.md').filter((file) => !file.includes('first-payment'))

interface Page {
  /** Code blocks with the words after their fences. */
  blocks: { info: string; code: string }[]
  /** The commands that install packages. */
  installations: string[]
}

function readPage(file: string): Page {
  return readBlocks(readFileSync(file, 'utf8'))
}

function readBlocks(text: string): Page {
  const matches = text.matchAll(/^```(\w+.*)\n([\s\S]*?)^```/gm)
  const blocks = [...matches].map(([, info = '', code = '']) => ({ info, code }))
  const installations = blocks
    .filter(({ info, code }) => info === 'sh' && code.startsWith('npm install'))
    .map(({ code }) => code)
  return { blocks, installations }
}

function codeOf({ blocks }: Page, wanted: string): string[] {
  return blocks.filter(({ info }) => info === wanted).map(({ code }) => code)
}

/** Returns the files of code blocks that begin with a comment with the name of the file. */
function namedFiles({ blocks }: Page): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap(({ code }) => {
      const name = /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1]
      return name === undefined ? [] : [[name, code] as const]
    }),
  )
}

describe('the start pages', () => {
  it('end with the same line of output about a paid order', () => {
    const lines = globSync('docs/start/*.md').map((file) =>
      codeOf(readPage(file), 'console').at(-1)?.replace('order-1', '…'),
    )
    expect(new Set(lines)).toEqual(new Set([`${PAID}\n`]))
  })

  it.each([FIRST_PAYMENT, FIRST_PAYMENT_NEST])(
    'link to the code that posts decisions to tonplug dev: %s',
    (file) => {
      const link = '](../guide/test-your-shop.md#by-click-on-a-simulated-chain)'
      expect(readFileSync(file, 'utf8')).toContain(link)
    },
  )
})

describe.each(ofWebhooks)('%s', (file) => {
  const page = readPage(file)
  const commands = codeOf(page, 'sh').filter((code) => !code.startsWith('npm install'))
  const [server = ''] = codeOf(page, 'sh background')
  const [output = ''] = codeOf(page, 'console')
  const payment = commands.at(-1) ?? ''
  let shop: Pasted

  beforeAll(async () => {
    shop = await paste(nameOf(file), { 'package.json': '{ "private": true }', ...namedFiles(page) })
    await shop.install(page.installations)
    for (const command of commands.slice(0, -1)) await shop.run(command)
  })

  it.each(NODES)('runs as pasted on Node $version', async (node) => {
    const printed = await shop.start(server, node)
    await shop.run(payment, node)
    await shop.run(payment, node)

    await expect.poll(printed).toContain(output.trim())
    expect(printed().filter((line) => line === output.trim())).toHaveLength(1)
  })
})

describe.each([FIRST_PAYMENT, 'README.md'])('%s', (file) => {
  const page = readPage(file)
  let shop: Pasted

  beforeAll(async () => {
    const { 'shop.mjs': script = '' } = namedFiles(page)
    shop = await paste(nameOf(file), { 'shop.mjs': script })
    await shop.install(page.installations.slice(0, 1))
  })

  it.each(NODES)('takes a payment on a simulated chain on Node $version', async (node) => {
    const printed = shop.launch('node shop.mjs', node)
    await expect
      .poll(() => printed().join('\n'))
      .toMatch(/^to pay: ton:\/\/transfer\/.*\norder \w+ is paid$/m)
  })
})

describe('a server without a gateway', () => {
  const express = readPage(FIRST_PAYMENT)
  const nest = readPage(FIRST_PAYMENT_NEST)
  let chain: ChainSimulator

  beforeAll(async () => {
    chain = await createChainSimulator()
    return () => chain.close()
  })

  async function pasteExpress(): Promise<Pasted> {
    const { 'server.mjs': script = '' } = namedFiles(express)
    const shop = await paste('first-payment-in-a-server', { 'server.mjs': script })
    await shop.install(express.installations.slice(1))
    return shop
  }

  async function pasteNest(): Promise<Pasted> {
    const manifest = { 'package.json': '{ "private": true }' }
    const shop = await paste(nameOf(FIRST_PAYMENT_NEST), { ...manifest, ...namedFiles(nest) })
    await shop.install(nest.installations)
    for (const command of codeOf(nest, 'sh').filter((code) => !code.startsWith('npm install'))) {
      await shop.run(command)
    }
    return shop
  }

  async function pasteReadme(file: string): Promise<Pasted> {
    const page = readPage(file)
    const shop = await paste(nameOf(file), namedFiles(page))
    await shop.install(page.installations)
    return shop
  }

  describe.each([
    { file: FIRST_PAYMENT, open: pasteExpress, command: 'node server.mjs', path: '' },
    { file: FIRST_PAYMENT_NEST, open: pasteNest, command: 'node dist/main.js', path: '/payments' },
    { file: EXPRESS, open: pasteReadme, command: 'node server.mjs', path: '' },
    { file: FASTIFY, open: pasteReadme, command: 'node server.mjs', path: '' },
  ])('$file', ({ file, open, command, path }) => {
    let shop: Pasted

    beforeAll(async () => {
      shop = await open(file)
    })

    it.each(NODES)('takes a payment on Node $version', async (node) => {
      const { printed, reference, received } = await payOrder({ chain, shop, command, path, node })

      await expect.poll(printed).toContain(PAID.replace('…', reference))
      await expect.poll(received).toMatch(/"status":"waiting".*"status":"paid"/s)
    })
  })
})

interface Payment {
  chain: ChainSimulator
  shop: Pasted
  /** Starts the server of the shop. */
  command: string
  /** The path of the routes of the shop. */
  path: string
  node?: NodeVersion
}

/** Starts a server whose wallet is on the chain, creates an order, opens the stream of its status, and pays it when it waits. */
async function payOrder({ chain, shop, command, path, node }: Payment) {
  const [wallet, buyer] = [await chain.createWallet(), await chain.createWallet()]
  const address = wallet.address.toString({ bounceable: false, testOnly: true })
  const environment = `SHOP_WALLET=${address} TONCENTER_URL=${chain.url}`
  const printed = await shop.start(`${environment} ${command}`, node)

  const url = `http://127.0.0.1:${shop.port}${path}`
  const checkout = await fetch(`${url}/checkout`, { method: 'POST' })
  const { reference, link } = (await checkout.json()) as { reference: string; link: string }
  const received = readAll(await fetch(`${url}/orders/${reference}/events`))
  await expect.poll(received).toContain('"status":"waiting"')
  await buyer.pay(link)
  return { printed, reference, received }
}

describe('SKILL.md', () => {
  // An agent has only this file and the packages. The versions of Node are tested with the same code in docs/start.
  const sections = readFileSync('SKILL.md', 'utf8')
    .split(/^## /m)
    .filter((text) => text.includes('```ts'))
    .map((text) => ({ heading: text.split('\n')[0] ?? '', page: readBlocks(text) }))

  /** Returns the project of one section, after all its commands but the last, which starts it. */
  async function pasteSection(heading: string): Promise<{ shop: Pasted; command: string }> {
    const page = sections.find((section) => section.heading === heading)?.page
    if (page === undefined) throw new Error(`SKILL.md has no section "${heading}" with code`)
    const manifest = { 'package.json': '{ "private": true }' }
    const name = `skill-${heading.replaceAll(/\W+/g, '-').toLowerCase()}`
    const shop = await paste(name, { ...manifest, ...namedFiles(page) })
    await shop.install(page.installations)
    const commands = codeOf(page, 'sh').filter((code) => !code.startsWith('npm install'))
    for (const command of commands) await shop.run(command)
    return { shop, command: codeOf(page, 'sh background').join('').trim() }
  }

  /** The headings of servers that watch the chain, and the path of their routes. */
  const SERVERS = {
    'Take payments without a gateway (Express)': '',
    'Take payments without a gateway (NestJS)': '/payments',
  }
  const ON_A_CHAIN = 'Try it without a network'
  const WEBHOOKS = 'Receive webhooks of the gateway (Express)'

  it('has no section with code besides those that are run below', () => {
    const run = [...Object.keys(SERVERS), ON_A_CHAIN, WEBHOOKS]
    expect(sections.map(({ heading }) => heading)).toEqual(run)
  })

  it.each(Object.entries(SERVERS))('builds a shop that is paid: %s', async (heading, path) => {
    const { shop, command } = await pasteSection(heading)
    const chain = await createChainSimulator()
    onTestFinished(() => chain.close())

    const { printed, reference } = await payOrder({ chain, shop, command, path })

    await expect.poll(printed).toContain(`order ${reference} is paid`)
  })

  it(`builds a shop that is paid: ${ON_A_CHAIN}`, async () => {
    const { shop, command } = await pasteSection(ON_A_CHAIN)
    const printed = shop.launch(command)
    await expect.poll(() => printed().join('\n')).toMatch(/^order \w+ is paid$/m)
  })

  it(`builds a shop that is paid: ${WEBHOOKS}`, async () => {
    const { shop, command } = await pasteSection(WEBHOOKS)
    const printed = await shop.start(`TONPAY_WEBHOOK_SECRET=${SECRET} ${command}`)
    expect(await sendPayment(shop, transferCompleted({ reference: 'order-1' }))).toBe(200)
    await expect.poll(printed).toContain('order order-1 is paid')
  })
})

/** Reads a response. Returns a function that returns the received text. */
function readAll({ body }: Response): () => string {
  let received = ''
  const read = async (): Promise<void> => {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) received += chunk
  }
  // Rejects when the server of a failed test is killed.
  read().catch(() => undefined)
  return () => received
}

const BULLMQ = 'packages/bullmq/README.md'
const NEST = '@nestjs/common@11 @nestjs/core@11 @nestjs/platform-express@11 reflect-metadata rxjs'
/** The `ts` blocks of READMEs that are a shop, with the packages of the app that the README adds to. */
const SHOPS = [
  { file: 'packages/core/README.md', number: 0, app: '' },
  { file: 'packages/nestjs/README.md', number: 0, app: NEST },
  { file: 'packages/postgres/README.md', number: 0, app: '@types/express' },
  { file: BULLMQ, number: 0, app: '@types/express' },
]
/** The READMEs whose first `ts` block is a client of a shop. */
const CLIENTS = [
  { file: 'packages/testing/README.md', output: 'The shop responded with 200' },
  { file: 'packages/simulator/README.md', output: /^Paid at lt \d+, delivered: true$/m },
]

describe.each(SHOPS)('$file, example $number', ({ file, number, app }) => {
  const needsServers = file === BULLMQ
  const isSkipped = needsServers && (!hasPostgres || process.env['REDIS_URL'] === undefined)
  let shop: Pasted

  beforeAll(async () => {
    if (!isSkipped) shop = await pasteExample({ file, number, app })
  })

  it.skipIf(isSkipped).each(NODES)('pays an order on Node $version', async (node) => {
    // The PGlite of another version, in which the order is paid.
    await shop.run('rm -rf .tonplug')
    const database = needsServers ? `DATABASE_URL=${await openDatabase()} ` : ''
    const printed = await shop.start(`${database}${SERVE}`, node)

    // Redis keeps the tasks of earlier runs, so each run is another payment.
    const txHash = randomBytes(32).toString('hex')
    const payload = transferCompleted({ reference: 'order-1', txHash })

    expect(await sendPayment(shop, payload)).toBe(200)
    await expect.poll(() => printed().join('\n')).toMatch(/^order-1 is paid/m)
  })
})

describe('a shop and its clients', () => {
  const clients = new Map<string, Pasted>()
  let shop: Pasted

  beforeAll(async () => {
    shop = await pasteExample({ file: 'packages/core/README.md', as: 'shop-of-clients' })
    for (const { file } of CLIENTS) {
      clients.set(file, await pasteExample({ file, port: shop.port }))
    }
  })

  describe.each(CLIENTS)('$file', ({ file, output }) => {
    it.each(NODES)('sends a signed webhook on Node $version', async (node) => {
      await shop.start(SERVE, node)

      expect(await clients.get(file)?.run('node main.js', node)).toMatch(output)
    })
  })
})

describe('packages/desk/README.md', () => {
  let desk: Pasted

  beforeAll(async () => {
    desk = await pasteExample({ file: 'packages/desk/README.md', app: '@types/express' })
  })

  it.each(NODES)('shows the desk to operators on Node $version', async (node) => {
    await desk.start('DESK_TOKEN=token node main.js', node)
    const url = `http://127.0.0.1:${desk.port}/tonplug/`

    const { status, headers } = await fetch(url, { headers: { authorization: 'Bearer token' } })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await fetch(url)).ok).toBe(false)
  })
})

/** Sends the webhook of a payment to a shop. Returns the status of the response. */
async function sendPayment(
  { port }: Pasted,
  payload: ReturnType<typeof transferCompleted>,
): Promise<number> {
  const { body, headers } = signPayload(payload, SECRET)
  const url = `http://127.0.0.1:${port}/webhooks/ton`
  const signal = AbortSignal.timeout(30_000)
  return (await fetch(url, { method: 'POST', headers, body, signal })).status
}

/** Creates a PostgreSQL database for one test. */
async function openDatabase(): Promise<string> {
  const { url, drop } = await createPostgresDatabase()
  onTestFinished(drop)
  return url
}

interface Example {
  file: string
  /** The packages of the app that the README adds to. */
  app?: string
  /** The place of the `ts` block in the README. */
  number?: number
  port?: number
  /** The name of the folder. */
  as?: string
}

/** Compiles a `ts` block of a README, with the packages that the README installs. */
async function pasteExample({ file, app = '', number = 0, port, as }: Example): Promise<Pasted> {
  const page = readPage(file)
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'tsconfig.json': TSCONFIG,
    'main.ts': codeOf(page, 'ts')[number] ?? '',
  }
  const pasted = await paste(as ?? `${nameOf(file)}-${number}`, files, port)
  await pasted.install([`npm install @types/node ${app}`, ...page.installations])
  await pasted.run('tsc')
  return pasted
}

/** Returns `docs-start-gateway` for `docs/start/gateway.md`. */
function nameOf(file: string): string {
  return file.replace(/\.md$/, '').replaceAll('/', '-')
}
