import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type * as core from '../src/index.js'
import type * as internal from '../src/internal.js'
import type * as toncenter from '../src/toncenter.js'

const require = createRequire(import.meta.url)
type Core = typeof core
type Internal = typeof internal
type Toncenter = typeof toncenter

/** Loads an entry as an app does. */
const formats = {
  import: async (entry: string) => {
    // Not analysed by Vite.
    const url = new URL(`../dist/esm/${entry}.js`, import.meta.url).href
    return (await import(/* @vite-ignore */ url)) as unknown
  },
  require: async (entry: string) => require(`../dist/cjs/${entry}.js`) as unknown,
}

function thrownBy(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

it.each(Object.entries(formats))(
  'an error of one entry has the class of another, by %s',
  async (_, load) => {
    const main = (await load('index')) as Core
    const clients = (await load('toncenter')) as Toncenter
    const error = thrownBy(() => clients.createV2Client({ rps: -1 }))
    expect(error).toBeInstanceOf(main.ConfigurationError)
  },
)

it('isTonplugError recognizes errors of the other format', async () => {
  const imported = (await formats.import('index')) as Core
  const required = (await formats.require('index')) as Core
  const refuse = ({ toUnits }: Core) => thrownBy(() => toUnits('one', 9))
  expect(imported.isTonplugError(refuse(required))).toBe(true)
  expect(required.isTonplugError(refuse(imported))).toBe(true)
})

it.each(Object.entries(formats))(
  'parseOptions takes schemas of the zod of an app, by %s',
  async (_, load) => {
    const { parseOptions } = (await load('internal')) as Internal
    const schema = z.strictObject({
      prefix: z.string().default('ton'),
      inner: z.strictObject({}).optional(),
    })
    expect(parseOptions(schema, { prefix: undefined })).toEqual({ prefix: 'ton' })
    expect(() => parseOptions(schema, { prefx: 'a' })).toThrow(
      'prefx: is not an option here; did you mean prefix?',
    )
    expect(() => parseOptions(schema, { prefix: 1 })).toThrow(
      'prefix: must be a string; received 1',
    )
  },
)

it.each(Object.entries(formats))(
  'stack traces have the names of functions, by %s',
  async (_, load) => {
    const { parseOptions } = (await load('internal')) as Internal
    expect(thrownBy(() => parseOptions(z.string(), 1)).stack).toMatch(
      /at parseOptions \(.*dist.+\.js:\d/,
    )
  },
)

it('loads at most five files for the main entry, since each one delays the start of an app', () => {
  const loaded = new Set(['index.js'])
  // A set also iterates over what is added in the meantime.
  for (const file of loaded) {
    const code = readFileSync(new URL(`../dist/esm/${file}`, import.meta.url), 'utf8')
    for (const [, found = ''] of code.matchAll(/^import .*"\.\/(.*)";$/gm)) loaded.add(found)
  }
  expect(loaded.size).toBeGreaterThan(1)
  expect(loaded.size).toBeLessThanOrEqual(5)
})
