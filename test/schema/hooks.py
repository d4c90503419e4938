"""What openapi.yaml cannot say about a request, and what Schemathesis makes of links and lists."""

import schemathesis


@schemathesis.hook
def before_call(ctx, case, kwargs):
    # a cursor carries a check, so only the service can issue one: a string of the right form is refused like a wrong one
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.query.pop("cursor", None)
    # it infers links from names, and then sends the number of an animal as an id of a request
    for name, value in list((case.headers or {}).items()):
        if isinstance(value, int):
            case.headers[name] = str(value)


@schemathesis.hook
def after_call(ctx, case, response):
    # the lines of a list are one list (RFC 9110 section 5.3); only the first line would be checked
    lines = response.headers.get("link")
    if lines is not None:
        response.headers["link"] = [", ".join(lines)]
