import { objectField } from '../../schema/fields.js'
import { block } from './block.js'

/** The newest masterchain block of the index, and its oldest. */
export const masterchainInfo = objectField({ last: block, first: block })
