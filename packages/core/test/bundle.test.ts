import { createContext, runInContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import type { V2Client, V2ClientOptions } from '../src/v2/client.js'
import { startApiServer } from './v2/api-server.js'
import { readFixture } from './v2/fixtures.js'

const LIMIT_BYTES = 25_000
const ENTRY = fileURLToPath(new URL('./fixtures/browser-entry.mjs', import.meta.url))

/** The client alone, from the built package's main entry, as an application for browsers would have it. */
async function bundle(external: string[] = []): Promise<string> {
  const build = await rolldown({ input: ENTRY, platform: 'browser', external })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  return output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
}

describe('the v2 client in a browser bundle', () => {
  let code = ''

  beforeAll(async () => {
    code = await bundle()
  })

  it(`is at most ${LIMIT_BYTES / 1000} kB, minified and compressed, zod included`, async () => {
    const total = gzipSync(code).length
    const own = gzipSync(await bundle(['zod', 'zod/mini'])).length
    console.log(`v2 client: ${total} bytes with zod, ${own} without`)
    expect(total).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  it('has nothing of the webhooks and of Node in it', () => {
    expect(code).not.toMatch(/node:|createHmac|timingSafeEqual|require\(|process\.|Buffer/)
  })

  it('works with Web APIs alone', async () => {
    const { baseUrl } = await startApiServer(() => readFixture('getMasterchainInfo.cpp.json'))
    const context = createContext({
      fetch,
      URL,
      URLSearchParams,
      AbortController,
      AbortSignal,
      DOMException,
      TextEncoder,
      TextDecoder,
      performance,
      setTimeout,
      clearTimeout,
      queueMicrotask,
      atob,
      btoa,
    })
    runInContext(code, context)
    const { createV2Client } = context as {
      createV2Client: (options: V2ClientOptions) => V2Client
    }
    const { last } = await createV2Client({ baseUrl }).getMasterchainInfo()
    expect(last.seqno).toBe(87_000_123)
  })
})
