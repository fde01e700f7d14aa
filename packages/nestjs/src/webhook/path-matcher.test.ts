import { describe, expect, it } from 'vitest'
import { createPathMatcher, isAtPath } from './path-matcher.js'

describe('createPathMatcher', () => {
  it.each([
    ['/webhooks/ton', '/webhooks/ton'],
    ['/webhooks/ton', '/webhooks/ton?from=gateway'],
    ['/webhooks/ton', '/Webhooks/TON/'],
    ['/webhooks/ton', '//webhooks//ton'],
    ['/webhooks/ton', '/webhooks/t%6Fn'],
    ['/webhooks/ton', 'http://shop.example/webhooks/ton#a'],
    ['/Webhooks/тон', '/webhooks/%D1%82%D0%BE%D0%BD'],
    ['/webhooks/:merchant/ton', '/webhooks/one/ton'],
    ['/webhooks/shop-:merchant', '/webhooks/shop-one'],
    ['/webhooks/*any', '/elsewhere'],
    ['/*tenant/webhooks/ton', '/one/and/two/webhooks/ton'],
    ['/webhooks/:merchant(\\d+)/ton', '/webhooks/1/ton'],
    ['/', '/'],
    ['/', '/?from=gateway'],
  ])('%s matches %s', (path, url) => {
    expect(createPathMatcher(path).matches(url)).toBe(true)
  })

  it.each([
    ['/webhooks/ton', '/webhooks'],
    ['/webhooks/ton', '/ton'],
    ['/webhooks/ton', '/api/webhooks/ton'],
    ['/webhooks/ton', '/webhooks/ton/more'],
    ['/webhooks/ton', '/webhooks/tonic'],
    ['/webhooks/ton', '/other?path=/webhooks/ton'],
    ['/webhooks/ton', '/%zz/webhooks/ton'],
    ['/webhooks/:merchant/ton', '/webhooks/ton'],
    ['/webhooks/:merchant/ton', '/hooks/one/ton'],
    ['/*tenant/webhooks/ton', '/one/webhooks/other'],
    ['/', '/elsewhere'],
    ['/', '/%zz'],
  ])('%s does not match %s', (path, url) => {
    expect(createPathMatcher(path).matches(url)).toBe(false)
  })
})

it.each([
  ['/webhooks/ton', true],
  ['/webhooks/ton?from=gateway', true],
  ['/webhooks/tonic', false],
  ['/Webhooks/ton', false],
  ['/api/webhooks/ton', false],
])('%s is at /webhooks/ton: %s', (url, isAt) => {
  expect(isAtPath(url, '/webhooks/ton')).toBe(isAt)
})
