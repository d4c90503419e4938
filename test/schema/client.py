"""Uses the service at the address of the first argument through a client made from its description alone.

The client refuses members, statuses and types that the description does not declare. API_KEY is in the environment.
"""

import os
import sys
import uuid

from aiopenapi3 import OpenAPI
from aiopenapi3.errors import HTTPClientError

HIGHEST = 9223372036854775807

origin = sys.argv[1]
api = OpenAPI.load_sync(origin + "/openapi.json")
api.authenticate(apiKey=os.environ["API_KEY"])
calls = api._
retry_key = str(uuid.uuid4())


def refusal(call, **arguments):
    try:
        call(**arguments)
    except HTTPClientError as error:
        return error.status_code, error.data.code, error.data.status
    raise AssertionError("not refused")


created = [
    calls.createPet(data={"name": "Rex", "categoryId": HIGHEST, "status": "sold"}),
    calls.createPet(data={"name": "Tom", "categoryId": -HIGHEST - 1}, parameters={"Idempotency-Key": retry_key}),
]
assert [pet.categoryId for pet in created] == [HIGHEST, -HIGHEST - 1]
assert created[1].model_fields_set == {"id", "name", "categoryId"}, "an absent status is left out"
again = calls.createPet(data={"name": "Tom", "categoryId": -HIGHEST - 1}, parameters={"Idempotency-Key": retry_key})
assert again == created[1]

assert calls.listPets(parameters={"limit": 2}) == created[::-1]
assert calls.listPets(parameters={"status": "sold", "id": [created[0].id]}) == [created[0]]
assert calls.getPet(parameters={"petId": created[0].id}) == created[0]
assert calls.listOrders() == []

assert refusal(calls.getPet, parameters={"petId": HIGHEST}) == (404, "pet_not_found", 404)
reused = {"data": {"name": "Rex", "categoryId": 1}, "parameters": {"Idempotency-Key": retry_key}}
assert refusal(calls.createPet, **reused) == (422, "idempotency_key_reused", 422)
api.authenticate(None, apiKey="wrong")
assert refusal(calls.listPets) == (401, "invalid_api_key", 401)
