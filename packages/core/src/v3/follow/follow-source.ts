import type { Clock } from '../../runtime/clock.js'
import type { RequestOptions } from '../../transport/options.js'
import type { V3Call } from '../call.js'
import type { V3Request } from '../request.js'

/** What one poll asks with. */
export interface PollCalls {
  call: V3Call
  /** Answers a body as it came, for what cannot be read. */
  readRaw(this: void, request: V3Request, options: RequestOptions): Promise<unknown>
}

/** What follows ask with. */
export interface FollowSource {
  /** Makes what calls endpoints for one poll: the same server as long as it answers, since servers differ by some blocks. */
  open(): PollCalls
  clock: Clock
}
