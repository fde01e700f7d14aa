import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/toncenter/endpoint/endpoint.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { nominatorPools } from '../../../src/toncenter/v3/endpoints/nominator-pools.js'
import { v3Endpoints } from '../../../src/toncenter/v3/endpoints/table.js'
import { validators } from '../../../src/toncenter/v3/endpoints/validators.js'

const v3 = createV3Client()
const methods: Readonly<Record<string, object>> = { ...v3 }

/** The endpoints that take a parameter. */
function namesWith(parameter: string): string[] {
  return Object.entries<Endpoint>(v3Endpoints)
    .filter(([, { params }]) => parameter in params.shape)
    .map(([name]) => name)
    .toSorted()
}

function namesThat(verb: 'paginate' | 'watch'): string[] {
  return Object.keys(methods)
    .filter((name) => verb in (methods[name] ?? {}))
    .toSorted()
}

describe('the client of API v3', () => {
  it('iterates over every paginated list', () => {
    expect(namesThat('paginate')).toEqual(namesWith('offset'))
    expect(namesThat('paginate')).toHaveLength(22)
  })

  it('subscribes to every list with a time, except lists of staking, and to the masterchain', () => {
    const staking = Object.keys({ ...nominatorPools, ...validators })
    const lists = namesWith('start_utime').filter((name) => !staking.includes(name))
    const timed = [...lists, 'transactionsByMasterchainBlock']
    expect(namesThat('watch')).toEqual(timed.toSorted())
    expect(namesThat('watch')).toHaveLength(10)
  })
})
