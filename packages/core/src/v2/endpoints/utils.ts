import { addressParam, hashParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

const oneAddressGiven = paramsObject({
  /** The address, in any spelling. */
  address: addressParam,
})

/** Spellings of addresses and hashes. */
export const utils = {
  /**
   * Every spelling of an address, and which one was given.
   * @example
   * const { raw_form, test_only } = await v2.detectAddress({ address })
   * console.log(raw_form, test_only)
   */
  detectAddress: getEndpoint('detectAddress', {
    params: oneAddressGiven,
  }),

  /**
   * Every spelling of a 256-bit hash. C++ server only.
   * @example
   * const { hex } = await v2.detectHash({ hash })
   * console.log(hex)
   */
  detectHash: getEndpoint('detectHash', {
    params: paramsObject({
      /** The hash, in any spelling. */
      hash: hashParam,
    }),
    servers: 'cpp',
  }),

  /**
   * The friendly spelling of an address; base64url from the C++ server, base64 from the Python one.
   * @example
   * const friendly = await v2.packAddress({ address })
   * console.log(friendly)
   */
  packAddress: getEndpoint('packAddress', {
    params: oneAddressGiven,
  }),

  /**
   * The raw spelling of an address; upper-case hex from the C++ server, lower-case from the Python one.
   * @example
   * const raw = await v2.unpackAddress({ address })
   * console.log(raw)
   */
  unpackAddress: getEndpoint('unpackAddress', {
    params: oneAddressGiven,
  }),
}
