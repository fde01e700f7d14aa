import { describe, expect, it } from 'vitest'
import { createPathMatcher } from './path-matcher.js'

describe('createPathMatcher', () => {
  it.each([
    ['/webhooks/ton', '/webhooks/ton'],
    ['/webhooks/ton', '/api/v1/webhooks/ton?from=gateway'],
    ['/webhooks/ton', '/Webhooks/TON/'],
    ['/webhooks/ton', '//webhooks//ton'],
    ['/webhooks/ton', '/webhooks/t%6Fn'],
    ['/webhooks/ton', 'http://shop.example/webhooks/ton#a'],
    ['/Webhooks/тон', '/webhooks/%D1%82%D0%BE%D0%BD'],
    ['/webhooks/:merchant/ton', '/webhooks/one/ton'],
    ['/webhooks/*any', '/elsewhere'],
    ['/', '/'],
    ['/', '/elsewhere'],
  ])('%s matches %s', (path, url) => {
    expect(createPathMatcher(path)(url)).toBe(true)
  })

  it.each([
    ['/webhooks/ton', '/webhooks'],
    ['/webhooks/ton', '/ton'],
    ['/webhooks/ton', '/webhooks/ton/more'],
    ['/webhooks/ton', '/webhooks/tonic'],
    ['/webhooks/ton', '/other?path=/webhooks/ton'],
    ['/webhooks/ton', '/%zz/webhooks/ton'],
    ['/webhooks/:merchant/ton', '/webhooks/ton'],
    ['/webhooks/:merchant/ton', '/hooks/one/ton'],
  ])('%s does not match %s', (path, url) => {
    expect(createPathMatcher(path)(url)).toBe(false)
  })
})
