import { listTestdata, readTestdata } from '@tonplug/test-support/testdata'
import { v2Endpoints } from '../../../src/toncenter/v2/endpoints/table.js'
import type { V2EndpointName } from '../../../src/toncenter/v2/endpoint-types.js'

/** A recorded or documented response. */
export interface Fixture {
  file: string
  endpoint: V2EndpointName
  text: string
}

function isName(name: string): name is V2EndpointName {
  return name in v2Endpoints
}

/** Returns the successful responses: their file names begin with the endpoint. */
export function readFixtures(): Fixture[] {
  return listTestdata('v2').flatMap((file) => {
    const [endpoint = ''] = file.split('.')
    return isName(endpoint) ? [{ file, endpoint, text: readFixture(file) }] : []
  })
}

/** Returns one response. */
export function readFixture(file: string): string {
  return readTestdata(`v2/${file}`)
}
