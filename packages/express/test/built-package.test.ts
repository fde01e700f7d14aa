import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as built from '@tonplug/express'

const names = [
  'keepRawBody',
  'orderStatusStream',
  'tonplugClients',
  'tonplugHealth',
  'tonplugWebhook',
]

it('the built package exports these names, by import and by require', () => {
  const required: object = createRequire(import.meta.url)('@tonplug/express')
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
})

it('loads no fetch of Node when the built package is imported', () => {
  const code = `await import('@tonplug/express')
    console.log(process.moduleLoadList.some((name) => name.endsWith('deps/undici/undici')))`
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], options)
  expect(printed).toBe('false\n')
})
