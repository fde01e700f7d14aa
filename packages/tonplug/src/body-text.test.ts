import { describe, expect, it } from 'vitest'
import { bodyText } from './body-text.js'

describe('bodyText', () => {
  it('indents JSON', () => {
    expect(bodyText('{"a":["]{",1]}')).toBe('{\n  "a": [\n    "]{",\n    1\n  ]\n}')
  })

  it('prints a long list inside 3000 others on one line', () => {
    const body = `${'['.repeat(3000)}${'1,'.repeat(20_000)}1${']'.repeat(3000)}`
    expect(bodyText(body)).toHaveLength(body.length)
  })
})
