import * as contract from '@tonplug/core/contract'
import { isTonplugError } from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { expect, test } from 'vitest'

test('exports these names and no others', () => {
  expect(Object.keys(contract).toSorted()).toEqual([
    'ContractDataError',
    'createContracts',
    'loadTransaction',
    'toAddress',
    'toAddressOrNull',
    'toRawAddress',
    'toStackArguments',
    'toTupleItems',
    'toTupleReader',
  ])
})

test.each([
  ['none', {}],
  ['both', { v2: createV2Client(), v3: createV3Client() }],
  ['a misspelt one', { v4: createV3Client() }],
])('rejects opening contracts over %s of the clients', (_what, options) => {
  let thrown: unknown
  try {
    // What JavaScript may pass.
    contract.createContracts(options as never)
  } catch (error) {
    thrown = error
  }
  expect(isTonplugError(thrown) && thrown.code).toBe('ERR_TONPLUG_CONFIGURATION')
})
