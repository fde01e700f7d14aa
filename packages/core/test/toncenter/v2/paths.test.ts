import { readFileSync } from 'node:fs'
import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import type { Endpoint } from '../../../src/toncenter/endpoint/endpoint.js'
import { v2Endpoints } from '../../../src/toncenter/v2/endpoints/table.js'
import { sampleParameters } from './sample-parameters.js'

const table: Readonly<Record<string, Endpoint>> = v2Endpoints

interface Described {
  path: string
  method: 'GET' | 'POST'
  parameters: string[]
  required: string[]
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>>
}

interface Operation {
  parameters?: { $ref?: string; name?: string; required?: boolean }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

interface Schema {
  $ref?: string
  required?: string[]
  properties?: object
}

/** Every operation of an API description in JSON. */
function readDescription(text: string): Described[] {
  const { paths, components } = JSON.parse(text) as OpenApi
  const resolve = <Value extends { $ref?: string }>(value: Value): Value => {
    const [, , section = '', name = ''] = value.$ref?.split('/') ?? []
    return value.$ref === undefined ? value : (components[section]?.[name] as Value)
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]): Described => {
      const inQuery = parameters.map(resolve)
      const body = requestBody && resolve(requestBody.content['application/json'].schema)
      return {
        path: path.replace('/api/v2', ''),
        method: method === 'post' ? 'POST' : 'GET',
        parameters: [
          ...inQuery.map(({ name }) => name ?? ''),
          ...Object.keys(body?.properties ?? {}),
        ],
        required: [
          ...inQuery.filter(({ required }) => required === true).map(({ name }) => name ?? ''),
          ...(body?.required ?? []),
        ],
      }
    }),
  )
}

/** The paths of a description in YAML, and the parameters that it names. Enough for one file's layout. */
function readPathsOfYaml(text: string): string[] {
  return [...text.matchAll(/^ {2}\/api\/v2(\/\w+):$/gm)].map(([, path = '']) => path)
}

const described = readDescription(readTestdata('openapi/v2-2.1.1.json'))
const paths = [...new Set(described.map(({ path }) => path))]

describe('the table of API v2', () => {
  it('has 34 paths of the description', () => {
    expect(paths).toHaveLength(34)
  })

  it.each(paths)('has a method for %s', (path) => {
    const v2 = createV2Client({ baseUrl: 'http://localhost' })
    const name = path.slice(1)
    expect(table[name]?.path).toBe(path)
    expect(v2).toHaveProperty(name, expect.any(Function))
  })

  it.each(described)('knows every parameter of $path', ({ path, method, parameters, required }) => {
    const endpoint = table[path.slice(1)]
    expect(endpoint?.method).toBe(method)
    const known = Object.keys(endpoint?.params.shape ?? {})
    expect(known).toEqual(expect.arrayContaining(parameters))
    const sample: object = sampleParameters[path.slice(1) as keyof typeof sampleParameters]
    expect(Object.keys(sample)).toEqual(expect.arrayContaining(required))
  })

  it.each(described.filter(({ required }) => required.length > 0))(
    'rejects $path without one of its required parameters',
    async ({ path, required }) => {
      const v2 = createV2Client({ baseUrl: 'http://localhost' })
      const name = path.slice(1) as keyof typeof sampleParameters
      const call = v2[name] as (params: object) => Promise<unknown>
      // The entrance fills them in itself.
      const own = name === 'jsonRPC' ? ['jsonrpc', 'id', 'params'] : []
      for (const missing of required.filter((parameter) => !own.includes(parameter))) {
        const params = { ...sampleParameters[name], [missing]: undefined }
        await expect(call(params)).rejects.toMatchObject({
          code: 'ERR_TONPLUG_INVALID_PARAMS',
          message: expect.stringContaining(missing),
        })
      }
    },
  )

  it('has every path of the newer server', () => {
    const newer = readPathsOfYaml(readTestdata('openapi/v2-server-2.1.11.yaml'))
    expect(newer.length).toBeGreaterThan(30)
    expect(newer.filter((path) => table[path.slice(1)] === undefined)).toEqual([])
  })

  it('names each endpoint after its path', () => {
    for (const [name, endpoint] of Object.entries(table)) {
      expect(endpoint).toMatchObject({ name, path: `/${name}` })
    }
  })

  it('describes each endpoint in a docstring whose first line is a sentence', () => {
    const folder = new URL('../../../src/toncenter/v2/endpoints/', import.meta.url)
    const files = [
      'accounts',
      'blocks',
      'transactions',
      'send',
      'run-method',
      'utils',
      'configuration',
      'rpc',
    ]
    const source = files
      .map((file) => readFileSync(new URL(`${file}.ts`, folder), 'utf8'))
      .join('\n')
    const docs = new Map(
      [...source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+): \w+Endpoint\(/g)].map(
        ([, doc = '', name = '']) => [name, doc.replace(/\n\s*\* ?/g, '\n').trim()],
      ),
    )
    for (const { name, servers } of Object.values(table)) {
      const written = docs.get(name) ?? ''
      const [lead = ''] = written.split('\n')
      const isCppOnly = written.includes('C++ server only')
      expect({ name, isSentence: /^[A-Z].*\.$/.test(lead), isCppOnly }).toEqual({
        name,
        isSentence: true,
        isCppOnly: servers === 'cpp',
      })
    }
  })
})
