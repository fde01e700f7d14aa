import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/toncenter/endpoint/endpoint.js'
import { createV3Client } from '../../src/toncenter/v3/client.js'
import { v3Endpoints } from '../../src/toncenter/v3/endpoints/table.js'
import { methodOf, NEW_PATHS, readOperations, UNDOCUMENTED_PATHS } from './description.js'
import { sampleParameters } from './sample-parameters.js'

const table: Readonly<Record<string, Endpoint>> = v3Endpoints
const operations = readOperations()
const documented = [...new Set(operations.map(({ path }) => path))]

describe('the table of API v3', () => {
  it('has 36 paths of the description', () => {
    expect(documented).toHaveLength(36)
  })

  it.each([...documented, ...UNDOCUMENTED_PATHS])('has a method for %s', (path) => {
    const v3 = createV3Client({ baseUrl: 'http://localhost' })
    expect(table[methodOf(path)]?.path).toBe(path)
    expect(v3).toHaveProperty(methodOf(path), expect.any(Function))
  })

  it('has no other paths, and marks undocumented ones', () => {
    const paths = Object.values(table).map(({ path }) => path)
    expect(paths.toSorted()).toEqual([...documented, ...UNDOCUMENTED_PATHS].toSorted())
    const marked = Object.values(table).filter(({ isUndocumented }) => isUndocumented === true)
    expect(marked.map(({ path }) => path).toSorted()).toEqual(UNDOCUMENTED_PATHS.toSorted())
  })

  it.each(operations)('$method $path: has the method and every parameter', (operation) => {
    const endpoint = table[methodOf(operation.path)]
    const methods = endpoint?.takesPost === true ? ['GET', 'POST'] : [endpoint?.method]
    expect(methods).toContain(operation.method)
    const known = Object.keys(endpoint?.params.shape ?? {})
    expect(known).toEqual(expect.arrayContaining(operation.parameters))
    expect(operation.parameters).toEqual(expect.arrayContaining(known))
  })

  it.each(operations.filter(({ required }) => required.length > 0))(
    'rejects $path without one of its required parameters',
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

  it('has every parameter of the newest description', () => {
    const newest = readOperations('1.2.6')
    const missing = newest.filter(({ path }) => table[methodOf(path)] === undefined)
    expect(missing.map(({ path }) => path).toSorted()).toEqual(NEW_PATHS)
    for (const { path, parameters } of newest.filter((one) => !missing.includes(one))) {
      const known = Object.keys(table[methodOf(path)]?.params.shape ?? {})
      expect({ path, known }).toMatchObject({ known: expect.arrayContaining(parameters) })
    }
  })

  it('names each endpoint after its path', () => {
    for (const [name, endpoint] of Object.entries(table)) {
      expect({ name, method: endpoint.name }).toEqual({ name, method: methodOf(endpoint.path) })
    }
  })

  it('marks undocumented endpoints in their docstrings', () => {
    const folder = new URL('../../src/toncenter/v3/endpoints/', import.meta.url)
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
      expect({ name, isUndocumented: written?.includes('Undocumented') }).toEqual({
        name,
        isUndocumented: isUndocumented === true,
      })
    }
  })
})
