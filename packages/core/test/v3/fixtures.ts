import { listTestdata, readTestdata } from '@tonplug/test-support/testdata'
import { v3Endpoints, type V3EndpointName } from '../../src/toncenter/v3/endpoints/table.js'

/** A recorded or documented response. */
export interface Fixture {
  file: string
  endpoint: V3EndpointName
  text: string
}

function isName(name: string): name is V3EndpointName {
  return name in v3Endpoints
}

/** Returns the successful responses: their file names begin with the endpoint. */
export function readFixtures(): Fixture[] {
  return listTestdata('v3').flatMap((file) => {
    const [endpoint = ''] = file.split('.')
    return isName(endpoint) ? [{ file, endpoint, text: readFixture(file) }] : []
  })
}

/** Returns one response. */
export function readFixture(file: string): string {
  return readTestdata(`v3/${file}`)
}
