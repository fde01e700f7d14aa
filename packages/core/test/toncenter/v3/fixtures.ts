import { listTestdata, readTestdata } from '@tonplug/test-support/testdata'
import { isEndpointName, type EndpointName } from './every-endpoint.js'

/** A recorded or documented response. */
export interface Fixture {
  file: string
  endpoint: EndpointName
  text: string
}

/** Returns the successful responses: their file names begin with the endpoint. */
export function readFixtures(): Fixture[] {
  return listTestdata('v3').flatMap((file) => {
    const [endpoint = ''] = file.split('.')
    return isEndpointName(endpoint) ? [{ file, endpoint, text: readFixture(file) }] : []
  })
}

/** Returns one response. */
export function readFixture(file: string): string {
  return readTestdata(`v3/${file}`)
}
