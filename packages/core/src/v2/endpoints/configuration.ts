import { listParam, optionalParam } from '../../schema/param.js'
import { hashParam, intParam, seqnoParam } from '../../schema/params.js'
import { exactlyOne, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

/** The blockchain's configuration and libraries. */
export const configuration = {
  /**
   * One parameter of the blockchain's configuration, as a cell.
   * `param` is another name of `config_id`, which only the C++ server knows; pass one of them.
   * @example
   * const { config } = await v2.getConfigParam({ config_id: 34 })
   * console.log(config.bytes)
   */
  getConfigParam: getEndpoint('getConfigParam', {
    params: paramsObject(
      {
        /** The number of the parameter. */
        config_id: optionalParam(intParam(0)),
        /** The same by its other name. */
        param: optionalParam(intParam(0)),
        /** The masterchain block as of which to look. @default the newest one */
        seqno: optionalParam(seqnoParam),
      },
      exactlyOne('config_id', 'param'),
    ),
  }),

  /**
   * The blockchain's whole configuration, as a cell. C++ server only.
   * @example
   * const { config } = await v2.getConfigAll()
   * console.log(config.bytes)
   */
  getConfigAll: getEndpoint('getConfigAll', {
    params: paramsObject({
      /** The masterchain block as of which to look. @default the newest one */
      seqno: optionalParam(seqnoParam),
    }),
    servers: 'cpp',
  }),

  /**
   * Libraries by their hashes; those that are not known are missing.
   * More than fit an address go through `/jsonRPC`.
   * @example
   * const { result } = await v2.getLibraries({ libraries: [hash] })
   * for (const library of result) console.log(library.hash, library.data)
   */
  getLibraries: getEndpoint('getLibraries', {
    params: paramsObject({
      /** The hashes of the libraries. */
      libraries: listParam(hashParam),
    }),
  }),
}
