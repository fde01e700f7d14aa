import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { requestHeaders } from './call-options.js'

describe('requestHeaders', () => {
  it('adds headers in lower case, so none is sent twice', () => {
    const headers = requestHeaders(true, { Accept: 'text/plain', 'X-Actions-Version': 'v2' })
    expect(headers).toEqual({
      accept: 'text/plain',
      'content-type': 'application/json',
      'x-actions-version': 'v2',
    })
  })

  it.each([{ 'x-token': 'hidden\nx' }, { 'x-token': 'hidden\u0100' }, { 'x token': 'hidden' }])(
    'rejects %j without quoting the value',
    (more) => {
      const read = () => requestHeaders(false, more)
      expect(read).toThrow(ConfigurationError)
      expect(read).not.toThrow(/hidden/)
    },
  )
})
