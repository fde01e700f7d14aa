import { addressParam, hashParam } from '../../schema/params.js'
import { getEndpoint } from '../endpoint.js'

const oneAddressGiven = {
  /** The address, in any format. */
  address: addressParam,
}

/** Formats of addresses and hashes. */
export const utils = {
  /**
   * Returns every format of an address, and the format that was passed.
   * @example
   * const { raw_form, test_only } = await v2.detectAddress({ address })
   * console.log(raw_form, test_only)
   */
  detectAddress: getEndpoint('detectAddress', oneAddressGiven),

  /**
   * Returns every format of a 256-bit hash. C++ server only.
   * @example
   * const { hex } = await v2.detectHash({ hash })
   * console.log(hex)
   */
  detectHash: getEndpoint(
    'detectHash',
    {
      /** The hash, in any format. */
      hash: hashParam,
    },
    { servers: 'cpp' },
  ),

  /**
   * Returns the user-friendly format of an address: base64url from the C++ server, base64 from the Python one.
   * @example
   * const friendly = await v2.packAddress({ address })
   * console.log(friendly)
   */
  packAddress: getEndpoint('packAddress', oneAddressGiven),

  /**
   * Returns the raw format of an address: upper-case hex from the C++ server, lower-case from the Python one.
   * @example
   * const raw = await v2.unpackAddress({ address })
   * console.log(raw)
   */
  unpackAddress: getEndpoint('unpackAddress', oneAddressGiven),
}
