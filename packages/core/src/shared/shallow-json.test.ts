import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooDeep, parseShallowJson } from './shallow-json.js'

const nest = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels)

const BRACKETS_IN_STRING = JSON.stringify('[{'.repeat(2000))

describe('isTooDeep', () => {
  it.each<[title: string, text: string, isDeep: boolean]>([
    ['1000 arrays', nest('[', ']', 1000), false],
    ['1001 arrays', nest('[', ']', 1001), true],
    ['1001 objects', `${'{"":'.repeat(1001)}0${'}'.repeat(1001)}`, true],
    ['501 arrays in objects', nest('{"a":[', ']}', 501), true],
    ['500 arrays in objects', nest('{"a":[', ']}', 500), false],
    ['1001 arrays without an end', '['.repeat(1001), true],
    ['1001 arrays after a byte order mark', `\uFEFF${nest('[', ']', 1001)}`, true],
    ['1001 arrays after blanks and line ends', ` \r\n\t${nest('[\n', ']', 1001)}`, true],
    ['2000 arrays beside each other', `[${'[],'.repeat(2000)}0]`, false],
    ['brackets in a string', `[${BRACKETS_IN_STRING}]`, false],
    ['brackets in a key', `{${BRACKETS_IN_STRING}:1}`, false],
    ['brackets after an escaped quote', String.raw`["\"${'['.repeat(2000)}"]`, false],
    ['arrays after an escaped backslash', String.raw`["\\",${nest('[', ']', 1001)}]`, true],
    ['closing brackets in strings', '["]",'.repeat(1001), true],
    ['a string without an end', `["${'['.repeat(2000)}`, false],
  ])('counts the levels of %s', (_, text, isDeep) => {
    expect(isTooDeep(text, 1000)).toBe(isDeep)
  })

  it('agrees with the parsed value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 1, max: 9 }), (text, maxDepth) => {
        expect(isTooDeep(text, maxDepth)).toBe(depthOf(JSON.parse(text)) > maxDepth)
      }),
    )
  })

  it('reads each character once', () => {
    const flat = `[${'{"a":"\\"[[[[{{{{","b":[1,2]},'.repeat(400_000)}0]`
    const startedMs = performance.now()
    expect(isTooDeep(flat, 1000)).toBe(false)
    // Some tens of milliseconds; minutes if each string were searched from the beginning.
    expect(performance.now() - startedMs).toBeLessThan(30_000)
  })
})

describe('parseShallowJson', () => {
  it('rejects 8,000,000 levels before it parses them', () => {
    const text = nest('[', ']', 8_000_000)
    const before = process.memoryUsage().rss
    expect(() => parseShallowJson(text)).toThrow('at most 32768 levels')
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  })

  it('parses everything else like JSON.parse', () => {
    expect(() => parseShallowJson(nest('[', ']', 32_769))).toThrow(SyntaxError)
    expect(parseShallowJson(nest('[', ']', 32_768))).toBeInstanceOf(Array)
    expect(parseShallowJson('{"a":[1,{"b":"]"}]}')).toEqual({ a: [1, { b: ']' }] })
    expect(() => parseShallowJson('{"a":')).toThrow(SyntaxError)
  })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
