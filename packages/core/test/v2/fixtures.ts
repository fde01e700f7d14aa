import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { v2Endpoints, type V2EndpointName } from '../../src/v2/endpoints/table.js'

const FOLDER = new URL('../fixtures/v2/', import.meta.url)
/** Captures beside the repository, when there are any. */
const SHARED = new URL('../../../../../shared/api/samples/', import.meta.url)

/** A recorded or described answer. */
export interface Fixture {
  file: string
  endpoint: V2EndpointName
  text: string
}

function isName(name: string): name is V2EndpointName {
  return name in v2Endpoints
}

/** Successful answers: the file's name begins with the endpoint's. */
export function readFixtures(): Fixture[] {
  const own = readdirSync(FOLDER).map((file) => ({
    file,
    name: file.split('.')[0] ?? '',
    url: new URL(file, FOLDER),
  }))
  const shared = existsSync(SHARED) ? readdirSync(SHARED) : []
  const captured = shared
    .filter((file) => file.startsWith('v2__'))
    .map((file) => ({
      file,
      name: file.split('__')[1]?.replace('jsonRPC_', '') ?? '',
      url: new URL(file, SHARED),
    }))
  return [...own, ...captured].flatMap(({ file, name, url }) =>
    isName(name) ? [{ file, endpoint: name, text: readFileSync(url, 'utf8') }] : [],
  )
}

/** One fixture by its file's name. */
export function readFixture(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}
