package io.weir.internal.server.http;

import io.weir.internal.control.json.Json;
import io.weir.internal.control.session.SessionDocument;
import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Renders the authenticated caller as JSON, as {@code control} does where it is mounted. */
final class AuthenticationDocument {
  private AuthenticationDocument() {}

  static String json(Authentication caller) {
    SessionDocument document =
        new SessionDocument(
            caller.name(),
            caller.identity().userId().orElse(null),
            Arrays.stream(Role.values())
                .filter(caller.identity()::may)
                .map(Role::text)
                .sorted()
                .toList(),
            caller.validUntil().orElse(null),
            null,
            true);
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }
}
