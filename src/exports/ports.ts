// The entry point `animal-store/ports`: what the domain needs from outside, as types only.

export type { ApiKeyChange, ApiKeyStore } from '../ports/api-key-store.js'
export type { Archive, ArchiveItem, MergeResult } from '../ports/archive.js'
export type { Clock } from '../ports/clock.js'
export type { Crypto } from '../ports/crypto.js'
export type { Damage, ReportDamage } from '../ports/damage-report.js'
export type { Delivery, EventPublisher } from '../ports/event-publisher.js'
export type { IdGenerator } from '../ports/id-generator.js'
export type { Ports } from '../ports/index.js'
export type { Notice, Notify } from '../ports/notice.js'
export type {
  Backlog,
  ClaimedEvent,
  ClaimRequest,
  Outbox,
  ParkedEvent,
  Requeue,
  Settlement,
} from '../ports/outbox.js'
export type { ParsedNewPet, ParseNewPet } from '../ports/parse-new-pet.js'
export type { Added, HeldIdempotencyKey, IdempotencyKey, PetRecord, PetRepository } from '../ports/pet-repository.js'
export type { ArchivedStore, Store } from '../ports/store.js'
export type { PoolLevels, StoreLevels, StoreObserver } from '../ports/store-observer.js'
