import { Address } from '@ton/core'
import { rawAddress } from '../shared/encodings.js'
import {
  addressOf,
  hashOf,
  invalid,
  stringOf,
  type Method,
  type MethodCall,
} from './method-call.js'

/** The methods for the formats of addresses and hashes. */
export const formats = {
  detectAddress(call) {
    const { address, isFriendly, isBounceable, testOnly } = parseAddress(call)
    const friendly = isBounceable ? 'friendly_bounceable' : 'friendly_non_bounceable'
    const variant = (bounceable: boolean): unknown => ({
      '@type': 'ext.utils.detectedAddressVariant',
      b64: address.toString({ bounceable, testOnly, urlSafe: false }),
      b64url: address.toString({ bounceable, testOnly, urlSafe: true }),
    })
    return {
      '@type': 'ext.utils.detectedAddress',
      raw_form: address.toRawString(),
      bounceable: variant(true),
      non_bounceable: variant(false),
      given_type: isFriendly ? friendly : 'raw_form',
      test_only: testOnly,
    }
  },
  detectHash(call) {
    const hash = hashOf(call, 'hash')
    if (hash === undefined) throw invalid('parameter hash is required')
    const bytes = Buffer.from(hash, 'base64')
    return {
      '@type': 'ext.utils.detectedHash',
      b64: hash,
      b64url: hash.replaceAll('+', '-').replaceAll('/', '_'),
      hex: bytes.toString('hex'),
    }
  },
  packAddress(call) {
    const { address, isFriendly, isBounceable: bounceable, testOnly } = parseAddress(call)
    if (call.dialect === 'cpp') return address.toString({ bounceable, testOnly })
    return isFriendly
      ? stringOf(call, 'address')
      : address.toString({ bounceable, testOnly, urlSafe: false })
  },
  unpackAddress(call) {
    const { address } = parseAddress(call)
    return call.dialect === 'cpp' ? rawAddress(address) : address.toRawString()
  },
} satisfies Record<string, Method>

/** Returns an address and its format; a raw address counts as bounceable. */
function parseAddress(call: MethodCall) {
  const address = addressOf(call)
  const text = stringOf(call, 'address')
  if (!Address.isFriendly(text)) {
    return { address, isFriendly: false, isBounceable: true, testOnly: false }
  }
  const { isBounceable, isTestOnly: testOnly } = Address.parseFriendly(text)
  return { address, isFriendly: true, isBounceable, testOnly }
}
