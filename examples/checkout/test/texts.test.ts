import { describe, expect, test } from 'vitest'
import { fillPage, LANGUAGES, readTexts } from '../src/texts.js'

/** Returns the path of each string, with the names that it has in braces. */
function placesOf(value: unknown, path = ''): [string, string[]][] {
  if (typeof value === 'string') {
    return [[path, Array.from(value.matchAll(/\{\w+\}/g), ([name]) => name).toSorted()]]
  }
  return Object.entries(Object(value)).flatMap(([key, inner]) => placesOf(inner, `${path}/${key}`))
}

describe('the strings of the page', () => {
  test.each(LANGUAGES)('are complete in %s, with the same values', (language) => {
    const texts = readTexts(language)
    expect(placesOf(texts)).toEqual(placesOf(readTexts('en')))
    expect(JSON.stringify(texts)).not.toContain('""')
  })

  test('replace names of a page without adding an element or an attribute', () => {
    const page = '<p title="{{a}}">{{b}} {{a}}</p>'
    expect(fillPage(page, { a: '"><script>', b: "$& '" })).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">$&amp; &#39; &quot;&gt;&lt;script&gt;</p>',
    )
  })
})
