import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { v3Endpoints, type V3EndpointName } from '../../src/v3/endpoints/table.js'

const FOLDER = new URL('../fixtures/v3/', import.meta.url)
/** Captures beside the repository, when there are any. */
const SHARED = new URL('../../../../../shared/api/samples/', import.meta.url)

/** Captures of one object: the endpoint that answers such objects, and the field with the list of them. */
const OBJECTS: Readonly<Record<string, { endpoint: V3EndpointName; list: string }>> = {
  Action_object: { endpoint: 'actions', list: 'actions' },
  JettonTransfer_object: { endpoint: 'jettonTransfers', list: 'jetton_transfers' },
  Transaction_object: { endpoint: 'transactions', list: 'transactions' },
}

/** A recorded or described answer. */
export interface Fixture {
  file: string
  endpoint: V3EndpointName
  text: string
}

function isName(name: string): name is V3EndpointName {
  return name in v3Endpoints
}

function readCapture(file: string): Fixture[] {
  const name = file.split('__')[1] ?? ''
  const text = readFileSync(new URL(file, SHARED), 'utf8')
  const object = OBJECTS[name]
  if (object !== undefined) {
    return [{ file, endpoint: object.endpoint, text: `{"${object.list}": [${text}]}` }]
  }
  const endpoint = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return isName(endpoint) ? [{ file, endpoint, text }] : []
}

/** Successful answers in the repository: the file's name begins with the endpoint's. */
export function readOwnFixtures(): Fixture[] {
  return readdirSync(FOLDER).flatMap((file) => {
    const [endpoint = ''] = file.split('.')
    return isName(endpoint) ? [{ file, endpoint, text: readFixture(file) }] : []
  })
}

/** Those, and the captures beside the repository, which may have fields that are newer than the description. */
export function readFixtures(): Fixture[] {
  const shared = existsSync(SHARED) ? readdirSync(SHARED) : []
  const captures = shared.filter((file) => file.startsWith('v3__'))
  return [...readOwnFixtures(), ...captures.flatMap(readCapture)]
}

/** One fixture by its file's name. */
export function readFixture(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}
