import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/endpoint/endpoint.js'
import { createV3Client } from '../../src/v3/client.js'
import { v3Endpoints } from '../../src/v3/endpoints/table.js'

const v3 = createV3Client()
const methods: Readonly<Record<string, object>> = { ...v3 }

/** The endpoints that take a parameter. */
function namesWith(parameter: string): string[] {
  return Object.entries<Endpoint>(v3Endpoints)
    .filter(([, { params }]) => parameter in params.shape)
    .map(([name]) => name)
    .toSorted()
}

function namesThat(verb: 'iterate' | 'follow'): string[] {
  return Object.keys(methods)
    .filter((name) => verb in (methods[name] ?? {}))
    .toSorted()
}

describe('the client of API v3', () => {
  it('walks over everything that has pages', () => {
    expect(namesThat('iterate')).toEqual(namesWith('offset'))
    expect(namesThat('iterate')).toHaveLength(21)
  })

  it('follows everything that has a time, and the masterchain', () => {
    const timed = [...namesWith('start_utime'), 'transactionsByMasterchainBlock']
    expect(namesThat('follow')).toEqual(timed.toSorted())
    expect(namesThat('follow')).toHaveLength(10)
  })
})
