import { basename } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rolldown, type OutputChunk, type OutputOptions } from 'rolldown'
import { rollup } from 'rollup'
import { beforeAll, describe, expect, it } from 'vitest'
import type { V2Client, V2ClientOptions } from '../src/toncenter/v2/client.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { readFixture } from './toncenter/v2/fixtures.js'

const LIMIT_BYTES = 26_000
const ENTRY = fileURLToPath(new URL('./fixtures/browser-entry.mjs', import.meta.url))

/** The client alone, from the built package's main entry, as an application for browsers would have it. */
async function bundle(options: OutputOptions): Promise<OutputChunk[]> {
  const build = await rolldown({ input: ENTRY, platform: 'browser' })
  const { output } = await build.generate({ minify: true, ...options })
  await build.close()
  return output.filter((part) => part.type === 'chunk')
}

describe('the v2 client in a browser bundle', () => {
  let code = ''

  beforeAll(async () => {
    const [whole] = await bundle({ format: 'iife', codeSplitting: false })
    code = whole?.code ?? ''
  })

  it(`has at most ${LIMIT_BYTES / 1000} kB, minified and compressed`, async () => {
    const chunks = await bundle({ format: 'esm' })
    const bytes = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0)
    console.log(`v2 client: ${bytes} bytes as a module, ${gzipSync(code).length} as a script`)
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES)
    expect(gzipSync(code).length).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  // Vite was built on it until version 8. It rejects names that the empty module for a Node built-in does not export.
  it('can be built by Rollup as well', async () => {
    const plugins = [nodeResolve({ browser: true })]
    const build = await rollup({ input: ENTRY, plugins, logLevel: 'silent' })
    const { output } = await build.generate({ format: 'esm' })
    await build.close()
    expect(output[0].code).toContain('globalThis.createV2Client =')
  })

  it('contains neither zod nor the other client', async () => {
    const modules = (await bundle({ format: 'esm' })).flatMap(({ moduleIds }) => moduleIds)
    const files = modules.map((id) => basename(id))
    expect(files).toContain('v2.js')
    expect(files.filter((file) => ['zod.js', 'v3.js', 'index.js'].includes(file))).toEqual([])
  })

  it('contains no code of webhooks or Node', () => {
    expect(code).not.toMatch(/node:|createHmac|timingSafeEqual|require\(|process\.|Buffer/)
  })

  it('works with Web APIs alone, and reports why a response is rejected', async () => {
    const good = readFixture('getMasterchainInfo.cpp.json')
    const answers = [good, good.replace('"seqno"', '"sequence"')]
    const { baseUrl } = await startMockApi(() => answers.shift() ?? '')
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
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    expect((await v2.getMasterchainInfo()).last.seqno).toBe(87_000_123)
    const error = { code: 'ERR_TONPLUG_RESPONSE_SHAPE', path: 'result.last.seqno' }
    await expect(v2.getMasterchainInfo()).rejects.toMatchObject(error)
  })
})
