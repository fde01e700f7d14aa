import { readdirSync, readFileSync } from 'node:fs'
import { assert, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/toncenter/endpoint/endpoint.js'
import { EMULATION_PATHS, methodOf, readOperations, UNDOCUMENTED_PATHS } from './description.js'
import { callMethod, createEveryMethod, endpoints, isEndpointName } from './every-endpoint.js'
import { sampleParameters } from './sample-parameters.js'

const table: Readonly<Record<string, Endpoint>> = endpoints
const operations = readOperations()
const documented = [...new Set(operations.map(({ path }) => path))]

describe('the table of API v3', () => {
  it('has 48 paths of the description', () => {
    expect(documented).toHaveLength(48)
  })

  it.each([...documented, ...UNDOCUMENTED_PATHS, ...EMULATION_PATHS])(
    'has a method for %s',
    (path) => {
      const v3 = createEveryMethod({ baseUrl: 'http://localhost' })
      expect(table[methodOf(path)]?.path).toBe(path)
      expect(v3).toHaveProperty(methodOf(path), expect.any(Function))
    },
  )

  it('has no other paths, and marks undocumented ones', () => {
    const paths = Object.values(table).map(({ path }) => path)
    const known = [...documented, ...UNDOCUMENTED_PATHS, ...EMULATION_PATHS]
    expect(paths.toSorted()).toEqual(known.toSorted())
    const marked = Object.values(table).filter(({ isUndocumented }) => isUndocumented === true)
    expect(marked.map(({ path }) => path).toSorted()).toEqual(UNDOCUMENTED_PATHS.toSorted())
    const emulating = Object.values(table).filter(({ api }) => api === 'emulate/v1')
    expect(emulating.map(({ path }) => path)).toEqual(EMULATION_PATHS)
  })

  it.each(operations)('has the method and every parameter of $method $path', (operation) => {
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
      const v3 = createEveryMethod({ baseUrl: 'http://localhost' })
      const name = methodOf(path)
      assert(isEndpointName(name))
      for (const missing of required) {
        const params = { ...sampleParameters[name], [missing]: undefined }
        await expect(callMethod(v3, name, params)).rejects.toMatchObject({
          code: 'ERR_TONPLUG_INVALID_PARAMS',
          message: expect.stringContaining(missing),
        })
      }
    },
  )

  it('names each endpoint after its path', () => {
    for (const [name, endpoint] of Object.entries(table)) {
      expect({ name, method: endpoint.name }).toEqual({ name, method: methodOf(endpoint.path) })
    }
  })

  it('marks undocumented endpoints in their docstrings', () => {
    const folder = new URL('../../../src/toncenter/v3/endpoints/', import.meta.url)
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
