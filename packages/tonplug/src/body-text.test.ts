import { describe, expect, it } from 'vitest'
import { bodyText } from './body-text.js'
import { jsonVariants } from './signature/json-variants.js'

describe('bodyText', () => {
  it('indents JSON', () => {
    expect(bodyText('{"a":["]{",1]}')).toBe('{\n  "a": [\n    "]{",\n    1\n  ]\n}')
  })

  it('prints a long list inside 3000 others on one line', () => {
    const body = `${'['.repeat(3000)}${'1,'.repeat(20_000)}1${']'.repeat(3000)}`
    expect(bodyText(body)).toHaveLength(body.length)
  })
})

describe('jsonVariants', () => {
  it('reads a string without an end in a time that does not grow with its square', () => {
    const start = process.cpuUsage()
    expect(jsonVariants(`{"a":"${String.raw`\"`.repeat(100_000)}`).size).toBe(0)
    const { user, system } = process.cpuUsage(start)
    expect(user + system).toBeLessThan(1_000_000)
  })
})
