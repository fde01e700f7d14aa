import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import * as built from '@tonplug/express'

const names = [
  'WebhookFailedError',
  'keepRawBody',
  'keepRawBodyInParser',
  'tonplugClients',
  'tonplugHealth',
  'tonplugWebhook',
]

describe('the built package', () => {
  it('exports these names, by import and by require', () => {
    const required: object = createRequire(import.meta.url)('@tonplug/express')
    expect(Object.keys(built).toSorted()).toEqual(names)
    expect(Object.keys(required).toSorted()).toEqual(names)
  })

  it('has a subpath for @ton/core without names, by import and by require', async () => {
    const required: unknown = createRequire(import.meta.url)('@tonplug/express/contract')
    expect(Object.keys(await import('@tonplug/express/contract'))).toEqual([])
    expect(required).toEqual({})
  })
})
