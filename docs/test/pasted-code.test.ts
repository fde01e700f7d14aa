import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { paste, type Pasted } from './pasted-server.js'

const SECRET = 'whsec_test'
const SERVE = `TONPAY_WEBHOOK_SECRET=${SECRET} node main.js`
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
})

/** The code blocks of a Markdown file with the words after their fences. */
function blocksOf(file: string): { info: string; code: string }[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```(\w+.*)\n([\s\S]*?)^```/gm)
  return [...blocks].map(([, info = '', code = '']) => ({ info, code }))
}

describe('quick start', () => {
  it.each(globSync('docs/start/*.md'))('%s runs as pasted', async (file) => {
    const blocks = blocksOf(file)
    const codeOf = (name: string) =>
      blocks.filter(({ info }) => info === name).map(({ code }) => code)
    const named = blocks.flatMap(({ code }) => {
      const name = /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1]
      return name === undefined ? [] : [[name, code] as const]
    })
    const commands = codeOf('sh').filter((code) => !code.startsWith('npm install'))
    const [server = ''] = codeOf('sh background')
    const [output = ''] = codeOf('console')

    const shop = await paste(basename(file, '.md'), {
      'package.json': '{ "private": true }',
      ...Object.fromEntries(named),
    })
    for (const command of commands.slice(0, -1)) await shop.run(command)
    const printed = await shop.start(server)
    const payment = commands.at(-1) ?? ''
    await shop.run(payment)
    await shop.run(payment)

    await expect.poll(printed).toContain(output.trim())
    expect(printed().filter((line) => line === output.trim())).toHaveLength(1)
  })
})

describe('the first example of the README', () => {
  async function pasteReadme(name: string, port?: number): Promise<Pasted> {
    const [example] = blocksOf(`packages/${name}/README.md`).filter(({ info }) => info === 'ts')
    const files = {
      'package.json': '{ "private": true, "type": "module" }',
      'tsconfig.json': TSCONFIG,
      'main.ts': example?.code ?? '',
    }
    const pasted = await paste(name, files, port)
    await pasted.run('tsc')
    return pasted
  }

  it.for(['core', 'express', 'nestjs', 'postgres', 'bullmq'])(
    'of %s pays an order',
    async (name, { skip }) => {
      skip(name === 'bullmq' && process.env['REDIS_URL'] === undefined, 'REDIS_URL is not set')
      const shop = await pasteReadme(name)
      const printed = await shop.start(SERVE)

      // Redis keeps the tasks of earlier runs, so each run is another payment.
      const txHash = randomBytes(32).toString('hex')
      const payload = transferCompleted({ reference: 'order-1', txHash })
      const { body, headers } = signPayload(payload, SECRET)
      const url = `http://127.0.0.1:${shop.port}/webhooks/ton`
      const { status } = await fetch(url, { method: 'POST', headers, body })

      expect(status).toBe(200)
      await expect.poll(() => printed().join('\n')).toMatch(/^order-1 is paid/m)
    },
  )

  it('of testing sends a signed webhook', async () => {
    const shop = await pasteReadme('core')
    await shop.start(SERVE)
    const client = await pasteReadme('testing', shop.port)

    expect(await client.run('node main.js')).toContain('The shop responded with 200')
  })
})
