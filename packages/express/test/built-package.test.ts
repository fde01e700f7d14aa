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
