import { listParam, optionalParam } from '../../schema/param.js'
import { hashParam, intParam, seqnoParam } from '../../schema/params.js'
import { exactlyOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

/** The blockchain's configuration and libraries. */
export const configuration = {
  /**
   * Returns one parameter of the blockchain configuration as a cell.
   * `param` is another name of `config_id` that only the C++ server knows; pass one of the two.
   * @example
   * const { config } = await v2.getConfigParam({ config_id: 34 })
   * console.log(config.bytes)
   */
  getConfigParam: getEndpoint(
    'getConfigParam',
    {
      /** The number of the parameter. */
      config_id: optionalParam(intParam(0)),
      /** Another name of `config_id`. */
      param: optionalParam(intParam(0)),
      /** The masterchain block whose state to read. @default the newest one */
      seqno: optionalParam(seqnoParam),
    },
    { rules: [exactlyOne('config_id', 'param')] },
  ),

  /**
   * Returns the whole blockchain configuration as a cell. C++ server only.
   * @example
   * const { config } = await v2.getConfigAll()
   * console.log(config.bytes)
   */
  getConfigAll: getEndpoint(
    'getConfigAll',
    {
      /** The masterchain block whose state to read. @default the newest one */
      seqno: optionalParam(seqnoParam),
    },
    { servers: 'cpp' },
  ),

  /**
   * Returns libraries by their hashes; unknown ones are missing.
   * A list that is too long for a URL is sent through `/jsonRPC`.
   * @example
   * const { result } = await v2.getLibraries({ libraries: [hash] })
   * for (const library of result) console.log(library.hash, library.data)
   */
  getLibraries: getEndpoint('getLibraries', {
    /** The hashes of the libraries. */
    libraries: listParam(hashParam),
  }),
}
