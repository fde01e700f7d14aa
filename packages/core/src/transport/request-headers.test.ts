import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/configuration.js'
import { requestHeaders } from './request-headers.js'

describe('requestHeaders', () => {
  it('adds headers in lower case, so that none is sent twice', () => {
    const headers = requestHeaders(true, { Accept: 'text/plain', 'X-Actions-Version': 'v2' })
    expect(headers).toEqual({
      accept: 'text/plain',
      'content-type': 'application/json',
      'x-actions-version': 'v2',
    })
  })

  it.each([{ 'x-token': 'hidden\nx' }, { 'x-token': 'hidden\u0100' }, { 'x token': 'hidden' }])(
    'refuses %j without quoting the value',
    (more) => {
      const read = () => requestHeaders(false, more)
      expect(read).toThrow(ConfigurationError)
      expect(read).not.toThrow(/hidden/)
    },
  )
})
