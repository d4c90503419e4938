// The interface, and the ground rules where it is silent.
import { row, type Section } from './row.js'

export const INTERFACE: readonly Section[] = [
  {
    name: 'The interface',
    rows: [
      row(
        'pet-status',
        'PetStatus has three values',
        'create: accepts the status %s',
        'list: must be one of the three, not %j',
        'openapi: allow the same statuses and number of ids as the service',
      ),
      row(
        'new-pet',
        'members of NewPet, two of them required',
        'create: is refused with a list of every fault: %s',
        'openapi: judges %s as the codec does',
      ),
      row(
        'pet',
        'members of Pet, and no others',
        'create: returns the pet with its id, and its Location',
        'check: refuses %s',
        'schema: makes that client refuse an undeclared member',
      ),
      row(
        'error-shape',
        'an Error is code, message and status',
        'errors: have the shape of Error, with any message',
        'check: refuses %s',
        'schema: suffices for a generated client that refuses undeclared members',
      ),
      row(
        'list-pets',
        'GET /pets',
        'list: has 20 pets by default, newest first, including pets that were just created',
        'schema: holds for requests that Schemathesis generates from it',
      ),
      row(
        'limit',
        'limit from 1 to 100, 20 by default',
        'list: of %s must be a plain integer from 1 to 100',
        'list: has 20 pets by default, newest first, including pets that were just created',
        'openapi: have the same bounds and default of limit as its codec',
      ),
      row(
        'status-filter',
        'filter by status',
        'list: can be filtered by status, by ids and by both; a pet without a status matches no status',
      ),
      row(
        'create-pet',
        'POST /pets',
        'create: returns the pet with its id, and its Location',
        'create: keeps any pet exactly',
        'model: the embedded store answers any requests like the memory store',
      ),
      row(
        'create-pet-400',
        'a bad body is 400',
        'create: is refused with a list of every fault: %s',
        'create: stores nothing',
      ),
      row('get-pet', 'GET /pets/{petId}', 'get: returns the pet'),
      row('get-pet-404', 'no such animal is 404', 'get: does not find %s'),
      row(
        'bearer',
        'every operation needs a bearer key; 401 without a good one',
        'auth: is refused at %s %s',
        'auth: is invalid: %s',
        'auth: may follow %j',
      ),
      row(
        'versioning',
        'description 1.0.0; getPet is deprecated until 2030',
        'docs: is served unchanged, without a key',
        'get: is announced on the %s to %s %s',
      ),
    ],
  },
  {
    name: 'Ground rules',
    rows: [
      row(
        'rule-1',
        'exact success bodies',
        'create: leaves out an absent status and unknown members',
        'check: refuses %s',
        'openapi: allows no other members in Pet, but in NewPet',
      ),
      row(
        'rule-2',
        'one error shape for every failure',
        'errors: equal the responses of the service: $operationId $status',
        'framing: is refused if it is ambiguous: %s',
        'fail: causes a 500 at %s %s, with details only in the log',
      ),
      row(
        'rule-3',
        'new facts in headers, parameters and paths only',
        'openapi: are the routes of the service',
        'check: refuses %s',
      ),
      row(
        'rule-4',
        'nothing is repaired; a refused request stores nothing',
        'create: stores nothing',
        'order: is refused for the earlier one: %s',
      ),
      row(
        'rule-5',
        'the clock changes nothing by itself',
        'get: removes no operation by itself, even after the announced date',
      ),
    ],
  },
]
