import { readTestdata } from '@tonplug/test-support/testdata'
import { parse } from 'yaml'

/** One operation of the description: its path below `/api/v3`, and its parameters, also in a JSON body. */
export interface Operation {
  path: string
  method: 'GET' | 'POST'
  parameters: string[]
  required: string[]
}

/** The parts of an OpenAPI document that the tests read. */
export interface Description {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, { properties?: object }> }
}

interface DescribedOperation {
  parameters?: { name: string; required?: boolean }[]
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } }
}

/** Reads the official description. Two references name schemas with a prefix that the schemas do not have. */
export function readDescription(): Description {
  const text = readTestdata('openapi/v3-1.2.6.yaml').replaceAll(
    '#/components/schemas/index.',
    '#/components/schemas/',
  )
  return parse(text) as Description
}

/** Returns every operation of the official description. */
export function readOperations(): Operation[] {
  const { paths, components } = readDescription()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]): Operation => {
      const schema = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? ''
      return {
        path: path.replace('/api/v3', ''),
        method: method === 'post' ? 'POST' : 'GET',
        parameters: [
          ...parameters.map(({ name }) => name),
          ...Object.keys(components.schemas[schema]?.properties ?? {}),
        ],
        required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
      }
    }),
  )
}

/** The method of the client for a path: `/jetton/transfers` is `jettonTransfers`. */
export function methodOf(path: string): string {
  return path.slice(1).replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Paths of the server that the description does not have. Source: API facts, part 2.2. */
export const UNDOCUMENTED_PATHS = ['/balanceChanges', '/events', '/account', '/wallet']

/** Paths of the emulation service, which has no official description of its own. */
export const EMULATION_PATHS = ['/emulateTrace', '/emulateTonConnect']
