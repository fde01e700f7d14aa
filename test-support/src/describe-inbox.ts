// The suite is not published: an inbox cannot be implemented outside of this repository.
export { describeInbox } from '../../packages/testing/src/conformance/inbox.js'
