import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/endpoint/endpoint.js'
import { createV3Client } from '../../src/v3/client.js'
import { v3Endpoints } from '../../src/v3/endpoints/table.js'
import {
  hasDescription,
  methodOf,
  readOperations,
  SEED_PATHS,
  UNDOCUMENTED_PATHS,
} from './description.js'
import { DOCUMENTED_OPERATIONS } from './documented-operations.js'
import { sampleParameters } from './sample-parameters.js'

const table: Readonly<Record<string, Endpoint>> = v3Endpoints
const operations = readOperations()

describe('the table of API v3', () => {
  it('has 36 paths of the description', () => {
    expect(new Set(operations.map(({ path }) => path)).size).toBe(36)
    expect(new Set(SEED_PATHS).size).toBe(36)
    expect(operations.filter(({ path }) => !SEED_PATHS.includes(path))).toEqual([])
  })

  it.each([...SEED_PATHS, ...UNDOCUMENTED_PATHS])('has a method for %s', (path) => {
    const v3 = createV3Client({ baseUrl: 'http://localhost' })
    expect(table[methodOf(path)]?.path).toBe(path)
    expect(v3).toHaveProperty(methodOf(path), expect.any(Function))
  })

  it('has nothing else, and marks what no description has', () => {
    const paths = Object.values(table).map(({ path }) => path)
    expect(paths.toSorted()).toEqual([...SEED_PATHS, ...UNDOCUMENTED_PATHS].toSorted())
    const marked = Object.values(table).filter(({ isUndocumented }) => isUndocumented === true)
    expect(marked.map(({ path }) => path).toSorted()).toEqual(UNDOCUMENTED_PATHS.toSorted())
  })

  it.each(operations)('$method $path: knows the method and every parameter', (operation) => {
    const endpoint = table[methodOf(operation.path)]
    const methods = endpoint?.takesPost === true ? ['GET', 'POST'] : [endpoint?.method]
    expect(methods).toContain(operation.method)
    const known = Object.keys(endpoint?.params.shape ?? {})
    expect(known).toEqual(expect.arrayContaining(operation.parameters))
    expect(operation.parameters).toEqual(expect.arrayContaining(known))
  })

  it.each(operations.filter(({ required }) => required.length > 0))(
    'refuses $path without one of its required parameters',
    async ({ path, required }) => {
      const v3 = createV3Client({ baseUrl: 'http://localhost' })
      const name = methodOf(path) as keyof typeof sampleParameters
      const call = v3[name] as (params: object) => Promise<unknown>
      for (const missing of required) {
        const params = { ...sampleParameters[name], [missing]: undefined }
        await expect(call(params)).rejects.toMatchObject({
          code: 'ERR_TONPLUG_INVALID_PARAMS',
          message: expect.stringContaining(missing),
        })
      }
    },
  )

  it.runIf(hasDescription)('keeps the list of the description up to date', () => {
    expect(DOCUMENTED_OPERATIONS).toEqual(operations)
  })

  it('names each endpoint as its path', () => {
    for (const [name, endpoint] of Object.entries(table)) {
      expect({ name, method: endpoint.name }).toEqual({ name, method: methodOf(endpoint.path) })
    }
  })

  it('says in the docstring where no description has an endpoint', () => {
    const folder = new URL('../../src/v3/endpoints/', import.meta.url)
    const source = readdirSync(folder)
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
      .join('\n')
    const docs = new Map(
      [...source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+): \w+Endpoint\(/g)].map(
        ([, doc = '', name = '']) => [name, doc.replace(/\n\s*\* ?/g, ' ').trim()],
      ),
    )
    for (const { name, isUndocumented } of Object.values(table)) {
      const written = docs.get(name)
      expect({ name, isUndocumented: written?.includes('No description has it') }).toEqual({
        name,
        isUndocumented: isUndocumented === true,
      })
    }
  })
})
