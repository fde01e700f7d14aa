import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

// Not typed, because its declarations would merge with the declarations of the source.
const NAME: string = '@tonplug/fastify'
const names = ['default', 'tonplugFastify']

it('the built package exports these names, by import and by require', async () => {
  const built: Record<string, unknown> = await import(NAME)
  const required: object = createRequire(import.meta.url)(NAME)
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
  expect(built['default']).toBe(built['tonplugFastify'])
})
