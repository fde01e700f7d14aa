import { Address } from '@ton/core'
import { rawAddress } from '../spellings.js'
import { addressOf, hashOf, invalid, textOf, type Answer, type Question } from './question.js'

/** The methods about spellings of addresses and hashes. */
export const spellings = {
  detectAddress(question) {
    const { address, isFriendly, isBounceable, testOnly } = given(question)
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
  detectHash(question) {
    const hash = hashOf(question, 'hash')
    if (hash === undefined) throw invalid('parameter hash is required')
    const bytes = Buffer.from(hash, 'base64')
    return {
      '@type': 'ext.utils.detectedHash',
      b64: hash,
      b64url: hash.replaceAll('+', '-').replaceAll('/', '_'),
      hex: bytes.toString('hex'),
    }
  },
  packAddress(question) {
    const { address, isFriendly, isBounceable: bounceable, testOnly } = given(question)
    if (question.dialect === 'cpp') return address.toString({ bounceable, testOnly })
    return isFriendly
      ? textOf(question, 'address')
      : address.toString({ bounceable, testOnly, urlSafe: false })
  },
  unpackAddress(question) {
    const { address } = given(question)
    return question.dialect === 'cpp' ? rawAddress(address) : address.toRawString()
  },
} satisfies Record<string, Answer>

/** An address and how it was spelled; a raw one goes for a bounceable one. */
function given(question: Question) {
  const address = addressOf(question)
  const text = textOf(question, 'address')
  if (!Address.isFriendly(text)) {
    return { address, isFriendly: false, isBounceable: true, testOnly: false }
  }
  const { isBounceable, isTestOnly: testOnly } = Address.parseFriendly(text)
  return { address, isFriendly: true, isBounceable, testOnly }
}
