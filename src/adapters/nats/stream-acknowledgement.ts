// JetStream's acknowledgement of a publication. Any other subscriber to the subject may reply before JetStream does.
import { guarded } from '../../domain/codecs/guarded.js'
import { struct } from '../../domain/codecs/struct.js'

const isStreamName = (u: unknown): u is string => typeof u === 'string' && u !== ''

const StreamName = guarded('StreamName', isStreamName, 'must name a stream')

// streams count in uint64: beyond 2^53 a sequence is rounded, but still a sequence
const isSequence = (u: unknown): u is number => Number.isInteger(u) && Number(u) >= 1

const Sequence = guarded('Sequence', isSequence, 'must be a sequence from 1')

/** Where the stream stored the message. */
export const StreamAcknowledgement = struct('StreamAcknowledgement', { stream: StreamName, seq: Sequence }, {})
