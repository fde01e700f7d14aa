import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as built from '@tonplug/desk'
import * as nest from '@tonplug/desk/nestjs'

it('the built package exports these names, by import and by require', () => {
  const require = createRequire(import.meta.url)
  const required: object = require('@tonplug/desk')
  expect(Object.keys(built).toSorted()).toEqual(['createDesk', 'tonplugDesk'])
  expect(Object.keys(required).toSorted()).toEqual(['createDesk', 'tonplugDesk'])
  const requiredNest: object = require('@tonplug/desk/nestjs')
  expect(Object.keys(nest)).toEqual(['DeskModule'])
  expect(Object.keys(requiredNest)).toEqual(['DeskModule'])
})
