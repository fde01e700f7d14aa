import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { kinds } from './databases.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const [pglite] = kinds

test('S52 the compiled shop listens, and exits with 0 on SIGTERM', async () => {
  const { settings, drop } = await pglite.create()
  onTestFinished(drop)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: settings.folder,
      NO_COLOR: '1',
      TONPAY_WEBHOOK_SECRET: 'whsec_nest_typeorm',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  let url: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url = /Shop on (?<url>http:\S+)/.exec(line)?.groups?.['url']
    if (url !== undefined) break
  }

  expect((await fetch(`${url}/orders/nope`)).status).toBe(404)
  child.kill('SIGTERM')

  expect(await exited).toEqual([0, null])
})
