// JetStream's acknowledgement of a publication. Any other subscriber to the subject may reply before JetStream does.
import * as t from 'io-ts'
import { struct } from '../../domain/codecs/struct.js'

const isStreamName = (u: unknown): u is string => typeof u === 'string' && u !== ''

const StreamName = new t.Type<string, string, unknown>(
  'StreamName',
  isStreamName,
  (u, context) => (isStreamName(u) ? t.success(u) : t.failure(u, context, 'must name a stream')),
  t.identity,
)

// streams count in uint64: beyond 2^53 a sequence is rounded, but still a sequence
const isSequence = (u: unknown): u is number => Number.isInteger(u) && Number(u) >= 1

const Sequence = new t.Type<number, number, unknown>(
  'Sequence',
  isSequence,
  (u, context) => (isSequence(u) ? t.success(u) : t.failure(u, context, 'must be a sequence from 1')),
  t.identity,
)

/** Where the stream stored the message. */
export const StreamAcknowledgement = struct('StreamAcknowledgement', { stream: StreamName, seq: Sequence }, {})
